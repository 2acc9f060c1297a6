"""How long a run of the CLI takes with our hooks, and with hooks that do nothing."""

from __future__ import annotations

import json
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import scenario
from .copilot import Sandbox
from .indexers import INDEXER_LIMIT, left_over
from .model import Model, serve

__all__ = ["Timing", "measure"]

_COMMAND_KEYS = frozenset(("command", "bash", "linux", "osx", "windows", "powershell"))


@dataclass(frozen=True)
class Timing:
    """Seconds of each run, the two kinds taken in turn."""

    ours: tuple[float, ...]
    nothing: tuple[float, ...]

    @property
    def ratio(self) -> float:
        """Median with our hooks ÷ median with hooks that do nothing."""
        return statistics.median(self.ours) / statistics.median(self.nothing)

    def __str__(self) -> str:
        parts = [
            f"{name} {statistics.median(runs):.2f} s ({min(runs):.2f} to {max(runs):.2f})"
            for name, runs in (("our hooks", self.ours), ("hooks that do nothing", self.nothing))
        ]
        return f"{parts[0]}, {parts[1]}, ratio {self.ratio:.3f}, {len(self.ours)} runs each"


def measure(root: Path, cli: Path, cache: Path, rounds: int) -> Timing:
    """Runs the same short session with both kinds of hooks, in turn, in projects that have a history."""
    ours = _prepared(Sandbox(root / "ours", cli, cache))
    nothing = _prepared(Sandbox(root / "nothing", cli, cache))
    _silence(nothing.hook_file)
    taken: dict[Path, list[float]] = {ours.root: [], nothing.root: []}
    for turn in range(rounds):
        for box in (ours, nothing) if turn % 2 else (nothing, ours):
            with serve(Model(scenario.short_session())) as model:
                taken[box.root].append(box.ask(scenario.SECOND_PROMPT, model).seconds)
    left_over(root, INDEXER_LIMIT)  # the caller may take the folder away
    return Timing(tuple(taken[ours.root]), tuple(taken[nothing.root]))


def _prepared(box: Sandbox) -> Sandbox:
    box.lay_out(scenario.FILES)
    box.deja("install", "copilot")
    with serve(Model(scenario.first_session(box.project))) as model:
        box.ask(scenario.FIRST_PROMPT, model)
    return box


def _silence(hook_file: Path) -> None:
    """Puts `true` in the place of every command."""

    def without_commands(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: "true" if k in _COMMAND_KEYS else without_commands(v) for k, v in value.items()}
        return [without_commands(item) for item in value] if isinstance(value, list) else value

    document = json.loads(hook_file.read_text(encoding="utf-8"))
    hook_file.write_text(json.dumps(without_commands(document)), encoding="utf-8")
