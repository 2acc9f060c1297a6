"""A session as a whole, with all that the memory has of it: what `show` and `export` print."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.history.copied import copied_parts
from deja_hooks.history.listing import project_name
from deja_hooks.history.presence import missing
from deja_hooks.history.spending import session_spending
from deja_hooks.memory.marks_read import mark_of
from deja_hooks.memory.schema import TURN_BITS

if TYPE_CHECKING:
    from deja_hooks.history.copied import Part
    from deja_hooks.history.spent import Spent
    from deja_hooks.memory.marks_read import SessionMark
    from deja_hooks.memory.read import Memory, Session

__all__ = ["Done", "Whole", "WholeTurn", "whole_session"]

_WORK = "turn, kind, at, tool, path, command, exit, failure, old, new"


class Done(NamedTuple):
    """A piece of work; the fields are those of the table `work` (see `schema`)."""

    kind: str
    at: int
    tool: str
    path: str
    command: str
    exit: int | None
    failure: str
    old: str
    new: str


class WholeTurn(NamedTuple):
    """A turn: when (epoch ms), whether it has its answer, what was said, done, and read or named."""

    at: int
    ended: bool
    user: str
    assistant: str
    work: list[Done]
    files: list[str]


class Whole(NamedTuple):
    """A session with all that hangs on it.

    Attributes:
        session: its row.
        project: the name of its project; "-" for none.
        turns: in order.
        spent: what it took.
        copied: where the beginning is that a fork was copied with.
        changed: files that the host says were changed and that no edit of a turn names.
        mark: what the user decided about it.
        gone: no file of it is on the disk any more.
    """

    session: Session
    project: str
    turns: list[WholeTurn]
    spent: Spent
    copied: list[Part]
    changed: list[str]
    mark: SessionMark | None
    gone: bool


def whole_session(memory: Memory, session: Session) -> Whole:
    """All that the memory has of a session."""
    db = memory.db
    within = (session.id << TURN_BITS, (session.id + 1) << TURN_BITS)
    work: defaultdict[int, list[Done]] = defaultdict(list)
    for turn, *values in db.execute(f"SELECT {_WORK} FROM work WHERE turn>=? AND turn<? ORDER BY id", within):
        work[turn].append(Done(*values))
    files: defaultdict[int, list[str]] = defaultdict(list)
    for turn, path in db.execute("SELECT turn, path FROM file WHERE turn>=? AND turn<? ORDER BY turn, path", within):
        files[turn].append(path)
    turns = [
        WholeTurn(each.at, bool(each.ended), each.user, each.assistant, work[each.id], files[each.id])
        for each in memory.turns(session.id)
    ]
    edited = {done.path for each in turns for done in each.work if done.kind == "edit"}
    changed = db.execute("SELECT path FROM changed WHERE session=? ORDER BY path", (session.id,))
    row = db.execute("SELECT key, label FROM project WHERE id=?", (session.project,)).fetchone()
    return Whole(
        session,
        project_name(*row) if row else "-",
        turns,
        session_spending(db, session.id),
        copied_parts(memory, session),
        [path for (path,) in changed if path not in edited],
        mark_of(memory, session.sid),
        bool(session.gone) or bool(missing(db, session.id)),
    )
