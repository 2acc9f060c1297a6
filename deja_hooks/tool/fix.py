"""Mode `fix`: what made an error stay away, as after a failure: this project's first, as surely as it is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from deja_hooks.failures.irreversible import is_irreversible
from deja_hooks.failures.line import failure_key, named_failure
from deja_hooks.recall.after_tool import known_fixes
from deja_hooks.recall.fence import one_line
from deja_hooks.recall.quote import day, short_id
from deja_hooks.recall.thresholds import FIX_BUDGET
from deja_hooks.tool.results import Fix
from deja_hooks.tool.told import Told

if TYPE_CHECKING:
    from deja_hooks.recall.after_tool import KnownFix
    from deja_hooks.tool.question import Question

__all__ = ["fix"]

_MOST = 3


def fix(question: Question, error: str, command: str) -> Told | str:
    """What ended that error, the likeliest first; or why nothing is told."""
    line = named_failure(error, failed=True)
    key = failure_key(line)
    if not key:
        return "That is an error that everyone meets: what ended it once says nothing of this one."
    known = [each for each in known_fixes(question, question.known, line, key) if _may_be_told(question, each)]
    if not known:
        hint = "" if command else " With `command`, the command that failed, more can be found."
        return f"No fix of this error is known here.{hint}"
    items = [([each.line()], _fix(each)) for each in known[:_MOST]]
    return Told("a failure met before", [], items, FIX_BUDGET, "{count} more worked, too.", len(known[_MOST:]))


def _may_be_told(question: Question, each: KnownFix) -> bool:
    """Not what can't be taken back (the indexer keeps none; what counts as such may have changed since)."""
    return question.visible(each.fix.turn) and (each.fix.how == "edit" or not is_irreversible(each.fix.what))


def _fix(each: KnownFix) -> Fix:
    found = each.fix
    return Fix(
        session=short_id(each.session.sid),
        date=day(found.at),
        failed=one_line(found.form, 90),
        failure=one_line(found.failure, 110),
        how=cast('Literal["form", "command", "edit"]', found.how),
        what=one_line(found.what, 120),
        evidence=each.sure,
        another_project=each.elsewhere,
        reason=one_line(each.reason, 160),
    )
