"""Synthetic secrets of the kinds in `secret_kinds.txt`, made when they are asked for, the same each time."""

from __future__ import annotations

import base64
import random
import re
import string
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

__all__ = ["Kind", "kinds"]

_PARTS = re.compile(r"\[([^\]]+)\]\{(\d+)\}|\(([a-z]+)(?: (\w+))?\)")
_RANGES = re.compile(r"(.)-(.)")
#: As the lists of wallets have them (BIP-39): short common words.
_WALLET = "abandon ability able about above absent absorb abstract absurd abuse access accident".split()


class Kind(NamedTuple):
    """A kind of secret, with one of it.

    Attributes:
        name: what it is.
        text: the secret in its usual surroundings.
        secret: the secret alone.
        traces: what of it must be nowhere: the whole, or long parts of it (lines of a key).
    """

    name: str
    text: str
    secret: str
    traces: tuple[str, ...]


def kinds(seed: int = 6) -> list[Kind]:
    """All kinds, each with its secret."""
    lines = (Path(__file__).parent / "secret_kinds.txt").read_text(encoding="utf-8").splitlines()
    made = []
    for line in lines:
        if not line.startswith("#"):
            name, template, pattern = line.split("\t")
            chance = random.Random(f"{seed} {name}")
            secret = _PARTS.sub(lambda part, chance=chance: _part(part, chance), pattern)  # type: ignore[misc]
            text = template.replace("\\n", "\n").replace("\\\\", "\\").replace("{}", secret)
            made.append(Kind(name, text, secret, _traces(secret)))
    return made


def _part(part: re.Match[str], chance: random.Random) -> str:
    if part[3]:
        return _MAKERS[part[3]](chance, part[4] or "")
    letters = _RANGES.sub(lambda ends: "".join(map(chr, range(ord(ends[1]), ord(ends[2]) + 1))), part[1])
    return "".join(chance.choices(letters, k=int(part[2])))


def _traces(secret: str) -> tuple[str, ...]:
    """The secret itself; of one with lines, all that are random."""
    lines = re.split(r"\\n|\n", secret)
    if len(lines) == 1:
        return (secret,)
    return tuple(line for line in lines if len(line) > 20 and "-----" not in line)


# -- makers


def _base64(chance: random.Random, size: int) -> str:
    return base64.b64encode(chance.randbytes(size)).decode()


def _pem(chance: random.Random, label: str) -> str:
    """A private key; `json` has it in one line with escapes, `base64` encoded once more."""
    named = f"{label} " if label.isupper() else ""
    body = _base64(chance, 48 * 6 - 11)
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    dashes = "-" * 5
    text = "\n".join((f"{dashes}BEGIN {named}PRIVATE KEY{dashes}", *lines, f"{dashes}END {named}PRIVATE KEY{dashes}"))
    if label == "json":
        return text.replace("\n", "\\n") + "\\n"
    return base64.b64encode(text.encode()).decode() if label == "base64" else text


def _pgp(chance: random.Random, _: str) -> str:
    body = _base64(chance, 48 * 4)
    lines = [body[at : at + 64] for at in range(0, len(body), 64)]
    dashes = "-" * 5
    ends = (f"{dashes}{word} PGP PRIVATE KEY BLOCK{dashes}" for word in ("BEGIN", "END"))
    return "\n".join((next(ends), "", *lines, next(ends)))


def _jwt(chance: random.Random, _: str) -> str:
    head = base64.urlsafe_b64encode(b'{"alg":"HS256"}').decode().rstrip("=")
    claims = base64.urlsafe_b64encode(f'{{"sub":"{chance.randrange(10**9)}"}}'.encode()).decode().rstrip("=")
    signature = base64.urlsafe_b64encode(chance.randbytes(32)).decode().rstrip("=")
    return f"{head}.{claims}.{signature}"


def _uuid(chance: random.Random, _: str) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def _word(chance: random.Random, _: str) -> str:
    """Letters that could be a word of some language, and are none."""
    vowels, others = "aeiou", "".join(sorted(set(string.ascii_lowercase) - set("aeiouqxy")))
    return "".join(chance.choice(others) + chance.choice(vowels) for _ in range(5))


def _card(chance: random.Random, _: str) -> str:
    """Sixteen digits of a Visa's form, with the check digit of Luhn's."""
    digits = [4, *(chance.randrange(10) for _ in range(14))]
    doubled = sum(digit * 2 - 9 * (digit > 4) if place % 2 == 0 else digit for place, digit in enumerate(digits))
    return "".join(map(str, (*digits, -doubled % 10)))


def _mnemonic(chance: random.Random, _: str) -> str:
    return " ".join(chance.sample(_WALLET, 12))


_MAKERS: dict[str, Callable[[random.Random, str], str]] = {
    "card": _card,
    "jwt": _jwt,
    "mnemonic": _mnemonic,
    "pem": _pem,
    "pgp": _pgp,
    "uuid": _uuid,
    "word": _word,
}
