"""What the background indexer meets reaches the user where he looks: one line on stderr, with what to do."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.table import row
from tests.support.world import ENTRY, World, asked, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")

TOLD = row(
    "Room",
    "faults of the background indexer (no room, a lock that is held, a kill), then each command that reads the memory",
    "one line on stderr: what failed, and what to do",
)

OLD = "11111111-aaaa-4000-8000-000000000001"
READERS = (["search", "retry"], ["sessions"], ["show", OLD], ["usage"], ["log"])


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(OLD, asked("about retry_budget"), said("We decided to set retry_budget to 7 because it starved."))
    world.index()
    return world


def deja(world: World, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deja_hooks", *arguments],
        capture_output=True,
        text=True,
        cwd=world.project,
        env=world.environment,
        timeout=60,
        check=False,
    )


def background(world: World, *before: str) -> int:
    """The background indexer, as a hook would start it."""
    script = ENTRY.parents[1] / "indexer" / "background.py"
    Path(world.layout.index_claim).touch()
    world.ask_for_a_pass()
    command = [*before, sys.executable, "-IS", str(script), world.layout.cache, world.layout.config]
    return subprocess.run(command, env=world.environment, capture_output=True, timeout=60, check=False).returncode


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize("error", ["ENOSPC", "EDQUOT", "EIO"])
def test_a_fault_of_the_disk(shop: World, tmp_path: Path, error: str) -> None:
    """(SQLite says of some writes that the disk is full, of others that there was an error: each has its remedy.)"""
    shop.cli_session("22222222-bbbb", asked("about queues"))
    strace = ["strace", "-qq", "-f", "-o", str(tmp_path / "log"), "-e", "trace=pwrite64", "-e"]
    strace.append(f"inject=pwrite64:error={error}:when=5+")
    TOLD.holds(background(shop, *strace) == 1)
    for command in READERS:
        done = deja(shop, *command)
        TOLD.holds(done.returncode == 0 and bool(done.stdout), done)
        told = (
            done.stderr.startswith("The background indexer failed (OperationalError: d")
            and done.stderr.count("\n") == 1
        )
        remedy = f" the disk of {shop.layout.cache}" in done.stderr and "then run deja-hooks index." in done.stderr
        TOLD.holds(told and remedy, done.stderr)
    TOLD.holds(deja(shop, "index").returncode == 0)
    TOLD.holds(all(deja(shop, *command).stderr == "" for command in READERS), "it has passed")


def test_a_kill(shop: World) -> None:
    shop.cli_session("22222222-bbbb", asked("about queues"))
    with sqlite3.connect(shop.layout.memory, isolation_level=None) as db:
        db.execute("INSERT INTO pass VALUES (1)")  # as a pass that was killed leaves it (see `test_power_cut`)
    db.close()
    for command in READERS[:-1]:
        told = "The last reading of the hosts' sessions was cut short: deja-hooks index goes on with it.\n"
        TOLD.holds(deja(shop, *command).stderr == told)
    TOLD.holds(deja(shop, "index").returncode == 0)
    TOLD.holds(all(deja(shop, *command).stderr == "" for command in READERS))


def test_while_it_is_at_work_nothing_is_said(shop: World) -> None:
    code = (
        "import sys, time; from deja_hooks.indexer.run import locked; from deja_hooks.memory.layout import Layout\n"
        "with locked(Layout(*sys.argv[1:]), True, None): print(flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, shop.layout.cache, shop.layout.config]
    with sqlite3.connect(shop.layout.memory, isolation_level=None) as db:
        db.execute("INSERT INTO pass VALUES (1)")
    db.close()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        TOLD.holds(deja(shop, "search", "retry").stderr == "")
        os.kill(other.pid, signal.SIGKILL)
    TOLD.holds("was cut short" in deja(shop, "search", "retry").stderr)
