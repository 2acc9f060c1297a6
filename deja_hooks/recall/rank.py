"""Which sessions of a project a text is about: one ranking, for hooks and search alike.

A session is found by its best turn with the turns around it, by its best sentence, as a whole (how often its turns
speak of it) and by the day that is asked about. The index finds the sessions that may be meant; of the first of them
the best turns are read. Each part earns its place: without it, LoCoMo's hit@1 (78.4) falls by one to three points.
"""

from deja_hooks.memory.schema import DECIDED, TURN_BITS
from deja_hooks.recall.asked import Known, Term, focus, idf, look_up, spend, that_count
from deja_hooks.recall.closer import Reading, Wanted, read_turn, turn_score
from deja_hooks.recall.thresholds import (
    DATE_WEIGHT,
    DECIDED_SHARE,
    MOST_POSTINGS,
    NEIGHBOUR_SHARE,
    POSTINGS,
    PROMOTED,
    SENTENCE_SHARE,
    SESSION_SHARE,
    TURN_SHARE,
    WORK_SHARE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory, Project
    from deja_hooks.recall.dates import Span

__all__ = ["Candidate", "Ranking", "Reach", "Term", "rank"]

#: BM25's saturation of a term's count within a session.
_K = 1.2
#: Sessions of a project from which the usual number of turns is taken, and projects that are looked at for it.
_SAMPLE, _SAMPLED_PROJECTS = 40, 3
_DAY = 86_400_000
#: Longest span of days that tells sessions apart; days after it that count too, and how much.
_LONGEST_SPAN = 62
_TAIL, _TAIL_SHARE = 7, 0.5


class Reach:
    """How far a ranking looks.

    Attributes:
        postings: read for one term.
        sessions, turns: whose texts are read, and of each how many.
        likely: sessions that are scored in full, and given back at most.
        near: whether unknown words may be misspelt ones, where one project alone is looked in.
        evidence: a hook's, which is silent without a rare term: what holds a rare name is what is looked for, and texts
            are read only where one was spoken.
    """

    __slots__ = ("evidence", "likely", "near", "postings", "sessions", "turns")

    def __init__(
        self, postings: int, sessions: int, turns: int, *, likely: int, near: bool = False, evidence: bool = False
    ) -> None:
        self.postings = postings
        self.sessions = sessions
        self.turns = turns
        self.likely = likely
        self.near = near
        self.evidence = evidence


class Candidate:
    """A session that the text may be about.

    Attributes:
        session: row id.
        score: comparable within one ranking.
        turn: row id of its best turn.
        terms: the terms it has.
        mark, note: what the user decided about it ("promote", "reject", ""), and why.
        within: places of the terms that its best turn has.
        around: score of each of its turns, with what its neighbours and its decisions add.
        counts: how many turns have a term, by the term's place.
        dated: what the day that is asked about adds.
    """

    __slots__ = ("around", "counts", "dated", "mark", "note", "score", "session", "terms", "turn", "within")

    def __init__(self, session: int, around: "dict[int, float]", counts: "dict[int, int]", dated: float) -> None:
        self.session = session
        self.around = around
        self.counts = counts
        self.dated = dated
        self.score = 0.0
        self.turn = max(around, key=lambda t: (around[t], t), default=session << TURN_BITS)
        self.terms: list[Term] = []
        self.mark = self.note = ""
        self.within: frozenset[int] = frozenset()


class Ranking:
    """The candidates, the best first; the terms that were looked up, and in how many sessions."""

    __slots__ = ("candidates", "count", "terms")

    def __init__(self, candidates: "list[Candidate]", terms: "list[Term]", count: int) -> None:
        self.candidates = candidates
        self.terms = terms
        self.count = count


def rank(
    memory: "Memory",
    projects: "list[Project]",
    terms: "list[Term]",
    reach: Reach,
    exclude: "set[int]",
    asked: "list[Span] | None" = None,
) -> Ranking:
    """The projects' sessions by how much they are about these terms; at most `reach.likely`.

    Args:
        memory: `memory.read.Memory`.
        projects: to look in; rarity is counted over all of them.
        terms: from `asked.informative`.
        exclude: row ids of sessions that don't count (the asking one).
        asked: dates that the text asks about.
    """
    known = _known(memory, projects, reach, exclude, len(terms))
    for term in terms:
        look_up(memory, term, known)
    terms = focus(that_count(terms)) if reach.evidence else that_count(terms)
    spend(terms)
    found = _Found(memory, terms, known, _dated(memory, known, asked or []))
    candidates = found.candidates(reach.likely)
    marks = memory.marks_of([c.session for c in candidates])
    for candidate in candidates:
        candidate.mark, candidate.note = marks.get(candidate.session, ("", ""))
        candidate.score = found.score(candidate) * _favour(candidate)
    candidates.sort(key=_order)
    if not reach.evidence or any(t.rare and t.spoken for t in terms):
        candidates = _look_closer(memory, candidates, found, reach)
    return Ranking(candidates, terms, known.count)


def _known(memory: "Memory", projects: "list[Project]", reach: Reach, exclude: "set[int]", terms: int) -> Known:
    """What there is to look in for so many terms."""
    places = [p.id for p in projects]
    count = max(1, sum([p.sessions for p in projects]) - len(exclude))
    turns = max(count, int(count * memory.usual_turns(places[:_SAMPLED_PROJECTS], _SAMPLE)))
    limit = min(reach.postings, max(POSTINGS, MOST_POSTINGS // max(1, terms)))
    return Known(places, count, turns, exclude, limit, near=reach.near and len(places) == 1)


def _order(candidate: Candidate) -> "tuple[bool, float, int]":
    """What was rejected stands last; between equals the later session leads."""
    return candidate.mark == "reject", -candidate.score, -candidate.session


def _favour(candidate: Candidate) -> float:
    return PROMOTED if candidate.mark == "promote" else 1.0


def _dated(memory: "Memory", known: Known, asked: "list[Span]") -> "dict[int, float]":
    """Sessions of the days that are asked about, and how much each gains: a date is a term whose turns these are."""
    gains: dict[int, float] = {}
    for span in asked:
        if span.last - span.first > _LONGEST_SPAN:
            continue
        end = (span.last + 1) * _DAY
        near = {
            session: 1.0 if at < end else _TAIL_SHARE
            for project in known.projects
            for session, at in memory.sessions_between(project, span.first * _DAY, end + _TAIL * _DAY)
            if session not in known.exclude
        }
        weight = DATE_WEIGHT * idf(len(near), known.count)
        for session, share in near.items():
            gains[session] = gains.get(session, 0.0) + weight * share
    return gains


class _Found:
    """What the index says: of each turn the weight of its terms, of each session its turns and its terms' counts."""

    def __init__(self, memory: "Memory", terms: "list[Term]", known: Known, dated: "dict[int, float]") -> None:
        self.terms = terms
        self.weights = [t.weight if t.spoken else t.weight * WORK_SHARE for t in terms]
        self.dated = dated
        self.turns: dict[int, float] = {}
        self.sessions: dict[int, list[int]] = {}
        self.counts: dict[int, dict[int, int]] = {}
        self.decided: set[int] = set()
        for place, term in enumerate(terms):
            if term.rare and term.spoken:
                self.decided.update(memory.postings_of_all(DECIDED, known.projects, term.key, known.limit))
            if not term.late:
                self._add(place, term)

    def _add(self, place: int, term: Term) -> None:
        weight = self.weights[place]
        for turn in term.turns:
            session = turn >> TURN_BITS
            if turn in self.turns:
                self.turns[turn] += weight
            else:
                self.turns[turn] = weight
                self.sessions.setdefault(session, []).append(turn)
            counts = self.counts.setdefault(session, {})
            counts[place] = counts.get(place, 0) + 1

    def candidates(self, most: int) -> "list[Candidate]":
        """The sessions with the best turns and most terms: a bounded number goes on."""
        sessions = list({**self.sessions, **self.dated})
        if len(sessions) > most:
            rough = {s: self._rough(s) for s in sessions}
            sessions = sorted(sessions, key=lambda s: (-rough[s], -s))[:most]
        return [self._candidate(session) for session in sessions]

    def _rough(self, session: int) -> float:
        best = max([self.turns[t] for t in self.sessions.get(session, ())], default=0.0)
        found = sum([self.weights[p] for p in self.counts.get(session, ())])
        return best + found + self.dated.get(session, 0.0)

    def _candidate(self, session: int) -> Candidate:
        around = {t: self.around(t, self.turns[t], self.turns) for t in self.sessions.get(session, ())}
        candidate = Candidate(session, around, self.counts.get(session, {}), self.dated.get(session, 0.0))
        candidate.terms = [self.terms[p] for p in candidate.counts]
        candidate.within = frozenset(p for p in candidate.counts if candidate.turn in self.terms[p].turns)
        return candidate

    def around(self, turn: int, score: float, scores: "dict[int, float]") -> float:
        """A turn's score with what its neighbours and its decisions add."""
        near = 0.0
        for other in (turn - 1, turn + 1):
            if other >> TURN_BITS == turn >> TURN_BITS:
                near += scores.get(other) or self.turns.get(other, 0.0)
        return score * (1.0 + (DECIDED_SHARE if turn in self.decided else 0.0)) + NEIGHBOUR_SHARE * near

    def whole(self, times: "dict[int, float] | dict[int, int]") -> float:
        """How much a session that has terms so many times is about them."""
        return sum([self.weights[p] * n * (_K + 1.0) / (n + _K) for p, n in times.items()])

    def score(self, candidate: Candidate) -> float:
        """By the index alone."""
        best = candidate.around.get(candidate.turn, 0.0)
        return (TURN_SHARE + SENTENCE_SHARE) * best + SESSION_SHARE * self.whole(candidate.counts) + candidate.dated


def _look_closer(memory: "Memory", candidates: "list[Candidate]", found: _Found, reach: Reach) -> "list[Candidate]":
    """The candidates with the first of them scored anew, from the texts of their best turns; the others stay behind."""
    head, rest = candidates[: reach.sessions], candidates[reach.sessions :]
    wanted = Wanted(found.terms)
    readings: dict[int, Reading] = {}
    for candidate in head:
        best = sorted(candidate.around, key=lambda t: (-candidate.around[t], -t))[: reach.turns]
        readings.update({t: read_turn(memory, t, found.terms, wanted) for t in best})
    if not readings:
        return candidates
    usual = sum([r.length for r in readings.values()]) / len(readings) or 1.0
    holding = [frozenset(term.turns) for term in found.terms]
    for candidate in head:
        read = {t: readings[t] for t in candidate.around if t in readings}
        if read:
            _read(candidate, read, found, holding, usual)
    head.sort(key=_order)
    least = min([c.score for c in head])
    for candidate in rest:
        candidate.score = min(candidate.score, least)
    return sorted(head + rest, key=_order) if any(c.mark == "reject" for c in head) else head + rest


def _read(
    candidate: Candidate, read: "dict[int, Reading]", found: _Found, holding: "list[frozenset[int]]", usual: float
) -> None:
    """Scores a candidate by what was read of it."""
    terms = range(len(found.terms))
    turns = {}
    for turn, reading in read.items():
        unread = [found.weights[p] if turn in holding[p] else 0.0 for p in terms]
        turns[turn] = turn_score(reading, unread, found.terms, usual)
    around = {turn: found.around(turn, score, turns) for turn, score in turns.items()}
    top = max(around, key=lambda t: (around[t] + read[t].best, t))
    times: dict[int, float] = {}
    for place in terms:
        seen = [r.counts[place] for r in read.values()]
        if place in candidate.counts:
            times[place] = candidate.counts[place] + sum([max(n - 1.0, 0.0) for n in seen])
        elif found.terms[place].late and any(seen):
            times[place] = sum(seen)
    candidate.turn = top
    candidate.terms = [found.terms[p] for p in times]
    candidate.within = frozenset(p for p in terms if read[top].counts[p] or top in holding[p])
    spoken = TURN_SHARE * max(around.values()) + SENTENCE_SHARE * max([r.best for r in read.values()])
    candidate.score = (spoken + SESSION_SHARE * found.whole(times) + candidate.dated) * _favour(candidate)
