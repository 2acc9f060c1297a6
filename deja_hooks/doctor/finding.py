"""What a check found: one line, with what to do about it."""

from typing import NamedTuple

__all__ = ["BROKEN", "NOTE", "OK", "Finding", "broken", "note", "ok"]

#: States of a finding. A note is no fault: an absent host, an empty history, a switch that the user has set.
OK = "ok"
NOTE = "note"
BROKEN = "broken"


class Finding(NamedTuple):
    """One line of the report.

    Attributes:
        check: the check's name.
        state: `OK`, `NOTE` or `BROKEN`.
        about: the file, host or event that it is about.
        seen: what was seen there.
        do: what to do about it; "" where there is nothing to do.
        fixable: whether `--fix` can mend it.
    """

    check: str
    state: str
    about: str
    seen: str
    do: str = ""
    fixable: bool = False


def ok(check: str, about: object, seen: str) -> Finding:
    """A finding that all is well."""
    return Finding(check, OK, str(about), seen)


def note(check: str, about: object, seen: str, do: str = "") -> Finding:
    """A finding that is worth knowing, and no fault."""
    return Finding(check, NOTE, str(about), seen, do)


def broken(check: str, about: object, seen: str, do: str, *, fixable: bool = False) -> Finding:
    """A fault."""
    return Finding(check, BROKEN, str(about), seen, do, fixable)
