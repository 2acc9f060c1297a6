"""Whether SQLite can do here what we need of it, and whether our two databases are whole."""

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.looking import is_file, is_there
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.schema import VERSION
from deja_hooks.memory.state import VERSION as STATE_VERSION

__all__ = ["MEMORY_TABLES", "check_engine", "check_memory", "check_state", "state_of"]

_OLDEST = (3, 37, 0)
#: Seconds that a whole database may be read for.
_PATIENCE = 5.0
#: SQLite 3.40 reports so of each row of a table without row ids whose key is not its first columns (seen in 3.40.1).
_MISTAKEN = "NULL value in "
_MOST_FAULTS = 1_000_000
_MEMORY, _STATE = "memory-db", "state-db"
#: Tables that every version of ours has had.
MEMORY_TABLES = ("project", "session", "source", "turn", "work", "terms")
_STATE_TABLES = ("session", "said")


def check_engine(cache: str, version: tuple[int, ...] = sqlite3.sqlite_version_info) -> Iterator[Finding]:
    """FTS5 and WAL, tried in a folder of its own where the cache lies (network shares can't do WAL).

    Args:
        cache: our cache folder.
        version: SQLite's.
    """
    name = "SQLite " + ".".join(map(str, version))
    if version < _OLDEST:
        yield broken("sqlite", name, "older than 3.37", "install deja-hooks with a Python that brings a newer one")
        return
    if not os.access(cache, os.W_OK | os.X_OK):  # `folders` says why, where that is a fault
        there = "can't be written" if is_there(cache) else "is not there yet"
        yield note("sqlite", name, f"not tried: {cache} {there}")
        return
    try:
        folder = tempfile.mkdtemp(prefix="probe-", dir=cache)
    except OSError as error:
        seen = f"not tried: {cache} can't be written ({error.strerror})"
        yield broken("sqlite", name, seen, f"see that {cache} can be written")
        return
    try:
        _try(Path(folder, "probe.db"))
    except (sqlite3.Error, OSError) as error:
        seen = f"full text (FTS5) or WAL can't be used in {cache}: {error}"
        yield broken("sqlite", name, seen, "put DEJA_HOOKS_HOME on a local disk, or take a Python with FTS5")
    else:
        yield ok("sqlite", name, "full text (FTS5) and WAL work where the cache lies")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _try(path: Path) -> None:
    """Writes and reads as the indexer and a hook do. Raises sqlite3.Error."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        mode = db.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        if mode != "wal":
            raise sqlite3.OperationalError(f"the journal stays in mode {mode}")
        db.execute("CREATE VIRTUAL TABLE t USING fts5(body, content='', detail=none)")
        db.execute("INSERT INTO t(rowid, body) VALUES (1, 'word')")
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as reader:
            if reader.execute("SELECT rowid FROM t WHERE t MATCH 'word'").fetchall() != [(1,)]:
                raise sqlite3.OperationalError("what was written can't be read")


def check_memory(layout: Layout, at_work: bool = False) -> Iterator[Finding]:
    """Whether `memory.db` is whole and of the version that hooks read.

    Args:
        layout: of the installation.
        at_work: whether an indexer is: one that has just begun leaves a file in which nothing stands yet.
    """
    path = Path(layout.memory)
    if at_work and is_file(path) and state_of(path, ()) == ("whole", "0"):
        yield note(_MEMORY, path, "it is being made", "look again later")
        return
    yield _check(_MEMORY, path, VERSION, MEMORY_TABLES, "there is none yet")


def check_state(layout: Layout) -> Iterator[Finding]:
    """Whether `state.db` is whole. One of an older version is brought up to date by the next hook."""
    absent = "there is none yet: the first prompt makes it"
    yield _check(_STATE, Path(layout.state), STATE_VERSION, _STATE_TABLES, absent)


def _check(check: str, path: Path, version: int, tables: tuple[str, ...], absent: str) -> Finding:
    if not is_there(path):
        return note(check, path, absent)
    state, seen = state_of(path, tables)
    if state == "busy":
        return note(check, path, f"not looked into: {seen}", "look again later")
    if state == "closed":
        return broken(check, path, "it can't be read", f"make {path} yours: chown, and chmod 0600")
    if state == "broken":
        return broken(check, path, f"it is no whole database: {seen}", _do(check, path), fixable=True)
    if state == "foreign":
        return broken(check, path, "it is a database, but none of deja-hooks", _do(check, path), fixable=True)
    newer = int(seen) > version
    if check == _MEMORY and seen != str(version):
        why = f"it is of version {seen}, this deja-hooks reads version {version}: hooks recall nothing"
        # What a newer deja-hooks has built is not to be thrown away by an older one that happens to be asked.
        do = "update this deja-hooks, or run deja-hooks index" if newer else "run deja-hooks index"
        return broken(check, path, why, f"{do}, which builds it anew", fixable=not newer)
    if check == _STATE and newer:
        return note(check, path, f"it is of version {seen}, which the next hook begins anew")
    return ok(check, path, "whole" if state == "whole" else f"whole, as far as {_PATIENCE:.0f} s of reading tell")


def _do(check: str, path: Path) -> str:
    rest = "run deja-hooks index" if check == _MEMORY else "the next prompt makes another"
    return f"put {path.name} aside; {rest}"


def state_of(path: Path, tables: tuple[str, ...]) -> tuple[str, str]:
    """What a database file is.

    Args:
        path: the file.
        tables: those that one of ours has.

    Returns:
        `whole` (or `long`: no fault found in the time there was) and its version; `foreign`; `closed` to us;
        `broken` or `busy`, and why.
    """
    if not is_file(path):
        return "broken", "it is not a file"
    if not os.access(path, os.R_OK):
        return "closed", ""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=1.0)) as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            known = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
            if known and not known.issuperset(tables):
                return "foreign", ""
            return ("whole" if _is_whole(db) else "long"), str(version)
    except sqlite3.OperationalError as error:
        busy = any(word in str(error) for word in ("locked", "busy"))
        return ("busy" if busy else "broken"), str(error)
    except (sqlite3.Error, OSError) as error:
        return "broken", str(error)


def _is_whole(db: sqlite3.Connection) -> bool:
    """False where the time was too short to tell. Raises sqlite3.DatabaseError where it is not whole."""
    until = time.monotonic() + _PATIENCE
    db.set_progress_handler(lambda: time.monotonic() > until, 100_000)
    try:
        rows = db.execute(f"PRAGMA quick_check({_MOST_FAULTS})")
        fault = next((str(row[0]) for row in rows if not str(row[0]).startswith(_MISTAKEN)), "ok")
    except sqlite3.OperationalError as error:
        if "interrupt" in str(error):
            return False
        raise
    if fault != "ok":
        raise sqlite3.DatabaseError(fault)
    return True
