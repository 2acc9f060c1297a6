"""Which sessions may be recalled at all, by whom."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.ask import Ask
from deja_hooks.recall.thresholds import LIVE_MS
from deja_hooks.system import file_stat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout
    from deja_hooks.memory.read import Memory, Session

#: The stamp may have been renewed by another hook since this one looked at the clock, in ms.
_AHEAD_MS = 60_000

__all__ = ["Allowed", "excluded_sessions", "in_progress", "is_hidden", "is_live"]


def excluded_sessions(ask: Ask, memory: "Memory") -> "set[int]":
    """Row ids of the asking session, of those it belongs to, and of their forks: what it said itself is no memory."""
    own = [memory.session_of(sid) for sid in ask.own_sessions()]
    found = [session for session in own if session is not None]
    for session in found:  # grows: a fork may have forks
        known = {each.id for each in found}
        found += [fork for fork in memory.forks_of(session.sid) if fork.id not in known]
    return {session.id for session in found}


def in_progress(ask: Ask, session: "Session") -> bool:
    """Whether a turn of that session is going on: a prompt seen, no end since, and not long ago."""
    return is_live(ask.layout, session.sid, ask.now_ms)


def is_live(layout: "Layout", sid: str, now_ms: int) -> bool:
    """`in_progress` by the host's id, for who is no hook."""
    status = file_stat(layout.live(sid))
    return status is not None and -_AHEAD_MS <= now_ms - int(status.st_mtime * 1000) < LIVE_MS


def is_hidden(ask: Ask, session: "Session", turn: int) -> bool:
    """Whether a turn may not be quoted.

    The last one of a session that is still going on is no settled thing; and what the asking session was forked
    with stands in it already.
    """
    place = turn & (1 << TURN_BITS) - 1
    if place == session.places - 1 and in_progress(ask, session):
        return True
    return place < ask.copied_turns().get(session.sid, 0)


class Allowed:
    """Which turns may be recalled: not the asking session's own, none in progress, none that the user rejected."""

    __slots__ = ("_ask", "_exclude", "_memory", "_sessions")

    def __init__(self, ask: Ask, memory: "Memory") -> None:
        self._ask = ask
        self._memory = memory
        self._exclude = excluded_sessions(ask, memory)
        self._sessions: dict[int, Session | None] = {}

    def __call__(self, turn: int) -> bool:
        """Whether the turn of this row id may be recalled."""
        number = turn >> TURN_BITS
        if number in self._exclude:
            return False
        if number not in self._sessions:
            rejected = self._memory.marks_of([number]).get(number, ("", ""))[0] == "reject"
            self._sessions[number] = None if rejected else self._memory.session(number)
        session = self._sessions[number]
        return session is not None and not is_hidden(self._ask, session, turn)
