"""Whether the value given to the name of a secret is one: not a placeholder, a variable, a type or code."""

import re

from deja_hooks.redaction.names import WORDS_THEMSELVES

__all__ = [
    "Given",
    "Span",
    "is_known",
    "is_placeholder",
    "is_secret_argument",
    "is_secret_text",
    "is_secret_word",
    "is_spoken_secret",
]

#: Start, end and kind of one secret.
Span = tuple[int, int, str]
_KNOWN = re.compile(r"(?:\[redacted:[\w-]+\][\"'`,;\s]*)+")
_PLACEHOLDER = re.compile(
    r"[\W_]*|#[0-9a-fA-F]{3,8}|[*xX.•_-]{3,}|<[^<>]{0,200}>?|\$\{(?![^}]*:-[^}$]).*|\$\(.*|\$[A-Za-z_][\w:.]*|%\w+%|(?:[^\w%]*%(?:\(\w*\))?[-#0-9.]*[a-zA-Z])+[^\w%]*|\{\{.*|\{[\w.!:]*\}|@\w+@"
    r"|(?:(?:Bearer|Basic|Token|token)[ ])?(?:\$?\{+(?!\w+:-[^}$]).*\}+|\$\w+|%s|<.*>)"
    r"|(?i:your[-_ ].*|\[?redacted\]?|changeme|null|none|undefined|true|false|env:.*|todo|n/a)",
    re.DOTALL,
)
_CODE_WORDS = frozenset(
    (
        "str", "string", "strings", "text", "number", "int", "integer", "bool", "boolean", "bytes", "object", "any",
        "none", "null", "nil", "true", "false", "undefined", "void", "never", "unknown", "optional", "required",
        "value", "values", "input", "expected", "actual", "entered", "given", "plain", "plaintext", "candidate",
        "result", "results", "response", "request", "req", "res", "body", "data", "raw", "self", "this", "await",
        "new", "not", "in", "lambda", "typeof", "random", "default", "defaults", "hash", "hashed", "encrypted",
        "encoded", "decoded", "prompt", "user", "params", "args", "arg", "kwargs", "config", "settings", "options",
        "the", "an", "and", "or", "of", "for", "with", "is", "are", "was", "be", "must", "should", "can", "will",
        "if", "else", "return", "function", "class", "def", "char", "varchar", "uuid", "secretstr", "unset",
        "missing", "invalid", "empty", "disabled", "enabled", "yes", "no", "on", "off", "inherit", "public",
        "static", "const", "let", "var", "final", "private", "protected", "basic", "bearer", "oauth", "digest",
        "session", "jwt",
    )
)  # fmt: skip
_CALL = re.compile(r"[&*!]?[A-Za-z_$][\w.$:>?!-]{0,100}[(\[<{`]")
_ATTRIBUTE = re.compile(r"[&*!]?[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|!\.|\.|->|::)[A-Za-z_$][\w$]{0,60})+[!?]?[,;)]*")
_DECIMAL = re.compile(r"[-+]?\d{1,20}\.\d{1,20}(?:[eE][-+]?\d{1,3})?")
_BASE64 = re.compile(r"/[A-Za-z0-9+/]{30,4000}={0,2}")
#: Vault's tokens of before 1.10, which look like an attribute.
_VAULTS_TOKEN = re.compile(r"s\.(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}")
_SIMPLE = re.compile(r"[A-Za-z_$][\w$]*")
_RANDOM = re.compile(r"(?=.*[A-Za-z0-9])[\w.+/=:~-]{6,}")
_ALGORITHM = re.compile(
    r"(?i)(?:base|sha|md|aes|rsa|hs|rs|es|utf|argon|oauth|pbkdf|ed|v|http|ecdsa|hmac|x)-?\d{1,5}(?:-.*)?|\d+(?:st|nd|rd|th)"
    r"|\d+-(?:char|byte|bit|digit|day|hour|minute|letter|word)\w*(?:-\w+)?|2fa|mfa|bcrypt.*|scrypt.*"
)


class Given:
    """How a value is given to a name.

    Attributes:
        kind: what the name holds.
        shell: code can't stand here, so that any word is a value.
        alone: the name begins its line.
        tight: nothing but `=` parts the value from it.
    """

    __slots__ = ("alone", "kind", "shell", "tight")

    def __init__(self, kind: str, shell: bool, alone: bool, tight: bool) -> None:
        self.kind = kind
        self.shell = shell
        self.alone = alone
        self.tight = tight


def is_known(value: str) -> bool:
    """Whether the value is nothing but what an earlier pass left."""
    return bool(_KNOWN.fullmatch(value.strip("\"'`\\")))


def is_placeholder(value: str) -> bool:
    """Whether the value stands for a secret that is elsewhere: a variable, a template, asterisks, `your-key`."""
    return bool(_PLACEHOLDER.fullmatch(value.strip().strip("\"'`")))


