"""Secrets of several words, and passwords that other languages speak of.

Wallets' seed phrases (BIP-39), passphrases without quotes, `das Passwort lautet …`, `la contraseña es …`.
"""

import re
from collections.abc import Iterator

from deja_hooks.redaction.values import Span

__all__ = ["is_foreign_password", "phrase_secrets"]


def phrase_secrets(text: str, low: str) -> Iterator[Span]:
    """The words behind `seed phrase`, `mnemonic` and `passphrase`.

    Args:
        low: the text in lower case, of the same length.
    """
    for name in ("phrase", "mnemonic"):
        at = low.find(name)
        while at >= 0:
            span = _words_behind(text, low, at, at + len(name))
            if span:
                yield span
            at = low.find(name, span[1] if span else at + len(name))


def _words_behind(text: str, low: str, at: int, end: int) -> Span | None:
    if low.endswith("pass", 0, at):
        return _passphrase(text, end)
    if low.startswith("phrase", at) and not _OF_A_WALLET.search(low, max(0, at - 12), at):
        return None
    seed = _SEED.match(text, end)
    if not seed or not _PROSE.isdisjoint(_LETTERS.findall(seed["s"])):
        return None
    return (*seed.span("s"), "mnemonic")


_OF_A_WALLET = re.compile(r"(?:seed|recovery|backup|wallet|mnemonic|secret)[ _-]?$")
_LETTERS = re.compile(r"[a-z]+")
_NUMBER = r"(?:\d{1,2}[.):][ ]{0,2})?"
_GAP = r"(?:,?[ ]{1,3}|,?[ ]{0,3}\r?\n[ \t]{0,8}|,)" + _NUMBER
#: Twelve to 24 words of BIP-39's lists: three to eight lower-case letters each, numbered or not.
_SEED = re.compile(
    r"\w{0,12}[\"'`*]{0,3}(?:[ ]\([^()\r\n]{1,30}\))?(?:[ ](?:for|of)(?:[ ][\w.-]{1,20}){1,3}?)?"
    r"(?:[ ]{0,3}(?:is|are|was|:=|=>|->|:|=|ist|lautet)){0,2}[ ]{0,3}(?:\r?\n\s{0,8})?[\"'`*]{0,3}" + _NUMBER
    + r"(?P<s>[a-z]{3,8}(?:" + _GAP + r"[a-z]{3,8}(?!\w)){11,23})(?![\w-])"
)  # fmt: skip
#: Words that are in no such list, and without which hardly any sentence of twelve words does.
_PROSE = frozenset(
    (
        "the", "and", "for", "with", "from", "are", "was", "were", "not", "has", "have", "into", "which", "your",
        "used", "been", "should", "its", "our", "their", "them", "than", "per", "via", "does", "did", "whose",
    )
)  # fmt: skip


def _passphrase(text: str, at: int) -> Span | None:
    """Three words or more that say nothing about the passphrase, up to the end of the line or the sentence."""
    found = _PASSPHRASE.match(text, at)
    if not found:
        return None
    words = found["s"].lower().replace("-", " ").split()
    spoken = found["op"].isalpha()
    if not _ABOUT.isdisjoint(words) or (spoken and words[0].endswith(("ed", "ing", "ly"))):
        return None
    return (*found.span("s"), "password")


