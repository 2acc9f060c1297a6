"""What stands of a thing that several sessions spoke of: the latest word, and what it said before that."""

from deja_hooks.recall.overturned import overturns, says_the_same
from deja_hooks.recall.passages import Passage
from deja_hooks.recall.quote import item, marked

__all__ = ["Standing", "same"]


class Standing:
    """What stands of a thing, and what was found of it before that.

    Attributes:
        mark: what the user decided about its session (kind and note), or None.
    """

    __slots__ = ("before", "mark", "stands")

    def __init__(self, stands: Passage) -> None:
        self.stands = stands
        self.before: list[Passage] = []
        self.mark: tuple[str, str] | None = None

    def add(self, passage: Passage) -> None:
        if passage.name != self.stands.name:
            self.before.append(passage)

    def is_before(self, other: Passage) -> bool:
        """Whether what stands was said earlier (row ids tell that within a session alone)."""
        mine = self.stands
        return mine.turn < other.turn if mine.sid == other.sid else mine.at < other.at

    def give_way(self, later: Passage) -> None:
        """Takes what overturns the one that stood."""
        self.before.insert(0, self.stands)
        self.stands = later

    def names(self) -> "list[str]":
        """The memories that it tells."""
        return [self.stands.name, *[each.name for each in self.before]]

    @property
    def overturned(self) -> "Passage | None":
        """The earlier word that said something else; None where there is none."""
        for each in self.before:
            if not says_the_same(self.stands.subject, each.subject):
                return each
        return None

    def line(self) -> str:
        """The latest word, which one it overturned, and that the user has promoted it."""
        stands, each = self.stands, self.overturned
        line = item(stands.lead, stands.at, stands.text, stands.sid)
        if each is not None:
            line = f"{line} (overturns {item(each.lead, each.at, each.text, each.sid, 160)[2:]})"
        return marked(line, self.mark)


def same(found: "list[Standing]", stands: Passage) -> Standing:
    """The one about the same thing, whoever said it; made where there is none. Of two decisions the later leads."""
    for each in found:
        other = each.stands
        if stands.name == other.name or says_the_same(stands.subject, other.subject):
            return each
        if each.is_before(stands) and overturns(stands.kind, stands.subject, other.kind, other.subject):
            each.give_way(stands)
            return each
        if stands.at < other.at and overturns(other.kind, other.subject, stands.kind, stands.subject):
            return each
    found.append(Standing(stands))
    return found[-1]