def is_secret_text(value: str, kind: str) -> bool:
    """A quoted value: a secret unless it is a placeholder or, for names that hold other things too, plainly a word."""
    if not value.strip() or is_placeholder(value) or is_known(value) or value.lower() in WORDS_THEMSELVES:
        return False
    if kind in ("password", "secret", "credential"):
        return True
    if (
        "://" in value
        or (value.startswith(("/", "./", "~/")) and not _is_base64(value))
        or (value.isdigit() and len(value) < 8)
    ):
        return False
    if kind == "auth":
        return _looks_random(value)
    return kind == "key" or len(value) >= 4


def is_secret_argument(value: str) -> bool:
    """An option's argument: any value but another flag, a placeholder or a variable."""
    return bool(value) and value[0] not in "-|>&[(" and not is_placeholder(value) and value.lower() not in _CODE_WORDS


def _is_base64(value: str) -> bool:
    """Whether what begins like a path is a key in base64: one in 64 of them begins with a slash."""
    if not _BASE64.fullmatch(value):
        return False
    parts = [part for part in value.split("/") if len(part) > 9]
    return any(_looks_random(part) and part != part.lower() and part != part.upper() for part in parts)


def _looks_random(value: str) -> bool:
    digits = any(char.isdigit() for char in value)
    mixed = value != value.lower() and value != value.upper() and value[1:] != value[1:].lower()
    letters = any(char.isalpha() for char in value)
    return len(value) >= 8 and " " not in value and letters and (digits or mixed)


def is_spoken_secret(value: str, kind: str) -> bool:
    """A word of prose behind `is`: only if no ordinary word looks like it."""
    if len(value) < 4 or is_placeholder(value) or _ALGORITHM.fullmatch(value) or _CALL.match(value):
        return False
    letters = any(char.isalpha() for char in value)
    digits = any(char.isdigit() for char in value)
    if kind == "password":
        return digits or (letters and any(char in "!@#$%^&*+=?~" for char in value[1:]))
    return digits and letters and len(value) >= 8 and not _ATTRIBUTE.fullmatch(value)


def is_secret_word(text: str, at: int, end: int, given: Given) -> bool:
    """Whether an unquoted value is a secret, not code, a path or a placeholder."""
    value = text[at:end]
    kind = given.kind
    if not value or is_placeholder(value) or value.lower().strip(",;:)]}?!") in _CODE_WORDS:
        return False
    path = value[0] in "/~" or value.startswith("./")
    if kind != "password" and ("://" in value or (path and not _is_base64(value))):
        return False
    if kind == "auth" and not _looks_random(value):
        return False
    if _DECIMAL.fullmatch(value) and kind not in ("password", "secret"):
        return False  # of tokens: a time, a price, a rate
    if value.isdigit():
        return len(value) >= (3 if kind in ("password", "secret") else 8)
    if value.startswith("${"):  # `${NAME:-default}`: what is no placeholder has a default
        return True
    if given.shell:
        if value.startswith(("self.", "cls.", "this.")) and _ATTRIBUTE.fullmatch(value):
            return False  # a line of code that lost its indent
        return value.lower() not in WORDS_THEMSELVES and not (_CALL.match(value) and value.endswith((")", "]", "(")))
    if value[0] in "([{" or _CALL.match(value) or _ATTRIBUTE.fullmatch(value):
        return bool(_VAULTS_TOKEN.fullmatch(value))
    return _not_code(value, text[end : end + 80], given)


#: `hunter2secret`: no name of a variable has its number within, but for those of algorithms (`sha256password`).
_DIGIT_WITHIN = re.compile(
    r"(?!(?i:base|sha|md|aes|utf|oauth|auth|pbkdf|argon|ed|rsa|hs|rs|es|http)\d)[A-Za-z]{2,60}\d{1,20}[A-Za-z]"
)


def _not_code(value: str, rest: str, given: Given) -> bool:
    """Whether a word behind a lower-case name is a secret, not a variable or a type."""
    secret = given.kind in ("password", "secret")
    if not _SIMPLE.fullmatch(value):
        if not secret and not _RANDOM.fullmatch(value.rstrip("?!;")):  # (a sentence's end is no part of a key)
            return False
        return any(char.isalnum() for char in value) and value[0] not in "=|&!"
    if secret and "_" not in value and _DIGIT_WITHIN.match(value):
        return True
    if any(word in value.lower() for word in ("pass", "pwd", "token", "secret", "key", "auth", "cred")):
        return False
    if any(char.isdigit() for char in value):
        return len(value) >= (4 if secret else 6) and "_" not in value
    if "_" in value or not secret or value != value.lower() or len(value) < 3:
        return len(value) >= 24 and "_" not in value
    if given.tight:
        return rest[:1] in ("", " ", "\t", "\r", "\n", "&", ";", '"', "'", "`")
    return given.alone and len(value) > 3 and (not rest.strip(" \t") or rest.lstrip(" \t")[0] in "\r\n&;")
