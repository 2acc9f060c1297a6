"""A session as a Markdown document, for someone who wasn't there."""

import difflib
from collections.abc import Mapping
from typing import TYPE_CHECKING

from deja_hooks.cli.chosen import GONE, copied_text
from deja_hooks.cli.markdown import code, escaped, fenced
from deja_hooks.cli.output import iso_time, number_of

if TYPE_CHECKING:
    from deja_hooks.history.spent import Spent
    from deja_hooks.history.whole import Done, Whole, WholeTurn

__all__ = ["markdown_document"]

_HOSTS = {"cli": "GitHub Copilot CLI", "vscode": "VS Code Copilot Chat"}
#: Measure → what one of it is called, and several.
_UNITS = {
    "rounds": ("round", "rounds"),
    "input": ("token in", "tokens in"),
    "cached": ("of them cached", "of them cached"),
    "output": ("out", "out"),
    "credits": ("credit", "credits"),
}


def markdown_document(whole: "Whole", redacted: Mapping[str, int], span_limit: int) -> str:
    """The session's title, what is known of it, and its turns with all that was said and done.

    Args:
        whole: the session.
        redacted: kind of secret → how many were removed.
        span_limit: characters at which the memory cuts a side of an edit.
    """
    parts = [f"# {escaped(whole.session.title) or 'Untitled session'}", "\n".join(_about(whole, redacted))]
    for number, turn in enumerate(whole.turns, 1):
        parts += _turn(number, turn, span_limit)
    if whole.changed:
        parts.append("Also changed, says the host: " + ", ".join(map(code, whole.changed)))
    return "\n\n".join(parts) + "\n"


def _about(whole: "Whole", redacted: Mapping[str, int]) -> list[str]:
    session = whole.session
    host = _HOSTS.get(session.host, session.host) + (f" {session.version}" if session.version else "")
    facts = {
        "Host": escaped(host),
        "Session": code(session.sid),
        "Project": escaped(whole.project),
        "Branch": code(session.branch) if session.branch else "",
        "Started": iso_time(session.started) or "unknown",
        "Last active": iso_time(session.updated) or "unknown",
        "Turns": f"{session.turns:,}",
        "Usage": _usage(whole.spent),
        "Status": _status(whole),
        "Redacted": _redacted(redacted),
    }
    return [f"- {name}: {fact}" for name, fact in facts.items() if fact]


def _usage(spent: "Spent") -> str:
    told = []
    for field in _UNITS:
        value = getattr(spent, field)
        if value is not None:
            told.append(f"{'at least ' if field in spent.bounds else ''}{value:,} {_unit(field, value)}")
    if told and spent.input is None and spent.output is None:
        told.append("tokens not recorded")
    return ", ".join(told) or "not recorded"


def _unit(field: str, value: float) -> str:
    one, several = _UNITS[field]
    return one if value == 1 else several


def _status(whole: "Whole") -> str:
    session = whole.session
    marks = ["archived"] if session.archived else []
    marks += [GONE] if whole.gone else []
    marks += ["shortened for want of room"] if session.trimmed else []
    if session.forked_from:
        marks.append(f"forked from {code(session.forked_from)}{copied_text(session.forked_from, whole.copied, code)}")
    return ", ".join(marks)


def _redacted(redacted: Mapping[str, int]) -> str:
    if not redacted:
        return "nothing that looks like a secret was found"
    kinds = ", ".join(f"{count:,} {escaped(kind)}" for kind, count in redacted.items())
    return f"{number_of(sum(redacted.values()), 'secret')} removed before it was stored ({kinds})"


def _turn(number: int, turn: "WholeTurn", span_limit: int) -> list[str]:
    parts = [f"## {number}. {iso_time(turn.at) or 'Time unknown'}"]
    parts += ["**User**", fenced(turn.user)] if turn.user else ["*No prompt: the agent ran by itself.*"]
    parts += ["**Assistant**", fenced(turn.assistant)] if turn.assistant else []
    for work in turn.work:
        parts += _work(work, span_limit)
    if turn.files:
        parts.append("Read or named: " + ", ".join(map(code, turn.files)))
    if not turn.ended:
        parts.append("*In progress, or never answered, when it was last read.*")
    return parts


def _work(work: "Done", span_limit: int) -> list[str]:
    if work.kind == "command":
        end = "" if work.exit is None else f", exit status {work.exit}"
        failure = [f"Failed: {code(work.failure)}"] if work.failure else []
        return [f"**Command**{end}", fenced(work.command, "sh"), *failure]
    if work.kind == "edit":
        cut = span_limit and max(len(work.old), len(work.new)) >= span_limit
        note = f" (each side is kept up to {span_limit:,} characters)" if cut else ""
        return [f"**Edit** of {code(work.path)}{note}", *_difference(work.old, work.new)]
    what = [code(each) for each in (work.tool, work.command or work.path) if each]
    why = f": {code(work.failure)}" if work.failure else ""
    return [f"**{escaped(work.kind).capitalize()}**" + (f" of {', '.join(what)}" if what else "") + why]


def _difference(old: str, new: str) -> list[str]:
    """Both sides in one block, all lines of them; nothing where the host told neither."""
    if not old and not new:
        return []
    before, after = old.splitlines(), new.splitlines()
    lines = list(difflib.unified_diff(before, after, lineterm="", n=len(before) + len(after)))
    return [fenced("\n".join(lines[3:] or [f" {line}" for line in before]), "diff")]
