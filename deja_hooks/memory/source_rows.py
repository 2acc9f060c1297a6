"""The rows of `source`: which files of the hosts have been read, and how far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3

__all__ = ["Source", "gone_paths", "read_sources"]


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
    restart: int
    place: int
    ended_at: int
    fingerprint: int
    lines: int
    bad: int
    understood: int


def read_sources(db: sqlite3.Connection) -> dict[str, Source]:
    """Path → how far the file has been read."""
    rows = db.execute(f"SELECT {', '.join(Source._fields)} FROM source")
    return {row[0]: Source(*row) for row in rows}


def gone_paths(db: sqlite3.Connection) -> set[str]:
    """The files of the sessions that are marked as gone."""
    rows = db.execute("SELECT path FROM source JOIN session ON session.id=source.session WHERE gone=1")
    return {row[0] for row in rows}
