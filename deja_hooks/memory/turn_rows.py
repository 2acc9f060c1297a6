"""A session's turns in the tables, with all that hangs on them: put in, and read as they were put in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.memory.rows import Note, TurnRow, WorkRow, document
from deja_hooks.sources.model import Usage

if TYPE_CHECKING:
    import sqlite3

__all__ = ["HANGING", "insert_turns", "stored_turn", "stored_usage"]

#: The tables whose rows belong to a turn.
HANGING = ("note", "work", "fix", "file", "written", "usage")

_WORK = ", ".join(WorkRow._fields)
_USAGE = "kind, request, at, model, rounds, input, exact, cached, output, credits, elapsed, first, final"


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
    db.executemany(
        "INSERT OR IGNORE INTO file VALUES (?,?,?)",
        [(turn, project, path) for turn, r in enumerate(rows, first) for path in r.files],
    )
    db.executemany(
        "INSERT OR REPLACE INTO written VALUES (?,?,?,?)",
        [(turn, project, *w) for turn, r in enumerate(rows, first) for w in r.written],
    )
    db.executemany(
        f"INSERT INTO usage(turn, seq, {_USAGE}) VALUES (?,?,{', '.join('?' * len(Usage._fields))})",
        [(turn, seq, *u) for turn, r in enumerate(rows, first) for seq, u in enumerate(r.usage)],
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
    files = db.execute("SELECT path FROM file WHERE turn=? ORDER BY path", (turn,))
    written = db.execute("SELECT path, lines FROM written WHERE turn=? ORDER BY path", (turn,))
    return TurnRow(
        at,
        bool(ended),
        user,
        assistant,
        tuple(Note(*n) for n in notes),
        tuple(WorkRow(*w) for w in work),
        tuple(path for (path,) in files),
        tuple((path, bytes(lines)) for path, lines in written),
        tuple(stored_usage(db, turn, turn + 1)),
    )


def stored_usage(db: sqlite3.Connection, low: int, high: int) -> list[Usage]:
    """The usage of the turns from one row id to another (that one excluded), in order."""
    rows = db.execute(f"SELECT {_USAGE} FROM usage WHERE turn>=? AND turn<? ORDER BY turn, seq", (low, high))
    return [Usage(*row)._replace(exact=bool(row[6]), final=bool(row[12])) for row in rows]
