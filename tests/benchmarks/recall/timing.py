"""How long `search` takes in process, over a history and over one ten times as large."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from deja_hooks.memory.read import open_memory
from deja_hooks.memory.scope import project_key
from deja_hooks.recall.search import search

from .arms import Asked, grown, questions
from .figures import Figure
from .history import Planted
from .machine import NOW, Machine

__all__ = ["at_percentile", "measure"]

_MOST_MS = 15.0
_MOST_TIMES = 1.5
_ROUNDS = 3


def at_percentile(values: list[float], share: float) -> float:
    """The value that so great a share of the values doesn't exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def measure(machine: Machine, planted: Planted, root: Path, larger: int) -> Iterator[Figure]:
    """The prompts of all arms as searches, the same ones in both histories: the larger goes on where the other ends.

    Args:
        larger: sessions of the larger history, 0 for none.
    """
    asked = [one for _, arm in questions(planted) for one in arm]
    small = _p95(machine, asked)
    values = {"p95_ms": small, "sessions": len(planted.told)}
    target = f"<= {_MOST_MS:g} ms"
    name = f"search, 95th percentile, {len(planted.told):,} sessions"
    yield Figure("time", name, f"{small:.1f} ms", target, small <= _MOST_MS, values)
    if not larger:
        return
    other = Machine(root / "larger")
    grown(other, larger)
    large = _p95(other, asked)
    ratio = large / small
    values = {"ratio": ratio, "p95_ms": large, "sessions": larger}
    name = f"the same at {larger:,} sessions, times that"
    yield Figure("time", name, f"{ratio:.2f}", f"<= {_MOST_TIMES}", ratio <= _MOST_TIMES, values)


def _p95(machine: Machine, asked: list[Asked]) -> float:
    """The 95th percentile in ms; of each search the fastest of three rounds, since other programs run meanwhile."""
    keys = {one.project: project_key(str(machine.project(one.project))) for one in asked}
    memory = open_memory(machine.layout.memory)
    assert memory is not None
    fastest = [float("inf")] * len(asked)
    for _ in range(_ROUNDS):
        for place, one in enumerate(asked):
            start = time.perf_counter()
            search(memory, one.text, project_key=keys[one.project], limit=10, now_ms=NOW)
            fastest[place] = min(fastest[place], (time.perf_counter() - start) * 1000)
    return at_percentile(fastest, 0.95)
