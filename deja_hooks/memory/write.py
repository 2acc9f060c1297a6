"""Writing `memory.db`: the indexer's side.

Short transactions, WAL, one writer at a time (the indexer's lock sees to that). A memory of another version or
a broken one is set aside and built anew: all of it can be read again from what the hosts keep.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.memory.opening import open_for_writing
from deja_hooks.memory.rows import TurnRow, WorkRow, document, terms_of
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import label, project_key
from deja_hooks.memory.terms import TermCache
from deja_hooks.memory.turn_rows import insert_turns, stored_turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deja_hooks.failures.fixes import Fix
    from deja_hooks.memory.source_rows import Source
    from deja_hooks.sources.model import Header

__all__ = ["MemoryWriter", "Prepared"]

_MOST_PLACES = (1 << TURN_BITS) - 1


class Prepared(NamedTuple):
    """What a reading of a file gave, ready to be written.

    Attributes:
        header: of the session.
        whole: the reading began at the file's start.
        place: of the first row in the session.
        rows, terms: the turns from there on, and their index terms (`rows.terms_of`).
        fixes: of the whole session, turns numbered from 0; None where the reading began later than its start.
        settled: how many of the rows begin before `restart`: those won't be read again.
        updated: epoch ms of the last record.
        restart, end, fingerprint, bytes_read, lines, bad, understood: of the reading (see `Source`).
    """

    header: Header
    whole: bool
    place: int
    rows: list[TurnRow]
    terms: list[tuple[str, str, str]]
    fixes: list[Fix] | None
    settled: int
    updated: int
    restart: int
    end: int
    fingerprint: int
    bytes_read: int
    lines: int
    bad: int
    understood: int


class MemoryWriter:
    """The one connection that changes a memory.

    Args:
        path: of `memory.db`; made with its folder (0700) where it is missing.

    Attributes:
        db: the connection.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._terms = TermCache()
        self._projects: dict[str, int] = {}
        self.db = open_for_writing(self._path)

    # -- transactions

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the block or nothing of it."""
        self.db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self.db.execute("ROLLBACK")
            self._projects.clear()  # one of them may just have been made
            raise
        self.db.execute("COMMIT")

    def close(self) -> None:
        """Moves what is in the WAL into the database and closes it."""
        with contextlib.suppress(sqlite3.Error):
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.db.close()

    # -- reading what is known

    def header(self, session: int) -> tuple[str, str, str, str, str, int]:
        """Session id, host, store, folder, branch, start (epoch ms) of a session. Raises LookupError."""
        row = self.db.execute(
            "SELECT sid, host, store, cwd, branch, started FROM session WHERE id=?", (session,)
        ).fetchone()
        if row is None:
            raise LookupError(session)
        return tuple(row)

    # -- writing

    def store(self, source: Source, prepared: Prepared) -> int:
        """Puts what a reading gave in the place of what the file had given from that place on.

        Args:
            source: the file's row as it is to be.
            prepared: the reading.

        Returns:
            How many turns were written.
        """
        first = prepared.place
        session, project, fresh = self._session(prepared.header)
        if not fresh:
            self._drop_turns(session, project, first)
        rows = prepared.rows[: max(0, _MOST_PLACES - first)]
        insert_turns(self.db, session << TURN_BITS | first, project, rows, prepared.terms)
        self._refresh_fixes(session, project, prepared.fixes)
        if fresh:
            self._set_session(session, rows, prepared.updated)
        else:
            self._refresh_session(session, prepared.updated, whole=prepared.whole)
        self._put_source(source._replace(session=session, place=first + prepared.settled))
        return len(rows)

    def owner(self, sid: str) -> str:
        """The file that a session was read from; "" where the session is unknown."""
        row = self.db.execute(
            "SELECT path FROM source JOIN session ON session.id=source.session WHERE sid=?", (sid,)
        ).fetchone()
        return str(row[0]) if row else ""

    def touch(self, source: Source) -> None:
        """Notes a file's new size and times where it gave nothing new."""
        self._put_source(source)

    def forget_source(self, path: str, *, keep_session: bool) -> None:
        """A file is gone: its session goes too, or stays, marked (a host's own housekeeping)."""
        row = self.db.execute("SELECT session FROM source WHERE path=?", (path,)).fetchone()
        if row is None:
            return
        if row[0] is not None:
            if keep_session:
                self.db.execute("UPDATE session SET gone=1 WHERE id=?", (row[0],))
                return
            self._drop_session(row[0])
            # The same session in a second place was passed over as long as this one stood: it is read now.
            self.db.execute("DELETE FROM source WHERE session IS NULL")
        self.db.execute("DELETE FROM source WHERE path=?", (path,))

    def _put_source(self, source: Source) -> None:
        marks = ", ".join("?" * len(source))
        self.db.execute(f"INSERT OR REPLACE INTO source VALUES ({marks})", source)

    def _project(self, cwd: str) -> int:
        known = self._projects.get(cwd)
        if known is None:
            key = project_key(cwd)
            self.db.execute("INSERT OR IGNORE INTO project(key, label) VALUES (?, ?)", (key, label(key)))
            known = self.db.execute("SELECT id FROM project WHERE key=?", (key,)).fetchone()[0]
            self._projects[cwd] = known
        return known

    def _session(self, header: Header) -> tuple[int, int, bool]:
        """The row ids of the session and its project, and whether the session is new.

        Made where it is new, moved where its folder has changed.
        """
        row = self.db.execute("SELECT id, project, cwd FROM session WHERE sid=?", (header.session_id,)).fetchone()
        known = row is not None and row[2] == header.cwd
        project = row[1] if known else self._project(header.cwd)
        if row is not None:
            if not known:
                self._drop_turns(row[0], row[1], 0)
                self._count_project(row[1], -1)
                self._count_project(project, 1)
            self.db.execute(
                "UPDATE session SET host=?, store=?, project=?, cwd=?, branch=?, started=? WHERE id=?",
                (header.host, header.store, project, header.cwd, header.branch, header.started, row[0]),
            )
            return row[0], project, False
        cursor = self.db.execute(
            "INSERT INTO session(sid, host, store, project, cwd, branch, title, started, updated, turns, places)"
            " VALUES (?,?,?,?,?,?,'',?,0,0,0)",
            (header.session_id, header.host, header.store, project, header.cwd, header.branch, header.started),
        )
        self._count_project(project, 1)
        assert cursor.lastrowid is not None
        return cursor.lastrowid, project, True

    def _count_project(self, project: int, by: int) -> None:
        self.db.execute("UPDATE project SET sessions=sessions+? WHERE id=?", (by, project))

    def _drop_turns(self, session: int, project: int, first: int) -> None:
        """Takes out a session's turns from one place on, with all that hangs on them."""
        low, high = session << TURN_BITS | first, (session + 1) << TURN_BITS
        db = self.db
        for (turn,) in db.execute("SELECT id FROM turn WHERE id>=? AND id<?", (low, high)).fetchall():
            text = document(project, terms_of(stored_turn(self.db, turn), self._terms))
            if text:
                db.execute("INSERT INTO terms(terms, rowid, body) VALUES ('delete', ?, ?)", (turn, text))
        db.execute("DELETE FROM turn WHERE id>=? AND id<?", (low, high))
        for table in ("note", "work", "fix"):
            db.execute(f"DELETE FROM {table} WHERE turn>=? AND turn<?", (low, high))

    def _drop_session(self, session: int) -> None:
        row = self.db.execute("SELECT project FROM session WHERE id=?", (session,)).fetchone()
        if row is None:
            return
        self._drop_turns(session, row[0], 0)
        self.db.execute("DELETE FROM session WHERE id=?", (session,))
        self._count_project(row[0], -1)

    def _refresh_fixes(self, session: int, project: int, known: list[Fix] | None) -> None:
        """Finds the session's fixes anew: a later turn may have mended what an earlier one broke.

        Args:
            known: those of the whole session, turns numbered from 0, where they are at hand.
        """
        low, high = session << TURN_BITS, (session + 1) << TURN_BITS
        if known is None:
            from deja_hooks.failures.fixes import find_fixes

            rows = self.db.execute(_SELECT_WORK_TURN + " WHERE turn>=? AND turn<? ORDER BY id", (low, high))
            known = find_fixes([(r[0] - low, WorkRow(*r[1:])) for r in rows])
        self.db.execute("DELETE FROM fix WHERE turn>=? AND turn<?", (low, high))
        if not known:
            return
        self.db.executemany(
            "INSERT INTO fix(turn, project, signature, form, failure, how, what, at) VALUES (?,?,?,?,?,?,?,?)",
            [(low + f.turn, project, *f[1:]) for f in known],
        )

    def _set_session(self, session: int, rows: list[TurnRow], updated: int) -> None:
        """The session's own row, from all its turns."""
        asked = [row.user for row in rows if row.user]
        title = _title(asked[0]) if asked else ""
        latest = max([updated, *[row.at for row in rows]])
        self.db.execute(
            "UPDATE session SET turns=?, places=?, title=?, updated=? WHERE id=?",
            (len(asked), len(rows), title, latest, session),
        )

    def _refresh_session(self, session: int, updated: int, *, whole: bool) -> None:
        """The session's own row, from its turns.

        Args:
            updated: epoch ms of the last record of the reading.
            whole: the reading began at the file's start; else the session may have been updated later.
        """
        low, high = session << TURN_BITS, (session + 1) << TURN_BITS
        turns, places, latest = self.db.execute(
            "SELECT count(nullif(user, '')), count(*), coalesce(max(at), 0) FROM turn WHERE id>=? AND id<?", (low, high)
        ).fetchone()
        first = self.db.execute(
            "SELECT user FROM turn WHERE id>=? AND id<? AND user<>'' ORDER BY id LIMIT 1", (low, high)
        ).fetchone()
        title = _title(first[0]) if first else ""
        self.db.execute(
            "UPDATE session SET turns=?, places=?, title=?, updated=max(?, ?, ?*updated), gone=0 WHERE id=?",
            (turns, places, title, updated, latest, not whole, session),
        )


def _title(prompt: str) -> str:
    return " ".join(prompt[:400].split())[:120]


_SELECT_WORK_TURN = "SELECT turn, kind, at, path, command, exit, failure, signature, old, new FROM work"
