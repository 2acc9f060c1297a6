"""Work that is killed at one of its system calls, then what is left of it: run by `test_power_cut` under strace.

strace kills at the K-th call of a kind, K the same for every process that it follows. So the work is done by a child
that first makes K - N idle calls of that kind: it dies at its own N-th. One interpreter does hundreds of such kills.

Arguments: FOLDER SCENARIO count | FOLDER SCENARIO SYSCALL K FIRST LAST STEP.
"""

# System calls, and nothing around them.
# ruff: noqa: PTH102, PTH104, PTH108
from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import deja_hooks.indexer.passing  # all that the work needs is loaded once, before it
import deja_hooks.indexer.prepare
import deja_hooks.recall.compaction
import deja_hooks.recall.prompt  # noqa: F401
from deja_hooks.hook.ring import note
from deja_hooks.indexer.run import run_pass
from deja_hooks.memory.read import open_memory
from deja_hooks.memory.state import State
from deja_hooks.sources.places.roots import find_roots
from tests.faults.history import sid_of, write_history
from tests.faults.sound import is_sound
from tests.indexer.dump import dump, expected_postings, gone, postings
from tests.support.world import World, asked, line, ran, said

__all__ = ["SCENARIOS", "main"]

#: Bytes of the limit in the scenario that trims.
_LIMIT = 300_000
_DECIDED = "We decided to set retry_budget to 7 because it starved."
ASKING = "asking"


class Scenario(NamedTuple):
    """Work, and what may be said of it afterwards.

    Attributes:
        before: makes what was there (once).
        work: that is killed.
        left: looks at what is left, mends it as the next call would, and gives what there is then; raises
            AssertionError for what may not be.
    """

    before: Callable[[World], None]
    work: Callable[[World], None]
    left: Callable[[World], object]


# -- the indexer


def _index(world: World, limit: int = 0) -> None:
    run_pass(world.layout, find_roots({}, world.home, "linux", []), limit=limit)


def _settle(world: World) -> None:
    """Long enough ago that time stamps can be trusted: each pass then reads what is new and nothing else."""
    for path in world.home.rglob("*.jsonl"):
        os.utime(path, (1_700_000_000, 1_700_000_000 + path.stat().st_size))


def _all(world: World) -> object:
    _index(world)
    assert is_sound(world.layout.memory)
    assert postings(world.layout.memory) == expected_postings(world.layout.memory)
    found = dump(world.layout.memory)
    del found["integrity"]
    return found, gone(world.layout.memory)


def _history(world: World) -> None:
    write_history(world, 4, size=600)
    world.vscode_transcript(
        "5eed0001-vs", asked("about queues"), said("We decided to use one queue because it is fair.")
    )
    _settle(world)


def _grown(world: World) -> None:
    """A memory, then: a log that went on, a new one, one that is deleted, a transcript that the host rotated away."""
    _history(world)
    _index(world)
    with (world.store / sid_of(0) / "events.jsonl").open("a") as log:
        log.write(line(*asked("And limit_0 now?"), world.now) + line(*said("We decided to double limit_0."), world.now))
    write_history(world, 1, size=600, first=9)
    shutil.rmtree(world.store / sid_of(1))
    next(world.user.rglob("5eed0001-vs.jsonl")).unlink()
    _settle(world)


def _readable(world: World) -> None:
    """At once, before anything has mended it: a hook reads it so."""
    memory = open_memory(world.layout.memory)
    assert memory is not None, "a memory that was there can't be read"
    with contextlib.closing(memory):
        assert memory.session_of(sid_of(2)) is not None


def _all_of_grown(world: World) -> object:
    _readable(world)
    return _all(world)


def _large(world: World) -> None:
    write_history(world, 12)
    _settle(world)
    _index(world)


def _trimmed(world: World) -> object:
    _readable(world)
    for _ in range(3):
        _index(world, _LIMIT)
    assert is_sound(world.layout.memory)
    assert postings(world.layout.memory) == expected_postings(world.layout.memory)
    assert Path(world.layout.memory).stat().st_size <= _LIMIT
    return sorted(dump(world.layout.memory)["sessions"])


def _older(world: World) -> None:
    """A memory of an older version, with a session that no host has any more."""
    _grown(world)
    _index(world)
    with contextlib.closing(sqlite3.connect(world.layout.memory)) as db, db:
        db.execute("PRAGMA user_version=1")


def _carried(world: World) -> object:
    found = _all(world)
    assert gone(world.layout.memory) == {"5eed0001-vs"}
    return found


# -- the hooks


def _session(world: World) -> None:
    world.cli_session(sid_of(0), asked("about retry_budget"), *ran("make", 2, "make: *** Error 2"), said(_DECIDED))
    _settle(world)
    _index(world)
    Path(world.layout.index_claim).touch()
    path = world.store / ASKING / "events.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(line("user.message", {"content": "Never touch vendor/. Mend the pool."}, world.now))
    world.call("UserPromptSubmit", "other", prompt="what was retry_budget?")
    world.call("SessionStart", ASKING, source="new")


