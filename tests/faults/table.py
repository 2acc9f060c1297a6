"""What was tried, and what came of it: a row for each fault, filled by the tests (`python -m tests.faults`)."""

from __future__ import annotations

__all__ = ["ITEMS", "Row", "declared", "row"]

#: The headings of the table, in their order.
ITEMS = ("Pipes", "Time", "Texts", "Disk", "Room", "Our own code")

_ROWS: list[Row] = []


class Row:
    """One kind of fault.

    Attributes:
        item: the heading that it stands below.
        what: was tried.
        shown: to the user, and where.
        tried: how often; lost: how often something was lost, said twice, or stood in the host's way.
    """

    def __init__(self, item: str, what: str, shown: str) -> None:
        self.item = item
        self.what = what
        self.shown = shown
        self.tried = 0
        self.lost = 0

    def holds(self, good: bool, why: object = "") -> None:
        """Counts one try; fails the test where something was lost."""
        self.tried += 1
        self.lost += not good
        assert good, f"{self.what}: {why}"


def row(item: str, what: str, shown: str) -> Row:
    """Declares a row; called where a test module is imported."""
    assert item in ITEMS
    found = Row(item, what, shown)
    _ROWS.append(found)
    return found


def declared() -> list[Row]:
    """All rows, by heading."""
    return sorted(_ROWS, key=lambda each: ITEMS.index(each.item))


_BEGIN, _END = "<!-- made by python -m tests.faults -->", "<!-- end -->"


def marked(rows: list[Row], system: str) -> str:
    """The table, between its marks: a heading, the rows of each item, the sums."""
    lines = [_BEGIN, f"Made on {system}.", ""]
    lines += ["| | what was tried | checks | lost | shown to the user |", "| --- | --- | --: | --: | --- |"]
    item = ""
    for each in rows:
        heading = each.item if each.item != item else ""
        lines.append(f"| {heading} | {each.what} | {each.tried:,} | {each.lost} | {each.shown} |")
        item = each.item
    tried, lost = sum(each.tried for each in rows), sum(each.lost for each in rows)
    return "\n".join([*lines, f"| **All** | | **{tried:,}** | **{lost}** | |", _END])


def replaced(document: str, table: str) -> str:
    """The document with this table in the place of the one that it holds. Raises ValueError where it holds none."""
    before, _, rest = document.partition(_BEGIN)
    _, mark, after = rest.partition(_END)
    if not mark:
        raise ValueError(f"docs/robustness.md has no {_BEGIN} ... {_END} to put the table between")
    return before + table + after
