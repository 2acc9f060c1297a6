"""Disks that are full, read-only, foreign, without locks, or hold what isn't ours; and a clock that jumps."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.indexer.report import keep_fault
from deja_hooks.memory.schema import VERSION
from tests.faults import killed
from tests.faults.history import DAY, sid_of
from tests.faults.sound import is_sound
from tests.faults.table import row
from tests.faults.test_power_cut import FEW, counted
from tests.faults.traced import traced
from tests.indexer.dump import dump
from tests.support.world import World, asked, said

strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")

_SAID = "`index`: what can't be written, why, what to do; `search`, `sessions`, `log`: that the indexer failed"
FULL = row("Disk", "no room (ENOSPC) from the Nth write of the indexer on", _SAID)
FULL_HOOK = row("Disk", "no room from the Nth write of a hook on", "nothing: it answers")
SMALL = row("Disk", "a full file system of 2 MB, with the real command", _SAID)
QUOTA = row("Disk", "over quota (EDQUOT), input/output error (EIO), from a write on", _SAID)
READ_ONLY = row("Disk", "a read-only mount", "nothing: hooks recall; `index` says so")
NO_LOCKS = row("Disk", "a file system without locks (ENOLCK)", "`index`: set DEJA_HOOKS_HOME to a local disk")
FOREIGN = row(
    "Disk",
    "in the place of a database: other files, damage, a cut, other versions, a folder, a pipe, a link",
    "nothing: it is made anew; a folder, a pipe, a link: `index` names it",
)
WAL = row("Disk", "a log of changes (WAL) that was left behind, with and without its database", "nothing")
LINKS = row(
    "Disk", "links to somebody's files and folders, planted in our folder", "`index` names it, where it is in the way"
)
CLOCK = row("Disk", "the clock a year ahead, and back", "nothing")

OLD = "11111111-aaaa-4000-8000-000000000001"
DECIDED = "set retry_budget to 7"
YEAR = 365 * DAY


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(OLD, asked("about retry_budget"), said("We decided to set retry_budget to 7 because it starved."))
    world.index()
    Path(world.layout.index_claim).touch()
    return world


def prompt(world: World, sid: str = "asking") -> bytes:
    value = {"hook_event_name": "UserPromptSubmit", "session_id": sid, "cwd": str(world.project)}
    return json.dumps({**value, "prompt": "what was retry_budget?"}).encode()


def hook(world: World, sid: str = "asking") -> str:
    """What the hook, a real process, puts before the model."""
    done = world.process("UserPromptSubmit", prompt(world, sid))
    assert (done.returncode, done.stderr) == (0, b"")
    return str(json.loads(done.stdout)["additionalContext"]) if done.stdout else ""


def deja(world: World, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command, a real process."""
    return subprocess.run(
        [sys.executable, "-m", "deja_hooks", *arguments],
        capture_output=True,
        text=True,
        cwd=world.project,
        env={**world.environment, **environment},
        timeout=60,
        check=False,
    )


