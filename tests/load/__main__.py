"""`python -m tests.load [NAME...] [--scale F] [--folder FOLDER]`: the long runs, as rows of docs/load.md's table.

NAME: transcript (one log of 1 GB), sessions (20,000, 1.9 GB), files (100,000), hooks (64 at once). All take about ten
minutes and 4 GB of disk, which is given back. Exits 1 where something was lost or a bound was passed.
"""

from __future__ import annotations

import argparse
import platform
import sqlite3
import sys
import tempfile
from pathlib import Path

from tests.load.crowd import AT_ONCE, crowd
from tests.load.report import crowd_table, load_table
from tests.load.scenarios import SCENARIOS, Load

_ROUNDS = 20


def main() -> int:
    """Runs what was chosen, and prints a table after each."""
    names = [*SCENARIOS, "hooks"]
    parser = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", choices=[*names, []], help=f"{', '.join(names)}; all")
    parser.add_argument("--scale", type=float, default=1.0, metavar="F", help="of the sizes (1)")
    parser.add_argument("--folder", type=Path, help="where the histories are made (the system's temporary folder)")
    chosen = parser.parse_args()
    names = chosen.names or names
    print(f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.system()}.\n", flush=True)
    loads: list[Load] = []
    for name in names:
        if name in SCENARIOS:
            with tempfile.TemporaryDirectory(prefix="deja-load-", dir=chosen.folder) as folder:
                loads.append(SCENARIOS[name](Path(folder), chosen.scale))
            print(load_table(loads[-1:]), flush=True)
    holds = all(load.holds for load in loads)
    if "hooks" in names:
        with tempfile.TemporaryDirectory(prefix="deja-load-", dir=chosen.folder) as folder:
            rounds = max(1, int(_ROUNDS * chosen.scale))
            found = crowd(Path(folder), rounds, rounds * AT_ONCE)
        print(crowd_table(found), flush=True)
        holds = holds and found.holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
