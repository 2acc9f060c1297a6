"""Secrets known by their own form, or by what stands before them: keys of vendors, headers, URLs, private keys."""

import re
from collections.abc import Iterator

from deja_hooks.redaction.cards import DIGITS, FOUR_DIGITS, PIN, card_numbers
from deja_hooks.redaction.commands import IN_COMMANDS, IN_WINDOWS, PIPED_USERS, ContextRule
from deja_hooks.redaction.documents import cut_off_keys, document_secrets
from deja_hooks.redaction.patterns import compiled, matches
from deja_hooks.redaction.spoken import phrase_secrets
from deja_hooks.redaction.values import Span
from deja_hooks.redaction.vendors import find_long_words, vendors_keys

__all__ = ["formed_secrets"]

#: The lines of a key in PuTTY's format.
_PUTTY = (
    r"Private-Lines:[ ]?\d{1,4}(?:\r?\n|\\+n)"
    r"(?P<s>[A-Za-z0-9+/=]{1,80}(?:(?:\r?\n|\\+n)[A-Za-z0-9+/=]{1,80}(?![^\s\\\"']))*)"
)
#: Rules for secrets known by what stands before them, with the needle in lower case; these are looked for only where
#: there is a long word at all.
_SCHEMES = (
    ("bearer ", "token", r"(?i:\bbearer)[ ]{1,4}(?P<s>(?=[\w.~+/=-]{0,200}\d)[\w.~+/-]{8,}={0,2})"),
    (
        "basic ",
        "auth",
        r"(?i:\bbasic)[ ]{1,4}(?P<s>(?=[A-Za-z0-9+/]{0,80}[0-9=])[A-Za-z0-9+/]{12,}={0,2})(?![\w+/-])",
    ),
    ("discord", "discord-token", r"(?<![\w-])(?P<s>[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,38})(?![\w-])"),
)
#: A line of libpq's password file: `host:port:database:user:password`.
_PGPASS = r"(?<![^\s\"'`])[\w.*/-]{1,100}:(?:\d{2,5}|\*):(?:[\w.*@-]{1,63}:){2}(?P<s>[^\s:\"'`$<]{1,200})(?!\S*:)"
#: A word that nobody writes behind a user's name but as the password.
_LIKELY = r"(?P<s>(?=[^\s\"'`]{0,60}\d)(?=[^\s\"'`]{0,60}[A-Za-z])[^\s\"'`,;()<>]{8,100})"
_ODD = r"(?:\d|[a-z][A-Z])"
_AFTER_COLON = (
    (
        "cookie",
        "cookie",
        r"(?i:\b(?:set-)?cookie)\\{0,3}[\"']?[ ]?:[ ]?\\{0,3}[\"']?"
        r"(?P<s>[\w.!#$%&*+^|~-]{1,128}=[^\r\n\"'\\]{1,8000})",
    ),
    (
        "creds",
        "password",
        r"(?i:\bcreds)(?:[ ]are|[ ]?[:=])[ ]{1,3}[A-Za-z][\w.@-]{0,60}(?::|[ ]/[ ])" + _LIKELY.replace("\\d", _ODD, 1),
    ),
)
_IN_PASSWORD_FILES = (
    (":5432:", "password", _PGPASS),
    (":*:", "password", _PGPASS),
)
_AFTER_EQUALS = (
    ("sig=", "signature", r"=(?<=[?&;][sS]ig=)(?P<s>[\w%+/=-]{16,2000})"),
    (
        "signature=",
        "signature",
        r"=(?i:(?<=[?&;]signature=)|(?<=\bx-amz-signature=)|(?<=\bx-goog-signature=))(?P<s>[\w%+/=~-]{16,2000})",
    ),
    (
        "auth=(",
        "password",
        r"\bauth=[ ]?\([ ]?['\"][^'\"\r\n]{0,200}['\"],[ ]{0,4}['\"](?P<s>[^'\"\r\n]{1,200})",
    ),
)
_IN_CALLS = (
    (
        "convertto-securestring",
        "password",
        r"(?i:\bconvertto-securestring[ ]{1,4}(?:-string[ ]{1,4})?)(?P<q>['\"])(?P<s>[^'\"\r\n]{1,500})(?P=q)",
    ),
    (
        "identified by",
        "password",
        r"(?i:\bidentified[ ]{1,4}by[ ]{1,4}(?:password[ ]{1,4})?)['\"](?P<s>[^'\"\r\n]{1,500})",
    ),
    (
        "basicauth(",
        "password",
        r"(?i:basicauth)\([ ]?['\"][^'\"\r\n]{0,200}['\"],[ ]{0,4}['\"](?P<s>[^'\"\r\n]{1,200})",
    ),
)
_IN_PROSE = (("log", "password", r"(?i:\blog[ ]?in[ ](?:with|as|using))[ ][\w.@-]{2,60}[ ]/[ ]" + _LIKELY),)
_IN_URLS = (
    ("azurewebsites.net/", "key", r"azurewebsites\.net/[^\s\"'<>]{0,300}?[?&]code=(?P<s>[\w-]{20,200}={0,2})"),
    ("webhook.office.com/", "teams-webhook", r"webhook\.office\.com/webhookb2/(?P<s>[\w@/-]{20,400})"),
    ("hooks.slack.com", "slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/]{20,200})"),
    ("/webhooks/", "discord-webhook", r"discord(?:app)?\.com/api/webhooks/\d{1,30}/(?P<s>[\w-]{20,200})"),
)
#: The user and the password of Oracle's thin driver.
_JDBC_THIN = r"\bjdbc:oracle:thin:[\w.-]{1,60}/(?P<s>[^\s@/\"']{1,200})@"
#: Fly's tokens: base64, whose signs part their words.
_FLY = r"(?<![A-Za-z0-9])(?P<s>fm2_[A-Za-z0-9+/]{60,4000}={0,2})"
#: Of Azure's client secrets, and of OpenShift's tokens.
_WITH_TILDES = (
    ("q~", "azure-secret", r"(?<![\w.~-])(?P<s>[\w.~]{3}\dQ~[\w.~-]{31,34})(?![\w~-])"),
    ("sha256~", "openshift-token", r"\bsha256~(?P<s>[\w-]{43})(?![\w-])"),
)
#: What crypt(3) makes of a password.
_CRYPT = r"\$(?<![\w$]\$)(?:[156y]|2[abxy])\$(?:[\w.,=/-]{1,40}\$){0,3}[\w./]{22,200}(?![\w$])"
#: A minus with a letter behind it is an option; arithmetic and lists are no commands.
_OPTION = re.compile(r" -[-A-Za-z]")
_URL = r"://(?!\[redacted:)[^\s/?#@:\"'<>`]{0,200}:(?P<s>[^\s/\"'<>`]{1,500})@(?=[\w\[$.{<%-])"
#: A user without a password who is a token: Sentry's DSN, a clone with a personal token.
_URL_TOKEN = r"://(?P<s>(?=[\w-]{0,200}\d)(?=[\w-]{0,200}[A-Za-z])[\w-]{16,255})@(?=[\w\[$.{<%-])"
#: Characters after a private key's first line in which its last one is looked for, not past another first line.
_LONGEST_KEY = 40_000
_PEM = r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"


