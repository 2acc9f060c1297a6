"""What of the indexer's faults is told, and what to do about it."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deja_hooks.indexer import report as kept
from deja_hooks.indexer.fault import cut_short, standing_fault, what_to_do
from deja_hooks.indexer.report import Report, keep_fault, keep_report, last_fault
from deja_hooks.indexer.tidy import tidy
from deja_hooks.memory.state import State
from tests.support.world import World, asked

DAYS = 86_400


@pytest.mark.parametrize(
    ("fault", "to_do"),
    [
        ("OperationalError: database or disk is full", "free some room on the disk of {}, then run deja-hooks index."),
        ("OSError: [Errno 122] Disk quota exceeded", "free some room on the disk of {}, then run deja-hooks index."),
        (
            "OperationalError: attempt to write a readonly database",
            "make {} writable for yourself, or set DEJA_HOOKS_HOME to a folder that is, then run deja-hooks index.",
        ),
        (
            "OSError: [Errno 37] No locks available",
            "see whether the disk of {} is full or failing; if it is a network drive, set DEJA_HOOKS_HOME to a"
            " folder on a local disk; then run deja-hooks index.",
        ),
        (
            "TimeoutError: index.lock was held by another process for 120 s",
            "end the program that keeps {} open, then run deja-hooks index.",
        ),
        ("KeyError: 'x'", "deja-hooks index tries again, and says why."),
    ],
)
def test_what_to_do(world: World, fault: str, to_do: str) -> None:
    assert what_to_do(fault, world.layout) == to_do.format(world.layout.cache)


def test_a_fault_stands_until_a_pass_ends_well_in_the_fore_or_background(world: World) -> None:
    assert standing_fault(world.layout) == ""
    world.index()
    keep_fault(world.layout, ValueError("odd"))
    told = "The background indexer failed (ValueError: odd): deja-hooks index tries again, and says why."
    assert standing_fault(world.layout) == told
    world.index()  # nothing is new: that alone would read nothing
    assert standing_fault(world.layout) == ""


def test_a_fault_is_told_without_secrets_and_not_at_length(world: World) -> None:
    Path(world.layout.cache).mkdir(parents=True)
    keep_fault(world.layout, ValueError("token ghp_" + "a1B2" * 9 + " in " + "x" * 9_000))
    assert "a1B2a1B2" not in last_fault(world.layout)
    assert len(last_fault(world.layout)) == 500


def test_on_a_full_disk_a_fault_takes_the_room_of_the_report_before(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(world.layout.cache).mkdir(parents=True)
    keep_report(world.layout, Report(1, 1, 1, 1, 1, 0, (("/a", "b" * 300),), 0.1, False))

    def full(path: object, *_: object, **__: object) -> int:
        raise OSError(28, "No space left on device", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(kept.os, "fdopen", full)
        keep_fault(world.layout, OSError(28, "No space left on device"))
    assert last_fault(world.layout) == "OSError: [Errno 28] No space left on device"
    assert [path.name for path in Path(world.layout.cache).iterdir()] == ["index.json"]


def test_a_pass_that_was_killed_is_told_unless_one_is_at_work(world: World) -> None:
    world.cli_session("11111111-aaaa-4000-8000-000000000001", asked("about pools"))
    world.index()
    with contextlib.closing(sqlite3.connect(world.layout.memory, isolation_level=None)) as db:
        assert cut_short(db, world.layout) == ""
        db.execute("INSERT INTO pass VALUES (1)")
        told = "The last reading of the hosts' sessions was cut short: deja-hooks index goes on with it."
        assert cut_short(db, world.layout) == told
        code = (
            f"from filelock import FileLock; l = FileLock({world.layout.index_lock!r}); l.acquire(); print(); input()"
        )
        with subprocess.Popen([sys.executable, "-c", code], stdin=-1, stdout=-1) as other:
            assert other.stdout is not None
            other.stdout.readline()
            assert cut_short(db, world.layout) == ""
            other.communicate(b"\n", timeout=10)
    world.index()
    with contextlib.closing(sqlite3.connect(world.layout.memory)) as db:
        assert cut_short(db, world.layout) == ""


def test_nothing_that_hooks_leave_stays_for_ever(world: World) -> None:
    cache = Path(world.layout.cache)
    old, new = time.time() - 91 * DAYS, time.time() - 89 * DAYS
    for folder in ("live", "pending"):
        (cache / folder).mkdir(parents=True)
        for name, at in (("old", old), ("new", new)):
            (cache / folder / name).touch()
            os.utime(cache / folder / name, (at, at))
    halves = (
        "index.123",
        "ring.jsonl.4567",
        "index.claim.99",
        "index.json",
        "index.lock",
        "ring.jsonl.1",
        "ring.jsonl",
    )
    for name in halves:
        (cache / name).touch()
        os.utime(cache / name, (old, old))
    with contextlib.closing(State(world.layout.state)) as state:
        for sid, at in (("old", old), ("new", new)):
            state.add_outcome(sid, "call", True, "", int(at * 1000))
            packet = (int(at * 1000), "PreToolUse", "cli", 9, "")
            state.say(sid, "before_tool", ["memory"], 0, packet)  # no row of its own: only tool calls were seen
        state.expect_agent("old", "prompt", int(new * 1000))
    tidy(world.layout)
    left = sorted(str(path.relative_to(cache)) for path in cache.rglob("*") if path.is_file())
    assert left == ["index.json", "index.lock", "live/new", "pending/new", "ring.jsonl", "ring.jsonl.1", "state.db"]
    with contextlib.closing(sqlite3.connect(world.layout.state)) as db:
        for table in ("outcome", "said", "told"):
            assert db.execute(f"SELECT sid FROM {table}").fetchall() == [("new",)]
        assert db.execute("SELECT count(*) FROM agent_prompt").fetchone() == (0,)


def test_a_failed_pass_leaves_no_half_report(world: World) -> None:
    Path(world.layout.cache).mkdir(parents=True)
    keep_report(world.layout, Report(1, 1, 1, 1, 1, 0, (), 0.1, False))
    values = json.loads(Path(world.layout.index_report).read_bytes())
    assert (values["error"], values["trimmed"]) == (None, 0)