_PASSPHRASE = re.compile(
    r"[\"'*]{0,3}[ ]{0,3}(?P<op>is|was|ist|lautet|:=|:|=)[ ]{1,3}"
    r"(?P<s>[A-Za-z0-9']{1,20}(?:[ -][A-Za-z0-9']{1,20}){2,23})(?=[ ]{0,3}(?:\Z|[\r\n.!?;,)\"`]))"
)
#: What is said about a passphrase, and stands in none.
_ABOUT = frozenset(
    (
        "a", "an", "the", "this", "that", "these", "it", "its", "of", "to", "in", "on", "for", "from", "by", "with",
        "as", "at", "if", "or", "and", "is", "are", "was", "be", "been", "not", "no", "must", "should", "can", "will",
        "may", "has", "have", "when", "which", "what", "who", "your", "you", "we", "i", "use", "used", "set", "sets",
        "optional", "required", "passphrase", "password", "key", "keys", "private", "public", "secret", "encrypted",
        "encryption", "file", "string", "str", "text", "value", "stored", "empty", "none", "null", "true", "false",
        "only", "also", "too", "very", "never", "always", "still", "already", "now", "read", "asked", "needed",
        "given", "passed", "wrong", "correctly", "invalid", "missing", "kept", "shown", "derived", "hashed", "env",
        "config", "default", "than", "per", "via", "ssh", "gpg", "minimum", "characters", "words", "enter", "type",
        "choose", "please", "repeat", "confirm", "change", "same", "least", "long", "longer", "strong", "weak",
        "der", "die", "das", "ein", "eine", "und", "nicht", "im", "zu", "wird", "noch", "von", "mit",
    )
)  # fmt: skip


def is_foreign_password(value: str, verb: str, rest: str) -> bool:
    """Whether a word of letters is the password itself: `Passwort lautet Sonnenblume`, not `Passwort ist falsch`.

    Args:
        verb: what stands before the word.
        rest: what follows; behind the verbs that mean "is", the sentence must be over.
    """
    low = value.lower()
    if verb not in _VERBS or not _WORD.fullmatch(value) or low in _SAID or low.endswith(_VERBS[verb]):
        return False
    return verb == "lautet" or bool(_OVER.match(rest))


_WORD = re.compile(r"[^\W\d_]{4,40}")
_OVER = re.compile(r"[\"'`]?[ \t]*(?:\Z|[\r\n.!?;,)])")
#: The verbs, with the endings of the adjectives and participles of their language (German's begin with a prefix).
_VERBS = {
    "lautet": (),
    "ist": ("lich", "isch", "los", "bar", "iert", "haft", "sam", "ündert", "setzt", "fordert", "schützt", "laufen",
            "geben", "sselt", "hasht", "speichert", "ändert", "legt", "wendig", "ültig", "ässig", "ständig", "rekt"),
    "es": ("ada", "ida", "able", "ible", "ado", "ido", "osa", "toria", "iva", "nte", "recta", "álida"),
    "est": ("é", "ée", "able", "ible", "oire", "if", "aire", "ect", "is", "ide", "ant", "ique", "eux"),
    "é": ("ada", "ida", "ável", "ível", "ado", "ido", "osa", "tória", "iva", "nte", "reta", "álida"),
}  # fmt: skip
#: Words that say something of a password.
_SAID = frozenset(
    (
        "falsch", "richtig", "leer", "kurz", "lang", "nötig", "sicher", "unsicher", "schwach", "stark", "neu",
        "bekannt", "unbekannt", "gleich", "identisch", "pflicht", "standard", "noch", "nicht", "schon", "immer",
        "hier", "dort", "dran", "weg", "null", "geheim", "öffentlich", "teil", "okay", "besser", "anders", "folgt",
        "folgendermaßen", "jetzt", "dann", "also", "etwa", "klartext", "verloren", "vergessen", "abgelaufen",
        "vacía", "débil", "fuerte", "corta", "larga", "segura", "insegura", "igual", "distinta", "nueva", "vieja",
        "secreta", "pública", "esta", "este", "esto", "siempre", "nunca", "nula", "necesaria", "falsa", "otra",
        "faible", "fort", "trop", "court", "long", "faux", "juste", "vide", "bien", "toujours", "jamais", "celui",
        "secret", "mauvais", "nouveau", "sécurisé", "pareil", "fraca", "forte", "curta", "longa", "nova", "vazia",
        "errada", "certa", "essa", "sempre",
    )
)  # fmt: skip
