"""Bringing the memory in line with what the user decided: what is kept out is erased, notes and marks are put in.

The memory knows by a digest which decisions it is in line with; where nothing has been decided since, a pass reads
two small files and does nothing. The digest is stored last: whatever ends this half-way, the next pass begins anew.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.memory.schema import TURN_BITS

if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.marks.barred import Barred
    from deja_hooks.marks.model import Mark
    from deja_hooks.memory.layout import Layout
    from deja_hooks.memory.write import MemoryWriter

__all__ = ["InLine", "bring_in_line", "is_in_line", "stored_times"]

#: Names in `meta`: digests of all decisions, and of what is kept out; ids of sessions that have been taken out of
#: the tables, and whose traces may still be somewhere (a JSON array; gone once they aren't).
_DIGEST = "decided"
_KEPT_OUT = "kept out"
_LEFT = "left to erase"
_LONGEST_NOTE = 400


def is_in_line(db: sqlite3.Connection, layout: Layout) -> bool:
    """Whether nothing has been decided that the memory doesn't follow yet. Raises OSError."""
    return _stored(db, _DIGEST) == _digest(layout)


def bring_in_line(layout: Layout, home: Path, on_wait: Callable[[], None] | None = None) -> None:
    """Does so at once, without a pass; waits for the indexer's lock.

    Raises:
        OSError, sqlite3.OperationalError: something can't be written, or is held by somebody else.
    """
    from deja_hooks.indexer.run import locked
    from deja_hooks.memory.write import MemoryWriter

    with locked(layout, True, on_wait), contextlib.closing(MemoryWriter(layout.memory)) as writer:
        line = InLine(layout, writer, home)
        line.begin()
        line.end()


