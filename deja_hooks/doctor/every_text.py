"""Secrets in all that we keep, to the last row: what redaction would still change of it.

`doctor.secrets` looks at the newest only, so that the usual run stays short. Nothing of a text is ever shown. Names of
folders, projects and sessions are kept as they are (SECURITY.md), so what looks like a secret there is a note.
"""

import errno
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.own_files import Found
from deja_hooks.doctor.unclean import unclean
from deja_hooks.memory.layout import Layout

__all__ = ["check_every_text"]

_CHECK = "secrets"
#: Texts that are looked at together (`unclean`).
_SHARE = 100
#: Bytes of a file that is no database: far more than any of ours has.
_LARGEST = 64 << 20
#: Times that progress is told of.
_STEPS = 100
#: Columns with names that are kept as they are; hashes, which are no text.
_NAMES = frozenset(
    ("sid", "key", "label", "cwd", "transcript", "project", "parent", "memory", "forked_from", "call", "request")
)
_NO_TEXT = frozenset(("specifics", "value"))
#: Files with nothing but such names: rules made from the user's exclusions, folders that hosts use.
_OF_NAMES = ("kept-out/", "user-folders")
_OF_SQLITE = ("-wal", "-shm", "-journal")


class _Text(NamedTuple):
    """A text that is kept, and whether it is a name."""

    text: str
    name: bool


def check_every_text(layout: Layout, found: list[Found], progress: Callable[[int, int], None]) -> Iterator[Finding]:
    """All texts of our files.

    Args:
        layout: of the installation.
        found: what lies in our folders.
        progress: is told how much has been looked at, and how much there is, in bytes.
    """
    files = [each for each in found if each.is_file and not each.name.endswith(_OF_SQLITE)]
    total, done, number, faults = sum(each.size for each in files), 0, 0, []
    for file in files:
        count = _Count()
        shown = 0
        try:
            for share in _shares(_texts(file)):
                count.add(share)
                if min(count.size, file.size) - shown > total // _STEPS:  # drawing takes longer than looking
                    shown = min(count.size, file.size)
                    progress(done + shown, total)
        except (OSError, sqlite3.Error) as error:
            why = "see deja-hooks doctor"
            faults.append(note(_CHECK, file.path, f"not looked into: it can't be read ({error})", why))
        number += count.texts
        done += file.size
        progress(done, total)
        faults += _faults(file.path, layout, count)
    yield from faults or [ok(_CHECK, layout.cache, f"0 in {number:,} texts, which are all")]


class _Count:
    """What was found in a file: texts, their characters, and how many texts and names look like a secret."""

    def __init__(self) -> None:
        self.texts = self.size = self.secrets = self.names = 0

    def add(self, share: list[_Text]) -> None:
        """Looks at some more of its texts."""
        self.texts += len(share)
        self.size += sum(len(each.text) for each in share)
        for each, is_one in zip(share, unclean([each.text for each in share]), strict=True):
            self.secrets += is_one and not each.name
            self.names += is_one and each.name


def _faults(path: Path, layout: Layout, count: _Count) -> Iterator[Finding]:
    if count.secrets:
        seen = f"{count.secrets:,} of its {count.texts:,} texts {_holds(count.secrets)} what looks like a secret"
        yield broken(_CHECK, path, seen, _do(path, layout))
    if count.names:
        seen = f"{count.names:,} of its names of folders, projects or sessions {_looks(count.names)} like a secret"
        yield note(_CHECK, path, f"{seen}; these are kept as they are", "rename the folder, or forget it")


def _holds(number: int) -> str:
    return "holds" if number == 1 else "hold"


def _looks(number: int) -> str:
    return "looks" if number == 1 else "look"


def _do(path: Path, layout: Layout) -> str:
    """What to do about a secret; nothing can build the user's own decisions anew."""
    if path.is_relative_to(layout.config) and not path.is_relative_to(layout.cache):
        return f"take it out of {path}"
    return f"delete {path}" + (" and run deja-hooks index" if str(path) == layout.memory else "")


def _shares(texts: Iterator[_Text]) -> Iterator[list[_Text]]:
    share: list[_Text] = []
    for each in texts:
        share.append(each)
        if len(share) == _SHARE:
            yield share
            share = []
    yield share


def _texts(file: Found) -> Iterator[_Text]:
    """All texts of a file. Raises OSError, sqlite3.Error."""
    if file.name.startswith(("memory.db", "state.db")):
        return _of_database(file.path)
    return _of_file(file)


def _of_database(path: Path) -> Iterator[_Text]:
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)) as db:
        # A reader of a database without WAL keeps hooks from writing: not while its texts are looked at.
        streamed = db.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        for table, columns in _tables(db).items():
            rows = db.execute(f"SELECT {', '.join(columns)} FROM {table}")
            for row in rows if streamed else rows.fetchall():
                for column, value in zip(columns, row, strict=True):
                    if isinstance(value, str) and value:
                        yield _Text(value, column in _NAMES or (table, column) == ("source", "path"))


def _tables(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Tables with rows of their own → their columns; the full-text table holds single words."""
    rows = db.execute(
        "SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type='table'"
        " AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT LIKE 'terms\\_%' ESCAPE '\\'"
        " AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY m.rowid, c.cid"
    )
    found: dict[str, list[str]] = {}
    for table, column in rows:
        if column not in _NO_TEXT:
            found.setdefault(_quoted(table), []).append(_quoted(column))
    return found


def _quoted(name: str) -> str:
    return name if name.isidentifier() else '"' + name.replace('"', '""') + '"'


def _of_file(file: Found) -> Iterator[_Text]:
    if file.size > _LARGEST:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    text = file.path.read_bytes().decode("utf-8", "replace")
    name = file.name.startswith(_OF_NAMES)
    if file.name.startswith(("ring.jsonl", "marks.jsonl")):
        for line in text.splitlines():
            yield from _of_line(line)
        return
    if text:
        yield _Text(text, name)
    if file.name.endswith(".json"):  # what is written there with escapes
        yield from (_Text(each, name) for each in _strings(_parsed(text)) if each)


def _of_line(line: str) -> Iterator[_Text]:
    """The texts of a call, or of a mark; of a line that can't be understood, all."""
    value = _parsed(line)
    if not isinstance(value, dict):
        yield from [_Text(line, False)] if line.strip() else []
        return
    for key, each in value.items():
        yield from (_Text(text, key not in ("text", "p", "r", "e", "h")) for text in _strings(each) if text)


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _strings(value: object) -> Iterator[str]:
    """Every string of a JSON value."""
    todo = [value]
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, list):
            todo += each
        elif isinstance(each, dict):
            todo += [*each.keys(), *each.values()]
