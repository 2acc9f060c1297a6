"""What made a failure stay away: read off the order of a session's work.

A failed command, and later in the same session one of

- the *same form* that works, after edits or after another command → that is the fix;
- *another form of the same program* that works soon after → that form is the fix.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.memory.signature import command_form, is_irreversible, program

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deja_hooks.memory.rows import WorkRow

__all__ = ["Fix", "find_fixes"]

#: How many commands later another form of the program still counts as the answer to the failure.
SOON = 4
#: How much later work is looked at: what comes after is about something else, and a long session stays cheap.
REACH = 200
#: Edited files named in a fix.
MOST_FILES = 3


class Fix(NamedTuple):
    """What made a failure stay away.

    Attributes:
        turn: the turn (as the caller numbers them) in which it worked.
        how: "form" (another form of the same program worked), "edit" (the same command worked after edits) or
            "command" (the same command worked after another one, say an installation).
        what: that other command line, or the edited files joined by ", ".
    """

    turn: int
    signature: str
    form: str
    failure: str
    how: str
    what: str
    at: int


def find_fixes(work: Sequence[tuple[int, WorkRow]]) -> list[Fix]:
    """The fixes in a session's work.

    Args:
        work: (turn, row) in the session's order.
    """
    found = []
    for start, (_, row) in enumerate(work):
        if row.kind == "command" and row.failed and row.command:
            fix = _fix_of(start, work)
            if fix is not None:
                found.append(fix)
    return found


def _fix_of(start: int, work: Sequence[tuple[int, WorkRow]]) -> Fix | None:
    failed = work[start][1]
    form = command_form(failed.command)
    name = program(failed.command)
    edited: list[str] = []
    helped = ""
    commands = 0
    for turn, later in work[start + 1 : start + 1 + REACH]:
        if later.kind == "edit":
            if later.path and later.path not in edited:
                edited.append(later.path)
            continue
        if later.kind != "command":
            continue
        commands += 1
        same = command_form(later.command) == form
        if later.failed or (later.exit is None and not same):
            if same and later.signature == failed.signature:
                return None  # the later one has its own chance
            continue
        if same and edited:
            return _fix(turn, failed, form, "edit", ", ".join(edited[-MOST_FILES:]), later.at)
        if same:
            return _fix(turn, failed, form, "command", helped, later.at) if helped else None
        if program(later.command) == name and commands <= SOON and not edited:
            return _fix(turn, failed, form, "form", later.command, later.at)
        if later.exit == 0:
            helped = later.command
    return None


def _fix(turn: int, failed: WorkRow, form: str, how: str, what: str, at: int) -> Fix | None:
    if how != "edit" and is_irreversible(what):
        return None
    return Fix(turn, failed.signature, form, failed.failure, how, what[:400], at)