def errors(folder: Path, scenario: str, error: str, most_tries: int) -> Iterator[tuple[int, int]]:
    """Runs the work of `killed` with the error from one of its writes on; how that and the look at it ended."""
    counts = counted(folder, scenario)
    for syscall in ("write", "pwrite64"):
        count = counts[syscall]
        most, step = 4 * count + 50, max(1, -(-count // most_tries))
        numbers = (str(number) for number in (most, 1, count, step))
        done = traced(
            sys.executable, killed.__file__, str(folder), scenario, syscall, *numbers,
            inject=f"inject={syscall}:error={error}:when={most}+", log=folder / "strace.log",
        )  # fmt: skip
        for each in done.stdout.splitlines():
            _, work, left = map(int, each.split())
            yield work, left


@strace
@pytest.mark.parametrize("scenario", ["first pass", "next pass", "trimming"])
def test_no_room_for_the_indexer(scenario: str, tmp_path: Path) -> None:
    for work, left in errors(tmp_path, scenario, "ENOSPC", FEW // 3):
        FULL.holds(work in (0, 1) and left == 0)


@strace
@pytest.mark.parametrize("scenario", ["prompt", "compaction", "hand back"])
def test_no_room_for_a_hook(scenario: str, tmp_path: Path) -> None:
    for work, left in errors(tmp_path, scenario, "ENOSPC", FEW // 3):
        FULL_HOOK.holds(work in (0, 1) and left == 0)


@strace
@pytest.mark.parametrize("error", ["EDQUOT", "EIO"])
def test_over_quota_and_broken(error: str, tmp_path: Path) -> None:
    for work, left in errors(tmp_path, "next pass", error, 4):
        QUOTA.holds(work in (0, 1) and left == 0)


@contextlib.contextmanager
def mounted(folder: Path, size: str) -> Iterator[None]:
    """A file system of its own at the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("may not mount here")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@posix
def test_a_full_file_system(world: World) -> None:
    with mounted(world.deja_home, "2m"):
        world.cli_session(OLD, asked("retry_budget?"), said("We decided to set retry_budget to 7 because it starved."))
        SMALL.holds(deja(world, "index").returncode == 0)
        ballast = world.deja_home / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(b"x" * 4096):
                pass
        SMALL.holds(DECIDED in hook(world))
        world.cli_session(sid_of(2), asked("about queues " * 9_000), said("We decided to use one queue."))
        done = deja(world, "index")
        SMALL.holds(
            done.returncode == 1 and "is full" in done.stderr and "free some room on the disk of" in done.stderr
        )
        # The background indexer finds no room either, and leaves word in the room of its last report.
        Path(world.layout.index_report).write_bytes(b"")
        ballast.unlink()
        index = deja(world, "index")
        SMALL.holds(index.returncode == 0 and "2 sessions" in index.stdout, index)
        keep_fault(world.layout, sqlite3.OperationalError("database or disk is full"))
        found = deja(world, "search", "retry_budget")
        told = (
            "The background indexer failed (OperationalError: database or disk is full): free some room on the disk of"
        )
        SMALL.holds(found.returncode == 0 and DECIDED in found.stdout and found.stderr.startswith(told))
        SMALL.holds(deja(world, "sessions").stderr.count("\n") == 1)


@posix
def test_a_read_only_mount(world: World) -> None:
    with mounted(world.deja_home, "4m"):
        world.cli_session(OLD, asked("retry_budget?"), said("We decided to set retry_budget to 7 because it starved."))
        world.index()
        subprocess.run(["mount", "-o", "remount,ro", str(world.deja_home)], check=True)
        READ_ONLY.holds(DECIDED in hook(world))
        READ_ONLY.holds(DECIDED in deja(world, "search", "retry_budget").stdout)
        world.cli_session(sid_of(2), asked("about queues"))
        done = deja(world, "index")
        READ_ONLY.holds(done.returncode == 1 and "Read-only file system" in done.stderr)
        READ_ONLY.holds("make " in done.stderr and " writable for yourself" in done.stderr, done.stderr)


@strace
@pytest.mark.parametrize("calls", ["fcntl", "flock", "fcntl,flock"])
def test_without_locks(shop: World, tmp_path: Path, calls: str) -> None:
    from tests.support.world import ENTRY

    log, inject = tmp_path / "strace.log", f"inject={calls}:error=ENOLCK"
    command = (sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", shop.layout.cache, shop.layout.config)
    options = {"log": log, "inject": inject, "environment": shop.environment, "check": False}
    done = traced(*command, data=prompt(shop).decode(), **options)  # type: ignore[arg-type]
    NO_LOCKS.holds((done.returncode, done.stderr) == (0, "") and DECIDED in done.stdout, done)
    shop.cli_session(sid_of(2), asked("about queues"))
    done = traced(sys.executable, "-m", "deja_hooks", "index", **options)  # type: ignore[arg-type]
    told = done.returncode == 1 and "set DEJA_HOOKS_HOME to a folder on a local disk" in done.stderr
    NO_LOCKS.holds(told or done.returncode == 0, done)
    shop.index()
    NO_LOCKS.holds(set(dump(shop.layout.memory)["sessions"]) == {OLD, sid_of(2)})


def foreign(whole: bytes) -> dict[str, bytes]:
    """What may lie in the place of a database of ours."""
    cut = {f"cut {n}": whole[: len(whole) * n // 7] for n in range(7)}
    versions = {
        f"version {number}": whole[:60] + number.to_bytes(4, "big") + whole[64:]
        for number in (1, VERSION - 1, VERSION + 1, 2**31 - 1)
    }
    others = {"picture": b"\x89PNG\r\n\x1a\n" + bytes(999), "text": b"hello\n" * 99, "zeros": bytes(9_999)}
    return {**others, **cut, **versions}


@pytest.mark.parametrize("name", ["memory.db", "state.db"])
def test_foreign_files(shop: World, name: str) -> None:
    path = Path(shop.layout.cache) / name
    hook(shop, "other")
    whole = path.read_bytes()
    expected = dump(shop.layout.memory)["turns"]
    for what, content in foreign(whole).items():
        path.write_bytes(content)
        for suffix in ("-wal", "-shm", "-journal"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        text = hook(shop, f"asking-{what}")
        FOREIGN.holds(text == "" or DECIDED in text, what)
        shop.index()
        FOREIGN.holds(dump(shop.layout.memory)["turns"] == expected, what)
        FOREIGN.holds(DECIDED in hook(shop, f"after-{what}"), what)


def test_damage(shop: World) -> None:
    """A page that is broken is met by whoever needs it: a command names the remedy, the indexer begins anew."""
    path = Path(shop.layout.memory)
    whole = path.read_bytes()
    for number in range(0, len(whole) // 4096, 3):
        for each in path.parent.glob("memory.db*"):
            each.unlink()
        path.write_bytes(whole[: (at := number * 4096)] + b"\xa5" * 4096 + whole[at + 4096 :])
        text = hook(shop, f"asking-{number}")
        FOREIGN.holds(text == "" or DECIDED in text, number)
        if number % 6 == 0:
            found = deja(shop, "search", "retry_budget")
            FOREIGN.holds(found.returncode == 0 or "deja-hooks index" in found.stderr, found)
        shop.cli_session(sid_of(1), asked(f"about queues {number}"), said("We decided to use one queue."))
        shop.index()
        sound = is_sound(str(path))
        FOREIGN.holds(not sound or set(dump(str(path))["sessions"]) == {OLD, sid_of(1)}, number)


@pytest.mark.parametrize("name", ["memory.db", "state.db"])
def test_another_programs_database(shop: World, name: str) -> None:
    path = Path(shop.layout.cache) / name
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE session(mine TEXT)")
        db.execute("PRAGMA user_version=77")
    FOREIGN.holds(hook(shop) == "" or name == "state.db")
    shop.index()
    FOREIGN.holds(DECIDED in hook(shop, "next"))


@posix
@pytest.mark.parametrize("name", ["memory.db", "state.db", "ring.jsonl", "index.json", "live", "index.wanted"])
@pytest.mark.parametrize("kind", ["folder", "pipe", "link to a file", "link to nothing", "link to a folder"])
def test_what_is_no_file_of_ours(shop: World, tmp_path: Path, name: str, kind: str) -> None:
    """Nothing of somebody's is touched, nothing is waited for; where it is in the way, it is named."""
    victim, folder = tmp_path / "victim", tmp_path / "victims"
    victim.write_text("mine")
    folder.mkdir()
    (folder / "old.json").write_text("mine")
    os.utime(folder / "old.json", (1, 1))
    path = Path(shop.layout.cache) / name
    path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"link to a file": victim, "link to nothing": tmp_path / "none"}.get(kind, folder))
    row_ = LINKS if kind.startswith("link") else FOREIGN
    text = hook(shop)
    row_.holds((DECIDED in text) == (name != "memory.db"))
    for event in ("SessionStart", "Stop"):
        value = {"hook_event_name": event, "session_id": "asking", "cwd": str(shop.project)}
        row_.holds(shop.process(event, json.dumps(value).encode()).returncode == 0)
    shop.cli_session(sid_of(3), asked("about queues"))
    done = deja(shop, "index")
    if name == "memory.db":
        row_.holds(done.returncode == 1 and f"{path} can't be written" in done.stderr, done.stderr)
        row_.holds("it is not ours: move it away" in done.stderr, done.stderr)
    else:
        row_.holds(done.returncode == 0, done.stderr)
    row_.holds((victim.read_text(), [each.name for each in folder.iterdir()]) == ("mine", ["old.json"]))
    row_.holds((victim.stat().st_size, (folder / "old.json").stat().st_mtime) == (4, 1.0))
    row_.holds(not (tmp_path / "none").exists())


@posix
def test_recordings_that_lead_elsewhere(shop: World, tmp_path: Path) -> None:
    """The oldest recordings are removed: never those in somebody's folder."""
    folder = tmp_path / "victims"
    folder.mkdir()
    for number in range(501):
        (folder / f"{number}.json").touch()
    Path(shop.layout.recordings).symlink_to(folder)
    Path(shop.layout.record).parent.mkdir(parents=True, exist_ok=True)
    Path(shop.layout.record).touch()
    LINKS.holds(DECIDED in hook(shop))
    LINKS.holds(len(list(folder.iterdir())) == 501)


def test_a_log_of_changes_left_behind(shop: World) -> None:
    """With its database it is played back; without it, or beside another one, it is worth nothing and does no harm."""
    memory = Path(shop.layout.memory)
    wal = memory.with_name("memory.db-wal")
    db = sqlite3.connect(memory, isolation_level=None)
    db.execute("UPDATE session SET title='changed'")
    left = wal.read_bytes()
    whole = memory.read_bytes()
    db.close()
    shutil.copy(memory, memory.with_name("aside"))
    for content, log in ((whole, left), (whole, left[: len(left) // 2]), (whole, b"x" * 999), (b"", left)):
        for each in memory.parent.glob("memory.db*"):
            each.unlink()
        memory.write_bytes(content)
        wal.write_bytes(log)
        WAL.holds(DECIDED in hook(shop, f"asking-{len(content)}-{len(log)}") or not content)
        shop.index()
        WAL.holds(OLD in dump(shop.layout.memory)["sessions"])
    memory.unlink()
    wal.write_bytes(left)
    WAL.holds(hook(shop) == "")
    shop.index()
    WAL.holds(DECIDED in hook(shop, "after"))


def test_a_clock_that_jumps(shop: World, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    expected = dump(shop.layout.memory)["turns"]
    for number, jump in enumerate((YEAR, 0, -YEAR, 0, -10 * YEAR, 0, 10 * YEAR)):
        monkeypatch.setattr(time, "time", lambda jump=jump: real() + jump / 1000)
        shop.now = int(time.time() * 1000)
        outcome = shop.call("UserPromptSubmit", f"asking-{number}", prompt="what was retry_budget?")
        CLOCK.holds(DECIDED in outcome.text, outcome.reason)
        again = shop.call("UserPromptSubmit", f"asking-{number}", prompt="what was retry_budget?")
        CLOCK.holds(again.text == "")
        path = shop.store / sid_of(number) / "events.jsonl"
        shop.cli_session(sid_of(number), asked(f"about queue_{number}"), said(f"We decided to use queue_{number}."))
        os.utime(path, (time.time() - 9, time.time() - 9))
        shop.index()
        found = dump(shop.layout.memory)
        CLOCK.holds(expected.items() <= found["turns"].items() and sid_of(number) in found["sessions"])
    monkeypatch.undo()
    shop.index()
    report: Any = shop.index()
    CLOCK.holds(report.changed == 0, "a file from the future is read again and again")
