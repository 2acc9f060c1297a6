"""Reading back what hooks noted of their packets."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from deja_hooks.feedback.told import Told, told_packets
from deja_hooks.memory.state import State


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "state.db")


def test_packets_the_oldest_first_with_their_project(path: str) -> None:
    state = State(path)
    state.enter("a", "cli", "git:/shop/.git", 1, prompt=True)
    assert state.say("a", "prompt", ["m"], 1, (20, "UserPromptSubmit", "cli", 300, "s1 n1"))
    assert not state.say("a", "prompt", ["m"], 1, (30, "UserPromptSubmit", "cli", 300, "s1 n1"))
    state.tell("b", "compaction", (10, "PreToolUse", "", 900, ""))
    told = [
        Told("b", 10, "compaction", "PreToolUse", "", "", 900, ""),
        Told("a", 20, "prompt", "UserPromptSubmit", "cli", "git:/shop/.git", 300, "s1 n1"),
    ]
    assert told_packets(path) == told
    assert told_packets(path, since=11) == told[1:]
    assert told[1].name == ("a", 20, "prompt")


def test_none_yet(path: str) -> None:
    assert told_packets(path) == []


def test_an_older_state_has_none(path: str) -> None:
    with sqlite3.connect(path) as db:
        db.executescript("CREATE TABLE session(sid, project); PRAGMA user_version=1;")
    db.close()
    assert told_packets(path) == []


def test_a_broken_state_is_no_empty_one(path: str) -> None:
    Path(path).write_bytes(b"no database at all" * 100)
    assert told_packets(path) is None
