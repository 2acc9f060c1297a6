"""64 hooks at once, over 8 sessions on one cache, while the indexer rebuilds the memory and some of them are killed."""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import subprocess
import threading
import time
from pathlib import Path
from typing import NamedTuple

from deja_hooks.indexer.seen import hook_outcomes
from tests.benchmarks.corpus import Fact
from tests.faults.sound import is_sound
from tests.load.histories import many_sessions
from tests.load.machine import BARE, Machine

__all__ = ["AT_ONCE", "Crowd", "crowd", "p99"]

AT_ONCE, _SESSIONS = 64, 8
#: The 99th percentile of the hooks may be so many times that of bare interpreters.
MOST_TIMES_BARE = 3.0
#: One in so many hooks is killed, at a moment that is drawn.
_KILLED = 8
_LONGEST = 0.25


class Crowd(NamedTuple):
    """What came of it.

    Attributes:
        hooks, killed: how many were started, and of these killed; indexers: how often the indexer was.
        bad: hooks with a wrong exit status, a word on stderr or a reply that is no whole document.
        silent: prompts about something known that were not answered.
        lost: ends of commands that a hook saw and that are not in the state; lines missing in the log of calls.
        broken: databases that are not whole afterwards.
        seconds, bare: of each hook that was not killed, and of as many interpreters that do nothing.
    """

    hooks: int
    killed: int
    indexers: int
    bad: int
    silent: int
    lost: int
    broken: int
    seconds: list[float]
    bare: list[float]

    @property
    def ratio(self) -> float:
        """The 99th percentile of the hooks over that of the bare interpreters."""
        return p99(self.seconds) / p99(self.bare)

    @property
    def whole(self) -> bool:
        """Nothing wrong, silent, lost or broken."""
        return not (self.bad or self.silent or self.lost or self.broken)

    @property
    def holds(self) -> bool:
        """Nothing lost, and a bounded wait."""
        return self.whole and self.ratio <= MOST_TIMES_BARE


class _Call(NamedTuple):
    sid: str
    event: str
    identity: str
    data: bytes
    killed_after: float


class _Ended(NamedTuple):
    call: _Call
    status: int
    out: bytes
    err: bytes
    seconds: float


def p99(seconds: list[float]) -> float:
    """The 99th percentile."""
    return statistics.quantiles(seconds, n=100, method="inclusive")[98]


def crowd(root: Path, rounds: int, sessions: int, at_once: int = AT_ONCE) -> Crowd:
    """Runs so many rounds of 64 hooks (or `at_once`) and of as many bare interpreters, in turn.

    Args:
        root: a folder to make everything in.
        sessions: of the history that the indexer reads again and again; 64 for each round, else a topic comes twice.
    """
    copilot_home, facts, _ = many_sessions(root / "history", sessions, 5)
    machine = Machine(root / "machine", copilot_home)
    machine.index()
    ended: list[_Ended] = []
    bare: list[float] = []
    with _Rebuilding(machine, [copilot_home / "session-state" / fact.session for fact in facts]) as rebuilding:
        for number in range(rounds):
            bare += [each.seconds for each in _at_once(machine, [_Call("", "", "", b"", 0.0)] * at_once)]
            ended += _at_once(machine, _calls(facts, number, at_once))
            rebuilding.kill()
    alive = [each for each in ended if not each.call.killed_after]
    killed = len(ended) - len(alive)
    layout = machine.layout
    noted = {sid: hook_outcomes(layout.state, sid) for sid in {each.call.sid for each in alive}}
    ends = [each.call for each in alive if each.call.event == "PostToolUse"]
    lost = sum(call.identity not in noted[call.sid] for call in ends)
    lines = [json.loads(line) for line in Path(layout.ring).read_text(encoding="utf-8").splitlines()]
    lost += max(0, len(alive) - len(lines))
    silent = sum(each.call.event == "UserPromptSubmit" and not each.out for each in alive)
    broken = [path for path in (layout.memory, layout.state) if not is_sound(path)]
    return Crowd(
        len(ended), killed, rebuilding.killed, sum(not _fine(each) for each in ended), silent, lost, len(broken),
        [each.seconds for each in alive], bare,
    )  # fmt: skip


def _calls(facts: list[Fact], number: int, at_once: int) -> list[_Call]:
    """Half of them ask about what an earlier session settled, half see a command end."""
    chance = random.Random(number)
    made = []
    for place in range(at_once):
        sid = f"00000000-0000-4000-8000-00000000000{place % _SESSIONS}"
        identity = f"call_{number}_{place}"
        # A topic for each call: nothing is told twice in a session.
        fact = facts[(number * at_once + place) % len(facts)]
        payload = {"session_id": sid, "cwd": str(fact.project)}
        if place // _SESSIONS % 2:
            event = "UserPromptSubmit"
            payload |= {"prompt": f"what did we decide about {fact.topic}?"}
        else:
            event = "PostToolUse"
            payload |= {"tool_name": "run_in_terminal", "tool_input": {"command": "make"}, "tool_use_id": identity}
            payload |= {"tool_response": "ok\nCommand exited with code 0"}
        after = chance.uniform(0.001, _LONGEST) if place % _KILLED == number % _KILLED else 0.0
        made.append(_Call(sid, event, identity, json.dumps({"hook_event_name": event, **payload}).encode(), after))
    return made


def _at_once(machine: Machine, calls: list[_Call]) -> list[_Ended]:
    """Starts all of them together, each waited for by a thread of its own."""
    start = threading.Barrier(len(calls))
    ended: list[_Ended] = []

    def run(call: _Call) -> None:
        command = machine.hook_command(call.event) if call.event else [*BARE, "-c", "pass"]
        start.wait()
        began = time.perf_counter()
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment) as process:
            ending = threading.Timer(call.killed_after, process.kill)
            if call.killed_after:
                ending.start()
            out, err = process.communicate(call.data)
            ending.cancel()
        ended.append(_Ended(call, process.returncode, out, err, time.perf_counter() - began))

    environment = machine.installation.environment()
    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return ended


def _fine(each: _Ended) -> bool:
    """One whole document or nothing on stdout, nothing on stderr, exit 0 unless it was killed.

    1 says that the input was not seen to end (its writer, one of many, may be late): the command's shell drains it.
    """
    if each.err or each.status not in ((0, 1, -signal.SIGKILL) if each.call.killed_after else (0, 1)):
        return False
    try:
        return not each.out or set(json.loads(each.out)) == {"additionalContext", "hookSpecificOutput"}
    except ValueError:
        return False


class _Rebuilding:
    """An indexer at work for as long as this lasts: whenever it ends, all files have changed and it begins again."""

    def __init__(self, machine: Machine, folders: list[Path]) -> None:
        self.killed = 0
        self._machine = machine
        self._files = [folder / "events.jsonl" for folder in folders]
        self._over = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> _Rebuilding:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._machine.index()

    def kill(self) -> None:
        """Kills the indexer where it is."""
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
            self.killed += 1

    def _run(self) -> None:
        environment = self._machine.installation.environment()
        while not self._over.is_set():
            for file in self._files:
                os.utime(file)
            Path(self._machine.layout.index_wanted).touch()
            Path(self._machine.layout.index_claim).touch()
            self._process = subprocess.Popen(self._machine.indexer, env=environment)
            self._process.wait()
