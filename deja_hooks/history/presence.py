"""Sessions whose files are no longer where they were read: deleted since, or on a disk that isn't there now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlite3 import Connection

__all__ = ["missing"]


def missing(db: Connection, session: int | None = None) -> set[int]:
    """The row ids of the sessions that were read from files of which none is there any more.

    Args:
        db: a memory.
        session: the row id of the only one that is asked for; None: all of them.
    """
    where = "session IS NOT NULL" if session is None else "session=?"
    values = () if session is None else (session,)
    there: dict[int, bool] = {}
    for row, path in db.execute(f"SELECT session, path FROM source WHERE {where}", values):
        there[row] = there.get(row, False) or _may_be_there(path)
    return {row for row, any_is in there.items() if not any_is}


def _may_be_there(path: str) -> bool:
    """Whether a file is there; what can't be looked at may be."""
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return True
