"""A session's turns in the tables, with all that hangs on them: put in, and read as they were put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.memory.rows import Note, TurnRow, WorkRow, document

if TYPE_CHECKING:
    import sqlite3

__all__ = ["insert_turns", "stored_turn"]

_WORK = ", ".join(WorkRow._fields)


def insert_turns(
    db: sqlite3.Connection, first: int, project: int, rows: list[TurnRow], terms: list[tuple[str, str, str]]
) -> None:
    """Stores a session's turns, the first under that row id.

    Args:
        terms: of each row (`rows.terms_of`).
    """
    db.executemany(
        "INSERT INTO turn VALUES (?,?,?,?,?)",
        [(turn, r.at, r.ended, r.user, r.assistant) for turn, r in enumerate(rows, first)],
    )
    db.executemany(
        "INSERT INTO note(turn, kind, text) VALUES (?,?,?)",
        [(turn, n.kind, n.text) for turn, r in enumerate(rows, first) for n in r.notes],
    )
    db.executemany(
        f"INSERT INTO work(turn, project, {_WORK}) VALUES (?,?,{', '.join('?' * len(WorkRow._fields))})",
        [(turn, project, *w) for turn, r in enumerate(rows, first) for w in r.work],
    )
    documents = [(turn, document(project, t)) for turn, t in enumerate(terms[: len(rows)], first)]
    db.executemany("INSERT INTO terms(rowid, body) VALUES (?, ?)", [d for d in documents if d[1]])


def stored_turn(db: sqlite3.Connection, turn: int) -> TurnRow:
    """The turn of this row id, as it was stored."""
    at, ended, user, assistant = db.execute(
        "SELECT at, ended, user, assistant FROM turn WHERE id=?", (turn,)
    ).fetchone()
    notes = db.execute("SELECT kind, text FROM note WHERE turn=? ORDER BY id", (turn,))
    work = db.execute(f"SELECT {_WORK} FROM work WHERE turn=? ORDER BY id", (turn,))
    return TurnRow(at, bool(ended), user, assistant, tuple(Note(*n) for n in notes), tuple(WorkRow(*w) for w in work))
