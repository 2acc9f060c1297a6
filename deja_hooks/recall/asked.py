"""What a text asks about: its informative words, and what a memory knows of each.

Each word reads a bounded number of the postings of its projects, the latest first, so the cost doesn't grow with the
history.
"""

from deja_hooks.memory.schema import DECIDED, SPOKEN, TURN_BITS, WORKED
from deja_hooks.memory.stopwords import TALK_WORDS, TRADE_WORDS
from deja_hooks.memory.terms import Word, words
from deja_hooks.recall.thresholds import (
    MOST_WORDS,
    NAME_WEIGHT,
    NEAR_WEIGHT,
    POSTING_BUDGET,
    PROMPT_WINDOW,
    RARE_SESSIONS,
    RARE_SHARE,
    SETTLED_SESSIONS,
    UNKNOWN_WEIGHT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["Known", "Term", "cut", "focus", "idf", "informative", "look_up", "spend", "that_count"]

_EVERYDAY = TRADE_WORDS | TALK_WORDS
#: A term of so few turns takes part whatever the budget.
_ALWAYS = 40
#: Shortest word that may be a misspelt one.
_LEAST_MISSPELT = 5


class Term:
    """One informative word of the text, and what the projects know of it.

    Attributes:
        word: as read.
        key: as the index has it.
        identifier: a name, or two neighbouring words that are one name here (`retry budget` → `retry_budget`).
        sentence: place of its sentence in the text.
        turns: row ids of the turns that have it, as far as looked; sessions: those of their sessions.
        spoken: whether someone said it.
        rare: whether few enough sessions have it to identify one; of a name, whether few enough settled it.
        settled: the sessions that settled a name that too many others speak of.
        common: whether more turns have it than are read.
        late: it takes no part in finding sessions, only where their texts are read.
        near: what was looked up in its place, a word being unknown.
        weight: its inverse document frequency, in bits.
    """

    __slots__ = (
        "common", "identifier", "key", "late", "near", "rare", "sentence", "sessions", "settled", "spoken", "turns",
        "weight", "word",
    )  # fmt: skip

    def __init__(self, word: Word, key: str, identifier: bool, sentence: int = 0) -> None:
        self.word = word
        self.key = key
        self.identifier = identifier
        self.sentence = sentence
        self.turns: list[int] = []
        self.sessions: set[int] = set()
        self.settled: set[int] = set()
        self.spoken = False
        self.rare = False
        self.common = False
        self.late = False
        self.near: tuple[str, ...] = ()
        self.weight = 0.0

    def leads_to(self, session: int) -> bool:
        """Whether it is evidence for a session: rare and spoken; of a name that many speak of, that settled it."""
        return self.rare and self.spoken and (not self.settled or session in self.settled)

    @property
    def joined(self) -> bool:
        """Whether two plain words are taken for one name."""
        return self.identifier and not self.word.identifier


class Known:
    """What there is to look in: projects by row id, sessions and turns in all, postings read for one term.

    `near`: whether unknown words may be misspelt ones.
    """

    __slots__ = ("count", "exclude", "limit", "near", "projects", "turns")

    def __init__(
        self, projects: "list[int]", count: int, turns: int, exclude: "set[int]", limit: int, *, near: bool
    ) -> None:
        self.projects = projects
        self.count = count
        self.turns = turns
        self.exclude = exclude
        self.limit = limit
        self.near = near


def cut(text: str) -> "list[str]":
    """The text's sentences, roughly: cut at line ends and after full stops."""
    for mark in ("! ", "? ", ". "):
        text = text.replace(mark, "\n")
    return text.split("\n")


def informative(text: str, *, trade: bool = False) -> "list[Term]":
    """The words of a text that may identify something, identifiers first.

    Args:
        trade: keep the everyday words of the trade and of talk too (a search may be about them).
    """
    if len(text) > 2 * PROMPT_WINDOW:
        text = text[:PROMPT_WINDOW] + "\n" + text[-PROMPT_WINDOW:]
    names: list[Term] = []
    plain: list[Term] = []
    seen: set[str] = set()
    for number, sentence in enumerate(cut(text)):
        read = [word for word in words(sentence) if word.text not in seen]
        seen.update([word.text for word in read])
        for word in read:
            names += [Term(word, name, True, number) for name in word.names]
        for place, word in enumerate(read):
            if not word.identifier:
                names += _joined(read, place, number, trade)
                plain += [Term(word, t, False, number) for t in word.terms if trade or not _everyday(word, t)]
    # What stands beside a name says whether the name is meant, wherever in a long text it stands.
    named = {t.sentence for t in names if not t.joined}
    plain.sort(key=lambda t: t.sentence not in named)
    names.sort(key=lambda t: t.joined)
    return names[:MOST_WORDS] + plain[:MOST_WORDS]


def _joined(read: "list[Word]", place: int, sentence: int, trade: bool) -> "list[Term]":
    """The name that a word may be together with the next one."""
    word, following = read[place], read[place + 1] if place + 1 < len(read) else None
    if following is None or following.identifier or not len(word.terms) == len(following.terms) == 1:
        return []
    joined = (word.text + following.text).lower()
    if not joined.isascii() or not joined.isalpha():
        return []
    if not trade and _everyday(word, word.terms[0]) and _everyday(following, following.terms[0]):
        return []
    return [Term(word, joined, True, sentence)]


def _everyday(word: Word, term: str) -> bool:
    """Whether a word, or what its stem was made from, is one of every session (the lists aren't stemmed: 0.5 ms)."""
    if term in _EVERYDAY or term + "e" in _EVERYDAY or word.text.lower() in _EVERYDAY:
        return True
    return term.endswith("i") and term[:-1] + "y" in _EVERYDAY


def that_count(terms: "list[Term]") -> "list[Term]":
    """The terms without those that say nothing by being unknown.

    A pair of words that is no name here says nothing, nor does one name of a word (`a.b`) of which another is
    known. An identifier or word that is unknown altogether stays: it lowers the confidence.
    """
    known = {id(t.word) for t in terms if t.identifier and t.sessions}
    first: set[int] = set()
    kept = []
    for term in terms:
        if not term.sessions and not term.common and term.identifier:
            if term.joined or id(term.word) in known or id(term.word) in first:
                continue
            first.add(id(term.word))
        kept.append(term)
    return kept


def focus(terms: "list[Term]") -> "list[Term]":
    """The terms of the sentences that hold a rare name, where one does; else all.

    A long prompt about something else may name what was settled here in passing: the rest would drown it.
    """
    rare = [t for t in terms if t.identifier and t.rare and t.spoken]
    named = {t.sentence for t in rare if not t.joined} or {t.sentence for t in rare}
    return [t for t in terms if t.sentence in named] if named else terms


def look_up(memory: "Memory", term: Term, known: Known) -> None:
    """Finds the turns that have a term, and what it weighs."""
    limit, exclude = known.limit, known.exclude
    turns = memory.postings_of_all(SPOKEN, known.projects, term.key, limit)
    if not turns and known.near and not term.identifier and len(term.key) >= _LEAST_MISSPELT and term.key.isalpha():
        from deja_hooks.recall.slips import near_words  # searches alone forgive misspelling

        term.near, turns = near_words(memory, term.word.text.lower(), term.key, known.projects[0], limit)
    term.spoken = bool(turns)
    if not turns and not term.joined:
        turns = memory.postings_of_all(WORKED, known.projects, term.key, limit)
    term.common = len(turns) >= limit
    term.turns = [t for t in turns if t >> TURN_BITS not in exclude] if exclude else turns
    term.sessions = {t >> TURN_BITS for t in term.turns}
    found = len(term.sessions)
    term.rare = not term.near and not term.common and 0 < found <= max(RARE_SESSIONS, RARE_SHARE * known.count)
    if term.identifier and not term.joined and term.spoken and found and not term.rare and not term.common:
        decided = memory.postings_of_all(DECIDED, known.projects, term.key, limit)
        settled = {t >> TURN_BITS for t in decided} - exclude
        if len(settled) <= max(SETTLED_SESSIONS, RARE_SHARE * known.count):
            term.settled, term.rare = settled, bool(settled)
    term.weight = _weight(term, known) * (NAME_WEIGHT if term.identifier else NEAR_WEIGHT if term.near else 1.0)


def spend(terms: "list[Term]") -> None:
    """Takes the rarest terms until the budget is spent; the others only count where a turn is read."""
    left = POSTING_BUDGET
    for term in sorted(terms, key=lambda t: len(t.turns)):
        left -= len(term.turns)
        term.late = term.common or (left < 0 and len(term.turns) > _ALWAYS)
    if all(t.late or not t.turns for t in terms):
        for term in terms:
            term.late = False


def _weight(term: Term, known: Known) -> float:
    """The mean of its rarity among sessions and among turns."""
    found, turns = len(term.sessions), len(term.turns)
    if not found:
        return UNKNOWN_WEIGHT * idf(0, known.count)
    if term.common:
        # Only its latest turns were read: how many there are follows from how far back they reach.
        latest, oldest, first = max(term.turns), min(term.turns), 1 << TURN_BITS
        whole = (latest - first + 1) / max(1, latest - oldest + 1)
        found, turns = min(known.count, round(found * whole)), min(known.turns, round(turns * whole))
    return 0.5 * (idf(found, known.count) + idf(turns, known.turns))


def idf(found: int, count: int) -> float:
    """How much a term says that so many of so many have, in bits."""
    return _log1p((max(0.0, count - found) + 0.5) / (found + 0.5))


def _log1p(x: float) -> float:
    """log2(1 + x) for x >= 0, without `math` (a shared library of its own on some builds)."""
    x += 1.0
    whole = 0
    while x >= 2.0:
        x /= 2.0
        whole += 1
    # x in [1, 2): log2(x) within 0.009 by its chord through three points.
    y = x - 1.0
    return whole + y * (1.3465 - 0.3465 * y)
