"""The ring of hook calls, as its lines say: what `log`, `stats` and `doctor` read."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deja_hooks.memory.layout import Layout

__all__ = ["Call", "calls"]

#: Epoch ms of the year 3000, up to which every platform can tell the date.
_LAST_TIME = 32_503_680_000_000


@dataclass(frozen=True)
class Call:
    """One hook call, as its line in the ring says.

    Attributes:
        at_ms: epoch milliseconds; None where the line has no time that a calendar holds.
        event, host, session_id: as the hook knew them; "" where it didn't.
        ms: how long the program took, from its start to its answer.
        reason: why it spoke or not, in short words.
        characters: length of what was put before the model; 0 for nothing.
        packet: that text; None for nothing.
    """

    at_ms: float | None
    event: str
    host: str
    session_id: str
    ms: float
    reason: str
    characters: int
    packet: str | None


def calls(layout: Layout) -> list[Call]:
    """The calls that the ring still has, the newest first. Lines that can't be understood are left out."""
    found = []
    for path in (layout.ring + ".1", layout.ring):
        try:
            data = Path(path).read_bytes() if Path(path).is_file() else b""  # a pipe would be waited for
        except OSError:
            continue
        found += [call for call in map(_call, data.splitlines()) if call is not None]
    return found[::-1]


def _call(line: bytes) -> Call | None:
    try:
        entry: dict[str, Any] = json.loads(line)
        packet = entry.get("p")
        return Call(
            at_ms=_time(entry["t"]),
            event=str(entry.get("e", "")),
            host=str(entry.get("h", "")),
            session_id=str(entry.get("s", "")),
            ms=_number(entry.get("ms")),
            reason=str(entry.get("r", "")),
            characters=int(_number(entry.get("c"))),
            packet=packet if isinstance(packet, str) else None,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None  # torn by the ring's turn, or of another version


def _number(value: object) -> float:
    """The number in a field of a line; 0 for anything else, and for what no float holds."""
    try:
        number = float(value) if isinstance(value, (int, float)) else 0.0
    except OverflowError:
        return 0.0
    return number if math.isfinite(number) else 0.0


def _time(value: object) -> float | None:
    at_ms = _number(value)
    return at_ms if 0 < at_ms < _LAST_TIME else None
