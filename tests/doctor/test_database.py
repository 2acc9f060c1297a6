"""What SQLite can do, and databases that are whole, damaged, locked or of others."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from deja_hooks.doctor import database
from deja_hooks.doctor.database import check_engine, check_memory, check_state
from deja_hooks.doctor.permissions import check_folders
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.schema import VERSION
from deja_hooks.memory.state import State
from tests.support.built import Built

from .conftest import seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def test_what_sqlite_can_do(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [state for state, _, _ in seen(check_engine(layout.cache))] == ["ok"]
    assert list(Path(layout.cache).iterdir()) == []
    assert seen(check_engine(layout.cache, (3, 36, 9))) == [("broken", "SQLite 3.36.9", "older than 3.37")]
    assert seen(check_engine("/no/cache", (3, 40, 1))) == [
        ("note", "SQLite 3.40.1", "not tried: /no/cache is not there yet")
    ]

    def fail(_: Path) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(database, "_try", fail)
    assert seen(check_engine(layout.cache, (3, 40, 1))) == [
        (
            "broken",
            "SQLite 3.40.1",
            f"full text (FTS5) or WAL can't be used in {layout.cache}: no such module: fts5",
        )
    ]


def test_folders_that_cannot_be_written(tmp_path: Path) -> None:
    file = tmp_path / "deja"
    file.write_text("no folder")
    cache = file / "cache"
    assert seen(check_folders([cache, tmp_path / "new" / "cache", tmp_path], None)) == [
        ("broken", str(cache), f"{file} is not a folder"),
        ("ok", str(tmp_path / "new" / "cache"), "not there yet; it can be made"),
        ("ok", str(tmp_path), "can be written"),
    ]
    assert seen(check_engine(str(file), (3, 40, 1))) in (
        [("broken", "SQLite 3.40.1", f"not tried: {file} can't be written (Not a directory)")],
        [("note", "SQLite 3.40.1", f"not tried: {file} can't be written")],  # who isn't root can't enter a file
    )


def test_databases_that_are_whole(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    assert seen(check_memory(layout)) == [("note", layout.memory, "there is none yet")]
    assert seen(check_state(layout)) == [("note", layout.state, "there is none yet: the first prompt makes it")]
    Built(Path(layout.memory)).close()
    State(layout.state).close()
    assert seen([*check_memory(layout), *check_state(layout)]) == [
        ("ok", layout.memory, "whole"),
        ("ok", layout.state, "whole"),
    ]
    with closing(sqlite3.connect(layout.state)) as db:
        db.execute("PRAGMA user_version=1")
    assert seen(check_state(layout)) == [("ok", layout.state, "whole")]  # the next hook adds what it lacks
    with closing(sqlite3.connect(layout.state)) as db:
        db.execute("PRAGMA user_version=99")
    assert seen(check_state(layout)) == [("note", layout.state, "it is of version 99, which the next hook begins anew")]


def test_what_sqlite_takes_for_a_fault_and_is_none(layout: Layout) -> None:
    built = Built(Path(layout.memory))
    built.session("s", {"user": "hello", "files": ["a.py", "b.py"]})
    built.close()
    assert seen(check_memory(layout)) == [("ok", layout.memory, "whole")]


@pytest.mark.parametrize(
    ("version", "do", "fixable"),
    [
        (VERSION - 1, "run deja-hooks index, which builds it anew", True),
        (VERSION + 1, "update this deja-hooks, or run deja-hooks index, which builds it anew", False),
    ],
)
def test_a_memory_of_another_version(layout: Layout, version: int, do: str, fixable: bool) -> None:
    built = Built(Path(layout.memory))
    built.db.execute(f"PRAGMA user_version={version}")
    built.close()
    (found,) = check_memory(layout)
    why = f"it is of version {version}, this deja-hooks reads version {VERSION}: hooks recall nothing"
    assert found == ("memory-db", "broken", layout.memory, why, do, fixable)


def test_a_large_database_is_read_for_a_bounded_time(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    built = Built(Path(layout.memory))
    built.db.executemany("INSERT INTO note(turn, kind, text) VALUES (1, 'x', ?)", [("y" * 900,)] * 20_000)
    built.close()
    monkeypatch.setattr(database, "_PATIENCE", 0.0)
    assert seen(check_memory(layout)) == [("ok", layout.memory, "whole, as far as 0 s of reading tell")]


def test_a_page_that_is_damaged_deep_inside(layout: Layout) -> None:
    built = Built(Path(layout.memory))
    built.db.executemany("INSERT INTO note(turn, kind, text) VALUES (1, 'x', ?)", [("y" * 900,)] * 2_000)
    built.close()
    path = Path(layout.memory)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 4096] = b"\xff" * 4096
    path.write_bytes(data)
    ((state, about, what),) = seen(check_memory(layout))
    assert (state, about, what.startswith("it is no whole database: ")) == ("broken", layout.memory, True)


def test_a_database_that_is_locked_is_no_fault(layout: Layout) -> None:
    State(layout.state).close()
    with closing(sqlite3.connect(layout.state, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        assert seen(check_state(layout)) == [("note", layout.state, "not looked into: database is locked")]


def test_a_database_that_is_closed_to_us(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    State(layout.state).close()
    monkeypatch.setattr(os, "access", lambda *_: False)
    (found,) = check_state(layout)
    assert found[3:] == ("it can't be read", f"make {layout.state} yours: chown, and chmod 0600", False)
