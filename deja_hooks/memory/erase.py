"""Erasing: what is taken out of the databases leaves no bytes behind, neither in free pages nor in the WAL."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["EraseError", "erase_from_state", "remove_leftovers", "scrub", "tables_with"]

#: Seconds that readers (hooks: 1.2 at most) may hold the WAL, or a hook `state.db`.
PATIENCE = 10.0


class EraseError(sqlite3.OperationalError):
    """Something still reads what is to be erased."""


def scrub(db: sqlite3.Connection, patience: float = PATIENCE) -> None:
    """Rewrites the memory without what has been deleted, and empties the WAL.

    A deleted row's bytes stay in its page, and a term's in the full-text table's segments until they are merged:
    `optimize` makes one segment without them (the old ones are overwritten: `secure_delete`), `VACUUM` writes the file
    anew, and the checkpoint cuts the WAL to nothing.

    Raises:
        EraseError: a reader held the WAL for longer than the patience.
        sqlite3.OperationalError: there is no room.
    """
    db.execute("PRAGMA secure_delete=ON")
    db.execute("INSERT INTO terms(terms) VALUES ('optimize')")
    db.execute("VACUUM")
    until = time.monotonic() + patience
    while db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
        if time.monotonic() > until:
            raise EraseError("another program keeps the memory open")
        time.sleep(0.05)


def tables_with(db: sqlite3.Connection, column: str) -> list[str]:
    """The tables that have a column of this name."""
    rows = db.execute(
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type='table' AND c.name=?"
        " ORDER BY m.name",
        (column,),
    )
    return [row[0] for row in rows]


def remove_leftovers(memory: Path) -> None:
    """Removes what a change of the tables that was cut short has left of an older memory (see `opening`)."""
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            memory.with_name(f"{memory.name}.old{suffix}").unlink()


def erase_from_state(
    path: Path,
    is_barred: Callable[[str, str, int, int], bool],
    known: Iterable[str],
    also: Callable[[sqlite3.Connection, Iterable[str]], None],
) -> set[str]:
    """Takes sessions out of the hooks' state, with what other sessions were told of them.

    Args:
        path: of `state.db`.
        is_barred: (session id, project's key, first, last event in epoch ms) → whether it is to go. Sub-agents go
            with the session that they belong to.
        known: ids that go whatever the state has of them.
        also: takes sessions out of what others were told (`feedback.erase.erase_told`).

    Returns:
        The ids of all that are to go.

    Raises:
        sqlite3.OperationalError: hooks kept the database busy.
    """
    sids = set(known)
    if not path.exists():
        return sids
    db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)
    try:
        db.execute("PRAGMA secure_delete=ON")
        db.execute("BEGIN IMMEDIATE")
        rows = db.execute("SELECT sid, project, first, last, parent FROM session").fetchall()
        sids |= {sid for sid, project, first, last, _ in rows if is_barred(sid, project, first, last)}
        sids |= {sid for sid, *_, parent in rows if parent in sids}
        for sid in sorted(sids):
            _erase_session(db, sid)
        if sids and "held" in tables_with(db, "sid"):
            db.execute("DELETE FROM held")  # any of them may quote what goes; the next event says it anew
        if tables_with(db, "specifics"):
            also(db, sorted(sids))
        db.execute("COMMIT")
        if sids:
            db.execute("VACUUM")  # hooks delete without overwriting: a packet that was handed back lies in a free page
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        _remove_broken(path)  # no hook can use it, and nobody can say what is in it
    finally:
        db.close()
    return sids


def _erase_session(db: sqlite3.Connection, sid: str) -> None:
    for table in tables_with(db, "sid"):
        db.execute(f"DELETE FROM {table} WHERE sid=?", (sid,))
    # A memory's name begins with its session (`recall.quote.memory_name`).
    for table in tables_with(db, "memory"):
        db.execute(f"DELETE FROM {table} WHERE substr(memory, 1, ?)=?", (len(sid) + 1, f"{sid}:"))


def _remove_broken(path: Path) -> None:
    for suffix in ("", "-journal"):
        with contextlib.suppress(OSError):
            Path(f"{path}{suffix}").unlink()
