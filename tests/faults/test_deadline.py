"""A hook ends within its own deadline, whatever keeps it waiting, as long as the kernel can end the process."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.faults.table import row
from tests.support.world import ENTRY, World, asked, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")

BUSY = row("Time", "a database that another program holds, for reading or for writing, at each event", "nothing")
COMPUTING = row("Time", "SQLite, computing without an end", "nothing")
FIFO = row("Time", "a pipe (FIFO) in the place of each file that a hook reads or writes", "nothing")
STOPPED = row("Time", "a stopped process at the other end of stdin, of stdout", "nothing")
SUSPENDED = row("Time", "an indexer that is suspended with its lock and in a transaction, at each event", "nothing")
SLOW = row("Time", "0.4 s and 2 s for each read of a file, from our first one on", "nothing")
COLD = row("Time", "nothing of the program and the databases in the page cache, at each event", "nothing")

OLD = "11111111-aaaa-4000-8000-000000000001"
DECIDED = b"set retry_budget to 7"
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop", "SessionEnd")
#: Seconds that no hook may take on however busy a machine: its deadline is 1.2 s, the host's 10 s.
MOST = 6.0


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(OLD, asked("about retry_budget"), said("We decided to set retry_budget to 7 because it starved."))
    world.index()
    Path(world.layout.index_claim).touch()
    world.process("SessionStart", payload(world, "SessionStart"))  # makes the state
    return world


def payload(world: World, event: str, sid: str = "asking", **fields: Any) -> bytes:
    value = {"hook_event_name": event, "session_id": sid, "cwd": str(world.project), "prompt": "what was retry_budget?"}
    if event == "PreToolUse":
        value |= {"tool_name": "edit", "tool_input": {"path": str(world.project / "a.py"), "old_str": "retry_budget"}}
    if event == "PostToolUse":
        failed = {"text_result_for_llm": "app.py: error: no pool\n<shellId: 0 completed with exit code 1>"}
        value |= {"tool_name": "bash", "tool_input": {"command": "make"}, "tool_result": failed}
    return json.dumps({**value, **fields}).encode()


def ends(
    world: World, event: str, *, prefix: tuple[str, ...] = (), script: Path = ENTRY, unread: bool = False, **fields: Any
) -> tuple[bool, bytes]:
    """Whether a call exits 0 in time, with one document or nothing on stdout and nothing on stderr; and its stdout.

    Args:
        unread: it may end before it has read its payload: 1 tells the command's shell to read the rest and to exit 0.
    """
    command = [*prefix, sys.executable, "-I", "-S", str(script), event, world.layout.cache, world.layout.config]
    began = time.monotonic()
    done = subprocess.run(
        command,
        input=payload(world, event, **fields),
        capture_output=True,
        env=world.environment,
        timeout=60,
        check=False,
    )
    took = time.monotonic() - began
    whole = not done.stdout or "additionalContext" in json.loads(done.stdout)
    said = [each for each in done.stderr.splitlines() if not each.startswith(b"strace: ")]  # a word of its own
    return done.returncode in ((0, 1) if unread else (0,)) and not said and whole and took < MOST, done.stdout


@contextlib.contextmanager
def held(path: str, how: str) -> Iterator[None]:
    other = sqlite3.connect(path, isolation_level=None)
    if how == "EXCLUSIVE":
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute(f"BEGIN {how}")
    other.execute("UPDATE session SET host=host")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


@pytest.mark.parametrize("name", ["memory", "state"])
@pytest.mark.parametrize("how", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_database_that_is_held(shop: World, name: str, how: str) -> None:
    with held(getattr(shop.layout, name), how):
        for event in EVENTS:
            good, out = ends(shop, event, sid=f"asking-{event}")
            readable = name == "state" or how == "IMMEDIATE"
            BUSY.holds(good and (event != "UserPromptSubmit" or not readable or DECIDED in out), (event, out))


def test_sqlite_computing_without_an_end(shop: World, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "deja_hooks"
    shutil.copytree(ENTRY.parent.parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    place, before = copy / "hook" / "session.py", "    ask = Ask(payload"
    code = place.read_text()
    assert before in code
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT count(*) FROM c"
    compute = (
        f"    from deja_hooks.memory.sqlite import connect_reader\n    connect_reader(':memory:').execute({endless!r})"
    )
    place.write_text(code.replace(before, f"{compute}\n{before}"))
    for event in ("SessionStart", "PreToolUse", "PreCompact"):
        good, out = ends(shop, event, script=copy / "hook" / "entry.py")
        COMPUTING.holds(good and not out, (event, out))


@pytest.mark.parametrize(
    "name",
    [
        "memory", "state", "ring", "record", "off", "hook_settings", "kept_out_rules", "index_wanted", "index_claim",
        "live", "pending", "transcript", "HEAD",
    ],
)  # fmt: skip
def test_a_pipe_in_the_place_of_a_file(shop: World, name: str) -> None:
    fields = {}
    if name in ("live", "pending"):
        path = Path(getattr(shop.layout, name)("asking"))
    elif name == "transcript":
        path = shop.store / "asking" / "events.jsonl"
        fields = {"transcript_path": str(path)}
    elif name == "HEAD":
        path = shop.project / ".git" / "HEAD"
    else:
        path = Path(getattr(shop.layout, name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    for event in ("UserPromptSubmit", "PreCompact", "Stop"):
        good, out = ends(shop, event, **fields)
        FIFO.holds(good, (name, event, out))


def test_a_stopped_writer(shop: World) -> None:
    data = payload(shop, "UserPromptSubmit")
    for part in (data, data[: len(data) // 2], b""):
        reading, writing = os.pipe()
        stop = "import os, signal, sys; os.write(1, sys.argv[1].encode()); os.kill(os.getpid(), signal.SIGSTOP)"
        with subprocess.Popen([sys.executable, "-I", "-S", "-c", stop, part.decode()], stdout=writing) as writer:
            os.close(writing)
            command = [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", shop.layout.cache]
            began = time.monotonic()
            done = subprocess.run(
                [*command, shop.layout.config], stdin=reading, capture_output=True, env=shop.environment, check=False
            )
            took = time.monotonic() - began
            writer.kill()
        os.close(reading)
        # Its pipe is never at its end: 1 tells the command's shell to go on draining.
        good = done.returncode == 1 and (DECIDED in done.stdout) == (part == data)
        STOPPED.holds(good and not done.stderr and took < MOST, done)


def test_a_stopped_reader(shop: World) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(writing, b" " * 4096)
    os.set_blocking(writing, True)
    wait = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(60)"]
    with subprocess.Popen(wait, stdin=reading) as reader:
        os.close(reading)
        reader.send_signal(signal.SIGSTOP)
        command = [sys.executable, "-I", "-S", str(ENTRY), "UserPromptSubmit", shop.layout.cache, shop.layout.config]
        began = time.monotonic()
        done = subprocess.run(
            command,
            input=payload(shop, "UserPromptSubmit"),
            stdout=writing,
            stderr=subprocess.PIPE,
            env=shop.environment,
            check=False,
        )
        took = time.monotonic() - began
        reader.kill()
    os.close(writing)
    STOPPED.holds((done.returncode, done.stderr) == (0, b"") and took < MOST, done)


def test_a_suspended_indexer(shop: World) -> None:
    hold = (
        "import sqlite3, sys; from filelock import FileLock; lock = FileLock(sys.argv[1]); lock.acquire();"
        "db = sqlite3.connect(sys.argv[2], isolation_level=None); db.execute('BEGIN IMMEDIATE');"
        "db.execute('DELETE FROM turn'); print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", hold, shop.layout.index_lock, shop.layout.memory]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as indexer:
        assert indexer.stdout is not None
        assert indexer.stdout.readline() == b"held\n"
        indexer.send_signal(signal.SIGSTOP)
        for event in EVENTS:
            good, out = ends(shop, event, sid=f"asking-{event}")
            SUSPENDED.holds(good and (event != "UserPromptSubmit" or DECIDED in out), (event, out))
        indexer.kill()


@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")
@pytest.mark.parametrize(("delay", "events"), [(400_000, ("UserPromptSubmit", "PreCompact")), (2_000_000, ("Stop",))])
def test_slow_reads(shop: World, tmp_path: Path, delay: int, events: tuple[str, ...]) -> None:
    log = tmp_path / "calls"
    trace = ("strace", "-qq", "-f", "-o", str(log), "-e", "trace=openat,read,pread64")
    for event in events:
        ends(shop, event, prefix=trace, sid="before")
        before = log.read_text().partition(f"{ENTRY.parent}{os.sep}__pycache__")[0]  # the interpreter and our script
        for call in ("read", "pread64"):
            first = before.count(f" {call}(") + 1
            inject = ("-e", f"inject={call}:delay_enter={delay}:when={first}+")
            good, out = ends(shop, event, prefix=(*trace, *inject), unread=True, sid=f"asking-{event}-{call}")
            SLOW.holds(good, (event, call, out))


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="nothing that empties the page cache")
def test_a_cold_cache(shop: World) -> None:
    package = [path for path in ENTRY.parent.parent.rglob("*") if path.suffix in (".py", ".pyc")]
    for event in EVENTS:
        for path in (*package, *Path(shop.layout.cache).iterdir()):
            if not path.is_file():
                continue
            descriptor = os.open(path, os.O_RDONLY)
            os.fsync(descriptor)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)
        good, out = ends(shop, event, sid=f"asking-{event}")
        COLD.holds(good and (event != "UserPromptSubmit" or DECIDED in out), (event, out))
