"""How often hooks spoke, what became of it and what it cost: what `deja-hooks stats` sums up.

Two sources that reach back differently: the ring has every call, as far back as its megabyte or two; the state has
the packets of 90 days, and the memory what became of them.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from deja_hooks.feedback.judge import Verdict
    from deja_hooks.feedback.told import Told

__all__ = ["GROUPINGS", "Calls", "Packets", "Share", "call_lines", "packet_lines", "reasons", "share_of_input"]

GROUPINGS = ("event", "project", "day")

#: Characters that make about one token of English text and code. An estimate: hosts don't say.
_CHARACTERS_PER_TOKEN = 4

#: Reasons of which the number says something of one call only, and what they are called together.
_CLASSES = ((re.compile(r"confidence [\d.]+ is too low(?: \(hooks speak from [\d.]+ on\))?"), "too little confidence"),)


class Call(Protocol):
    """A hook call, as the ring has it."""

    @property
    def at_ms(self) -> float | None: ...
    @property
    def event(self) -> str: ...
    @property
    def session_id(self) -> str: ...
    @property
    def ms(self) -> float: ...
    @property
    def reason(self) -> str: ...
    @property
    def characters(self) -> int: ...


class Calls(NamedTuple):
    """Hook calls of one line.

    Attributes:
        calls, spoke: how many; the others were silent.
        median, p95: milliseconds inside the hook's process (nearest rank); None without calls.
    """

    calls: int
    spoke: int
    median: float | None
    p95: float | None


class Packets(NamedTuple):
    """Packets of one line.

    Attributes:
        packets: how many; the sum of the next four.
        taken, left, open, none: by what became of them, see `feedback.judge.Verdict`.
        characters: of all of them.
    """

    packets: int
    taken: int
    left: int
    open: int
    none: int
    characters: int

    @property
    def tokens(self) -> int:
        """An estimate: a quarter of the characters."""
        return round(self.characters / _CHARACTERS_PER_TOKEN)


_Line = TypeVar("_Line", Calls, Packets)


class Share(NamedTuple):
    """What packets were of the requests in which they were told.

    Attributes:
        packets: those whose request says what it took.
        tokens: estimated; a packet counts for each model call of its request, as if it were told before the first.
        input: tokens sent in these requests.
    """

    packets: int
    tokens: int
    input: int


def call_lines(
    calls: Sequence[Call], by: str, project: Callable[[str], str]
) -> tuple[list[tuple[str, Calls]], Calls, int]:
    """The lines of the calls, their total, and the epoch ms of the oldest (0: none has a time).

    Args:
        calls: any order.
        by: one of `GROUPINGS`; days are those of this machine's calendar, the latest first.
        project: session id → the name of its project; "" unknown.
    """
    groups: defaultdict[str, list[Call]] = defaultdict(list)
    for call in calls:
        groups[_key(by, call.event, call.at_ms, call.session_id, project)].append(call)
    rows = [(name, _calls(group)) for name, group in groups.items()]
    since = min((int(call.at_ms) for call in calls if call.at_ms is not None), default=0)
    return _sorted(by, rows), _calls(calls), since


def packet_lines(
    packets: Sequence[Told], verdicts: Mapping[tuple[str, int, str], Verdict], by: str, project: Callable[[str], str]
) -> tuple[list[tuple[str, Packets]], Packets, int]:
    """The lines of the packets, as `call_lines` gives those of the calls."""
    groups: defaultdict[str, list[Told]] = defaultdict(list)
    for packet in packets:
        groups[_key(by, packet.event, packet.at, packet.sid, project)].append(packet)
    rows = [(name, _packets(group, verdicts)) for name, group in groups.items()]
    return _sorted(by, rows), _packets(packets, verdicts), min((packet.at for packet in packets), default=0)


def reasons(calls: Iterable[Call]) -> list[tuple[str, int]]:
    """Why hooks were silent, the most frequent first; reasons that differ in their numbers are one."""
    counted = Counter(_without_numbers(call.reason) for call in calls if not call.characters)
    return sorted(counted.items(), key=lambda each: (-each[1], each[0]))


def share_of_input(packets: Iterable[Told], verdicts: Mapping[tuple[str, int, str], Verdict]) -> Share:
    """What the packets were of the requests that say what they took."""
    tokens = 0.0
    count = 0
    requests: dict[tuple[str, int], int] = {}
    for packet in packets:
        verdict = verdicts.get(packet.name)
        if verdict is not None and verdict.rounds and verdict.input:
            count += 1
            tokens += packet.characters / _CHARACTERS_PER_TOKEN * verdict.rounds
            requests[packet.sid, verdict.place] = verdict.input
    return Share(count, round(tokens), sum(requests.values()))


def _key(by: str, event: str, at: float | None, sid: str, project: Callable[[str], str]) -> str:
    if by == "event":
        return event
    return project(sid) if by == "project" else _day(at)


def _day(at: float | None) -> str:
    if at is None:
        return ""
    try:
        return datetime.fromtimestamp(at / 1000).astimezone().date().isoformat()
    except (ValueError, OverflowError, OSError):
        return ""


def _calls(calls: Sequence[Call]) -> Calls:
    times = sorted(call.ms for call in calls)
    spoke = sum(1 for call in calls if call.characters)
    return Calls(len(times), spoke, _rank(times, 0.5), _rank(times, 0.95))


def _rank(ordered: Sequence[float], share: float) -> float | None:
    """The value that this share of them doesn't exceed."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def _packets(packets: Sequence[Told], verdicts: Mapping[tuple[str, int, str], Verdict]) -> Packets:
    found = [verdicts.get(packet.name) for packet in packets]
    counted = Counter("open" if verdict is None else verdict.verdict for verdict in found)
    characters = sum(packet.characters for packet in packets)
    taken, left, open_, none = (counted[verdict] for verdict in ("taken", "left", "open", "none"))
    return Packets(len(packets), taken, left, open_, none, characters)


def _sorted(by: str, rows: list[tuple[str, _Line]]) -> list[tuple[str, _Line]]:
    """Days with the latest first, all else with the most first."""
    if by == "day":
        return sorted(rows, key=lambda row: row[0], reverse=True)
    return sorted(rows, key=lambda row: (-row[1][0], row[0]))


def _without_numbers(reason: str) -> str:
    for pattern, words in _CLASSES:
        if pattern.fullmatch(reason):
            return words
    return re.sub(r"\d+", "N", reason)
