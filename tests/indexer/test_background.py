"""The background indexer as real processes, started by real hooks."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from deja_hooks.hook.main import handle
from deja_hooks.hook.wake import STALE_MS, claim, wake
from deja_hooks.indexer import background
from deja_hooks.indexer.report import last_fault
from deja_hooks.indexer.run import index
from deja_hooks.indexer.start import start
from deja_hooks.indexer.tidy import tidy
from deja_hooks.indexer.timing import LAG
from deja_hooks.memory.state import State
from tests.indexer.dump import dump
from tests.support.world import ENTRY, NOON, World, asked, said

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="looks at processes through /proc")


def held_by(process: int) -> dict[int, str]:
    """What a process has open: descriptor → path."""
    found = {}
    for each in Path(f"/proc/{process}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found[int(each.name)] = str(each.readlink())
    return found


def indexers(world: World) -> list[int]:
    """The process ids of this world's indexers."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                command = (each / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(part.endswith(b"background.py") for part in command) and world.layout.cache.encode() in command:
                found.append(int(each.name))
    return found


def until(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def ended(world: World) -> bool:
    return until(lambda: not indexers(world))


def sessions(world: World) -> set[str]:
    try:
        return set(dump(world.layout.memory)["sessions"])
    except sqlite3.OperationalError:
        return set()  # being made


@pytest.fixture
def world(world: World) -> Iterator[World]:
    """No process of a test outlives it."""
    yield world
    assert ended(world)


def stop_event(world: World, sid: str = "s") -> bytes:
    return json.dumps({"hook_event_name": "Stop", "session_id": sid, "cwd": str(world.project)}).encode()


def hold(world: World) -> FileLock:
    """Holds the indexer's lock: one that starts now must wait."""
    Path(world.layout.cache).mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(world.layout.index_lock)
    lock.acquire()
    return lock


class TestHooks:
    def test_twenty_at_once_start_one_that_ends_by_itself(self, world: World) -> None:
        for i in range(30):
            world.cli_session(f"s{i}", asked(f"question {i}"), said(f"The answer {i}."))
        most, watching = 0, True

        def watch() -> None:
            nonlocal most
            while watching:
                most = max(most, len(indexers(world)))
                time.sleep(0.005)

        watcher = threading.Thread(target=watch)
        watcher.start()
        with ThreadPoolExecutor(20) as pool:
            done = list(pool.map(lambda i: world.process("Stop", stop_event(world, f"s{i}")), range(20)))
        assert [(each.returncode, each.stdout, each.stderr) for each in done] == [(0, b"", b"")] * 20
        assert ended(world)
        watching = False
        watcher.join()
        assert most == 1
        assert sessions(world) == {f"s{i}" for i in range(30)}
        assert not Path(world.layout.index_claim).exists()
        assert last_fault(world.layout) == ""

    def test_a_reader_sees_the_end_while_the_indexer_goes_on(self, world: World) -> None:
        world.cli_session("s1", asked("question"), said("The answer."))
        lock = hold(world)
        started = time.monotonic()
        done = world.process("Stop", stop_event(world))  # reads both pipes to their ends
        took = time.monotonic() - started
        assert until(lambda: len(indexers(world)) == 1)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert took < 5.0
        lock.release()
        assert ended(world)
        assert sessions(world) == {"s1"}

    def test_the_indexer_has_nothing_of_the_hosts_in_its_hands(self, world: World) -> None:
        lock = hold(world)
        reading, leaked = os.pipe()
        os.set_inheritable(leaked, True)
        high = os.dup2(leaked, 200, inheritable=True)
        world.process("Stop", stop_event(world), pass_fds=(leaked, high))
        os.close(leaked)
        os.close(high)
        assert os.read(reading, 1) == b""  # nobody holds the other end any more
        os.close(reading)
        assert until(lambda: len(indexers(world)) == 1)
        process = indexers(world)[0]
        until(lambda: os.getsid(process) == process)
        ours = (world.layout.cache, "/dev/null")
        # While it starts it opens the modules that it imports, each for a moment.
        assert until(lambda: all(place.startswith(ours) for place in held_by(process).values()))
        assert [held_by(process)[i] for i in (0, 1, 2)] == ["/dev/null"] * 3
        assert os.getsid(process) == process
        assert os.getpgid(process) == process
        lock.release()

    def test_the_indexer_steps_back_behind_the_host(self, world: World) -> None:
        with hold(world):
            world.process("Stop", stop_event(world))
            assert until(lambda: bool(indexers(world)))
            [process] = indexers(world)
            assert until(lambda: os.getpriority(os.PRIO_PROCESS, process) == 10)
            group = Path(f"/proc/{process}/autogroup")
            if group.exists():  # the kernel's own way of sharing between sessions
                assert until(lambda: group.read_text().endswith("nice 10\n"))
        assert ended(world)


class TestWork:
    def test_asked_for_during_a_pass_is_done_by_the_same_process(self, world: World) -> None:
        world.cli_session("s1", asked("question"), said("The answer."))
        lock = hold(world)
        assert start(world.layout, sys.executable)
        assert until(lambda: len(indexers(world)) == 1)
        process = indexers(world)
        lock.release()
        assert until(lambda: Path(world.layout.memory).exists() and sessions(world) == {"s1"})
        for i in range(2, 5):  # in its linger time, one after another
            world.cli_session(f"s{i}", asked("question"), said("The answer."))
            assert not start(world.layout, sys.executable)
            assert until(lambda i=i: f"s{i}" in sessions(world), 10)
            assert indexers(world) == process
        assert ended(world)
        assert sessions(world) == {"s1", "s2", "s3", "s4"}

    def test_is_found_by_a_foreground_index_that_waits(self, world: World) -> None:
        world.cli_session("s1", asked("question"), said("The answer."))
        lock = hold(world)
        start(world.layout, sys.executable)
        assert until(lambda: len(indexers(world)) == 1)
        lock.release()
        assert until(lambda: Path(world.layout.memory).exists())
        world.cli_session("s2", asked("question"), said("The answer."))
        waited: list[bool] = []
        report = index(
            world.layout, environment={}, home=world.home, platform="linux", on_wait=lambda: waited.append(True)
        )
        assert (report.files, sessions(world)) == (2, {"s1", "s2"})
        assert waited == [True] * report.waited

    def test_a_command_that_waits_gets_its_turn_however_often_hooks_ask(self, world: World) -> None:
        world.cli_session("s", asked("a"), said("b"))
        over = threading.Event()

        def ask() -> None:
            while not over.is_set():
                world.process("Stop", stop_event(world))

        with ThreadPoolExecutor() as pool:
            asking = pool.submit(ask)
            assert until(lambda: bool(indexers(world)))
            try:
                waited = pool.submit(index, world.layout, environment={}, home=world.home, platform="linux")
                assert waited.result(timeout=20).files == 1
            finally:
                over.set()
            asking.result()
        assert ended(world)

    def test_that_fails_leaves_its_fault_and_no_claim(self, world: World) -> None:
        Path(world.layout.memory).mkdir(parents=True)
        assert start(world.layout, sys.executable)
        assert until(lambda: last_fault(world.layout) != "")
        assert ended(world)
        assert not Path(world.layout.index_claim).exists()


class TestClaim:
    def test_of_a_live_indexer_is_respected(self, tmp_path: Path) -> None:
        path = str(tmp_path / "claim")
        now = int(time.time() * 1000)
        assert claim(path, now)
        assert not claim(path, now)
        assert not claim(path, now + STALE_MS - 1_000)
        assert oct(Path(path).stat().st_mode & 0o777) == "0o600"

    def test_that_was_found_stale_and_then_renewed_is_respected(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two found it stale; one has taken it over before the other goes on."""
        path = str(tmp_path / "claim")
        Path(path).touch()
        old = time.time() - 100
        os.utime(path, (old, old))
        stale = Path(path).stat()
        now = int(time.time() * 1000)
        assert claim(path, now)
        monkeypatch.setattr("deja_hooks.hook.wake.file_stat", lambda _: stale)
        assert not claim(path, now)
        assert Path(path).exists()

    @pytest.mark.parametrize("old", [True, False])
    def test_is_had_by_one_of_several_processes(self, tmp_path: Path, old: bool) -> None:
        """Six at once, ten times: a dead process's claim is taken over once, a missing one is made once."""
        code = (
            "import sys, time; sys.path.append(sys.argv[1])\nfrom deja_hooks.hook.wake import claim\n"
            "print('ready', flush=True)\n"
            "for i, line in enumerate(sys.stdin):\n"
            " print(claim(f'{sys.argv[2]}{i}', int(time.time() * 1000)), flush=True)"
        )
        command = [sys.executable, "-I", "-S", "-c", code, str(ENTRY.parent.parent.parent), str(tmp_path / "claim")]
        running = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
            for _ in range(6)
        ]
        assert [next(iter(each.stdout or ())) for each in running] == ["ready\n"] * 6
        for i in range(10):
            if old:
                (tmp_path / f"claim{i}").touch()
                os.utime(tmp_path / f"claim{i}", (1, 1))
            for each in running:
                assert each.stdin is not None
                each.stdin.write("\n")
            answers = [next(iter(each.stdout or ())) for each in running]
            assert sorted(answers) == ["False\n"] * 5 + ["True\n"]
            assert (tmp_path / f"claim{i}").stat().st_mtime > time.time() - 60
        for each in running:
            each.communicate(timeout=20)

    def test_is_given_back_where_nothing_could_be_started(self, world: World) -> None:
        with pytest.raises(OSError, match="no-such-python"):
            wake(world.layout, "/nowhere/no-such-python", int(time.time() * 1000))
        assert not Path(world.layout.index_claim).exists()


def test_tidy_forgets_old_sessions_and_never_raises(world: World) -> None:
    tidy(world.layout)
    assert not Path(world.layout.state).exists()
    now = int(time.time() * 1000)
    state = State(world.layout.state)
    state.enter("old", "cli", "", now - 91 * 86_400_000, prompt=True)
    state.enter("new", "cli", "", now, prompt=True)
    tidy(world.layout)
    assert state.db.execute("SELECT sid FROM session").fetchall() == [("new",)]
    Path(world.layout.state).write_bytes(b"garbage" * 100)
    tidy(world.layout)

    def test_ends_with_its_claim(self, world: World) -> None:
        """Python's own farewell takes 20 to 30 ms more, in which a hook may start the next one: two in `ps`."""
        script = [background.__file__, world.layout.cache, world.layout.config]
        code = f"import atexit, runpy, sys; atexit.register(print, 'farewell'); sys.argv = {script}; "
        code += "runpy.run_path(sys.argv[0], run_name='__main__')"
        Path(world.layout.cache).mkdir(parents=True)
        assert claim(world.layout.index_claim, NOON)
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=world.environment, capture_output=True, timeout=30, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert not Path(world.layout.index_claim).exists()


class TestLater:
    """At a session's start the indexer rests first, until it is asked again."""

    def test_rests_until_a_hook_asks(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        Path(world.layout.cache).mkdir(parents=True)
        wanted = Path(world.layout.index_wanted)
        wanted.touch()
        looks = []

        def sleep(seconds: float) -> None:
            looks.append(seconds)
            if len(looks) == 3:
                os.utime(wanted, (1, 1))

        monkeypatch.setattr(background.time, "sleep", sleep)
        served = []
        monkeypatch.setattr("deja_hooks.indexer.service.serve", lambda layout: served.append(layout.cache) or 0)
        assert background.main([world.layout.cache, world.layout.config, "later"]) == 0
        assert (looks, served) == ([0.1, 0.1, 0.1, LAG], [world.layout.cache])

    def test_waits_for_the_log_otherwise(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        looks: list[float] = []
        monkeypatch.setattr(background.time, "sleep", looks.append)
        monkeypatch.setattr("deja_hooks.indexer.service.serve", lambda _layout: 0)
        assert background.main([world.layout.cache, world.layout.config]) == 0
        assert looks == [LAG]

    @pytest.mark.parametrize(("event", "expected"), [("SessionStart", ["later"]), ("Stop", []), ("SessionEnd", [])])
    def test_is_asked_for_at_a_sessions_start_alone(
        self, world: World, monkeypatch: pytest.MonkeyPatch, event: str, expected: list[str]
    ) -> None:
        started: list[list[str]] = []
        monkeypatch.setattr("deja_hooks.hook.wake._spawn_posix", started.append)
        payload = {"session_id": "s", "cwd": str(world.project)}
        handle(payload, event, world.layout, now_ms=NOON, nonce="0", live=True)
        assert [command[5:] for command in started] == [expected]


class TestTidy:
    def test_a_broken_state_is_put_away(self, world: World) -> None:
        Path(world.layout.cache).mkdir(parents=True)
        Path(world.layout.state).write_bytes(b"not a database" * 500)
        tidy(world.layout)
        assert not Path(world.layout.state).exists()

    def test_a_whole_one_stays(self, world: World) -> None:
        world.call("Stop")
        tidy(world.layout)
        with contextlib.closing(State(world.layout.state)) as state:
            assert state.cursor("asking").path == ""
            assert state.db.execute("SELECT sid FROM session").fetchall() == [("asking",)]