def _hook(event: str, **fields: Any) -> Callable[[World], None]:
    def work(world: World) -> None:
        outcome = world.call(event, ASKING, transcript_path=str(world.store / ASKING / "events.jsonl"), **fields)
        note(world.layout, world.now, event, "cli", ASKING, 1.0, outcome.reason, outcome.text)

    return work


def _compacted(world: World) -> None:
    _session(world)
    _hook("PreCompact")(world)


def _hooks_go_on(world: World) -> object:
    """The next calls work; what was known of other sessions is; nothing is told twice."""
    assert is_sound(world.layout.state)
    with contextlib.closing(State(world.layout.state)) as state:
        assert state.said("other", "prompt"), "what another session was told is forgotten"
    prompt = _hook_call(world, "UserPromptSubmit", prompt="what was retry_budget?")
    again = _hook_call(world, "UserPromptSubmit", prompt="what was retry_budget?")
    assert (prompt + again).count(_DECIDED) <= 1, "told twice"
    assert (prompt + again).count("before its compaction") <= 1, "handed back twice"
    _hook_call(world, "Stop")
    return None


def _kept_after_all(world: World) -> object:
    """A compaction that was cut short is made again by the next, and handed back once."""
    assert is_sound(world.layout.state)
    _hook_call(world, "PreCompact")
    texts = [_hook_call(world, "UserPromptSubmit", prompt=f"go on {n}") for n in range(3)]
    assert sum("Never touch vendor/" in text for text in texts) == 1
    return None


def _hook_call(world: World, event: str, **fields: Any) -> str:
    outcome = world.call(event, ASKING, transcript_path=str(world.store / ASKING / "events.jsonl"), **fields)
    assert not outcome.reason.startswith("failed"), outcome.reason
    return outcome.text


SCENARIOS = {
    "first pass": Scenario(_history, _index, _all),
    "next pass": Scenario(_grown, _index, _all_of_grown),
    "trimming": Scenario(_large, lambda world: _index(world, _LIMIT), _trimmed),
    "upgrade": Scenario(_older, _index, _carried),
    "prompt": Scenario(_session, _hook("UserPromptSubmit", prompt="what was retry_budget?"), _hooks_go_on),
    "hand back": Scenario(_compacted, _hook("UserPromptSubmit", prompt="what was retry_budget?"), _hooks_go_on),
    "compaction": Scenario(_session, _hook("PreCompact"), _kept_after_all),
    "stop": Scenario(_session, _hook("Stop"), _hooks_go_on),
}


# -- killing


def _idle(syscall: str, times: int, spare: Path) -> None:
    """So many calls of that kind that do nothing."""
    null = os.open(os.devnull, os.O_RDWR)
    nowhere = str(spare / "nowhere")
    calls: dict[str, Callable[[], object]] = {
        "write": lambda: os.write(null, b""),
        "pwrite64": lambda: os.pwrite(null, b"", 0),
        "ftruncate": lambda: os.ftruncate(null, 0),
        "fdatasync": lambda: os.fdatasync(null),
        "fsync": lambda: os.fsync(null),
        "unlink": lambda: os.unlink(nowhere),
        "rename": lambda: os.rename(nowhere, nowhere),
        "mkdir": lambda: os.mkdir(spare),
        "fallocate": lambda: os.posix_fallocate(null, 0, 1),
    }
    for _ in range(times):
        with contextlib.suppress(OSError):
            calls[syscall]()


def _child(action: Callable[[], object]) -> int:
    """Does it in a process of its own; how that ended, as the shell would say: -9 for a kill."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    status = 1
    try:
        action()
        status = 0
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(status)


def _restore(world: World, kept: Path) -> None:
    shutil.rmtree(world.layout.cache, ignore_errors=True)
    if kept.exists():
        shutil.copytree(kept, world.layout.cache)
        for claim in Path(world.layout.cache).glob("index.claim"):
            os.utime(claim)


def _count(world: World, scenario: Scenario, kept: Path, expected: Path) -> None:
    """Makes what was there; does the work in a child whose id it prints; keeps what there is afterwards."""
    scenario.before(world)
    if Path(world.layout.cache).exists():
        shutil.copytree(world.layout.cache, kept)

    def work() -> None:
        print(os.getpid(), flush=True)
        scenario.work(world)

    assert _child(work) == 0
    expected.write_bytes(pickle.dumps(scenario.left(world)))


def _compare(world: World, scenario: Scenario, expected: Path) -> None:
    found = scenario.left(world)
    assert found == pickle.loads(expected.read_bytes()), "something is lost, or there twice"


def main(arguments: list[str]) -> None:
    """Counts, or kills: a line for each kill, its number, how the work and the look at what is left ended."""
    folder = Path(arguments[0])
    os.environ["HOME"] = str(folder / "home")
    world, scenario = World(folder), SCENARIOS[arguments[1]]
    kept, expected = folder / "kept", folder / "expected"
    if arguments[2] == "count":
        _count(world, scenario, kept, expected)
        return
    syscall, most, first, last, step = arguments[2], *map(int, arguments[3:])
    for number in range(first, last + 1, step):
        _child(lambda: _restore(world, kept))

        def work(number: int = number) -> None:
            _idle(syscall, most - number, folder)
            scenario.work(world)

        died = _child(work)
        print(number, died, _child(lambda: _compare(world, scenario, expected)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
