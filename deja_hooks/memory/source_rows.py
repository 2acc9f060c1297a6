"""The rows of `source`: which files of the hosts have been read, and how far."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

    from deja_hooks.sources.model import Tally

__all__ = ["Source", "gone_paths", "pack_tally", "read_sources", "unpack_tally"]


class Source(NamedTuple):
    """One row of `source`: a file of a host, and how far it has been read (see `schema`)."""

    path: str
    store: str
    session: int | None
    dev: int
    ino: int
    size: int
    mtime: int
    read_at: int
    restart: int = 0
    place: int = 0
    ended_at: int = 0
    fingerprint: int = 0
    prefix: int = 0
    version: str = ""
    problem: str = ""
    remarks: str = ""
    tally: str = "[]"
    settled: str = "[]"


def pack_tally(tally: Tally) -> str:
    """A tally as it is stored: a JSON array of its fields."""
    return json.dumps([*tally[:5], list(tally.names)], separators=(",", ":"))


def unpack_tally(text: str) -> Tally:
    """A stored tally; an empty one where it is none."""
    from deja_hooks.sources.model import Tally  # a pass with nothing new reads none

    try:
        lines, bad, understood, unknown, foreign, names = json.loads(text)
        return Tally(lines, bad, understood, unknown, foreign, tuple(names))
    except (ValueError, TypeError):
        return Tally()


def read_sources(db: sqlite3.Connection) -> dict[str, Source]:
    """Path → how far the file has been read."""
    rows = db.execute(f"SELECT {', '.join(Source._fields)} FROM source")
    return {row[0]: Source(*row) for row in rows}


def gone_paths(db: sqlite3.Connection) -> set[str]:
    """The files of the sessions that are marked as gone."""
    rows = db.execute("SELECT path FROM source JOIN session ON session.id=source.session WHERE gone=1")
    return {row[0] for row in rows}
