"""`python -m tests.faults [--all] [--write]`: runs these tests and prints what was tried and what came of it.

--all kills and breaks at every system call instead of some (about ten minutes); --write keeps the table in
`docs/robustness.md`.
"""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.faults.table import declared, marked, replaced

_HERE = Path(__file__).parent
_DOCUMENT = _HERE.parents[1] / "docs" / "robustness.md"


def main() -> int:
    """Runs the tests; returns pytest's exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--all", action="store_true", help="every system call, not some of them")
    parser.add_argument("--write", action="store_true", help=f"write the table into {_DOCUMENT.name}")
    chosen = parser.parse_args()
    if chosen.all:
        os.environ["DEJA_FAULTS"] = "all"
    status = pytest.main(["-q", str(_HERE), "--ignore", str(_HERE / "test_table.py")])  # it compares with the document
    system = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.system()}"
    table = marked(declared(), f"{system}{', at every system call' if chosen.all else ''}")
    print(table)
    if status == 0 and chosen.write:
        _DOCUMENT.write_text(replaced(_DOCUMENT.read_text(encoding="utf-8"), table), encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())
