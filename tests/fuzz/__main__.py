"""`python -m tests.fuzz [TARGET…] [--seconds N] [--seed N]`: tries each target for so long; exit 1 at the first fault.

What is found is shown at its smallest; it belongs into `tests/fuzz/test_targets.py` with the mending. For a night:
`nice -n 19 python -m tests.fuzz --seconds 600`.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.targets import TARGETS, Target


def fuzz(name: str, target: Target, seconds: float, chance: random.Random) -> int:
    """Tries a target for so long; how many inputs that were. Raises what a check raises."""
    end = time.monotonic() + seconds
    tried = 0
    with tempfile.TemporaryDirectory() as folder:
        check = target.make(Path(folder))

        def attempt(value: object) -> None:
            nonlocal tried
            if time.monotonic() < end:
                tried += 1
                check(value)

        while time.monotonic() < end:
            given_one = settings(
                max_examples=2_000,
                deadline=None,
                database=None,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
            )(given(target.inputs)(attempt))
            seed(chance.getrandbits(64))(given_one)()
    return tried


def main(arguments: list[str]) -> int:
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="*", choices=[*TARGETS, []], help="what to try (default: all)")
    parser.add_argument("--seconds", type=float, default=60, help="for each target (default: 60)")
    parser.add_argument("--seed", type=int, default=None, help="for the same inputs again")
    chosen = parser.parse_args(arguments)
    number = chosen.seed if chosen.seed is not None else random.SystemRandom().getrandbits(32)
    print(f"seed {number}", flush=True)
    print("| target | inputs | seconds | faults |\n| --- | --: | --: | --: |", flush=True)
    for name in chosen.target or TARGETS:
        began = time.monotonic()
        tried = fuzz(name, TARGETS[name], chosen.seconds, random.Random(f"{number} {name}"))
        print(f"| {name} | {tried:,} | {time.monotonic() - began:.0f} | 0 |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
