"""Opening `memory.db` to write it: made where it is missing, made anew where it is broken or of another version.

All of it can be read again from what the hosts keep, but for sessions whose files the hosts have deleted
themselves: these are carried over into a new version.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from deja_hooks.memory.carry import carry_over
from deja_hooks.memory.schema import SCHEMA, VERSION
from deja_hooks.system import is_plain_file

__all__ = ["open_for_writing", "set_aside"]

#: Postings gathered in memory before they become a segment, in bytes: fewer segments, fewer merges.
_POSTINGS_BYTES = 8 << 20
_SUFFIXES = ("", "-wal", "-shm")


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The one connection that may write, with its tables.

    Raises:
        sqlite3.OperationalError: it is locked, or the disk is full or not ours: nothing is changed.
        OSError: the file can't be made, or something else is in its place (a link, a pipe, a folder).
    """
    is_plain_file(str(path))
    version = _version(path)
    old = path.with_name(path.name + ".old")
    if version in (0, VERSION):
        try:
            db = _connect(path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            version = -1
        else:
            _take_along(old, db)  # where that was cut short
            return db
    set_aside(path, broken=version < 0)
    db = _connect(path)
    _take_along(old, db)
    return db


def set_aside(path: Path, *, broken: bool) -> None:
    """Makes room for a new memory, which takes from the old one what it can (see `open_for_writing`). Raises OSError.

    Args:
        broken: over an older one whose sessions have not been taken yet it is not put: that one matters more.
    """
    old = path.with_name(path.name + ".old")
    keep_old = broken and old.exists()
    # The log of changes first: without its database it is worth nothing, the database without it is not whole.
    for suffix in reversed(_SUFFIXES):
        with contextlib.suppress(FileNotFoundError):
            if keep_old:
                Path(f"{path}{suffix}").unlink()
            else:
                os.replace(f"{path}{suffix}", f"{old}{suffix}")


def _take_along(old: Path, db: sqlite3.Connection) -> None:
    """Takes the older memory's sessions that no host has any more, then deletes it.

    Whatever another version's tables look like, what can't be carried over is no reason not to index. A full disk
    or a lock passes: then the older memory stays, and the next opening tries again.
    """
    if not old.exists():
        return
    try:
        carry_over(old, db)
    except sqlite3.OperationalError as error:
        if any(word in str(error) for word in ("full", "locked", "busy", "disk I/O")):
            return
    except sqlite3.Error:
        pass
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{old}{suffix}").unlink()


def _version(path: Path) -> int:
    """The version of the file's tables: 0 for none yet, -1 for no database."""
    if not path.exists():
        return 0
    db = sqlite3.connect(path, timeout=5.0)
    try:
        return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        return -1
    finally:
        db.close()


def _connect(path: Path) -> sqlite3.Connection:
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    db = sqlite3.connect(path, isolation_level=None, timeout=5.0)
    try:
        db.execute("PRAGMA auto_vacuum=INCREMENTAL")  # before anything is written: what is trimmed gives its room back
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA cache_size=-32000")
        db.execute("PRAGMA temp_store=MEMORY")
        if db.execute("PRAGMA user_version").fetchone()[0] == 0:
            gathered = f"INSERT INTO terms(terms, rank) VALUES ('hashsize', {_POSTINGS_BYTES});"
            db.executescript(f"BEGIN IMMEDIATE;{SCHEMA}{gathered}PRAGMA user_version={VERSION};COMMIT;")
        db.execute("SELECT count(*) FROM source").fetchone()
        db.execute("SELECT rowid FROM terms LIMIT 1").fetchone()
    except BaseException:
        db.close()
        raise
    return db
