"""The power goes at each system call that writes: the work is killed there, for real, and then looked at.

Some of the calls in a usual run; all of them with `DEJA_FAULTS=all` (some minutes).
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections import Counter
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.faults import killed
from tests.faults.table import row
from tests.faults.traced import SYSCALLS, traced

pytestmark = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")

INDEXER = row(
    "Disk",
    "kill -9 at writing system calls of the indexer (`--all`: at each): first pass, next one, trimming, upgrade",
    "`search`, `sessions`, `show`: the last reading was cut short",
)
HOOKS = row(
    "Disk",
    "kill -9 at writing system calls of a hook (`--all`: at each): prompt, compaction, its handing back, stop",
    "nothing",
)

#: Kills of one scenario in a usual run, at most.
FEW = 24


def run(*arguments: str, inject: str = "", log: Path) -> CompletedProcess[str]:
    """The driver under strace, which follows its children."""
    return traced(sys.executable, killed.__file__, *arguments, inject=inject, log=log)


def counted(folder: Path, scenario: str) -> Counter[str]:
    """How many calls of each kind the work makes."""
    log = folder / "strace.log"
    worker = run(str(folder), scenario, "count", log=log).stdout.split()[0]
    found = re.findall(rf"^{worker} +(\w+)\(", log.read_text(), re.MULTILINE)
    count = Counter(name for name in found if name in SYSCALLS)
    count["write"] -= 1  # that which told its id
    return count


@pytest.mark.parametrize("scenario", list(killed.SCENARIOS))
def test_nothing_is_lost_and_nothing_is_there_twice(scenario: str, tmp_path: Path) -> None:
    tried = INDEXER if scenario in ("first pass", "next pass", "trimming", "upgrade") else HOOKS
    counts = counted(tmp_path, scenario)
    total = sum(counts.values())
    assert total > 3
    step = 1 if os.environ.get("DEJA_FAULTS") == "all" else max(1, -(-total // FEW))
    kills = 0
    for syscall, count in sorted(counts.items()):
        most = 4 * count + 50
        inject = f"inject={syscall}:signal=KILL:when={most}"
        numbers = (str(number) for number in (most, 1 + kills % step, count, step))
        done = run(str(tmp_path), scenario, syscall, *numbers, inject=inject, log=tmp_path / "strace.log")
        for each in done.stdout.splitlines():
            number, died, left = map(int, each.split())
            kills += died == -9
            tried.holds(left == 0 and died in (-9, 0), f"{scenario}, {syscall} {number}: {done.stderr}")
    assert kills > 3
