"""What made a failure stay away: read off the order of a session's work.

A failed command, and later in the same session one of

- the *same form* that works, after edits or after another command → that is the fix;
- *another form of the same command* (the same program on the same things) that works soon after → that form is the fix.

Only an exit status of 0 is evidence that something worked, and only if the same failure isn't met again later in the
session. Of the commands in between only one that can have changed something counts (`helping`), never one that looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.failures.command_form import command_form, proven_forms
from deja_hooks.failures.helping import changes_something, helpfulness, only_looks
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
_NO_PROGRAM = ("command not found", ": not found", "operable program or batch file.")
#: Characters of a command that is named beside edited files.
_SHORT = 80


class Fix(NamedTuple):
    """What made a failure stay away.

    Attributes:
        turn: the turn (as the caller numbers them) in which it worked.
        how: "form" (another form of the same program worked), "edit" (the same command worked after edits),
            "command" (the same command worked after another one, say an installation) or "vain" (that one was tried,
            and the same failure was met again).
        what: that other command line, or the edited files joined by ", " (with ", then `COMMAND`" where one followed).
    """

    turn: int
    signature: str
    form: str
    failure: str
    how: str
    what: str
    at: int


def find_fixes(work: Sequence[tuple[int, WorkRow]]) -> list[Fix]:
    """The fixes in a session's work, and what was tried in vain.

    Args:
        work: (turn, row) in the session's order.
    """
    failures = [i for i, (_, row) in enumerate(work) if _is_failure(row)]
    if not failures:
        return []
    forms = [command_form(row.command) if row.kind == "command" else "" for _, row in work]
    found = [_fix_of(start, work, forms) for start in failures]
    return [fix for fix in found if fix is not None]


def _is_failure(row: WorkRow) -> bool:
    """Whether it is a command that failed (one that compares or searches says with its status what it found)."""
    return row.kind == "command" and row.failed and bool(row.command) and not only_looks(row.command)


class _Tried:
    """What was done since a failure: files edited, commands that can have helped."""

    def __init__(self) -> None:
        self.files: dict[str, None] = {}
        self.commands: list[str] = []

    def __bool__(self) -> bool:
        return bool(self.files or self.commands)

    def likeliest(self, failure: str) -> tuple[str, int]:
        """The command that is likeliest to have helped (of equals the last), and how likely it is."""
        best, most = "", -1
        for command in self.commands:
            likely = helpfulness(command, failure)
            if likely >= most:
                best, most = command, likely
        return best, most


def _fix_of(start: int, work: Sequence[tuple[int, WorkRow]], forms: list[str]) -> Fix | None:
    failed, form = work[start][1], forms[start]
    tried = _Tried()
    gone: _Tried | None = None
    commands = 0
    for i in range(start + 1, min(len(work), start + 1 + REACH)):
        turn, later = work[i]
        if later.kind == "edit":
            tried.files[later.path] = None
            continue
        if later.kind != "command":
            continue
        commands += 1
        if later.exit != 0 or later.failed:
            if forms[i] == form and later.failed and gone is None:
                if later.signature == failed.signature:
                    return _vain(turn, failed, form, tried, later.at)  # the later one has its own chance
                if tried and later.signature and failed.signature:
                    gone, tried = tried, _Tried()  # another error: what was done until now took this one away
            continue  # how it ended is not known, or something else failed: no evidence
        same = forms[i] == form or (form in forms[i] and form in proven_forms(later.command))
        if same:
            if _comes_back(i, failed, form, work, forms):
                return None
            if gone is None and not tried and _folder(later.command) and not _folder(failed.command):
                return _fix(turn, failed, form, "form", later.command, later.at)
            return _what_helped(turn, failed, form, gone or tried, later.at)
        if commands <= SOON and not tried.files and gone is None and is_other_form(failed.command, later.command):
            return _fix(turn, failed, form, "form", later.command, later.at)
        if changes_something(later.command):
            tried.commands.append(later.command)
    return None


def _folder(command: str) -> str:
    """The folder below the working one that a command line goes to first (`cd web && …`)."""
    head, both, _ = command.partition("&&")
    words = head.split()
    inner = (
        bool(both) and len(words) == 2 and words[0] == "cd" and words[1][0] not in "/~.$\\-\"'" and ":" not in words[1]
    )
    return words[1] if inner else ""


def _comes_back(worked: int, failed: WorkRow, form: str, work: Sequence[tuple[int, WorkRow]], forms: list[str]) -> bool:
    """Whether the same failure of the same command is met again later in the session: then it did not stay away."""
    for i in range(worked + 1, min(len(work), worked + 1 + REACH)):
        later = work[i][1]
        if forms[i] == form and later.failed and later.signature == failed.signature:
            return True
    return False


def _what_helped(turn: int, failed: WorkRow, form: str, tried: _Tried, at: int) -> Fix | None:
    command, likely = tried.likeliest(failed.failure)
    if not tried.files or failed.failure.rstrip().endswith(_NO_PROGRAM):  # no edit brings a program
        return _fix(turn, failed, form, "command", command, at)
    if likely > 1 and not is_irreversible(command):
        return _fix(turn, failed, form, "command", command, at)  # it names what the failure names
    code = [path for path in tried.files if path and not path.endswith((".md", ".txt", ".rst"))]
    files = code or [path for path in tried.files if path]
    if likely == 1 and not is_irreversible(command) and len(command) <= _SHORT:
        return _fix(turn, failed, form, "edit", f"{', '.join(files[-MOST_FILES:])}, then `{command}`", at)
    return _fix(turn, failed, form, "edit", ", ".join(files[-MOST_FILES:]), at)


def _vain(turn: int, failed: WorkRow, form: str, tried: _Tried, at: int) -> Fix | None:
    """A command after which the same failure was met again: it counts against that command."""
    command, likely = tried.likeliest(failed.failure)
    if not failed.signature or likely < 1 or tried.files:
        return None
    return _fix(turn, failed, form, "vain", command, at)


def _fix(turn: int, failed: WorkRow, form: str, how: str, what: str, at: int) -> Fix | None:
    if not what or (how != "edit" and is_irreversible(what)):
        return None
    return Fix(turn, failed.signature, form, failed.failure, how, what[:400], at)
