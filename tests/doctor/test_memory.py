"""Stores, index, databases, permissions, secrets: what is a fault and what a note."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from deja_hooks.doctor import database, secrets
from deja_hooks.doctor.database import check_engine, check_memory, check_state
from deja_hooks.doctor.hosts import check_calls, check_hosts, check_seen
from deja_hooks.doctor.index import Held, check_claim, check_fault, check_index, held
from deja_hooks.doctor.permissions import check_hook_modes, check_permissions
from deja_hooks.doctor.secrets import check_secrets
from deja_hooks.doctor.stores import check_stores
from deja_hooks.history.calls import Call, calls
from deja_hooks.indexer.report import Report, keep_report
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.source_rows import Source
from deja_hooks.memory.state import State
from deja_hooks.sources.places.roots import find_roots
from tests.support.built import Built
from tests.support.world import World, asked

from .conftest import made_folder, seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")

NOW_MS = 1_772_366_400_000


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    made = Layout(str(tmp_path / "cache"), str(tmp_path / "config"))
    for each in (made.cache, made.config):
        Path(each).mkdir(mode=0o700)
    return made


# -- hosts and their calls


def _call(event: str, host: str, at_ms: float | None, reason: str = "x") -> Call:
    return Call(at_ms, event, host, "s", 1.0, reason, 0, None)


def test_hosts_that_are_absent_are_no_fault(tmp_path: Path) -> None:
    absent = "not found on this machine; it is served as soon as it is there"
    assert seen(check_hosts({"PATH": ""}, tmp_path, "darwin")) == [
        ("note", "VS Code Copilot Chat", absent),
        ("note", "Copilot CLI", absent),
    ]


def test_when_events_were_seen() -> None:
    found = [
        _call("Stop", "cli", 3.0),
        _call("Stop", "cli", 2.0),
        _call("SessionStart", "cli", 1.0),
        _call("Stop", "", 9.0),
        _call("Stop", "vscode", None),
        _call("Notification", "vscode", 9.0),
    ]
    assert seen(check_seen(found, str)) == [
        ("note", "VS Code Copilot Chat", "no event seen yet"),
        (
            "ok",
            "Copilot CLI",
            "Stop 3.0, SessionStart 1.0; not yet: UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, "
            "PreCompact, SessionEnd",
        ),
    ]


def test_a_failure_that_is_over_is_a_note(layout: Layout) -> None:
    assert seen(check_calls(layout, [])) == [("note", layout.ring, "no hook has been called yet")]
    Path(layout.ring).write_text("")
    found = [_call("Stop", "cli", 2.0), _call("Stop", "cli", 1.0, "failed: OSError: full")]
    assert seen(check_calls(layout, found)) == [
        ("note", layout.ring, "1 of 2 calls failed, no event's last one (OSError: full)")
    ]
    assert seen(check_calls(layout, found[1:])) == [("broken", "Stop", "its last call failed: OSError: full")]


# -- stores


def _source(path: str, version: str, understood: int, size: int = 9, remarks: str = "") -> Source:
    tally = json.dumps([9, 0, understood, 0, 0, []])
    return Source(path, "cli-events", 1, 0, 0, size, 0, 0, version=version, tally=tally, remarks=remarks)


def test_a_version_of_which_nothing_is_understood() -> None:
    sources = [
        _source("a", "1.0", 3),
        _source("b", "1.0", 0),
        _source("c", "2.0", 0),
        _source("d", "2.0", 0),
        _source("e", "", 5),
        _source("f", "3.0", 0, size=0),
        _source("g", "4.0", 0, remarks="not read: excluded"),
    ]
    assert seen(check_stores(sources)) == [
        ("ok", "cli-events", "1 file understood"),
        ("note", "cli-events 1.0", "1 of 2 files understood (not b)"),
        ("broken", "cli-events 2.0", "nothing in 2 files was understood (c)"),
    ]
    assert seen(check_stores([])) == [("note", "the hosts' sessions", "none has been read yet")]


# -- the index


def test_what_waits_to_be_read(healthy: World) -> None:
    roots = find_roots({}, healthy.home, "linux")
    found = held(healthy.layout, roots)
    assert found is not None
    assert (found.sessions, len(found.sources), found.waiting) == (2, 2, {})
    path = healthy.cli_session("c2", asked("New?"))
    found = held(healthy.layout, roots)
    assert found is not None
    assert found.waiting == {str(path): path.stat().st_mtime_ns // 1_000_000}
    ((state, _, what),) = seen(check_index(healthy.layout, found, int(time.time() * 1000)))
    assert (state, what.partition("; ")[2]) == ("note", "1 file waits to be read")


def test_what_was_asked_for_just_now_is_not_late(healthy: World) -> None:
    Path(healthy.layout.index_wanted).touch()
    asked_ms = int(Path(healthy.layout.index_wanted).stat().st_mtime * 1000)
    found = Held(2, 1, [], {"a": asked_ms - 1000, "b": asked_ms + 1000})
    states = [
        [state for state, _, _ in seen(check_index(healthy.layout, found, asked_ms + later))]
        for later in (0, 600_000, 600_001)
    ]
    assert states == [["note"], ["note"], ["broken"]]
    # Nor where an indexer is at work on it.
    claim = Path(healthy.layout.index_claim)
    claim.touch()
    assert [state for state, _, _ in seen(check_index(healthy.layout, found, asked_ms + 1))] == ["note"]
    assert seen(check_claim(healthy.layout, asked_ms)) == [("ok", "the indexer", "at work")]


def test_no_memory(layout: Layout) -> None:
    assert held(layout, []) is None
    assert seen(check_index(layout, None, 0)) == [("note", layout.memory, "there is no memory yet")]
    Path(layout.memory).write_text("broken")
    assert held(layout, []) is None
    assert seen(check_index(layout, None, 0)) == []  # the database's own check says it


def test_a_pass_that_went_well(layout: Layout) -> None:
    keep_report(layout, Report(0, 0, 0, 0, 0, 0, (), 0.1, False))
    assert seen(check_fault(layout)) == [("ok", "the indexer", "its last pass went well")]


# -- databases


def test_what_sqlite_can_do(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [state for state, _, _ in seen(check_engine(layout.cache))] == ["ok", "ok"]
    assert list(Path(layout.cache).iterdir()) == []
    assert seen(check_engine(layout.cache, (3, 36, 9))) == [("broken", "SQLite 3.36.9", "older than 3.37")]
    assert seen(check_engine("/no/cache", (3, 40, 1))) == [
        ("note", "SQLite 3.40.1", "not tried: /no/cache is not there yet")
    ]

    def fail(_: Path) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(database, "_try", fail)
    assert seen(check_engine(layout.cache, (3, 40, 1)))[1:] == [
        (
            "broken",
            "SQLite 3.40.1",
            f"full text (FTS5) or WAL can't be used in {layout.cache}: no such module: fts5",
        )
    ]


def test_a_cache_that_cannot_be_written(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.write_text("no folder")
    assert seen(check_engine(str(cache), (3, 40, 1))) == [
        ("broken", str(cache), "nothing can be written there (Not a directory)")
    ]


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


# -- permissions


def test_modes(layout: Layout, tmp_path: Path) -> None:
    folders = [Path(layout.cache), Path(layout.config)]
    assert seen(check_permissions(folders, "linux", os.getuid())) == [("ok", layout.cache, "this user's alone")]
    deep = made_folder(folders[1] / "kept-out" / "sessions") / "x"
    deep.touch(mode=0o600)
    (folders[0] / "link").symlink_to("/etc/passwd")
    for each in (deep.parent, deep.parent.parent):
        each.chmod(0o700)
    assert seen(check_permissions(folders, "linux", os.getuid())) == [("ok", layout.cache, "this user's alone")]
    deep.chmod(0o640)
    folders[1].chmod(0o711)
    assert seen(check_permissions(folders, "linux", os.getuid())) == [
        ("broken", layout.config, "others may use it (mode 0711), and 1 more")
    ]
    assert seen(check_permissions(folders, "win32", None)) == [
        ("ok", layout.cache, "as private as the profile that it lies in")
    ]


def test_what_belongs_to_another_user(layout: Layout) -> None:
    """After a `sudo deja-hooks index`, say."""
    assert seen(check_permissions([Path(layout.cache)], "linux", os.getuid() + 1)) == [
        ("broken", layout.cache, f"it belongs to another user ({os.getuid()}): hooks can't write it")
    ]


def test_folders_that_are_not_there(tmp_path: Path) -> None:
    assert seen(check_permissions([tmp_path / "none"], "linux", 0)) == [
        ("ok", str(tmp_path / "none"), "this user's alone")
    ]
    assert seen(check_hook_modes([], "linux")) == [("ok", "the hook files", "nobody else can write them")]


# -- secrets


def test_only_the_newest_are_looked_at(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "password=" + "hunter2-and-more"
    built = Built(Path(layout.memory))
    built.session("old", {"user": f"use {secret}"})
    built.session("new", {"user": "hello", "assistant": "there"})
    built.close()
    (found,) = check_secrets(layout)
    assert found[:4] == (
        "secrets",
        "broken",
        layout.memory,
        # two titles and two folders, and of the older session the prompt
        "2 of its newest 7 texts hold what looks like a secret",
    )
    assert "hunter2" not in "".join(map(str, found))
    monkeypatch.setattr(secrets, "MOST", 1)
    assert seen(check_secrets(layout)) == [("ok", layout.cache, "0 in 4 texts, the newest of each kind")]
    monkeypatch.setattr(secrets, "MOST", 2)
    monkeypatch.setattr(secrets, "_MOST_CHARACTERS", 5)
    assert seen(check_secrets(layout)) == [("ok", layout.cache, "0 in 4 texts, the newest of each kind")]


def test_a_ring_that_was_turned(layout: Layout) -> None:
    line = {"t": 1, "e": "Stop", "r": "password=" + "hunter2-and-more"}
    Path(layout.ring + ".1").write_text(json.dumps(line) + "\n[1]\n{\n")
    Path(layout.ring).write_text(json.dumps({**line, "r": "fine"}) + "\n")
    assert seen(check_secrets(layout)) == [
        ("broken", layout.ring, "1 of its newest 2 texts hold what looks like a secret")
    ]
    assert len(calls(layout)) == 2