def formed_secrets(text: str, low: str) -> list[Span]:
    """The secrets of the text that have a known form: first the cheap tests, then only what they call for.

    Args:
        low: the text in lower case, of the same length.
    """
    encoded = text.encode("ascii", "replace")
    words = find_long_words(text, encoded)
    spans = vendors_keys(text, words) if words[0] else []
    for rules in _called_for(text, words[0]):
        for needle, kind, pattern in rules:
            if needle in low:
                spans += matches(text, kind, pattern)
    if " -" in text and _OPTION.search(text):
        # A command and its options stand in one line: few lines are to be looked through for many programs.
        lines = "\n".join([line for line in low.split("\n") if " -" in line])
        for needle, kind, pattern in IN_COMMANDS:
            if needle in lines:
                spans += matches(text, kind, pattern)
    digits = encoded.translate(DIGITS)
    if FOUR_DIGITS in digits:
        spans += card_numbers(text, digits)
        if "PIN" in text or " pin " in low:
            spans += matches(text, "pin", PIN)
    if "phrase" in low or "mnemonic" in low:
        spans += phrase_secrets(text, low)
    if words[1]:
        spans += cut_off_keys(text)
        if "fm2_" in text:
            spans += matches(text, "fly-token", _FLY)
    if "Private-Lines:" in text:
        spans += matches(text, "private-key", _PUTTY)
    if "$" in text:
        spans += matches(text, "password-hash", _CRYPT)
    if "@" in text and "thin:" in low:
        spans += matches(text, "password", _JDBC_THIN)
    if "@" in text and "://" in text:
        spans += matches(text, "password", _URL)
        spans += matches(text, "token", _URL_TOKEN)
    if "-----BEGIN" in text:
        spans += _pem_blocks(text)
    if (
        (":" in text and "kind: Secret" in text)
        or ("{" in text and 'variable "' in text)
        or ("=" in text and "--from-literal" in text)
    ):
        spans += document_secrets(text)
    return spans


