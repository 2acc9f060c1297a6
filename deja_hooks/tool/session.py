"""Mode `session`: one session with what it settled, or the turns around one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.history.listing import project_name
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.fence import one_line
from deja_hooks.recall.quote import day, short_id, told_as
from deja_hooks.recall.scope import excluded_sessions
from deja_hooks.recall.thresholds import ITEM_LIMIT, SESSION_BUDGET
from deja_hooks.tool.arguments import Unusable
from deja_hooks.tool.results import Reason, Session, Turn
from deja_hooks.tool.told import Told

if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory
    from deja_hooks.memory.read import Session as Row
    from deja_hooks.memory.read import Turn as TurnRow
    from deja_hooks.tool.question import Question

__all__ = ["SessionTold", "chosen_session", "session"]

#: Turns before and after the one that was asked for.
_AROUND = 2
#: Sentences that say what the session settled; characters of one.
_SETTLED, _SETTLED_QUOTE = 6, 240
#: Characters of a turn where many are shown, and those of them that the prompt may take.
_LEAST, _ASKED_SHARE = 260, 0.35
#: Characters of what a turn did.
_DID = 200
_MOST_NAMED = 5


class SessionTold(NamedTuple):
    """The session as a whole, and what is told of it."""

    about: Session
    told: Told


def chosen_session(question: Question, sid: str) -> Row:
    """The one session whose id begins so, in any case of its letters.

    Raises:
        Unusable: none does, or several.
    """
    memory = question.known
    exact = memory.session_of(sid)
    found = [exact] if exact is not None else memory.sessions_like(sid, _MOST_NAMED + 1)
    found = found or memory.sessions_like(sid.lower(), _MOST_NAMED + 1)
    if not found:
        raise Unusable("`session`: no session has an id that begins so; mode search names ids.")
    if len(found) > 1:
        found = [each for each in found if not question.why_hidden(each)] or found[:1]
    if len(found) > 1:
        ids = ", ".join(one_line(each.sid, 40) for each in found[:_MOST_NAMED])
        raise Unusable(f"`session`: several sessions have an id that begins so; give more of one of {ids}.")
    return found[0]


def session(question: Question, row: Row, turn: int) -> SessionTold | str:
    """The session's turns from the first on, or those around one of them; or why none is told.

    Args:
        turn: a turn's number, from 1; 0 for the whole session.

    Raises:
        Unusable: there is no such turn.
    """
    if turn > row.places:
        raise Unusable(f"`turn`: that session has {row.places}; give one from 1 to {row.places}.")
    about = _about(question, row, whole=not turn)
    first, last = (max(1, turn - _AROUND), min(row.places, turn + _AROUND)) if turn else (1, row.places)
    room = SESSION_BUDGET - 900 - sum(len(each.text) for each in about.settled)
    last = min(last, first + room // _LEAST - 1)
    each = min(2 * ITEM_LIMIT, room // max(1, last - first + 1)) - 60
    if row.id in excluded_sessions(question, question.known):
        return "That session is the one that asks, or was forked with it: what it said is no memory."
    items = []
    for number in range(first, last + 1):
        found = question.known.turn(row.id << TURN_BITS | number - 1)
        if found is not None and question.visible(found.id):
            shown = _turn(question.known, found, number, each, found.at or row.updated)
            items.append((_lines(shown), shown))
    if not items:
        return "Nothing of that can be told: the turn is still in progress."
    head = [_heading(about), *_settled_lines(about)]
    hint = "{count} turns left off: `turn` shows one with those around it."
    left = 0 if turn else row.places - last
    return SessionTold(about, Told(f"session {about.session}", head, items, SESSION_BUDGET, hint, left))


def _about(question: Question, row: Row, *, whole: bool) -> Session:
    memory = question.known
    notes = memory.session_notes(row.id, 4 * _SETTLED) if whole else []
    settled = {
        text: Reason(kind=told_as(kind, row), text=one_line(text, _SETTLED_QUOTE))
        for turn, kind, text in notes
        if question.visible(turn)
    }
    project = memory.db.execute("SELECT key, label FROM project WHERE id=?", (row.project,)).fetchone()
    return Session(
        session=short_id(row.sid),
        host=row.host,
        project=one_line(project_name(*project), 80),
        branch=one_line(row.branch, 80),
        title=one_line(row.title, 120),
        date=day(row.updated),
        turns=row.places,
        settled=list(settled.values())[:_SETTLED],
    )


def _heading(about: Session) -> str:
    turns = f"{about.turns} turn{'s' if about.turns > 1 else ''}"
    where = ", ".join(filter(None, (about.host, about.project, about.branch and f"branch {about.branch}", turns)))
    return f'- {about.date} "{about.title}" ({where}) [deja-hooks show {about.session}]'


def _settled_lines(about: Session) -> list[str]:
    return [f'- {each.kind}: "{each.text}"' for each in about.settled]


def _turn(memory: Memory, turn: TurnRow, number: int, room: int, at: int) -> Turn:
    asked = one_line(turn.user, min(ITEM_LIMIT - 60, max(80, int(room * _ASKED_SHARE)))) if turn.user else ""
    answered = one_line(turn.assistant, max(80, min(ITEM_LIMIT - 60, room - len(asked)))) if turn.assistant else ""
    return Turn(turn=number, date=day(at), asked=asked, answered=answered, did=_did(memory, turn.id))


def _lines(turn: Turn) -> list[str]:
    lead = f"- turn {turn.turn}, {turn.date}"
    parts = [f'asked: "{turn.asked}"' if turn.asked else "no prompt: the agent ran by itself"]
    parts += [f'answered: "{turn.answered}"'] if turn.answered else []
    parts += [f"did: {turn.did}"] if turn.did else []
    return [f"{lead} {part}" for part in parts]


def _did(memory: Memory, turn: int) -> str:
    """The files that a turn edited, and the commands that it ran, with how they ended."""
    rows = memory.db.execute("SELECT kind, path, command, exit, failure FROM work WHERE turn=? ORDER BY id", (turn,))
    edited: dict[str, None] = {}
    ran = []
    for kind, path, command, status, failure in rows:
        if kind == "edit":
            edited[path] = None
        elif kind == "command":
            end = "" if status is None else f" (exit {status}{': ' + one_line(failure, 80) if failure else ''})"
            ran.append(f"`{one_line(command, 80)}`{end}")
    parts = [f"edited {', '.join(edited)}"] if edited else []
    parts += [f"ran {', '.join(ran)}"] if ran else []
    return one_line("; ".join(parts), _DID)
