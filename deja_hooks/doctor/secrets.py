"""Secrets in what we keep: what redaction would still change there. It runs before anything is written, so none.

Bounded: the newest rows of each table, the ring, the newest recordings. Nothing of a text is ever shown.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, ok
from deja_hooks.doctor.looking import is_file
from deja_hooks.doctor.unclean import unclean
from deja_hooks.memory.layout import Layout
from deja_hooks.sources.places.small import read_small

__all__ = ["check_secrets"]

_CHECK = "secrets"
#: Rows of a table that are read, the newest first.
MOST = 2_000
#: Characters of a table, after which no more of its rows are; bytes of the ring, which has two files of half as much.
_MOST_CHARACTERS = 2_200_000
_MOST_FILES = 50
#: Texts that are looked at together (`unclean`).
_SHARE = 100
#: What names a call in the ring: event, host, session.
_NAMES = ("e", "h", "s")
_MEMORY = {
    "turn": "SELECT user, assistant FROM turn ORDER BY id DESC LIMIT ?",
    "work": "SELECT path, command, failure, old, new FROM work ORDER BY id DESC LIMIT ?",
    "note": "SELECT text FROM note ORDER BY id DESC LIMIT ?",
    "session": "SELECT title, branch, cwd FROM session ORDER BY id DESC LIMIT ?",
    "fix": "SELECT form, failure, what FROM fix ORDER BY id DESC LIMIT ?",
    "mark": "SELECT note FROM mark ORDER BY at DESC LIMIT ?",
}
_STATE = {
    "packet": "SELECT text FROM packet ORDER BY made DESC LIMIT ?",
    "held": "SELECT text FROM held ORDER BY made DESC LIMIT ?",
}


def check_secrets(layout: Layout) -> Iterator[Finding]:
    """Every place where text is kept, each with what was looked at and what redaction would change of it."""
    texts: dict[str, list[str]] = {
        layout.memory: _rows(layout.memory, _MEMORY),
        layout.state: _rows(layout.state, _STATE),
        layout.ring: _ring(layout.ring),
        layout.recordings: _recordings(Path(layout.recordings)),
    }
    found = {path: _unclean(these) for path, these in texts.items()}
    for path, number in found.items():
        if number:
            seen = f"{number:,} of its newest {len(texts[path]):,} texts hold what looks like a secret"
            yield broken(_CHECK, path, seen, f"delete {path}" + _again(path, layout))
    if not any(found.values()):
        yield ok(_CHECK, layout.cache, f"0 in {sum(map(len, texts.values())):,} texts, the newest of each kind")


def _again(path: str, layout: Layout) -> str:
    return " and run deja-hooks index" if path == layout.memory else ""


def _unclean(texts: list[str]) -> int:
    """How many of the texts redaction would change."""
    shares = (texts[at : at + _SHARE] for at in range(0, len(texts), _SHARE))
    return sum(sum(unclean(share)) for share in shares)


def _rows(path: str, queries: dict[str, str]) -> list[str]:
    """The texts of a database; none where it can't be read (its own check says so)."""
    if not is_file(path):
        return []
    found: list[str] = []
    try:
        with closing(sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)) as db:
            for query in queries.values():
                left = _MOST_CHARACTERS
                for row in db.execute(query, (MOST,)):
                    texts = list(_texts(row))
                    left -= sum(map(len, texts))
                    found += texts
                    if left < 0:
                        break
    except sqlite3.Error:
        pass
    return found


def _ring(ring: str) -> list[str]:
    """Each text of the ring once (most reasons are few words that come again); a line that is no call's is a text."""
    found: dict[str, None] = {}
    left = _MOST_CHARACTERS
    for path in (Path(ring), Path(ring + ".1")):
        try:
            lines = path.read_bytes().splitlines()[::-1] if path.is_file() else []
        except OSError:
            continue
        for line in lines:
            left -= len(line)
            if left < 0:
                break
            found.update(dict.fromkeys(_told(line.decode("utf-8", "replace"))))
    return list(found)


def _told(line: str) -> Iterator[str]:
    try:
        call = json.loads(line)
    except (ValueError, RecursionError):
        call = line
    known = call.items() if isinstance(call, dict) else [("", line)]
    return _texts(value for name, value in known if name not in _NAMES)


def _recordings(folder: Path) -> list[str]:
    found = []
    for path in sorted(folder.glob("*.json"), reverse=True)[:_MOST_FILES]:
        try:
            found.append(read_small(path).decode("utf-8", "replace"))
        except OSError:
            continue
    return found


def _texts(values: Iterable[object]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str) and value)
