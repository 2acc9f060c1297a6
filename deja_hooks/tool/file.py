"""Mode `file`: who changed a file, and why; then what was decided about it elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.history.changes import changed_in, known_paths
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import normal_path, project_root, relative_path
from deja_hooks.recall.before_tool import ORDER, names, turns_about
from deja_hooks.recall.fence import one_line
from deja_hooks.recall.naming import excerpt
from deja_hooks.recall.purpose import reason_for, telling_lines
from deja_hooks.recall.quote import day, short_id, told_as
from deja_hooks.recall.thresholds import FILE_BUDGET
from deja_hooks.tool.arguments import Unusable
from deja_hooks.tool.results import Change, Reason
from deja_hooks.tool.told import Told

if TYPE_CHECKING:
    from deja_hooks.memory.read import Session
    from deja_hooks.tool.question import Question

__all__ = ["file"]

#: Sessions that are told; of each, reasons; characters of one.
_MOST, _REASONS, _QUOTE = 8, 2, 180
_TITLE, _MOST_PATHS = 70, 5


def file(question: Question, path: str) -> Told | str:
    """The sessions that changed the file, the latest first; or why nothing is told.

    Raises:
        Unusable: several files have that name.
    """
    project = question.known.project(question.project_key)
    if project is None:
        return "There is no history of this project."
    found, known = _one_path(question, project.id, path)
    items = []
    told: set[int] = set()
    for number, turns in changed_in(question.known, project.id, found).items():
        session = question.known.session(number)
        seen = [turn for turn in turns if question.visible(turn)]
        if session is None or question.why_hidden(session) or (turns and not seen):
            continue
        told.update(seen)
        change = _change(session, seen, _reasons(question, session, found, seen), edited=True)
        items.append(([_line(change)], change))
    items += [([_line(change)], change) for change in _decided(question, project.id, found, known, told)]
    if not items:
        return "No session of this project is known to have changed that file, or to have decided anything about it."
    title = f"{one_line(found, 80)} in {question.place.label}"
    return Told(title, [], items[:_MOST], FILE_BUDGET, "{count} more, earlier ones.", len(items[_MOST:]))


def _one_path(question: Question, project: int, path: str) -> tuple[str, bool]:
    """The file's path as the project knows it, and whether any session is known to have touched it."""
    root = project_root(question.place.folder)
    plain = path.replace("\\", "/") if path[1:2] != ":" else path
    sought = relative_path(path, root) if path[:1] in ("/", "\\") or path[1:2] == ":" else normal_path(plain)
    found = known_paths(question.known, project, sought.removeprefix("./"), _MOST_PATHS + 1)
    if len(found) > 1:
        named = ", ".join(one_line(each, 100) for each in found[:_MOST_PATHS])
        raise Unusable(f"`file`: several files have a path that ends so; give one of {named}.")
    return (found[0], True) if found else (sought, False)


def _reasons(question: Question, session: Session, path: str, turns: list[int]) -> list[Reason]:
    """Why those turns changed the file, the last of them first; where nobody said it, what had been asked."""
    found: dict[str, Reason] = {}
    asked: dict[str, Reason] = {}
    for turn in reversed(turns):
        for kind, text in _said_why(question, path, turn):
            found.setdefault(text, _reason(told_as(kind, session), text, path))
        known = question.known.turn(turn)
        if known is not None and known.user:
            asked.setdefault(known.user, _reason("asked", known.user, path))
    return list(found.values() or asked.values())[:_REASONS]


def _said_why(question: Question, path: str, turn: int) -> list[tuple[str, str]]:
    """The turn's own notes that name the file, else the reason for the lines that it put in, else its notes."""
    memory, base = question.known, path.rpartition("/")[2]
    notes = sorted(((k, t) for k, t in memory.notes(turn) if k in ORDER), key=lambda each: ORDER[each[0]])
    naming = [(kind, text) for kind, text in notes if base in text]
    if naming:
        return naming
    rows = memory.db.execute("SELECT old, new FROM work WHERE turn=? AND path=? AND kind='edit'", (turn, path))
    lines = {line for old, new in rows.fetchall() for line in telling_lines(new) - telling_lines(old)}
    reason = reason_for(memory, turn, path, lines)
    return [(reason.kind, reason.text)] if reason is not None else notes


def _decided(question: Question, project: int, path: str, known: bool, told: set[int]) -> list[Change]:
    """What was decided about the file in turns that didn't change it, the latest first."""
    found: list[Change] = []
    if path[:1] in ("/", "\\") or path[1:2] == ":":
        return found  # a file elsewhere: a name of this project means one of this project
    for turn in turns_about(question.known, project, path.rpartition("/")[2]):
        session = question.known.session(turn >> TURN_BITS)
        if session is None or turn in told or not question.visible(turn):
            continue
        notes = [(k, t) for k, t in question.known.notes(turn) if ORDER.get(k, 9) <= ORDER["failed"]]
        about = [_reason(told_as(k, session), t, path) for k, t in notes if _is_about(question, turn, t, path, known)]
        if about:
            found.append(_change(session, [turn], about[:_REASONS], edited=False))
    return found


def _is_about(question: Question, turn: int, text: str, path: str, known: bool) -> bool:
    """Whether a note names the file; one that was asked for by its bare name, and is not known, in any folder."""
    folder, _, base = path.rpartition("/")
    if names(question.known, turn, text, "file", base, path):
        return True
    before, found, after = text.partition("/" + base)
    return not known and not folder and "." in base and bool(before and found) and not after[:1].isalnum()


def _reason(kind: str, text: str, path: str) -> Reason:
    return Reason(kind=kind, text=one_line(excerpt(text, path.rpartition("/")[2], _QUOTE // 2), _QUOTE))


def _change(session: Session, turns: list[int], reasons: list[Reason], *, edited: bool) -> Change:
    return Change(
        session=short_id(session.sid),
        host=session.host,
        date=day(session.updated),
        branch=one_line(session.branch, 60),
        title=one_line(session.title, _TITLE),
        edited=edited,
        turns=[(turn & (1 << TURN_BITS) - 1) + 1 for turn in turns],
        reasons=reasons,
    )


def _line(change: Change) -> str:
    """One session: `- 2026-11-30 edited in turns 2, 5 of "Title" (cli, main); decided: "…" [deja-hooks show ID]`."""
    numbers = ", ".join(map(str, change.turns[-6:]))
    turns = f"turn{'s' if len(change.turns) > 1 else ''} {numbers} of " if numbers else ""
    where = ", ".join(filter(None, (change.host, change.branch)))
    why = "".join(f'; {each.kind}: "{each.text}"' for each in change.reasons)
    verb = "edited in" if change.edited else "spoken of in"
    return f'- {change.date} {verb} {turns}"{change.title}" ({where}){why} [deja-hooks show {change.session}]'
