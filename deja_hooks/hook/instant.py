"""Time stamps as hosts write them, without `datetime` (1 to 2 ms of a hook's start)."""

__all__ = ["LAST_MS", "epoch_ms"]

#: The end of the year 9999: what is later is no time.
LAST_MS = 253_402_300_799_999


def epoch_ms(value: object) -> int:
    """Milliseconds since 1970 (UTC) of a number of them or an ISO-8601 text; 0 where it is neither."""
    if isinstance(value, str):
        at_ms = _from_iso(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= LAST_MS:
        at_ms = int(value)
    else:
        at_ms = 0
    return at_ms if 0 <= at_ms <= LAST_MS else 0


def _from_iso(text: str) -> int:
    """`YYYY-MM-DDThh:mm[:ss[.fraction]][Z|±hh[:]mm]`; without a zone it is UTC. 0 where it is not that."""
    if len(text) > 40 or not text.isascii() or text[4:5] + text[7:8] + text[10:11].upper() not in ("--T", "-- "):
        return 0
    clock, offset_min = _split_zone(text[11:])
    clock, _, fraction = clock.partition(".")
    parts = [text[0:4], text[5:7], text[8:10], *clock.split(":"), fraction or "0"]
    if not all(part.isdigit() for part in parts) or not 6 <= len(parts) <= 7:
        return 0
    year, month, day, hour, minute = [int(part) for part in parts[:5]]
    second = int(parts[5]) if len(parts) == 7 else 0
    if not (1 <= month <= 12 and 1 <= day <= 31 and hour < 24 and minute < 60 and second < 61):
        return 0
    minutes = (_days(year, month, day) * 24 + hour) * 60 + minute - offset_min
    return (minutes * 60 + second) * 1000 + int((fraction + "000")[:3])


def _split_zone(clock: str) -> "tuple[str, int]":
    """The time of day, and the zone's minutes east of UTC."""
    if clock[-1:] in ("Z", "z"):
        return clock[:-1], 0
    for sign in "+-":
        time, found, zone = clock.partition(sign)
        digits = zone.replace(":", "")
        if found and len(digits) in (2, 4) and digits.isdigit():
            minutes = int(digits[:2]) * 60 + int(digits[2:] or "0")
            return time, minutes if sign == "+" else -minutes
    return clock, 0


def _days(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 in the Gregorian calendar (years begin in March, so that the leap day is last)."""
    year -= month <= 2
    month = month - 3 if month > 2 else month + 9
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719_469
