"""What a session's rows say together, brought up to date after some of them have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.memory.rows import TurnRow, WorkRow
from deja_hooks.memory.schema import TURN_BITS

if TYPE_CHECKING:
    import sqlite3

    from deja_hooks.failures.fixes import Fix

__all__ = ["drop_covered_calls", "refresh_fixes", "refresh_session", "set_session"]

#: Characters of a title.
TITLE_LIMIT = 120
# Both sides of an edit tell nothing of a fix, and are most of what a long session's work takes.
_SELECT_WORK_TURN = "SELECT turn, kind, at, path, command, exit, failure, signature, '', '' FROM work"


def drop_covered_calls(db: sqlite3.Connection, session: int) -> None:
    """Takes out what was noted of single model calls, and of credits alone, before a total that holds them."""
    low, high = session << TURN_BITS, (session + 1) << TURN_BITS
    total = db.execute(
        "SELECT turn, seq FROM usage WHERE turn>=? AND turn<? AND kind='total' AND input IS NOT NULL"
        " ORDER BY turn DESC, seq DESC LIMIT 1",
        (low, high),
    ).fetchone()
    if total:
        db.execute(
            "DELETE FROM usage WHERE turn>=? AND (turn, seq)<(?, ?)"
            " AND (kind='call' OR (kind='total' AND input IS NULL))",
            (low, total[0], total[1]),
        )


def refresh_fixes(db: sqlite3.Connection, session: int, project: int, known: list[Fix] | None, first: int) -> None:
    """Finds the session's fixes anew: a later turn may have mended what an earlier one broke.

    Args:
        known: those of the whole session, turns numbered from 0, where they are at hand.
        first: the turn from which on the session has changed, numbered from 0.
    """
    low, high = session << TURN_BITS, (session + 1) << TURN_BITS
    since = low
    if known is None:
        from deja_hooks.failures.fixes import REACH, find_fixes

        # A fix is unmade within REACH of where it worked, and answers a failure within REACH before that: a session
        # that goes on is not looked at from its beginning.
        since = _back(db, low, low + first, REACH + 1)
        rows = db.execute(
            _SELECT_WORK_TURN + " WHERE turn>=? AND turn<? ORDER BY id", (_back(db, low, since, REACH), high)
        )
        found = find_fixes([(r[0] - low, WorkRow(*r[1:])) for r in rows])
        known = [fix for fix in found if low + fix.turn >= since]
    columns = "turn, project, signature, form, failure, how, what, at"
    wanted = [(low + fix.turn, project, *fix[1:]) for fix in known]
    stored = db.execute(f"SELECT {columns} FROM fix WHERE turn>=? AND turn<? ORDER BY id", (since, high)).fetchall()
    if wanted != stored:
        db.execute("DELETE FROM fix WHERE turn>=? AND turn<?", (since, high))
        db.executemany(f"INSERT INTO fix({columns}) VALUES (?,?,?,?,?,?,?,?)", wanted)


def _back(db: sqlite3.Connection, low: int, turn: int, works: int) -> int:
    """The turn that lies so many works before a turn; `low` where there are not so many."""
    found = db.execute(
        "SELECT turn FROM work WHERE turn>=? AND turn<? ORDER BY turn DESC, id DESC LIMIT 1 OFFSET ?",
        (low, turn, works - 1),
    ).fetchone()
    return int(found[0]) if found else low


def set_session(db: sqlite3.Connection, session: int, title: str, rows: list[TurnRow], updated: int) -> None:
    """The row of a session that is new, from all its turns (see `refresh_session`)."""
    asked = [row.user for row in rows if row.user]
    latest = max([updated, *[row.at for row in rows]])
    db.execute(
        "UPDATE session SET turns=?, places=?, title=?, named=?, updated=? WHERE id=?",
        (len(asked), len(rows), _title(title or (asked[0] if asked else "")), bool(title), latest, session),
    )


def refresh_session(db: sqlite3.Connection, session: int, title: str, updated: int, *, whole: bool) -> None:
    """The session's own row, from its stored turns.

    Args:
        title: that the host or the user gave; "" none.
        updated: epoch ms of the last record of the reading.
        whole: the reading began at the file's start; else the session may have been updated later.
    """
    low, high = session << TURN_BITS, (session + 1) << TURN_BITS
    turns, places, latest = db.execute(
        "SELECT count(nullif(user, '')), count(*), coalesce(max(at), 0) FROM turn WHERE id>=? AND id<?", (low, high)
    ).fetchone()
    named = bool(title)
    if not named:
        first = db.execute(
            "SELECT user FROM turn WHERE id>=? AND id<? AND user<>'' ORDER BY id LIMIT 1", (low, high)
        ).fetchone()
        title = first[0] if first else ""
    db.execute(
        "UPDATE session SET turns=?, places=?, title=?, named=?, updated=max(?, ?, ?*updated), gone=0 WHERE id=?",
        (turns, places, _title(title), named, updated, latest, not whole, session),
    )


def _title(prompt: str) -> str:
    words = " ".join(prompt[:400].split())
    return words if len(words) <= TITLE_LIMIT else words[: TITLE_LIMIT - 1].rstrip() + "…"
