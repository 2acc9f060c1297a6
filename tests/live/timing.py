"""How long a run of the CLI takes with our hooks, beside hooks that do nothing and hooks that only start Python."""

from __future__ import annotations

import json
import shlex
import statistics
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deja_hooks.memory.layout import Layout

from . import scenario
from .copilot import Sandbox
from .indexers import INDEXER_LIMIT, left_over
from .model import Model, serve

__all__ = ["Timing", "measure"]

_COMMAND_KEYS = frozenset(("command", "bash", "linux", "osx", "windows", "powershell"))
NOTHING, AGAIN, PYTHON, OURS = "do nothing", "do nothing, again", "start Python", "are ours"
#: What stands in the place of each command; None: what `install` wrote. What the two equal arms differ by is noise.
_ARMS: Mapping[str, str | None] = {
    NOTHING: "true",
    AGAIN: "true",
    PYTHON: f"{shlex.quote(sys.executable)} -I -S -c pass",
    OURS: None,
}


@dataclass(frozen=True)
class Timing:
    """Seconds of each run by arm, one run of each arm a round.

    Attributes:
        runs: arm → seconds, in the order of the rounds.
        calls: how often a run calls our hooks.
    """

    runs: Mapping[str, tuple[float, ...]]
    calls: float

    @property
    def ratio(self) -> float:
        """Median with our hooks ÷ median with hooks that do nothing."""
        return statistics.median(self.runs[OURS]) / statistics.median(self.runs[NOTHING])

    def difference(self, arm: str, other: str) -> tuple[float, float]:
        """How much longer a run of one arm takes: mean of the rounds' differences, and two standard errors of it."""
        found = [ours - others for ours, others in zip(self.runs[arm], self.runs[other], strict=True)]
        error = statistics.stdev(found) / len(found) ** 0.5 if len(found) > 1 else float("inf")
        return statistics.mean(found), 2 * error

    def __str__(self) -> str:
        lines = [f"{len(self.runs[OURS])} rounds; a run calls {self.calls:.0f} hooks, that ..."]
        for name, runs in self.runs.items():
            lines.append(f"  {name:18} {statistics.median(runs):.3f} s ({min(runs):.3f} to {max(runs):.3f})")
        lines += [self._reading(arm, NOTHING) for arm in (AGAIN, PYTHON, OURS)]
        lines.append(self._reading(OURS, PYTHON))
        return "\n".join(lines)

    def _reading(self, arm: str, other: str) -> str:
        mean, noise = self.difference(arm, other)
        call = f"{mean / self.calls * 1000:+.1f} ms a call" if self.calls else ""
        verdict = "within noise" if abs(mean) <= noise else "more than noise"
        return f"  {arm!r} - {other!r}: {mean:+.3f} s ± {noise:.3f}, {call}: {verdict}"


def measure(root: Path, cli: Path, cache: Path, rounds: int) -> Timing:
    """Runs the same short session with each kind of hooks, in turn, in projects that have a history."""
    boxes = {}
    for number, (name, command) in enumerate(_ARMS.items()):
        boxes[name] = _prepared(Sandbox(root / f"arm{number}", cli, cache))
        if command is not None:
            _put_in_place(boxes[name].hook_file, command)
    left_over(root, INDEXER_LIMIT)
    before = _calls(boxes[OURS])
    taken: dict[str, list[float]] = {name: [] for name in boxes}
    for turn in range(rounds):
        for name in _order(list(boxes), turn):
            with serve(Model(scenario.short_session())) as model:
                taken[name].append(boxes[name].ask(scenario.SECOND_PROMPT, model).seconds)
            left_over(root, INDEXER_LIMIT)  # it is no part of the next arm's run
    calls = (_calls(boxes[OURS]) - before) / rounds
    return Timing({name: tuple(seconds) for name, seconds in taken.items()}, calls)


def _order(names: list[str], turn: int) -> list[str]:
    """Each arm comes at each place, and after each other one."""
    names = names if turn % 2 else names[::-1]
    start = turn // 2 % len(names)
    return names[start:] + names[:start]


def _calls(box: Sandbox) -> int:
    ring = Path(Layout(str(box.deja_home / "cache"), str(box.deja_home / "config")).ring)
    return len(ring.read_bytes().splitlines()) if ring.exists() else 0


def _prepared(box: Sandbox) -> Sandbox:
    box.lay_out(scenario.FILES)
    box.deja("install", "copilot")
    with serve(Model(scenario.first_session(box.project))) as model:
        box.ask(scenario.FIRST_PROMPT, model)
    return box


def _put_in_place(hook_file: Path, command: str) -> None:
    """Puts another command in the place of every one."""

    def replaced(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: command if k in _COMMAND_KEYS else replaced(v) for k, v in value.items()}
        return [replaced(item) for item in value] if isinstance(value, list) else value

    document = json.loads(hook_file.read_text(encoding="utf-8"))
    hook_file.write_text(json.dumps(replaced(document)), encoding="utf-8")
