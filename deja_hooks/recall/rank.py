"""Which sessions of a project a text is about: one ranking, for hooks and search alike.

Each of the text's terms reads at most a bounded number of its project's postings, so the cost doesn't grow
with the history. A session is found by its best turn (all rare terms together), by the turns around it and as
a whole (how many of its turns speak of it): the sum of BM25 over both was the best of what was tried.
"""

from deja_hooks.memory.schema import DECIDED, SPOKEN, TURN_BITS, WORKED
from deja_hooks.memory.stopwords import TRADE_WORDS
from deja_hooks.memory.terms import Word, stem, words
from deja_hooks.recall.thresholds import (
    COMMON_WEIGHT,
    MOST_WORDS,
    NAME_WEIGHT,
    PROMPT_WINDOW,
    RARE_SESSIONS,
    RARE_SHARE,
    UNKNOWN_WEIGHT,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory, Project

__all__ = ["Candidate", "Ranking", "Term", "informative", "rank"]

_TRADE_STEMS = frozenset(stem(w) for w in TRADE_WORDS)
#: BM25's saturation of a term's count within a session.
_K1 = 1.2
#: Shares of a session's score: its best turn, the whole session, what was decided.
_TURN_SHARE = 1.0
_SESSION_SHARE = 0.6
_DECIDED_SHARE = 0.5
_NEIGHBOUR_SHARE = 0.3
#: A word that stands only in work (a file name, a command) counts less than a spoken one.
_WORK_SHARE = 0.5


class Term:
    """One informative word of the text, and what the project knows of it.

    Attributes:
        word: as read.
        identifier: a name, or two neighbouring words that are one name here (`retry budget` → `retry_budget`).
        sessions: row ids of the sessions that have it, as far as looked.
        spoken: whether someone said it.
        rare: whether few enough sessions have it to identify one.
        weight: its inverse document frequency; next to nothing where it is common.
    """

    __slots__ = ("common", "identifier", "key", "rare", "sessions", "spoken", "turns", "weight", "word")

    def __init__(self, word: Word, key: str, identifier: bool) -> None:
        self.word = word
        self.key = key
        self.identifier = identifier
        self.turns: list[int] = []
        self.sessions: set[int] = set()
        self.spoken = False
        self.rare = False
        self.common = False
        self.weight = 0.0


class Candidate:
    """A session that the text may be about.

    Attributes:
        session: row id.
        score: comparable within one ranking.
        turn: row id of its best turn.
        terms: the terms it has.
        coverage: their share of the text's informative weight, 0 to 1.
    """

    __slots__ = ("coverage", "score", "session", "terms", "turn")

    def __init__(self, session: int, score: float, turn: int, terms: "list[Term]", coverage: float) -> None:
        self.session = session
        self.score = score
        self.turn = turn
        self.terms = terms
        self.coverage = coverage


class Ranking:
    """The candidates, the best first, and the terms that were looked up."""

    __slots__ = ("candidates", "terms")

    def __init__(self, candidates: "list[Candidate]", terms: "list[Term]") -> None:
        self.candidates = candidates
        self.terms = terms


def informative(text: str, *, trade: bool = False) -> "list[Term]":
    """The words of a text that may identify something, identifiers first.

    Args:
        trade: keep the everyday words of the trade too (a search may be about them).
    """
    if len(text) > 2 * PROMPT_WINDOW:
        text = text[:PROMPT_WINDOW] + "\n" + text[-PROMPT_WINDOW:]
    found: list[Term] = []
    read = words(text)
    for word in read:
        found.extend(Term(word, name, True) for name in word.names)
    for place, word in enumerate(read):
        if word.identifier:
            continue
        following = read[place + 1] if place + 1 < len(read) else None
        if following is not None and not following.identifier and len(word.terms) == len(following.terms) == 1:
            joined = (word.text + following.text).lower()
            everyday = word.terms[0] in _TRADE_STEMS and following.terms[0] in _TRADE_STEMS
            if joined.isascii() and joined.isalpha() and (trade or not everyday):
                found.append(Term(word, joined, True))
        found.extend(Term(word, term, False) for term in word.terms if trade or term not in _TRADE_STEMS)
    plain = [t for t in found if not t.identifier]
    names = [t for t in found if t.identifier]
    return names[:MOST_WORDS] + plain[:MOST_WORDS]


def rank(memory: "Memory", projects: "list[Project]", terms: "list[Term]", limit: int, exclude: "set[int]") -> Ranking:
    """The projects' sessions by how much they are about these terms.

    Args:
        memory: `memory.read.Memory`.
        projects: to look in; rarity is counted over all of them.
        terms: from `informative`.
        limit: postings read for one term and project.
        exclude: row ids of sessions that don't count (the asking one).
    """
    count = max(1, sum(p.sessions for p in projects) - len(exclude))
    places = [p.id for p in projects]
    for term in terms:
        _look_up(memory, places, term, limit, exclude, count)
    known = _that_count(terms)
    decided = _decided_turns(memory, places, known, limit)
    return Ranking(_score(known, decided), known)


def _that_count(terms: "list[Term]") -> "list[Term]":
    """The terms without those that say nothing by being unknown.

    A pair of words that is no name here says nothing, nor does one name of a word (`a.b`) of which another is
    known. An identifier or word that is unknown altogether stays: it lowers the coverage.
    """
    known = {id(t.word) for t in terms if t.identifier and t.sessions}
    first: set[int] = set()
    kept = []
    for term in terms:
        if not term.sessions and not term.common and term.identifier:
            if not term.word.identifier or id(term.word) in known or id(term.word) in first:
                continue
            first.add(id(term.word))
        kept.append(term)
    return kept


def _look_up(memory: "Memory", projects: "list[int]", term: Term, limit: int, exclude: "set[int]", count: int) -> None:
    turns = _postings(memory, SPOKEN, projects, term, limit)
    term.spoken = bool(turns)
    if not turns:
        turns = _postings(memory, WORKED, projects, term, limit)
    term.common = len(turns) >= limit * len(projects)
    term.turns = [t for t in turns if t >> TURN_BITS not in exclude] if exclude else turns
    term.sessions = {t >> TURN_BITS for t in term.turns}
    found = len(term.sessions)
    term.rare = 0 < found <= max(RARE_SESSIONS, RARE_SHARE * count) and not term.common
    if not found:
        term.weight = UNKNOWN_WEIGHT * _log1p(count + 0.5)
    elif term.common:
        term.weight = COMMON_WEIGHT
    else:
        term.weight = _log1p((max(0.0, count - found) + 0.5) / (found + 0.5))
    if term.identifier:
        term.weight *= NAME_WEIGHT


def _postings(memory: "Memory", prefix: str, projects: "list[int]", term: Term, limit: int) -> "list[int]":
    found: list[int] = []
    for project in projects:
        found += memory.postings(prefix, project, term.key, limit)
    return found


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


def _decided_turns(memory: "Memory", projects: "list[int]", terms: "list[Term]", limit: int) -> "set[int]":
    """Turns in which a sentence with one of the rare terms was noted as decided, found, fixed …"""
    found: set[int] = set()
    for term in terms:
        if term.rare and term.spoken:
            found.update(_postings(memory, DECIDED, projects, term, limit))
    return found


def _score(terms: "list[Term]", decided: "set[int]") -> "list[Candidate]":
    turn_scores: dict[int, float] = {}
    session_scores: dict[int, float] = {}
    session_terms: dict[int, list[Term]] = {}
    for term in terms:
        if not term.sessions or not term.weight:
            continue
        weight = term.weight if term.spoken else term.weight * _WORK_SHARE
        counts: dict[int, int] = {}
        for turn in term.turns:
            turn_scores[turn] = turn_scores.get(turn, 0.0) + weight
            session = turn >> TURN_BITS
            counts[session] = counts.get(session, 0) + 1
        for session, times in counts.items():
            session_scores[session] = session_scores.get(session, 0.0) + weight * times * (_K1 + 1) / (times + _K1)
            session_terms.setdefault(session, []).append(term)
    total = sum(t.weight for t in terms if not (t.identifier and not t.word.identifier)) or 1.0
    best = _best_turns(turn_scores, decided)
    found = []
    for session, whole in session_scores.items():
        turn, score = best[session]
        covered = min(1.0, sum(t.weight for t in session_terms[session]) / total)
        found.append(
            Candidate(session, _TURN_SHARE * score + _SESSION_SHARE * whole, turn, session_terms[session], covered)
        )
    found.sort(key=lambda c: (-c.score, -c.session))
    return found


def _best_turns(scores: "dict[int, float]", decided: "set[int]") -> "dict[int, tuple[int, float]]":
    """Each session's best turn and its score, with what its neighbours and its decisions add."""
    best: dict[int, tuple[int, float]] = {}
    for turn, score in scores.items():
        session = turn >> TURN_BITS
        around = 0.0
        for other in (turn - 1, turn + 1):
            if other >> TURN_BITS == session:
                around += scores.get(other, 0.0)
        total = score + _NEIGHBOUR_SHARE * around + (_DECIDED_SHARE * score if turn in decided else 0.0)
        known = best.get(session)
        if known is None or total > known[1] or (total == known[1] and turn > known[0]):
            best[session] = (turn, total)
    return best
