"""Whether a database is whole, as SQLite itself says."""

from __future__ import annotations

import contextlib
import sqlite3

__all__ = ["is_sound"]


def is_sound(path: str) -> bool:
    """Every page, row and index of it is as it should be."""
    try:
        with contextlib.closing(sqlite3.connect(path)) as db:
            found = [row[0] for row in db.execute("PRAGMA integrity_check(1000)")]
    except sqlite3.DatabaseError:
        return False
    # SQLite 3.40 takes a 1 in a table without row ids for a missing value.
    return [each for each in found if not each.startswith("NULL value in ")] in ([], ["ok"])
