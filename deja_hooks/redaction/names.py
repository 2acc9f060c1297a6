"""Secrets known by the name they are given to: which names are those of secrets."""

import re
from functools import lru_cache

__all__ = ["WORDS_THEMSELVES", "name_kind", "words_in"]


def words_in(text: str) -> tuple[str, ...]:
    """The words to look for: where nothing can be assigned, only those that prose speaks of."""
    separated = "=" in text or ":" in text or "<" in text or " -" in text
    words = _WORDS if separated else _ALONE
    return words if text.isascii() else tuple(dict.fromkeys((*words, *_WIDE_WORDS)))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: What a secret's name contains, lower-case. `_SPOKEN` are those that prose uses without punctuation.
_SPOKEN = ("pass", "token", "secret", "api key", "kennwort")
#: `setx API_KEY x` has no punctuation either.
_ALONE = (*_SPOKEN, "_key")
_WORDS = (*_SPOKEN, "pwd", "key", "auth", "credential", "senha", "contrase", "wachtwoord", "parola")
_WIDE_WORDS = ("senha", "contrase", "密码", "密碼", "パスワード", "пароль", "비밀번호", "lösenord", "hasło")
_PASSWORDS = _words(
    "password passwd passwort passphrase passcode pwd kennwort senha contraseña contrasena contrasenya motdepasse "
    "wachtwoord parola 密码 密碼 パスワード пароль 비밀번호 lösenord hasło passwords"
)
WORDS_THEMSELVES = _PASSWORDS | _words(
    "token secret apikey api_key api-key credentials auth key access_token include omit same-origin"
)
_KEYS = _words(
    "apikey accesskey secretkey privatekey accountkey sharedaccesskey encryptionkey signingkey masterkey authkey "
    "sharedkey storagekey subscriptionkey licensekey deploykey sshkey functionkey hostkey clientkey"
)
_BEFORE_KEY = _words(
    "api access secret private account encryption signing master auth shared storage subscription license deploy "
    "function functions service application"
)
#: After the word, they make the name that of something about the secret, not the secret.
_ABOUT = _words(
    "name names type types count counts url uri urls path paths file files filename field fields label id ids length "
    "len size limit budget budgets expiry expires expire expired expiration exp ttl age min max policy format header "
    "headers prefix suffix param params parameter hint prompt input validator validation regex pattern strategy "
    "provider providers method methods mode scheme endpoint service services manager store storage ref refs reference "
    "ms latency class error errors required enabled disabled valid invalid reset usage used cost price rate window "
    "index pos position offset start end line kind status state info dir directory sock version arn host port "
    "domain realm rotation algorithm alg hasher strength generator factory handler middleware "
    "callback function func list map set dict model schema table column confirmation mismatch placeholder "
    "message title description button form page view screen component props guard module plugin config "
    "settings options scopes scope audience issuer level group role user users client source target"
)
#: Before `token`, they make it a word of a vocabulary, of a parser or of a pager.
_OTHER_TOKENS = _words(
    "eos bos pad unk mask sep cls public next prev previous page continuation lookahead current peek advance expect "
    "match max min num total input output prompt completion special stop per"
)
_ACTIONS = _words("is has no use show hide forgot toggle require requires needs reset change verify check")
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]+|\d+")


@lru_cache(maxsize=2048)
def name_kind(name: str) -> str:
    """The kind of secret that an identifier of this name holds; "" where it holds none."""
    plain = name.replace("ñ", "n")
    parts = [part.lower() for part in (_PARTS.findall(plain) if plain.isascii() else plain.split("_"))]
    kind, last = "", 0
    for index, part in enumerate(parts):
        before = parts[index - 1] if index else ""
        found = _part_kind(part, before, len(parts))
        if not found or (found == "auth" and index + 1 < len(parts)):
            continue
        if before in _ACTIONS or (found == "token" and before in _OTHER_TOKENS):
            return ""
        kind, last = found, index
    return "" if any(word in _ABOUT for word in parts[last + 1 :]) else kind


def _part_kind(part: str, before: str, count: int) -> str:
    if part in _PASSWORDS or part.endswith(("password", "passwd", "passwort", "passphrase", "pwd")):
        return "password"
    if part == "pass" and count == 1:
        return "password"
    if part in ("pass", "passe") and before not in ("", "test", "tests", "all", "num", "did"):
        return "password"
    if part in _KEYS or (part == "key" and before in _BEFORE_KEY):
        return "key"
    if part.endswith("secret") or part == "secrets":
        return "secret"
    if part.endswith("token"):
        return "token"
    if part in ("credential", "credentials"):
        return "credential"
    return "auth" if part in ("auth", "authorization") else ""