class InLine:
    """One bringing in line: `begin` before anything is read, `end` after it.

    Notes are put in at the end: row ids rise with time, and a bounded lookup sees the latest.

    Args:
        layout: of the installation.
        writer: of its memory; the caller holds the indexer's lock.
        home: the user's folder.
    """

    def __init__(self, layout: Layout, writer: MemoryWriter, home: Path) -> None:
        self._layout = layout
        self._writer = writer
        self._home = home
        self._barred: Barred | None = None
        self._changed = False

    @property
    def barred(self) -> Barred:
        """What may not be read. Raises OSError."""
        if self._barred is None:
            from deja_hooks.marks.barred import NOTHING, Barred
            from deja_hooks.marks.decisions import decide
            from deja_hooks.marks.log import read_log
            from deja_hooks.marks.rules import stored_rules

            found = Barred(decide(read_log(self._layout)), stored_rules(self._layout))
            self._barred = found if found.rules or any(found.decisions) else NOTHING
        return self._barred

    def begin(self) -> None:
        """Erases what is kept out now, and lets what isn't any more be read again."""
        if is_in_line(self._writer.db, self._layout):
            return
        from deja_hooks.indexer.traces import erase_traces
        from deja_hooks.marks.refresh import refresh
        from deja_hooks.memory.erase import remove_leftovers, scrub

        self._changed = True
        refresh(self._layout, self._home)
        self._digest = _digest(self._layout)
        remove_leftovers(Path(self._layout.memory))
        self._drop()
        left = _stored(self._writer.db, _LEFT)
        if left or _stored(self._writer.db, _KEPT_OUT) != _kept_out_digest(self.barred):
            erase_traces(self._layout, self.barred, set(json.loads(left or "[]")))
        if left:
            scrub(self._writer.db)
            self._writer.db.execute("DELETE FROM meta WHERE name=?", (_LEFT,))

    def end(self) -> None:
        """Puts notes and marks in, and notes what the memory is in line with."""
        if not self._changed:
            return
        with self._writer.transaction():
            self._put_marks()
            for mark in self.barred.decisions.notes:
                if not self._is_stored(mark):
                    self._put_note(mark)
            self._store(_DIGEST, self._digest)
            self._store(_KEPT_OUT, _kept_out_digest(self.barred))

    # -- erasing

    def _drop(self) -> None:
        """Takes the sessions out of the tables, and notes what is left to do."""
        from deja_hooks.marks.barred import NOT_READ
        from deja_hooks.marks.rules import keep_out_sessions
        from deja_hooks.memory.kept_out import FORGOTTEN

        doomed = self._doomed()
        forgotten = {sid for _, sid, why in doomed if why == FORGOTTEN}
        keep_out_sessions(self._layout, sorted(forgotten | self.barred.decisions.forgotten.keys()))
        writer = self._writer
        with writer.transaction():
            for row_id, _, _ in doomed:
                writer.erase(row_id)
            writer.db.execute("DELETE FROM source WHERE substr(remarks, 1, ?)=?", (len(NOT_READ), NOT_READ))
            if doomed:
                before = json.loads(_stored(writer.db, _LEFT) or "[]")
                self._store(_LEFT, json.dumps(sorted({*before, *(sid for _, sid, _ in doomed)})))

    def _store(self, name: str, value: str) -> None:
        self._writer.db.execute("INSERT OR REPLACE INTO meta VALUES (?,?)", (name, value))

    def _doomed(self) -> list[tuple[int, str, str]]:
        """Row id, id and reason of the stored sessions that may not stay."""
        from deja_hooks.marks.model import note_sid

        notes = {note_sid(mark) for mark in self.barred.decisions.notes}
        rows = self._writer.db.execute(
            "SELECT session.id, sid, store, cwd, key, started, updated FROM session"
            " JOIN project ON project.id=project ORDER BY session.id"
        ).fetchall()
        found = []
        for row_id, sid, store, cwd, key, started, updated in rows:
            times = stored_times(self._writer.db, row_id, updated) if self.barred.decisions.spans else [updated]
            why = self.barred.why(sid, cwd, key, started, times)
            if not why and store == "notes" and sid not in notes:
                why = "taken back"
            if why:
                found.append((row_id, sid, why))
        return found

    # -- putting in

    def _put_marks(self) -> None:
        db = self._writer.db
        db.execute("DELETE FROM mark")
        standing = self.barred.decisions.standing.values()
        db.executemany("INSERT INTO mark VALUES (?,?,?,?)", [(m.session, m.kind, m.at, m.text) for m in standing])

    def _is_stored(self, mark: Mark) -> bool:
        from deja_hooks.marks.model import note_sid

        query = "SELECT 1 FROM session WHERE sid=?"
        return self._writer.db.execute(query, (note_sid(mark),)).fetchone() is not None

    def _put_note(self, mark: Mark) -> None:
        """A note as a session of one turn, so that everything finds it like anything else."""
        from deja_hooks.marks.model import note_sid
        from deja_hooks.memory.notes import find_notes
        from deja_hooks.memory.prepared import Prepared
        from deja_hooks.memory.rows import Note, TurnRow, terms_of
        from deja_hooks.memory.terms import TermCache
        from deja_hooks.redaction.redact import redact
        from deja_hooks.sources.model import Header

        key = mark.projects[0] if mark.projects else ""
        if self.barred.rules.fit(mark.folder, key):
            return
        text = redact(mark.text)
        kind = "decision" if any(note.kind == "decision" for note in find_notes(text, text)) else "rule"
        note = Note(kind, " ".join(text.split())[:_LONGEST_NOTE])
        row = TurnRow(mark.at, True, text, "", (note,), ())
        header = Header(note_sid(mark), "you", "notes", mark.folder, "", mark.at, "")
        self._writer.know_project(mark.folder, key)
        terms = [terms_of(row, TermCache())]
        prepared = Prepared(readings=(), header=header, rows=[row], terms=terms, fixes=[], updated=mark.at)
        self._writer.store(header, prepared, mark.at)


def stored_times(db: sqlite3.Connection, session: int, updated: int) -> list[int]:
    """When a stored session was active, as far as its rows tell, epoch ms."""
    within = (session << TURN_BITS, (session + 1) << TURN_BITS)
    return [updated, *(row[0] for row in db.execute("SELECT at FROM turn WHERE id>=? AND id<?", within))]


def _stored(db: sqlite3.Connection, name: str) -> str:
    row = db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
    return str(row[0]) if row else ""


def _digest(layout: Layout) -> str:
    """Of all that was decided; "" where nothing was."""
    contents = [_settings_content(layout)]
    for path in (layout.marks, layout.kept_out_rules, layout.hook_settings):
        try:
            contents.append(Path(path).read_bytes())
        except FileNotFoundError:
            contents.append(b"")
    if not any(contents):
        return ""
    return blake2b(b"".join(b"%d\n%s" % (len(each), each) for each in contents), digest_size=16).hexdigest()


def _settings_content(layout: Layout) -> bytes:
    """The settings' file; one that can't be read holds up no pass: what was made from the last good one stays."""
    from deja_hooks.marks.raw_settings import settings_content

    try:
        return settings_content(layout)
    except FileNotFoundError:
        return b""
    except OSError:
        return b"unreadable"


def _kept_out_digest(barred: Barred) -> str:
    """Of what is kept out; "" where nothing is."""
    decisions, rules = barred
    if not (decisions.forgotten or decisions.spans or rules):
        return ""
    text = repr((sorted(decisions.forgotten), decisions.spans, rules.lines()))
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
