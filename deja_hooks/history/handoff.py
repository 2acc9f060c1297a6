"""The hand-over: a prompt with which a new session goes on where an earlier one stopped.

It has the parts of a compaction packet, gathered by the same code; but what was compacted goes on by itself, while
this is the first that a new session hears: it says whose words these are, when they were said, and how it ended.
A long request is told by its sentences that say what to do; nothing is shortened to make room: what doesn't fit goes
as a whole, and how much went is said.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.history.gathered import gathered, opening_sentence
from deja_hooks.memory.marks_read import is_rejected
from deja_hooks.recall.fence import fence, one_line
from deja_hooks.recall.fitting import command_line, joined, quoted, shortened
from deja_hooks.recall.quote import day, sentences, short_id
from deja_hooks.recall.scope import is_live

if TYPE_CHECKING:
    from collections.abc import Sequence

    from deja_hooks.memory.layout import Layout
    from deja_hooks.memory.read import Memory, Session, Turn
    from deja_hooks.recall.capture import Capture

__all__ = ["BUDGET", "Handoff", "handoff_of", "last_session"]

#: Characters of the whole prompt, at most.
BUDGET = 6_000
#: Characters of one item; of the first and last request, which may take several lines; of all files, and of one.
_ITEM = 400
_OBJECTIVE = 1_200
_LAST_ASKED = 800
_FILES = 900
_PATH = 200
#: Of the number of things left out.
_DIGITS = 9
#: Sessions of a project that are looked at for one that can be handed over.
_RECENT = 50
_HOSTS = {"cli": "Copilot CLI", "vscode": "VS Code Copilot Chat"}
#: The fence's look-alike of what Copilot CLI would take for a file to attach (seen in 1.0.102: not within a word).
_ATTACHING = re.compile(r"(?<![A-Za-z0-9])@(?=\S)")
_NO_MARK = "\uff20"


class Handoff(NamedTuple):
    """A hand-over.

    Attributes:
        prompt: for the new session; "" where nothing was said in the earlier one.
        left_out: how many things were left out for room.
    """

    prompt: str
    left_out: int


class _Item(NamedTuple):
    """A line, and where it stands."""

    section: int
    place: int
    line: str


def last_session(memory: Memory, layout: Layout, project: int, now_ms: int) -> Session | None:
    """The project's last session that can be handed over; None where there is none.

    Not one with a turn in progress (who asks may sit in it), none that the user rejected or another session began,
    and none in which nothing was asked.

    Args:
        project: its row id.
        now_ms: epoch ms.
    """
    for session in memory.recent_sessions(project, _RECENT):
        own = session.turns and not session.nested and not is_rejected(memory, session.sid)
        if own and not is_live(layout, session.sid, now_ms):
            return session
    return None


def handoff_of(memory: Memory, session: Session, project: str, nonce: str) -> Handoff:
    """The hand-over of a session.

    Args:
        project: its name.
        nonce: of the fence; recalled text can't know it.
    """
    whole = gathered(memory, session)
    if not whole.prompts:
        return Handoff("", 0)
    opening = opening_sentence(session.sid)
    room = BUDGET - len(opening) - 2
    title = f"hand-over of session {short_id(session.sid)}"
    frame = len(fence(["-"], title, nonce, room)) - 1
    lines, left_out = _fitted(_first(memory, session, project, whole), whole, session, room - frame)
    text = fence([_ATTACHING.sub(_NO_MARK, line) for line in lines], title, nonce, room)
    return Handoff(f"{opening}\n\n{text}", left_out)


# -- what is always told


def _first(memory: Memory, session: Session, project: str, whole: Capture) -> list[str]:
    """What the session was, what was asked first and last, and how it ended."""
    lines = [_about(session, project)]
    rules = set(whole.rules)
    asked = whole.prompts[0]
    lines += quoted(_dated("Objective", whole.at[asked]), one_line(shortened(asked, rules, _OBJECTIVE), _OBJECTIVE))
    asked = whole.prompts[-1]
    if len(whole.prompts) > 1:
        lead = _dated("Last asked", whole.at[asked])
        lines += quoted(lead, one_line(shortened(asked, rules, _LAST_ASKED), _LAST_ASKED))
    return lines + [f"- {_dated('State', turn.at)}: {_state(turn)}" for turn in memory.turns(session.id, 1)]


def _about(session: Session, project: str) -> str:
    days = list(dict.fromkeys(day(at) for at in (session.started, session.updated) if at))
    facts = [
        f'"{one_line(session.title, 200)}"' if session.title else "untitled",
        _HOSTS.get(session.host, one_line(session.host, 40)),
        f"project {one_line(project, 80)}" if project != "-" else "no project",
        f"branch {one_line(session.branch, 60)}" if session.branch else "",
        " to ".join(days),
        f"{session.turns} turn{'' if session.turns == 1 else 's'}",
    ]
    return f"- Session: {', '.join(filter(None, facts))}{_citation(session)}"


def _citation(session: Session) -> str:
    return f" [deja-hooks show {short_id(session.sid)}]"


def _state(turn: Turn) -> str:
    """How the last turn ended, in the words of its answer."""
    if not turn.ended:
        return "the last request was in progress, or never answered, when this was read"
    told = ""
    for sentence in reversed(sentences(turn.assistant)):
        if told and len(sentence) + len(told) >= _ITEM:
            break
        told = f"{sentence} {told}".rstrip()
    return (
        f'the last answer ends: "{one_line(told, _ITEM)}"' if told else "the last request has an answer without words"
    )


# -- what is told as far as there is room

#: Sections in the order of telling.
_RULES, _OPEN, _DECIDED, _COMMANDS, _EARLIER = range(5)


def _items(whole: Capture) -> list[_Item]:
    """The items by weight: the latest of each kind, then the latest but one of each, and so on."""
    kinds = (
        _items_of(_RULES, "Standing instruction", whole.rules, whole),
        _items_of(_OPEN, "Open", whole.open, whole),
        _items_of(_DECIDED, "Decided", whole.decided, whole),
        _commands(whole, failed=True),
        _items_of(_EARLIER, "Earlier asked", whole.prompts[1:-1], whole),
        _commands(whole, failed=False),
    )
    turns = zip_longest(*(reversed(items) for items in kinds))
    return [item for items in turns for item in items if item is not None]


def _items_of(section: int, lead: str, texts: Sequence[str], whole: Capture) -> list[_Item]:
    return [
        _Item(section, place, f'- {_dated(lead, whole.at[text])}: "{one_line(text, _ITEM)}"')
        for place, text in enumerate(texts)
    ]


def _commands(whole: Capture, *, failed: bool) -> list[_Item]:
    lead = "Command"
    return [
        _Item(_COMMANDS, place, f"- {_dated(lead, whole.at[command])} {command_line(whole, command, 200, 200)}")
        for place, command in enumerate(whole.commands)
        if (command in whole.failures) == failed
    ]


def _dated(lead: str, at: int) -> str:
    return f"{lead} ({day(at)})" if at else lead


def _fitted(first: list[str], whole: Capture, session: Session, room: int) -> tuple[list[str], int]:
    """The lines that fit, in the order of telling, and how many items don't."""
    paths = [one_line(path, _PATH) for path in whole.files]
    files = joined("- Files changed: ", _last_within(paths, _FILES))
    left_out = len(paths) - len(_last_within(paths, _FILES))
    note = f"- Left out for room: {{}}{_citation(session)}"
    room -= sum(len(line) + 1 for line in [*first, *files, note]) + _DIGITS
    kept: list[_Item] = []
    for item in _items(whole):
        if len(item.line) + 1 <= room:
            room -= len(item.line) + 1
            kept.append(item)
        else:
            left_out += 1
    lines = [*first, *(item.line for item in sorted(kept)), *files]
    return [*lines, note.format(f"{left_out:,}")] if left_out else lines, left_out


def _last_within(names: list[str], room: int) -> list[str]:
    """As many of the last of them as fit with commas between them."""
    for place in range(len(names) - 1, -1, -1):
        room -= len(names[place]) + 2
        if room < 0:
            return names[place + 1 :]
    return names
