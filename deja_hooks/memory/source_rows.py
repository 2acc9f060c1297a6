"""The rows of `source`: which files of the hosts have been read, and how far."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from deja_hooks.memory.prepared import Reading
    from deja_hooks.sources.model import Tally
    from deja_hooks.sources.places.roots import SourceFile

__all__ = ["Source", "SourceRows", "gone_paths", "pack_tally", "read_sources", "unpack_tally"]


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


#: The columns that only a person reads.
_TOLD = frozenset(("version", "problem", "remarks", "tally", "settled"))


def read_sources(db: sqlite3.Connection, *, told: bool = True) -> dict[str, Source]:
    """Path → how far the file has been read.

    Args:
        told: with what is told of it; without, the rows of very many files take a third less memory.
    """
    columns = [name if told or name not in _TOLD else "''" for name in Source._fields]
    rows = db.execute(f"SELECT {', '.join(columns)} FROM source")
    return {row[0]: Source(*row) for row in rows}


def gone_paths(db: sqlite3.Connection) -> set[str]:
    """The files of the sessions that are marked as gone."""
    rows = db.execute("SELECT path FROM source JOIN session ON session.id=source.session WHERE gone=1")
    return {row[0] for row in rows}


class SourceRows:
    """Changes these rows, within the caller's transaction.

    Args:
        db: the connection of the one writer.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def of(self, path: str) -> Source | None:
        """How far a file has been read; None where it never was."""
        row = self.db.execute(f"SELECT {', '.join(Source._fields)} FROM source WHERE path=?", (path,)).fetchone()
        return Source(*row) if row is not None else None

    def files_of(self, sid: str) -> list[tuple[str, str]]:
        """Path and store of the files that a session was read from."""
        return self.db.execute(
            "SELECT path, source.store FROM source JOIN session ON session.id=source.session WHERE sid=? ORDER BY path",
            (sid,),
        ).fetchall()

    def sids(self) -> dict[str, str]:
        """Path → session id of every file that a session was read from."""
        return dict(self.db.execute("SELECT path, sid FROM source JOIN session ON session.id=source.session"))

    def note(self, reading: Reading, now: int, session: int | None = None, *, whole: bool = True) -> None:
        """Notes how a file was read, and which session it gave (None: none of it is stored)."""
        file = reading.file
        tally, settled = reading.tally, reading.settled
        if not whole:
            row = self.db.execute("SELECT settled FROM source WHERE path=?", (file.location,)).fetchone()
            before = unpack_tally(row[0] if row else "")
            tally, settled = before.plus(tally), before.plus(settled)
        source = Source(
            path=file.location, store=file.store, session=session, dev=file.dev, ino=file.ino, size=file.size,
            mtime=file.mtime_ns, read_at=now, restart=reading.restart, place=reading.place, ended_at=reading.end,
            fingerprint=reading.fingerprint, prefix=reading.prefix, version=reading.version, problem=reading.problem,
            remarks="\n".join(reading.remarks), tally=pack_tally(tally), settled=pack_tally(settled),
        )  # fmt: skip
        self.db.execute(f"INSERT OR REPLACE INTO source VALUES ({', '.join('?' * len(source))})", source)

    def postpone(self, file: SourceFile, why: str, now: int) -> None:
        """Notes that a file couldn't be read; whatever it gave before stays, and it counts as changed."""
        done = self.db.execute("UPDATE source SET size=-1, problem=? WHERE path=?", (why, file.location))
        if not done.rowcount:
            from deja_hooks.memory.prepared import Reading  # a pass with nothing new makes none

            self.note(Reading(file._replace(size=-1), problem=why), now)

    def read_anew(self, paths: Iterable[str]) -> None:
        """Notes that files have to be read again from their start, by this pass or, if it dies, by the next one."""
        self.db.executemany("UPDATE source SET size=-1, restart=0 WHERE path=?", [(path,) for path in paths])

    def pass_over(self, path: str, remark: str) -> None:
        """A file's session is read from another host's file: nothing of this one is stored."""
        self.db.execute("UPDATE source SET session=NULL, restart=0, remarks=? WHERE path=?", (remark, path))

    def forget_file(self, path: str) -> None:
        """A file that is no longer where it was: its session is read from another place now."""
        self.db.execute("DELETE FROM source WHERE path=?", (path,))
