"""The load: the memory keeps within its limit, and nothing that is kept beside it grows without an end."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.hook import record as recording
from deja_hooks.hook.ring import LIMIT
from tests.faults.history import sid_of, write_history
from tests.faults.sound import is_sound
from tests.faults.table import row
from tests.support.world import World

KEPT = row(
    "Room",
    "`DEJA_HOOKS_MAX_MB=10` and a history for 20 MB, read by the real command in three passes",
    "`index`, `stats`: how many sessions became shorter; `show`: what of each is gone",
)
LOGS = row("Room", "3,000 calls in the log of calls, 510 recordings", "nothing: the oldest go")

MB = 1_000_000


def deja(world: World, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deja_hooks", *arguments],
        capture_output=True,
        text=True,
        cwd=world.project,
        env={**world.environment, "DEJA_HOOKS_MAX_MB": "10"},
        timeout=120,
        check=False,
    )


def test_the_limit_is_kept(world: World) -> None:
    memory = Path(world.layout.memory)
    shortened = False
    for part in range(3):
        write_history(world, 90, size=10_000, first=90 * part)
        for path in world.store.glob(f"{sid_of(0)[:4]}*/events.jsonl"):
            os.utime(path, (1_700_000_000, 1_700_000_000))  # long ago, so that each is read once
        done = deja(world, "index")
        KEPT.holds(done.returncode == 0 and not done.stderr, done.stderr)
        shortened = shortened or "became shorter, the oldest first, to keep the memory within its limit" in done.stdout
        KEPT.holds(memory.stat().st_size <= 10 * MB, memory.stat().st_size)
    KEPT.holds(shortened and is_sound(str(memory)))
    with contextlib.closing(sqlite3.connect(memory)) as db:
        stages = [stage for (stage,) in db.execute("SELECT trimmed FROM session ORDER BY updated")]
        decisions = db.execute("SELECT count(*) FROM note WHERE kind='decision'").fetchone()[0]
        fixes = db.execute("SELECT count(*) FROM fix").fetchone()[0]
    KEPT.holds(len(stages) == 270 and stages[0] == 3 and stages[-1] == 0, stages)
    KEPT.holds(stages == sorted(stages, reverse=True), "the oldest first")
    KEPT.holds((decisions, fixes) == (270, 270), (decisions, fixes))
    outcome = world.call("UserPromptSubmit", prompt="What was limit_7 again?")
    KEPT.holds("We decided to set limit_7 to 7 because the gateway bans us." in outcome.text, outcome.reason)
    shown = deja(world, "show", sid_of(7)).stdout
    KEPT.holds("Shortened for want of room: of its turns what was noted is left." in shown)
    KEPT.holds("We decided to set limit_7 to 7" in shown, "what a packet quotes can be opened")
    KEPT.holds("sessions became shorter to keep the memory within its limit" in deja(world, "stats").stdout)
    KEPT.holds("Nothing new in 270 files" in deja(world, "index").stdout, "what was taken out is not read again")


def test_a_limit_that_cannot_be_followed_is_named(world: World) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deja_hooks", "index"],
        capture_output=True,
        text=True,
        env={**world.environment, "DEJA_HOOKS_MAX_MB": "2 GB"},
        timeout=60,
        check=False,
    )
    KEPT.holds(done.returncode == 1 and "DEJA_HOOKS_MAX_MB is '2 GB': set it to whole megabytes" in done.stderr, done)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")
def test_logs_turn(world: World) -> None:
    from deja_hooks.hook.ring import note

    cache = Path(world.layout.cache)
    for number in range(3_000):
        note(world.layout, number, "UserPromptSubmit", "cli", "asking", 1.0, "recalled", "x" * 1_000)
    sizes = [each.stat().st_size for each in cache.glob("ring.jsonl*")]
    LOGS.holds(len(sizes) == 2 and max(sizes) < LIMIT + 3_000, sizes)
    last = json.loads((cache / "ring.jsonl").read_text().splitlines()[-1])
    LOGS.holds(last["t"] == 2_999)
    Path(world.layout.recordings).mkdir()
    for number in range(recording.MOST + 9):
        (Path(world.layout.recordings) / f"{number:09d}-1-Stop.json").touch()
    recording.record(world.layout, "Stop", {"session_id": "asking"}, 10**13)
    kept = sorted(os.listdir(world.layout.recordings))  # noqa: PTH208 - names, in their order
    LOGS.holds(len(kept) == recording.MOST and kept[-1].startswith("10000000000000-"), len(kept))
