"""When two decisions are about the same thing: the later one stands.

A sentence's subject is what it names: its identifiers, else its telling words. Two decisions share their subject
where each names most of what the other does. Whether the later one says the same again can be told by its numbers and
its other words; whether it overturns the earlier one, by a value, a word that both have, or a word of change.
"""

from deja_hooks.memory.schema import DECIDED, TURN_BITS
from deja_hooks.memory.stopwords import TRADE_STEMS
from deja_hooks.memory.terms import chunks, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.memory.read import Memory
    from deja_hooks.recall.asked import Term
    from deja_hooks.recall.passages import Passage

__all__ = ["SETTLING_KINDS", "Subject", "latest_word", "overturns", "same_subject", "says_the_same"]

#: Kinds of notes of which the latest word on a thing stands; of those after the first two, where it gives a value.
SETTLING_KINDS = ("decision", "rule", "cause", "fixed")
_DECIDED_KINDS = SETTLING_KINDS[:2]
#: Later turns that are looked at.
_MOST_LATER = 6
#: Names of a sentence by which they are looked up: one that shares `_SHARE` of five has one of three.
_MOST_LEADS = 3

#: Stems of words that decide, whatever is decided (stems as they are: making them costs a hook half a millisecond).
_DECIDING = TRADE_STEMS | frozenset(
    """
actu agre alwai anymor becaus choos chos chosen decid decision drop final going keep kept longer never rather replac
settl sinc stick switch therefor
""".split()
)
#: Words of a sentence that says that something is no more as it was.
_CHANGES = (
    "instead", "no longer", "any more", "anymore", "switch", "replac", "rather than", "drop", "revert", "back to",
    "changed", "move away", "after all",
)  # fmt: skip
#: Share of all names, or of the shorter sentence's plain words where there is no name, that both must have.
_SHARE = 0.6
#: Share of all plain words from which on two sentences say the same.
_SAME_SHARE = 0.7
#: Plain words that make a subject.
_LEAST = 2


class Subject:
    """What a sentence is about: the names in it (`retry_budget`, not a product's), its telling words, its numbers."""

    __slots__ = ("changes", "names", "numbers", "terms")

    def __init__(self, text: str) -> None:
        lower = text.lower()
        self.changes = any(word in lower for word in _CHANGES)
        self.names: set[str] = set()
        self.terms: set[str] = set()
        self.numbers = {chunk.strip("._-") for chunk in chunks(text) if chunk[0].isdigit()}
        for word in words(text):
            if not word.identifier:
                self.terms.update(term for term in word.terms if term not in _DECIDING)
            elif word.text[0].isupper() and word.text.isalpha():
                self.terms.add(word.names[0])  # `PostgreSQL`: what was chosen, rather than for what
            elif word.text not in self.numbers:
                self.names.add(word.names[0])

    def may_share(self, text: str) -> bool:
        """Whether a text may be about the same thing: cheap, and never a false no."""
        if not self.names:
            return True
        plain = "".join([c for c in text.lower() if c.isalnum()])
        return any(name in plain for name in self.names)


def same_subject(one: Subject, other: Subject) -> bool:
    """Whether two sentences decide about the same thing."""
    if one.names and other.names:
        shared = one.names & other.names
        return bool(shared) and len(shared) >= _SHARE * max(len(one.names), len(other.names))
    if one.names or other.names:
        return False
    shared = one.terms & other.terms
    return len(shared) >= max(_LEAST, _SHARE * min(len(one.terms), len(other.terms)))


def says_the_same(one: Subject, other: Subject) -> bool:
    """Whether two sentences about the same thing say the same: the same numbers, and nearly the same words."""
    if one.numbers != other.numbers or one.names != other.names:
        return False
    every = one.terms | other.terms
    return len(one.terms & other.terms) >= _SAME_SHARE * len(every)


def overturns(kind: str, subject: Subject, earlier_kind: str, earlier: Subject) -> bool:
    """Whether a later sentence takes the place of an earlier one: both are about the same thing.

    A decision overturns a decision, a rule a rule. Sentences of different kinds, and findings, are about the same thing
    only where they share a name, and the later one says how much: `retry_budget` may have had two troubles, but has
    one value.
    """
    if kind == earlier_kind and kind in _DECIDED_KINDS:
        return same_subject(earlier, subject) and _is_same_matter(subject, earlier)
    if kind not in SETTLING_KINDS or earlier_kind not in SETTLING_KINDS:
        return False
    if not subject.numbers or not (subject.names and earlier.names):
        return False
    return (bool(earlier.numbers) or earlier_kind == "cause") and same_subject(earlier, subject)


def _is_same_matter(later: Subject, earlier: Subject) -> bool:
    """Whether two sentences with the same names settle the same of them: `gateway_token` can be logged in JSON and
    kept out of the URL."""
    if not later.names or later.changes or (later.numbers and earlier.numbers):
        return True
    return later.terms == earlier.terms or bool(later.terms & earlier.terms)


def latest_word(
    memory: "Memory", project: int, passage: "Passage", terms: "list[Term]", allowed: "Callable[[int], bool]"
) -> "tuple[int, str, str] | None":
    """The latest word about the same thing as a passage's: turn, kind and sentence; None where it stands.

    Args:
        project: row id.
        terms: those that the passage was found by; the rarest of them that it has leads to the later decisions where
            it names nothing itself.
        allowed: whether a turn may be quoted.
    """
    if passage.kind not in SETTLING_KINDS:
        return None
    subject = passage.subject
    for key in _leads(subject, terms):
        others = memory.postings(DECIDED, project, key, 4 * _MOST_LATER)
        for turn in [t for t in _later(memory, others, passage) if allowed(t)][:_MOST_LATER]:
            for kind, text in reversed(memory.notes(turn)):
                if subject.may_share(text) and overturns(kind, Subject(text), passage.kind, subject):
                    return turn, kind, text
    return None


def _leads(subject: Subject, terms: "list[Term]") -> "list[str]":
    """The terms one of which a later sentence about the same thing has: names where there are any.

    The question's own words may stand in the older sentence alone (`which cache?`, of one that no longer is).
    """
    if subject.names:
        return sorted(subject.names)[:_MOST_LEADS]
    rare = sorted((t for t in terms if t.rare), key=lambda t: len(t.turns))
    return [t.key for t in [*[t for t in rare if t.key in subject.terms], *rare][:1]]


def _later(memory: "Memory", turns: "list[int]", passage: "Passage") -> "list[int]":
    """Those of the turns that were after a passage's, the latest first.

    Row ids tell that within a session alone: an old session may have been read late.
    """
    found = []
    for turn, at in memory.times_of(turns).items():
        same = turn >> TURN_BITS == passage.turn >> TURN_BITS
        if turn > passage.turn if same or not at else at > passage.at:
            found.append((at or passage.at, turn))
    return [turn for _, turn in sorted(found, reverse=True)]
