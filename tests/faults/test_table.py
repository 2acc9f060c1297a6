"""The table in `docs/robustness.md` says what the tests try."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from tests.faults import table
from tests.faults.table import Row, declared, marked, replaced

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[1] / "docs" / "robustness.md"


def test_every_kind_of_fault_stands_in_the_document_and_nothing_was_lost() -> None:
    for path in sorted(HERE.glob("test_*.py")):
        importlib.import_module(f"tests.faults.{path.stem}")
    rows = [line.strip("|").split(" | ") for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if "| " in line]
    found = {(cells[1], cells[4].strip()): cells for cells in rows[2:-1]}
    assert set(found) == {(each.what, each.shown) for each in declared()}
    for what, cells in found.items():
        assert int(cells[2].replace(",", "")) > 0, what
        assert cells[3] == "0", what


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "_ROWS", [])
    disk, pipes, other = table.row("Disk", "d", "x"), table.row("Pipes", "p", "y"), table.row("Disk", "e", "z")
    for _ in range(1_200):
        disk.holds(True)
    with pytest.raises(AssertionError, match="e: why"):
        other.holds(False, "why")
    pipes.holds(True)
    made = marked(declared(), "Python 3")
    assert made.splitlines()[3:] == [
        "| | what was tried | checks | lost | shown to the user |",
        "| --- | --- | --: | --: | --- |",
        "| Pipes | p | 1 | 0 | y |",
        "| Disk | d | 1,200 | 0 | x |",
        "|  | e | 1 | 1 | z |",
        "| **All** | | **1,202** | **1** | |",
        "<!-- end -->",
    ]
    document = f"# Title\n\n{made}\n\nEnd.\n"
    assert replaced(document, marked([Row("Disk", "new", "w")], "Python 4")).count("Made on Python 4.") == 1
    with pytest.raises(ValueError, match=r"docs/robustness\.md has no"):
        replaced("# Title\n", made)
