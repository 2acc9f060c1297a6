"""Writing `memory.db`: the indexer's side.

Short transactions, WAL, one writer at a time (the indexer's lock sees to that). A memory of another version or
a broken one is set aside and built anew: all of it can be read again from what the hosts keep.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.memory.erase import tables_with
from deja_hooks.memory.forks import first_request
from deja_hooks.memory.opening import open_for_writing
from deja_hooks.memory.refresh import drop_covered_calls, refresh_fixes, refresh_session, set_session
from deja_hooks.memory.rows import TurnRow, document, terms_of
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import label, project_key
from deja_hooks.memory.source_rows import SourceRows
from deja_hooks.memory.terms import TermCache
from deja_hooks.memory.turn_rows import HANGING, insert_turns, stored_turn
from deja_hooks.sources.model import Header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deja_hooks.memory.prepared import Prepared

__all__ = ["MemoryWriter"]

_MOST_PLACES = (1 << TURN_BITS) - 1
#: The columns of `session` that a header gives, beside its folder's project.
_HEADER = ("host", "store", "cwd", "branch", "started", "version", "archived", "nested", "side")


class MemoryWriter:
    """The one connection that changes a memory.

    Args:
        path: of `memory.db`; made with its folder (0700) where it is missing.

    Attributes:
        db: the connection.
        sources: its rows of the files that have been read.
        dropped: how many sessions have been dropped.
        firsts: `session.first_request` of the sessions that came, changed or went: there may be forks among them.
    """

    def __init__(self, path: str) -> None:
        self._path = Path(path)
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._terms = TermCache()
        self._projects: dict[str, int] = {}
        self.dropped = 0
        self.firsts: set[int] = set()
        self.db = open_for_writing(self._path)
        self.sources = SourceRows(self.db)

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

    @contextlib.contextmanager
    def whole_pass(self, now: int) -> Iterator[bool]:
        """A pass from its beginning to its end; gives whether the one before it died on the way.

        Args:
            now: epoch ms.
        """
        unfinished = self.db.execute("SELECT count(*) FROM pass").fetchone()[0] > 0
        with self.transaction():
            self.db.execute("INSERT INTO pass VALUES (?)", (now,))
        yield unfinished
        with self.transaction():
            self.db.execute("DELETE FROM pass")

    # -- reading what is known

    def header(self, session: int) -> Header:
        """What is known of a session. Raises LookupError."""
        row = self.db.execute(
            "SELECT sid, host, store, cwd, branch, started, version, iif(named, title, ''), archived, nested, side"
            " FROM session WHERE id=?",
            (session,),
        ).fetchone()
        if row is None:
            raise LookupError(session)
        header = Header(*row[:8])
        archived, nested, side = (None if mark is None else bool(mark) for mark in row[8:])
        return header._replace(archived=archived, nested=nested, side=side)

    def fork(self, session: int) -> tuple[str, int]:
        """The session that this one was forked from ("": none), and how many requests are stored there."""
        row = self.db.execute("SELECT forked_from, skipped FROM session WHERE id=?", (session,)).fetchone()
        return (str(row[0]), int(row[1])) if row else ("", 0)

    def is_trimmed(self, session: int) -> bool:
        """Whether something of the session was taken out for want of room (`memory.trim`)."""
        row = self.db.execute("SELECT trimmed FROM session WHERE id=?", (session,)).fetchone()
        return bool(row and row[0])

    def possible_forks(self) -> set[int]:
        """`session.first_request` of all sessions that share it, or that are stored as forks."""
        rows = self.db.execute(
            "SELECT first_request FROM session WHERE first_request IS NOT NULL"
            " GROUP BY first_request HAVING count(*)>1 OR max(skipped)>0"
        )
        return {row[0] for row in rows}

    # -- writing

    def store(self, header: Header, prepared: Prepared, now: int) -> int:
        """Puts what the readings of a session's files gave in the place of what was there from that turn on.

        Args:
            header: `prepared.header`.
            now: epoch ms.

        Returns:
            How many turns were new or changed.
        """
        first = prepared.place
        session, project, fresh = self._session(header, prepared)
        rows, terms = prepared.rows[: max(0, _MOST_PLACES - first)], prepared.terms
        if not fresh:
            # A chat is read as a whole though it only got longer: what is the same stays untouched, to the byte.
            same = self._same_turns(session << TURN_BITS | first, rows)
            first, rows, terms = first + same, rows[same:], terms[same:]
            self._drop_turns(session, project, first)
        insert_turns(self.db, session << TURN_BITS | first, project, rows, terms)
        self._set_changed(session, project, prepared)
        refresh_fixes(self.db, session, project, prepared.fixes, first)
        if fresh:
            set_session(self.db, session, header.title, rows, prepared.updated)
        else:
            drop_covered_calls(self.db, session)
            refresh_session(self.db, session, header.title, prepared.updated, whole=prepared.whole)
        cut = len(prepared.rows) + prepared.place > _MOST_PLACES
        for reading in prepared.readings:
            remarks = (*reading.remarks, *([f"only the first {_MOST_PLACES:,} turns are stored"] if cut else []))
            noted = reading._replace(remarks=remarks)
            self.sources.note(noted, now, None if reading.problem else session, whole=prepared.whole)
        return len(rows)

    def release(self, path: str, sid: str) -> list[tuple[str, str]]:
        """A file no longer belongs to the session it was read for, unless that is `sid`.

        Returns:
            The other files (path, store) of that session: it has to be read again from them. Where there are
            none, the session is gone with the file.
        """
        row = self.db.execute(
            "SELECT session.id, sid FROM source JOIN session ON session.id=source.session WHERE path=?", (path,)
        ).fetchone()
        if row is None or row[1] == sid:
            return []
        self.db.execute("DELETE FROM source WHERE path=?", (path,))
        others = self.sources.files_of(row[1])
        if not others:
            self._drop_session(row[0])
            self._read_what_was_passed_over()
        return others

    def lose(self, path: str, *, rotated: bool) -> list[tuple[str, str]]:
        """A file is gone from the disk.

        Args:
            rotated: by the host's own housekeeping: its session stays, marked where no other file holds it.

        Returns:
            The other files (path, store) of its session that it has to be read again from.
        """
        row = self.db.execute("SELECT session FROM source WHERE path=?", (path,)).fetchone()
        if row is None:
            return []
        others = self.db.execute(
            "SELECT path, store FROM source WHERE session=? AND path<>? ORDER BY path", (row[0], path)
        ).fetchall()
        if rotated and row[0] is not None and not others:
            self.db.execute("UPDATE session SET gone=1 WHERE id=?", (row[0],))
            return []
        self.db.execute("DELETE FROM source WHERE path=?", (path,))
        if row[0] is not None and not others:
            self._drop_session(row[0])
            self._read_what_was_passed_over()
        return [] if rotated else others

    def _read_what_was_passed_over(self) -> None:
        """The same session in a second place was passed over as long as the first one stood: it is read now."""
        self.db.execute("DELETE FROM source WHERE session IS NULL")

    def erase(self, session: int) -> None:
        """Takes a session out for good, with all that names it. Its files are looked at again, as if they were new."""
        db = self.db
        row = db.execute("SELECT sid FROM session WHERE id=?", (session,)).fetchone()
        if row is None:
            return
        db.execute("PRAGMA secure_delete=ON")
        db.execute("DELETE FROM source WHERE session=?", (session,))
        self._drop_session(session)
        for table in tables_with(db, "sid"):
            db.execute(f"DELETE FROM {table} WHERE sid=?", row)
        # What a fork copied from it isn't stored with the fork, and isn't going to be (`marks.barred`).
        db.execute("UPDATE session SET forked_from='' WHERE forked_from=?", row)
        # A project's name may be as telling as what was said in it.
        db.execute("DELETE FROM project WHERE NOT EXISTS (SELECT 1 FROM session WHERE project=project.id)")
        self._projects.clear()

    def know_project(self, cwd: str, key: str) -> None:
        """A folder belongs to the project of that key, whatever lies there now."""
        self._projects[cwd] = self._project_of(key)

    # -- sessions

    def _project(self, cwd: str) -> int:
        known = self._projects.get(cwd)
        if known is None:
            known = self._projects[cwd] = self._project_of(project_key(cwd))
        return known

    def _project_of(self, key: str) -> int:
        """The row id of a project, made where it is new."""
        self.db.execute("INSERT OR IGNORE INTO project(key, label) VALUES (?, ?)", (key, label(key)))
        found: int = self.db.execute("SELECT id FROM project WHERE key=?", (key,)).fetchone()[0]
        return found

    def _session(self, header: Header, prepared: Prepared) -> tuple[int, int, bool]:
        """The row ids of the session and its project, and whether the session is new.

        Made where it is new, moved where its folder has changed.
        """
        sid = header.session_id
        row = self.db.execute("SELECT id, project, cwd, first_request FROM session WHERE sid=?", (sid,)).fetchone()
        known = row is not None and row[2] == header.cwd
        project = row[1] if known else self._project(header.cwd)
        values = {name: getattr(header, name) for name in _HEADER}
        first = first_request(prepared.requests)
        values |= {"project": project, "requests": prepared.requests, "first_request": first}
        values |= {"forked_from": prepared.origin, "skipped": prepared.skip}
        values |= {"trimmed": 0} if prepared.whole else {}
        self.firsts |= {each for each in (first, row and row[3]) if each is not None}
        if row is not None:
            if not known:
                self._drop_turns(row[0], row[1], 0)
                self._count_project(row[1], -1)
                self._count_project(project, 1)
            names = ", ".join(f"{name}=?" for name in values)
            self.db.execute(f"UPDATE session SET {names} WHERE id=?", (*values.values(), row[0]))
            return row[0], project, False
        values |= {"sid": sid, "title": "", "updated": 0, "turns": 0, "places": 0}
        marks = ", ".join("?" * len(values))
        cursor = self.db.execute(f"INSERT INTO session({', '.join(values)}) VALUES ({marks})", (*values.values(),))
        self._count_project(project, 1)
        assert cursor.lastrowid is not None
        return cursor.lastrowid, project, True

    def _count_project(self, project: int, by: int) -> None:
        self.db.execute("UPDATE project SET sessions=sessions+? WHERE id=?", (by, project))

    def _set_changed(self, session: int, project: int, prepared: Prepared) -> None:
        """The files that the session is said to have changed; a reading from further on adds to them."""
        if prepared.whole:
            marks = ", ".join("?" * len(prepared.changed))
            self.db.execute(
                f"DELETE FROM changed WHERE session=? AND (project<>? OR path NOT IN ({marks}))",
                (session, project, *prepared.changed),
            )
        self.db.executemany(
            "INSERT OR IGNORE INTO changed VALUES (?,?,?)", [(session, project, path) for path in prepared.changed]
        )

    def _same_turns(self, first: int, rows: list[TurnRow]) -> int:
        """How many of the rows, from the first one on, are stored so already, the first under that row id."""
        high = ((first >> TURN_BITS) + 1) << TURN_BITS
        stored = {row[0] for row in self.db.execute("SELECT id FROM turn WHERE id>=? AND id<?", (first, high))}
        for place, row in enumerate(rows):
            if first + place not in stored or stored_turn(self.db, first + place) != row:
                return place
        return len(rows)

    def _drop_turns(self, session: int, project: int, first: int) -> None:
        """Takes out a session's turns from one place on, with all that hangs on them."""
        low, high = session << TURN_BITS | first, (session + 1) << TURN_BITS
        db = self.db
        for (turn,) in db.execute("SELECT id FROM turn WHERE id>=? AND id<?", (low, high)).fetchall():
            text = document(project, terms_of(stored_turn(self.db, turn), self._terms))
            if text:
                db.execute("INSERT INTO terms(terms, rowid, body) VALUES ('delete', ?, ?)", (turn, text))
        db.execute("DELETE FROM turn WHERE id>=? AND id<?", (low, high))
        for table in HANGING:
            db.execute(f"DELETE FROM {table} WHERE turn>=? AND turn<?", (low, high))

    def _drop_session(self, session: int) -> None:
        row = self.db.execute("SELECT project, first_request FROM session WHERE id=?", (session,)).fetchone()
        if row is None:
            return
        self._drop_turns(session, row[0], 0)
        self.db.execute("DELETE FROM session WHERE id=?", (session,))
        self.db.execute("DELETE FROM changed WHERE session=?", (session,))
        self.dropped += 1
        self._count_project(row[0], -1)
        if row[1] is not None:
            self.firsts.add(row[1])
