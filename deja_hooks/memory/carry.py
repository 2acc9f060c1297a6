"""What a new memory takes along from an older one: the sessions that no host has any more.

The tables of the two may differ: what both know is taken. The texts are redacted again (a version may have learned
of more kinds of secrets) and their terms made anew.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from deja_hooks.memory.rows import document, terms_of
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.terms import TermCache
from deja_hooks.memory.turn_rows import HANGING, stored_turn
from deja_hooks.redaction.redact import redact

__all__ = ["carry_over"]

#: Columns with words of people, agents and programs.
_TEXTS = frozenset(("title", "user", "assistant", "text", "path", "command", "failure", "old", "new", "form", "what"))


def carry_over(old: Path, db: sqlite3.Connection) -> None:
    """Takes along the sessions that are marked as gone, with all that hangs on them, in one transaction.

    Those that the new one has already stay as they are: this may be done twice.

    Args:
        old: the older memory.
        db: the new one.

    Raises:
        sqlite3.Error: the older one can't be read; nothing has been taken then.
    """
    source = sqlite3.connect(f"{old.resolve().as_uri()}?mode=ro", uri=True)
    source.row_factory = sqlite3.Row
    try:
        gone = source.execute(
            "SELECT session.*, project.key AS project_key, project.label AS project_label FROM session"
            " JOIN project ON project.id=session.project WHERE gone=1 ORDER BY session.id"
        ).fetchall()
        db.execute("BEGIN IMMEDIATE")
        cache = TermCache()
        for row in gone:
            if db.execute("SELECT 1 FROM session WHERE sid=?", (row["sid"],)).fetchone() is None:
                _carry_session(source, db, row, cache)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    finally:
        source.close()


def _carry_session(source: sqlite3.Connection, db: sqlite3.Connection, row: sqlite3.Row, cache: TermCache) -> None:
    db.execute("INSERT OR IGNORE INTO project(key, label) VALUES (?, ?)", (row["project_key"], row["project_label"]))
    project = db.execute("SELECT id FROM project WHERE key=?", (row["project_key"],)).fetchone()[0]
    db.execute("UPDATE project SET sessions=sessions+1 WHERE id=?", (project,))
    session = _insert(db, "session", row, {"project": project})
    low, high = row["id"] << TURN_BITS, (row["id"] + 1) << TURN_BITS
    shift = (session << TURN_BITS) - low
    for turn in source.execute("SELECT * FROM turn WHERE id>=? AND id<? ORDER BY id", (low, high)).fetchall():
        _insert(db, "turn", turn, {"id": turn["id"] + shift})
    for table in HANGING:
        if _columns(source, table):
            for each in _hanging(source, table, low, high):
                _insert(db, table, each, {"turn": each["turn"] + shift, "project": project})
    low, high = low + shift, high + shift
    for (turn_id,) in db.execute("SELECT id FROM turn WHERE id>=? AND id<?", (low, high)).fetchall():
        text = document(project, terms_of(stored_turn(db, turn_id), cache))
        if text:
            db.execute("INSERT INTO terms(rowid, body) VALUES (?, ?)", (turn_id, text))


def _hanging(source: sqlite3.Connection, table: str, low: int, high: int) -> list[sqlite3.Row]:
    order = "id" if "id" in _columns(source, table) else "turn"
    return source.execute(f"SELECT * FROM {table} WHERE turn>=? AND turn<? ORDER BY {order}", (low, high)).fetchall()


def _insert(db: sqlite3.Connection, table: str, row: sqlite3.Row, values: dict[str, int]) -> int:
    """Puts a row into the table of its name as far as both know its columns; gives its id there.

    Args:
        values: columns that are other ones here, where the table has them.
    """
    names = [name for name in _columns(db, table) if name in values or (name in row.keys() and name != "id")]  # noqa: SIM118
    found = [values[name] if name in values else _clean(name, row[name]) for name in names]
    marks = ", ".join("?" * len(names))
    cursor = db.execute(f"INSERT OR IGNORE INTO {table}({', '.join(names)}) VALUES ({marks})", found)
    return cursor.lastrowid or 0


def _clean(name: str, value: object) -> object:
    return redact(value) if name in _TEXTS and isinstance(value, str) else value


def _columns(db: sqlite3.Connection, table: str) -> list[str]:
    """The table's columns; none where there is no such table."""
    return [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})")]
