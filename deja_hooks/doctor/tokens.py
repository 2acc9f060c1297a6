"""Tokens in the hosts' lists of servers (`mcp.json`, `mcp-config.json`): we edit these files, and keep nothing of them.

Each value there that redaction knows for a secret is looked for, byte for byte, in every file of ours.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc
from deja_hooks.doctor.own_files import Found
from deja_hooks.redaction.redact import redact

__all__ = ["check_tokens"]

_CHECK = "tokens"
#: A shorter one would be found anywhere.
_SHORTEST = 8
_CHUNK = 1 << 20


def check_tokens(lists: list[Path], found: list[Found]) -> Iterator[Finding]:
    """Whether a token of another program's server lies in our files.

    Args:
        lists: the hosts' lists of servers, whether they are there or not.
        found: what lies in our folders.
    """
    tokens: set[bytes] = set()
    clean = True
    for path in lists:
        try:
            tokens |= _tokens(read_jsonc(path) or {})
        except JsoncError as error:
            clean = False
            yield note(_CHECK, path, f"not looked into: {error}", "mend it")
    for file in found:
        if tokens and file.is_file and _holds(file.path, tokens):
            clean = False
            seen = "it holds a token that stands in a host's list of servers"
            yield broken(_CHECK, file.path, seen, f"take it out of {file.path}, or delete that; and report how it came")
    if clean:
        number = f"{len(tokens):,} {'token' if len(tokens) == 1 else 'tokens'}"
        yield ok(_CHECK, "the hosts' lists of servers", f"nothing of the {number} there was kept")


def _tokens(value: object) -> set[bytes]:
    """Values that are secrets, by what they look like or by their names; without the word before it (`Bearer`)."""
    found: set[bytes] = set()
    todo = [("", value)]
    while todo:
        name, each = todo.pop()
        if isinstance(each, dict):
            todo += each.items()
        elif isinstance(each, list):
            todo += [(name, part) for part in each]
        elif isinstance(each, str) and _is_secret(name, each):
            words = [word for word in each.split() if len(word) >= _SHORTEST]
            found |= {word.encode("utf-8", "surrogatepass") for word in words if not word.startswith("${")}
    return found


def _is_secret(name: str, text: str) -> bool:
    written = json.dumps({name: text}, ensure_ascii=False)
    return redact(written) != written or redact(text) != text


def _holds(path: Path, tokens: set[bytes]) -> bool:
    longest = max(map(len, tokens))
    kept = b""
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                if any(token in kept + chunk for token in tokens):
                    return True
                kept = chunk[-longest:]
    except OSError:
        return False  # `secrets` says that it can't be read
    return False
