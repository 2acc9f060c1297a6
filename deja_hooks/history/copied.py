"""Where the copied beginning of a forked chat is stored: a fork of a fork has it in parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory, Session

__all__ = ["Part", "copied_parts"]


class Part(NamedTuple):
    """Requests of a fork that are stored with another session.

    Attributes:
        sid: of that session.
        first, last: the requests, numbered from 1.
    """

    sid: str
    first: int
    last: int


def copied_parts(memory: Memory, session: Session) -> list[Part]:
    """The parts of a session's copied beginning, in order; none where it is no fork.

    Of the sessions that it goes back to, one that is a fork itself holds only what came after its own beginning.
    """
    parts: list[Part] = []
    sid, last, seen = session.forked_from, session.skipped, {session.sid}
    while last > 0 and sid not in seen:
        seen.add(sid)
        each = memory.session_of(sid)
        goes_back = each is not None and each.forked_from and each.forked_from not in seen
        before = min(each.skipped, last) if each is not None and goes_back else 0
        if before < last:
            parts.append(Part(sid, before + 1, last))
        sid, last = each.forked_from if each is not None else "", before
    return parts[::-1]
