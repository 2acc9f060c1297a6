"""Sums of what model calls took, where parts may be unknown.

What a host doesn't say is None, never 0: a sum of nothing known is None, and one with unknown parts a lower bound.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deja_hooks.sources.model import Usage

__all__ = ["MEASURES", "Spent", "Sum", "said_once"]

#: What is summed up: fields of `Usage`.
MEASURES = ("rounds", "input", "cached", "output", "credits", "elapsed")
_measured = attrgetter(*MEASURES)
_ONCE = ("rounds", "credits", "elapsed")
#: What a summary (a compaction) never says: it stands in the session's total.
_IN_TOTAL = "credits"
_CREDIT_DIGITS = 6


class Spent(NamedTuple):
    """What was spent by one day, model, project or session, or in all.

    Attributes:
        latest: epoch ms of the last that was counted.
        turns: the user's turns.
        requests: the host's requests that say what they took; partial: those of them that it hasn't closed.
        rounds, input, cached, output, credits, elapsed: sums of what is known (see `Usage`); None: nothing is.
        bounds: those of them that are lower bounds.
    """

    latest: int
    turns: int
    requests: int
    partial: int
    rounds: int | None
    input: int | None
    cached: int | None
    output: int | None
    credits: float | None
    elapsed: int | None
    bounds: frozenset[str]


class Sum:
    """A `Spent` in the making."""

    def __init__(self) -> None:
        self._turns = 0
        self._latest = 0
        self._known: dict[str, float] = {}
        self._unknown: set[str] = set()
        self._requests: dict[tuple[int, str], bool] = {}

    def add_turn(self, at: int, *, accounted: bool) -> None:
        """Adds a turn; `accounted`: some usage says what it took."""
        self._turns += 1
        self._latest = max(self._latest, at)
        if not accounted:
            self._unknown.update(MEASURES)

    def add_usage(self, session: int, rows: list[Usage]) -> None:
        """Adds the rows of one request or record of a session."""
        kind = rows[0].kind
        if len(rows) == 1:  # nearly always: worth its own way
            for name, value in zip(MEASURES, _measured(rows[0]), strict=True):
                if value is not None:
                    self._known[name] = self._known.get(name, 0) + value
                elif kind != "compaction" or name != _IN_TOTAL:
                    self._unknown.add(name)
        else:
            for name, values in zip(MEASURES, zip(*map(_measured, rows), strict=True), strict=True):
                self._add_values(name, values, kind)
        for row in rows:
            if not row.exact:
                self._unknown.add("input")
            if row.at > self._latest:
                self._latest = row.at
        if kind == "request":
            self._requests[session, rows[0].id] = all(row.final for row in rows)

    def _add_values(self, name: str, values: tuple[float | None, ...], kind: str) -> None:
        known = [value for value in values if value is not None]
        if known:
            self._known[name] = self._known.get(name, 0) + sum(known)
        if len(known) == len(values) or (known and said_once(kind, name)):
            return
        if kind != "compaction" or name != _IN_TOTAL:
            self._unknown.add(name)

    def add(self, other: Sum) -> None:
        """Adds what another has added up."""
        self._turns += other._turns
        self._latest = max(self._latest, other._latest)
        for name, value in other._known.items():
            self._known[name] = self._known.get(name, 0) + value
        self._unknown |= other._unknown
        for key, final in other._requests.items():
            self._requests[key] = self._requests.get(key, True) and final

    @property
    def spent(self) -> Spent:
        """What has been added up."""
        known = self._known
        return Spent(
            latest=self._latest,
            turns=self._turns,
            requests=len(self._requests),
            partial=sum(not final for final in self._requests.values()),
            rounds=_whole(known.get("rounds")),
            input=_whole(known.get("input")),
            cached=_whole(known.get("cached")),
            output=_whole(known.get("output")),
            credits=round(known["credits"], _CREDIT_DIGITS) if "credits" in known else None,
            elapsed=_whole(known.get("elapsed")),
            bounds=frozenset(self._unknown & known.keys()),
        )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def said_once(kind: str, name: str) -> bool:
    """Whether a record of this kind says a measure once, whichever models it used."""
    return kind == "request" and name in _ONCE
