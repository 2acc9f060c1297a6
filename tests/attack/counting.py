"""What the attacks come to: rows that the tests add to, and the table that is made of them."""

from __future__ import annotations

from typing import NamedTuple

import pytest

__all__ = ["KEPT", "Row", "Tally", "table"]


class Row(NamedTuple):
    """A kind of attack.

    Attributes:
        item: what is attacked.
        tried: with what.
        count: how many times.
        lost: how often it did what it must not; more than 0 fails the test too.
        shown: what the user, or the model, got to see instead.
    """

    item: str
    tried: str
    count: int
    lost: int
    shown: str


class Tally:
    """The rows, in the order of the tests."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], Row] = {}

    def add(self, item: str, tried: str, count: int, lost: int, shown: str) -> None:
        """Counts an attack; one that is counted in several tests adds up. A lost one fails the test that adds it."""
        before = self.rows.get((item, tried), Row(item, tried, 0, 0, shown))
        self.rows[item, tried] = Row(item, tried, before.count + count, before.lost + lost, shown)
        assert lost == 0, f"{lost} of {count} lost: {tried}"


#: Where pytest's configuration holds the table.
KEPT = pytest.StashKey[Tally]()


def table(rows: list[Row]) -> str:
    """The rows as a table of Markdown, those of one item together."""
    items = list(dict.fromkeys(row.item for row in rows))
    rows = sorted(rows, key=lambda row: items.index(row.item))
    lines = ["| | what was tried | times | lost | what was shown instead |", "| --- | --- | --: | --: | --- |"]
    item = ""
    for row in rows:
        lines.append(
            f"| {row.item if row.item != item else ''} | {row.tried} | {row.count:,} | {row.lost:,} | {row.shown} |"
        )
        item = row.item
    return "\n".join(lines) + "\n"
