"""What stands, once the log of marks has been read to its end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.marks.model import Forgotten, Mark, note_sid

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Decisions", "Span", "decide"]


class Span(NamedTuple):
    """All sessions up to a moment, as `forget --project` and `forget --since` name them.

    Attributes:
        projects: keys of their projects; none given: of any.
        since: epoch ms; they were active at some time from then on. None: whenever they were.
        until: epoch ms.
    """

    projects: tuple[str, ...]
    since: int | None
    until: int

    def holds(self, key: str, started: int, times: Iterable[int]) -> bool:
        """Whether a session of that project is one of them.

        Args:
            started: epoch ms; 0 unknown. times: of its turns and its last record; 0 unknown.
        """
        if self.projects and key not in self.projects:
            return False
        if self.since is not None:
            return any(self.since <= each <= self.until for each in (started, *times))
        return (started or min((each for each in times if each), default=0)) <= self.until


class Decisions(NamedTuple):
    """What the user has decided.

    Attributes:
        notes: what is to be remembered, in the order said; those of forgotten sessions are left out.
        standing: session id → its promotion or rejection, the last one.
        forgotten: session id → what is known of it.
        spans: more sessions that are forgotten.
    """

    notes: tuple[Mark, ...]
    standing: dict[str, Mark]
    forgotten: dict[str, Forgotten]
    spans: tuple[Span, ...]

    def forgets(self, sid: str, key: str, started: int, times: Sequence[int]) -> bool:
        """Whether a session is forgotten (see `Span.holds`)."""
        return sid in self.forgotten or any(span.holds(key, started, times) for span in self.spans)


def decide(log: Iterable[Mark]) -> Decisions:
    """What stands after these marks."""
    marks = list(log)
    undone = {mark.undoes for mark in marks if mark.kind == "undo"}
    forgets = [mark for mark in marks if mark.kind == "forget"]  # nothing takes one back
    forgotten = {each.sid: each for mark in forgets for each in mark.sessions}
    spans = tuple(Span(mark.projects, mark.since, mark.at) for mark in forgets if mark.rule)
    decided = Decisions((), {}, forgotten, spans)
    standing = {
        mark.session: mark
        for mark in marks
        if mark.kind in ("promote", "reject") and mark.id not in undone and mark.session not in forgotten
    }
    notes = [mark for mark in marks if mark.kind == "remember" and mark.id not in undone and mark.text]
    kept = [n for n in notes if not decided.forgets(note_sid(n), n.projects[0] if n.projects else "", n.at, ())]
    return decided._replace(notes=tuple(kept), standing=standing)
