"""Opening `memory.db` to write it: made where it is missing, made anew where it is broken or of another version.

All of it can be read again from what the hosts keep, but for sessions whose files the hosts have deleted
themselves: these are carried over into a new version.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path

from deja_hooks.memory.rows import terms_of
from deja_hooks.memory.schema import SCHEMA, TURN_BITS, VERSION
from deja_hooks.memory.terms import TermCache
from deja_hooks.memory.turn_rows import insert_turns, stored_turn

__all__ = ["open_for_writing"]

#: Postings gathered in memory before they become a segment, in bytes: fewer segments, fewer merges.
_POSTINGS_BYTES = 8 << 20
_SUFFIXES = ("", "-wal", "-shm")


def open_for_writing(path: Path) -> sqlite3.Connection:
    """The one connection that may write, with its tables.

    Raises:
        sqlite3.OperationalError: it is locked, or the disk is full or not ours: nothing is changed.
        OSError: the file can't be made.
    """
    version = _version(path)
    if version in (0, VERSION):
        try:
            return _connect(path)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            version = -1
    old = path.with_name(path.name + ".old")
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            os.replace(f"{path}{suffix}", f"{old}{suffix}")
    db = _connect(path)
    if version > 0:
        # Whatever another version's tables look like, what can't be carried over is no reason not to index.
        with contextlib.suppress(sqlite3.Error):
            _carry_over(old, db)
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{old}{suffix}").unlink()
    return db


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


def _carry_over(old: Path, db: sqlite3.Connection) -> None:
    """Takes the sessions along that no host has any more, with their turns, notes and work."""
    source = sqlite3.connect(f"{old.resolve().as_uri()}?mode=ro", uri=True)
    source.row_factory = sqlite3.Row
    cache = TermCache()
    try:
        gone = source.execute(
            "SELECT session.*, project.key AS project_key, project.label AS project_label FROM session"
            " JOIN project ON project.id=session.project WHERE gone=1 ORDER BY session.id"
        ).fetchall()
        db.execute("BEGIN IMMEDIATE")
        for row in gone:
            _carry_session(source, db, row, cache)
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise
    finally:
        source.close()


_SESSION = ("sid", "host", "store", "cwd", "branch", "title", "started", "updated", "turns", "places", "gone")


def _carry_session(source: sqlite3.Connection, db: sqlite3.Connection, row: sqlite3.Row, cache: TermCache) -> None:
    db.execute("INSERT OR IGNORE INTO project(key, label) VALUES (?, ?)", (row["project_key"], row["project_label"]))
    project = db.execute("SELECT id FROM project WHERE key=?", (row["project_key"],)).fetchone()[0]
    db.execute("UPDATE project SET sessions=sessions+1 WHERE id=?", (project,))
    marks = ", ".join("?" * (len(_SESSION) + 1))
    session = db.execute(
        f"INSERT INTO session(project, {', '.join(_SESSION)}) VALUES ({marks})",
        (project, *[row[name] for name in _SESSION]),
    ).lastrowid
    assert session is not None
    low, high = row["id"] << TURN_BITS, (row["id"] + 1) << TURN_BITS
    turns = source.execute("SELECT id FROM turn WHERE id>=? AND id<? ORDER BY id", (low, high)).fetchall()
    rows = [stored_turn(source, turn["id"]) for turn in turns]
    insert_turns(db, session << TURN_BITS, project, rows, [terms_of(kept, cache) for kept in rows])
