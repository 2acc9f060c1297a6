"""What was tried, and what came of it: a row for each fault, filled by the tests (`python -m tests.faults`)."""

from __future__ import annotations

__all__ = ["ITEMS", "Row", "declared", "row"]

#: The headings of the table, in their order.
ITEMS = ("Pipes", "Texts", "Disk", "Room", "Our own code")

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
