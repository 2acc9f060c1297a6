"""How sure it is that a session answers a text: one figure for hooks, `search` and `replay`.

What counts is the sentence of the text that the session fits best, since a long prompt may ask about something else in
passing. Two shares of that sentence's weight say how well it fits; a name that few sessions have says more.
"""

from deja_hooks.recall.thresholds import BASE, KNOWN, NAMED, PLAIN_SHARE, WITHIN_TURN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.recall.asked import Term
    from deja_hooks.recall.rank import Candidate, Ranking

__all__ = ["Evidence", "evidence", "logistic", "shares"]


class Evidence:
    """What speaks for a session.

    Attributes:
        confidence: 0 to 1.
        words: the rare words of the text that someone spoke there: of the sentence that fits best, and whatever is a
            name; names: those that are names.
        sentence: that sentence's place in the text.
    """

    __slots__ = ("confidence", "names", "sentence", "words")

    def __init__(self, confidence: float, sentence: int, words: "list[Term]") -> None:
        self.confidence = confidence
        self.sentence = sentence
        self.words = words
        self.names = [t for t in words if t.identifier]


def evidence(ranking: "Ranking", candidate: "Candidate") -> Evidence:
    """What speaks for a candidate of the ranking."""
    best = Evidence(0.0, 0, [])
    for sentence in {t.sentence for t in candidate.terms}:
        found = _of_sentence(ranking, candidate, sentence)
        if (bool(found.names), found.confidence) > (bool(best.names), best.confidence):
            best = found
    return best


def _of_sentence(ranking: "Ranking", candidate: "Candidate", sentence: int) -> Evidence:
    telling = [t for t in candidate.terms if _tells(t, ranking.count, candidate.session)]
    words = [t for t in telling if t.sentence == sentence or t.word.identifier]
    turn, known = shares(ranking.terms, candidate, sentence)
    confidence = logistic(WITHIN_TURN * turn + KNOWN * known - BASE)
    if any(t.identifier and t.sentence == sentence for t in words):
        confidence = 1.0 - (1.0 - confidence) * (1.0 - NAMED)
    return Evidence(confidence, sentence, words)


def _tells(term: "Term", count: int, session: int) -> bool:
    """Whether a term identifies that one of so many sessions."""
    few = term.identifier or len(term.sessions) <= max(1.0, PLAIN_SHARE * count)
    return few and term.leads_to(session)


def shares(terms: "list[Term]", candidate: "Candidate", sentence: int) -> "tuple[float, float]":
    """Of the weight of a text's sentence: how much the session's best turn has, and how much any session has."""
    own = [(place, t) for place, t in enumerate(terms) if t.sentence == sentence and not t.joined]
    total = sum([t.weight for _, t in own]) or 1.0
    turn = sum([t.weight for place, t in own if place in candidate.within])
    known = sum([t.weight for _, t in own if t.turns])
    return turn / total, known / total


def logistic(x: float) -> float:
    """1 / (1 + e^-x) without `math`: e^x by its series, halved until it converges at once."""
    x = max(-20.0, min(20.0, x)) / 32.0
    power = 1.0 + x * (1.0 + x / 2.0 * (1.0 + x / 3.0 * (1.0 + x / 4.0)))
    for _ in range(5):
        power *= power
    return power / (1.0 + power)
