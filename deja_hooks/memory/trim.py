"""Taking out of the memory what is missed least, so that it keeps within its limit.

What a session came to outlives how it came to it. First go the lines that were written and both sides of edits, then
the records of commands, edits and files read, then the texts of turns; what was noted in a text stays as that text,
so that `deja-hooks show` still opens what a hook quotes. Notes and fixes go last. The session's own row, with its
title, always stays: its file counts as read. Oldest sessions go first, and the latest keep all as long as older ones
have anything to give.

Never touched: what the user asked to remember, and what the user promoted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.memory.rows import Note, TurnRow, document, terms_of
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.turn_rows import stored_turn

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from deja_hooks.memory.terms import TermCache

__all__ = ["LINES", "NOTES", "STAGES", "TEXTS", "WORK", "Candidate", "candidates", "trim_session"]

#: What goes, by `session.trimmed`: a stage takes what those before it take, too.
LINES, WORK, TEXTS, NOTES = STAGES = (1, 2, 3, 4)
#: The latest sessions of all, which keep theirs until the older ones have nothing left but notes.
SPARED = 100
#: Characters of a prompt that stay.
_PROMPT = 120
#: Bytes that a row of `work` and the like takes with its indexes, and a term of a turn in the full-text table: about.
_ROW = 150
_POSTING = 6


class Candidate(NamedTuple):
    """A session that a stage would make smaller: its row id, its project's, and how many turns it has."""

    id: int
    project: int
    places: int


def candidates(db: sqlite3.Connection) -> Iterator[tuple[int, list[Candidate]]]:
    """The stages in their order, each with the sessions that it would make smaller, the oldest first."""
    for spared in (SPARED, 0):
        for stage in (LINES, WORK, TEXTS):
            yield stage, _of_stage(db, stage, spared)
    yield NOTES, _of_stage(db, NOTES, 0)


def _of_stage(db: sqlite3.Connection, stage: int, spared: int) -> list[Candidate]:
    rows = db.execute(
        "SELECT id, project, places FROM session WHERE trimmed<? AND store<>'notes'"
        " AND NOT EXISTS (SELECT 1 FROM mark WHERE mark.sid=session.sid AND kind='promote')"
        " AND id NOT IN (SELECT id FROM session ORDER BY updated DESC, id DESC LIMIT ?) ORDER BY updated, id",
        (stage, spared),
    )
    return [Candidate(*row) for row in rows]


def trim_session(db: sqlite3.Connection, session: Candidate, stage: int, cache: TermCache) -> int:
    """Takes a session's rows down to what the stage leaves, within the caller's transaction.

    Returns:
        About how many bytes that gives back.
    """
    span = (session.id << TURN_BITS, (session.id + 1) << TURN_BITS)
    db.execute("UPDATE session SET trimmed=? WHERE id=?", (stage, session.id))
    freed = _drop_lines(db, span)
    if stage == LINES:
        return freed
    turns = [row[0] for row in db.execute("SELECT id FROM turn WHERE id>=? AND id<? ORDER BY id", span).fetchall()]
    before = {turn: stored_turn(db, turn) for turn in turns}
    # That it changed a file is what a session came to.
    db.execute(
        "INSERT OR IGNORE INTO changed SELECT ?, project, path FROM work WHERE turn>=? AND turn<? AND kind='edit'",
        (session.id, *span),
    )
    gone = ["work", "file", *(["note", "fix"] if stage == NOTES else [])]
    freed += sum(_drop_rows(db, table, span) for table in gone)
    if stage == NOTES:
        db.execute("DELETE FROM changed WHERE session=?", (session.id,))
    for turn, row in before.items():
        freed += _replace(db, turn, session.project, row, _left_of(row, stage), cache)
    return freed


def _drop_lines(db: sqlite3.Connection, span: tuple[int, int]) -> int:
    """The lines written and both sides of edits (of which no terms are made)."""
    within = "turn>=? AND turn<?"
    lines = db.execute(f"SELECT total(length(lines) + length(path)) FROM written WHERE {within}", span).fetchone()[0]
    sides = db.execute(f"SELECT total(length(old) + length(new)) FROM work WHERE {within}", span).fetchone()[0]
    db.execute(f"DELETE FROM written WHERE {within}", span)
    db.execute(f"UPDATE work SET old='', new='' WHERE {within} AND (old<>'' OR new<>'')", span)
    return int(lines + sides)


def _drop_rows(db: sqlite3.Connection, table: str, span: tuple[int, int]) -> int:
    return db.execute(f"DELETE FROM {table} WHERE turn>=? AND turn<?", span).rowcount * _ROW


def _left_of(row: TurnRow, stage: int) -> TurnRow:
    """What a stage leaves of a turn."""
    left = row._replace(work=(), files=(), written=())
    if stage == WORK:
        return left
    if stage == NOTES:
        return left._replace(user=_beginning(row.user), assistant="", notes=())
    asked = " ".join(row.user.split())
    user = [note for note in row.notes if note.text in asked]
    answer = [note for note in row.notes if note.text not in asked]
    return left._replace(user=_with(_beginning(row.user), user), assistant=_with("", answer))


def _beginning(prompt: str) -> str:
    words = " ".join(prompt[: 4 * _PROMPT].split())
    return words if len(words) <= _PROMPT else words[: _PROMPT - 1].rstrip() + "…"


def _with(text: str, notes: list[Note]) -> str:
    """The text, with those sentences below it that it doesn't hold."""
    return "\n".join([*filter(None, [text]), *(note.text for note in notes if note.text not in text)])


def _replace(db: sqlite3.Connection, turn: int, project: int, before: TurnRow, after: TurnRow, cache: TermCache) -> int:
    """Puts the texts and the terms of a turn in the place of those that it had; about the bytes that it gives back."""
    if (after.user, after.assistant) != (before.user, before.assistant):
        db.execute("UPDATE turn SET user=?, assistant=? WHERE id=?", (after.user, after.assistant, turn))
    old, new = (document(project, terms_of(row, cache)) for row in (before, after))
    if old != new:
        if old:
            db.execute("INSERT INTO terms(terms, rowid, body) VALUES ('delete', ?, ?)", (turn, old))
        if new:
            db.execute("INSERT INTO terms(rowid, body) VALUES (?, ?)", (turn, new))
    said = [len(row.user) + len(row.assistant) for row in (before, after)]
    return said[0] - said[1] + _POSTING * (old.count(" ") - new.count(" "))
