"""What made a failure stay away: read off the order of a session's work.

A failed command, and later in the same session one of

- the *same form* that works, after edits or after another command → that is the fix;
- *another form of the same command* (the same program on the same things) that works soon after → that form is the fix.

Only an exit status of 0 is evidence that something worked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.failures.command_form import command_form, proven_forms
from deja_hooks.failures.irreversible import is_irreversible
from deja_hooks.failures.other_form import is_other_form

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
    failures = [i for i, (_, row) in enumerate(work) if row.kind == "command" and row.failed and row.command]
    if not failures:
        return []
    forms = [command_form(row.command) if row.kind == "command" else "" for _, row in work]
    found = [_fix_of(start, work, forms) for start in failures]
    return [fix for fix in found if fix is not None]


def _fix_of(start: int, work: Sequence[tuple[int, WorkRow]], forms: list[str]) -> Fix | None:
    failed, form = work[start][1], forms[start]
    edited: dict[str, None] = {}
    helped = ""
    commands = 0
    for i in range(start + 1, min(len(work), start + 1 + REACH)):
        turn, later = work[i]
        if later.kind == "edit":
            edited[later.path] = None
            continue
        if later.kind != "command":
            continue
        commands += 1
        if later.exit != 0 or later.failed:
            if forms[i] == form and later.failed and later.signature == failed.signature:
                return None  # the later one has its own chance
            continue  # how it ended is not known: no evidence
        same = forms[i] == form or (form in forms[i] and form in proven_forms(later.command))
        if same and edited:
            return _fix(turn, failed, form, "edit", ", ".join([p for p in edited if p][-MOST_FILES:]), later.at)
        if same:
            return _fix(turn, failed, form, "command", helped, later.at) if helped else None
        if commands <= SOON and not edited and is_other_form(failed.command, later.command):
            return _fix(turn, failed, form, "form", later.command, later.at)
        helped = later.command
    return None


def _fix(turn: int, failed: WorkRow, form: str, how: str, what: str, at: int) -> Fix | None:
    if not what or (how != "edit" and is_irreversible(what)):
        return None
    return Fix(turn, failed.signature, form, failed.failure, how, what[:400], at)
