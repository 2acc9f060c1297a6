from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from deja_hooks.history.changes import changed_in, known_paths
from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.schema import TURN_BITS
from tests.support.built import Built, edit

OTHER = "dir:/src/other"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "memory.db"
    built = Built(path)
    built.session(
        "first",
        {"user": "x", "at": 1, "work": [edit("src/pool.py", "a", "b")]},
        {"user": "y", "at": 2, "files": ["src/read.py"]},
        {"user": "z", "at": 3, "work": [edit("src/pool.py", "b", "c"), edit("src/pool.py", "c", "d")]},
    )
    built.session(
        "second", {"user": "x", "at": 9, "work": [edit("src/pool.py", "d", "e"), edit("web/app.py", "", "x")]}
    )
    third = built.session("third", {"user": "x", "at": 5})
    built.db.execute("INSERT INTO changed VALUES (?, 1, 'src/pool.py')", (third,))
    built.db.execute("INSERT INTO written VALUES (?, 1, 'src/app.py', x'')", (third << TURN_BITS,))
    built.session("elsewhere", {"user": "x", "at": 7, "work": [edit("src/pool.py", "a", "b")]}, key=OTHER)
    built.close()
    opened = open_memory(str(path))
    assert opened is not None
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("src/pool.py", ["src/pool.py"]),
        ("pool.py", ["src/pool.py"]),
        ("/pool.py", ["src/pool.py"]),
        ("read.py", ["src/read.py"]),
        ("app.py", ["src/app.py", "web/app.py"]),
        ("web/app.py", ["web/app.py"]),
        ("ool.py", []),
        ("src", []),
        ("%", []),
        ("", []),
    ],
)
def test_files_by_their_path_or_its_end(memory: Memory, path: str, found: list[str]) -> None:
    assert known_paths(memory, 1, path, 10) == found


def test_as_many_as_asked_for(memory: Memory) -> None:
    assert known_paths(memory, 1, "app.py", 1) == ["src/app.py"]


def test_sessions_that_changed_a_file_the_latest_first(memory: Memory) -> None:
    ids = {sid: memory.session_of(sid).id for sid in ("first", "second", "third")}  # type: ignore[union-attr]
    assert list(changed_in(memory, 1, "src/pool.py").items()) == [
        (ids["second"], [ids["second"] << TURN_BITS]),
        (ids["third"], []),
        (ids["first"], [ids["first"] << TURN_BITS, ids["first"] << TURN_BITS | 2]),
    ]


def test_lines_written_count_as_a_change(memory: Memory) -> None:
    third = memory.session_of("third")
    assert third is not None
    assert changed_in(memory, 1, "src/app.py") == {third.id: [third.id << TURN_BITS]}


def test_nothing_changed(memory: Memory) -> None:
    assert changed_in(memory, 1, "src/read.py") == {}
    assert list(changed_in(memory, 2, "web/app.py")) == []