def _called_for(text: str, long_words: str) -> list[tuple[ContextRule, ...]]:
    """The rules that can match at all by the text's punctuation; a test for one character is the cheapest."""
    groups: list[tuple[ContextRule, ...]] = [_SCHEMES] if long_words else []
    if ":" in text:
        groups.append(_AFTER_COLON)
        if "*" in text or "5" in text:
            groups.append(_IN_PASSWORD_FILES)
    if "=" in text:
        groups.append(_AFTER_EQUALS)
    if "'" in text or '"' in text:
        groups.append(_IN_CALLS)
    if "/" in text:
        if "://" in text:
            groups.append(_IN_URLS)
        if " / " in text:
            groups.append(_IN_PROSE)
    if "|" in text:
        groups.append(PIPED_USERS)
    if "~" in text:
        groups.append(_WITH_TILDES)
    if "\\" in text and "\\\\" in text:
        groups.append(IN_WINDOWS)
    return groups


def _pem_blocks(text: str) -> Iterator[Span]:
    """Private keys, to their END line or, cut off, as far as the text can be base64; `\\n` may be two characters."""
    pem = compiled(_PEM)
    match = pem.search(text)
    while match:
        limit = match.end() + _LONGEST_KEY
        following = text.find("-----BEGIN", match.end(), limit)
        end = text.find("-----END ", match.end(), following if following >= 0 else limit)
        close = text.find("-----", end + 9, end + 80) + 5 if end >= 0 else 0
        if close <= 5:
            close = _cut_off_end(text, match.end())
        yield match.start(), close, "private-key"
        match = pem.search(text, close)


#: A line of a key that was cut off: its header, a full line, or a last piece that is no word of the text behind.
_PEM_LINE = (
    r"(?:\s|\\+[nr])*(?:(?:Proc-Type|DEK-Info|Version|Comment)[^\r\n\\]{0,200}"
    r"|[A-Za-z0-9+/=]{20,}(?![ \t]+[a-z])"
    r"|[A-Za-z0-9+/]{1,80}={0,2}(?=\s*(?:\Z|\\|[\"'\r\n]))(?=\S*[0-9+/=A-Z]))"
)


def _cut_off_end(text: str, at: int) -> int:
    """Where the last line that can belong to a key ends."""
    pattern = compiled(_PEM_LINE)
    while True:
        line = pattern.match(text, at)
        if not line or line.end() == at:
            return at
        at = line.end()
