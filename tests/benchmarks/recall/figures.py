"""What a benchmark found: figures with their targets, as a table for a README and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["Figure", "Miss", "as_markdown", "at_least", "at_most"]


@dataclass(frozen=True)
class Miss:
    """One case that went wrong: what was asked, what should have been, what came."""

    asked: str
    wanted: str
    got: str


@dataclass(frozen=True)
class Figure:
    """One row.

    Attributes:
        part, name: which benchmark, and what of it.
        shown: the figure as text.
        target: as text, "" where the issue sets none.
        met: whether it is reached; None without a target.
        values: the numbers.
        misses: the cases behind it.
    """

    part: str
    name: str
    shown: str
    target: str = ""
    met: bool | None = None
    values: dict[str, float] = field(default_factory=dict)
    misses: tuple[Miss, ...] = ()


def at_least(part: str, name: str, right: int, of: int, target: int | None, misses: Iterable[Miss] = ()) -> Figure:
    """So many of so many were right."""
    values: dict[str, float] = {"right": right, "of": of}
    if target is None:
        return Figure(part, name, f"{right}/{of}", values=values, misses=tuple(misses))
    return Figure(part, name, f"{right}/{of}", f">= {target}/{of}", right >= target, values, tuple(misses))


def at_most(part: str, name: str, wrong: int, of: int, target: int | None = 0, misses: Iterable[Miss] = ()) -> Figure:
    """So many of so many were wrong."""
    values: dict[str, float] = {"wrong": wrong, "of": of}
    if target is None:
        return Figure(part, name, f"{wrong}/{of}", values=values, misses=tuple(misses))
    return Figure(part, name, f"{wrong}/{of}", f"{target}", wrong <= target, values, tuple(misses))


def as_markdown(figures: list[Figure]) -> str:
    """All rows, the targets beside the figures."""
    head = ["| | what | found | target | |", "| --- | --- | --: | --: | --- |"]
    rows = []
    before = ""
    for each in figures:
        mark = {True: "met", False: "**missed**", None: ""}[each.met]
        rows.append(
            f"| {each.part if each.part != before else ''} | {each.name} | {each.shown} | {each.target} | {mark} |"
        )
        before = each.part
    return "\n".join([*head, *rows])
