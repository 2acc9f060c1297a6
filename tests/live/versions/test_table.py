"""The table, and its place in a document."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from .seen import PACKETS, Seen
from .table import HEAD, failed, row, table, updated

RUN_ON = "2026-12-01, Linux"
WELL = Seen("accepted", "all", dict.fromkeys(PACKETS, "yes"), (), (0, 0))
OLD = Seen("accepted", "all but PreCompact, Stop", {**WELL.packets, "prompt": "dropped"}, ("a | b\nc", "d"), (0, 1))
DOCUMENT = (
    f"# Verified\n\n{table(['| Copilot CLI 1.0.60 | before |', '| VS Code 1.139 | before |'])}\n\nWords | words.\n"
)


def test_a_row() -> None:
    assert row("1.0.102", RUN_ON, WELL) == (
        "| Copilot CLI 1.0.102 | 2026-12-01, Linux | accepted | all | yes | yes | yes | yes | yes | none | 0, 0 |"
    )
    assert row("1.0.24", RUN_ON, OLD) == (
        "| Copilot CLI 1.0.24 | 2026-12-01, Linux | accepted | all but PreCompact, Stop | yes | dropped | yes | yes"
        " | yes | a \\| b c; d | 0, 1 |"
    )
    assert row("1.0.1", RUN_ON, "npm is not on the PATH") == (
        "| Copilot CLI 1.0.1 | 2026-12-01, Linux | not run: npm is not on the PATH |  |  |  |  |  |  |  |  |"
    )


@pytest.mark.parametrize("found", [WELL, OLD, "why not"])
def test_a_row_has_a_cell_for_each_column(found: Seen | str) -> None:
    cells = row("1.0.1", RUN_ON, found).replace("\\|", "").count("|")
    assert {line.count("|") for line in HEAD} == {cells}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (WELL, False),
        ("not installed", True),
        (OLD, True),
        (Seen("rejected: why", "none", WELL.packets, (), (0, 0)), True),
        (Seen("not read", "none", WELL.packets, (), (0, 0)), True),
        (Seen("accepted", "all but Stop", dict.fromkeys(PACKETS, "dropped"), (), (0, 0)), False),
    ],
)
def test_what_makes_a_version_fail(found: Seen | str, expected: bool) -> None:
    assert failed(found) is expected


def test_rows_take_the_place_of_their_own() -> None:
    rows = ["| Copilot CLI 1.0.102 | now |", "| Copilot CLI 1.0.60 | now |"]
    assert updated(DOCUMENT, rows) == (
        f"# Verified\n\n{table(['| Copilot CLI 1.0.60 | now |', *rows[:1], '| VS Code 1.139 | before |'])}"
        "\n\nWords | words.\n"
    )


def test_a_document_without_the_table() -> None:
    with pytest.raises(ValueError, match=r"no table that begins with: \| host \| run on"):
        updated("# Nothing\n", ["| Copilot CLI 1.0.60 | now |"])


@given(st.lists(st.from_regex(r"1\.[0-9]{1,3}\.[0-9]{1,3}(-[0-9])?", fullmatch=True), unique=True))
def test_all_versions_stay_and_nothing_changes_twice(versions: list[str]) -> None:
    rows = [f"| Copilot CLI {version} | now |" for version in versions]
    once = updated(DOCUMENT, rows)
    assert updated(once, rows) == once
    assert all(line in once.splitlines() for line in rows)
    assert once.endswith("| VS Code 1.139 | before |\n\nWords | words.\n")
