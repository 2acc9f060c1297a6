"""`python -m tests.benchmarks.recall [--quick] [--json] [--data FOLDER] [--part NAME] [--misses] [--check]`.

Makes histories in a temporary folder, indexes them, and asks them as hosts and people do: each figure is on the packet
that a hook replies with (in this process, and one prompt in ten by a real one) or on what `deja-hooks search -` prints.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from ..report import machine as computer
from . import arms, compaction, edits, failures, question_sets, real_chats, repeats, starts, timing
from .figures import Figure, as_markdown
from .machine import Machine

_DATA = Path(__file__).parents[3].parent / "shared" / "data"
_SESSIONS, _LARGER, _QUICK = 1500, 15_000, 300


def main() -> int:
    """Measures and prints; with `--check`, 1 where a target is missed."""
    options = _options()
    figures: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="deja-recall-") as folder:
        for name, run in _parts(Path(folder), options).items():
            if options.part and name not in options.part:
                continue
            start = time.monotonic()
            found = list(run())
            figures += found
            _say(
                f"{name}: {time.monotonic() - start:.0f} s" if found else f"{name}: skipped, nothing in {options.data}"
            )
    if options.json:
        print(json.dumps({"machine": computer(), "figures": [dataclasses.asdict(each) for each in figures]}, indent=2))
    else:
        print(f"Measured on {computer()}.\n\n{as_markdown(figures)}")
    if options.misses:
        _say("\n".join(_misses(figures)))
    return int(options.check and any(each.met is False for each in figures))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.recall", description="Measures what is recalled.")
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK} sessions, one conversation: under a minute")
    parser.add_argument("--json", action="store_true", help="print JSON, with each case that went wrong")
    parser.add_argument("--data", type=Path, default=_DATA, help="recordings and question sets (../shared/data)")
    parser.add_argument("--part", action="append", help="only this part; may be repeated")
    parser.add_argument("--larger", type=int, help=f"sessions of the large history; 0: none ({_LARGER:,})")
    parser.add_argument("--misses", action="store_true", help="print what went wrong, to stderr")
    parser.add_argument("--check", action="store_true", help="exit with 1 where a target is missed")
    options = parser.parse_args()
    options.sessions = _QUICK if options.quick else _SESSIONS
    if options.larger is None:
        options.larger = 0 if options.quick else _LARGER
    return options


def _parts(root: Path, options: argparse.Namespace) -> dict[str, Callable[[], Iterator[Figure]]]:
    """The parts by name, in the order in which they run."""

    def synthetic() -> Iterator[Figure]:
        machine = Machine(root / "arms")
        planted = arms.grown(machine, options.sessions)
        yield from arms.measure(machine, planted)
        yield from timing.measure(machine, planted, root, options.larger)
        yield from repeats.repeats(machine, planted)
        yield from repeats.injected(machine, planted)

    return {
        "arms": synthetic,
        "edits": lambda: edits.measure(Machine(root / "edits")),
        "failures": lambda: failures.measure(Machine(root / "failures")),
        "starts": lambda: starts.measure(Machine(root / "starts")),
        "compaction": lambda: compaction.measure(root, options.data),
        "chats": lambda: real_chats.measure(Machine(root / "chats"), options.data),
        "devmembench": lambda: question_sets.devmembench(root, options.data),
        "locomo": lambda: question_sets.locomo(root, options.data, 1 if options.quick else None),
    }


def _misses(figures: list[Figure]) -> Iterator[str]:
    for figure in figures:
        for miss in figure.misses:
            yield f"\n{figure.part}, {figure.name}"
            yield f"  asked:  {miss.asked}\n  wanted: {miss.wanted}\n  got:    {miss.got}"


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
