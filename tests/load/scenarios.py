"""The large histories, each read by the background indexer and asked by hooks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.load.histories import many_sessions, one_log
from tests.load.machine import Machine

__all__ = ["HOOK_LIMIT", "INDEXER_LIMIT", "SCENARIOS", "Load"]

#: Bytes of memory that no hook, and no indexer, may need.
HOOK_LIMIT, INDEXER_LIMIT = 24_000_000, 250_000_000


class Load(NamedTuple):
    """What came of one scenario.

    Attributes:
        what: was tried; size: of the hosts' files, in bytes.
        seconds: of the first pass.
        indexer, hook: the largest memory of any, in bytes.
        lost: sessions, turns and answers that should be there and are not.
        note: what else was measured.
    """

    what: str
    size: int
    seconds: float
    indexer: int
    hook: int
    lost: int
    note: str = ""

    @property
    def holds(self) -> bool:
        """Nothing lost, and within the bounds."""
        return not self.lost and self.indexer <= INDEXER_LIMIT and self.hook <= HOOK_LIMIT


def sessions(root: Path, scale: float) -> Load:
    """20,000 sessions, 1.9 GB in all."""
    return _many(root, int(20_000 * scale), 25)


def small_files(root: Path, scale: float) -> Load:
    """100,000 sessions of one short turn."""
    return _many(root, int(100_000 * scale), 1)


def _many(root: Path, count: int, turns: int) -> Load:
    copilot_home, facts, size = many_sessions(root / "history", count, turns)
    machine = Machine(root / "machine", copilot_home)
    began = time.monotonic()
    indexer = machine.index()
    seconds = time.monotonic() - began
    stored = machine.stored()
    lost = abs(count - stored[0]) + abs(count * turns - stored[1])
    began = time.monotonic()
    indexer = max(indexer, machine.index())
    again = time.monotonic() - began
    hook = 0
    for fact in (facts[0], facts[len(facts) // 2], facts[-1]):
        largest, silent = machine.hooks(fact, copilot_home / "session-state" / fact.session / "events.jsonl")
        hook, lost = max(hook, largest), lost + silent
    note = f"nothing new: {again:.1f} s"
    return Load(f"{count:,} sessions of {turns} turn{'s' * (turns > 1)}", size, seconds, indexer, hook, lost, note)


def transcript(root: Path, scale: float) -> Load:
    """One log of 1 GB."""
    copilot_home, log = one_log(root / "history", int(1_000_000_000 * scale))
    machine = Machine(root / "machine", copilot_home)
    began = time.monotonic()
    indexer = machine.index()
    seconds = time.monotonic() - began
    lost = abs(log.turns + 4 - machine.stored()[1])  # two sessions of two turns stand beside it
    hook, silent = machine.hooks(log.fact, log.path)
    began = time.monotonic()
    with log.path.open("a", encoding="utf-8") as file:
        file.write('{"type": "user.message", "data": {"content": "one more"}, "timestamp": "2026-11-30T12:00:00Z"}\n')
    indexer = max(indexer, machine.index())
    lost += silent + abs(log.turns + 5 - machine.stored()[1])
    note = f"one more turn: {time.monotonic() - began:.1f} s"
    return Load(f"one log of {log.turns:,} turns", log.size, seconds, indexer, hook, lost, note)


#: By the names that `python -m tests.load` takes.
SCENARIOS: dict[str, Callable[[Path, float], Load]] = {
    "transcript": transcript,
    "sessions": sessions,
    "files": small_files,
}
