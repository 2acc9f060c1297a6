"""A closer look at the few sessions that may be meant: how their own words use the question's.

The index says which turns have a term. Here the best turns' texts are read: how often a term stands there, which
terms stand in one sentence and side by side, and words of the same family (`mentor` for `mentorship`).
"""

from deja_hooks.memory.terms import chunks, read_word, stem
from deja_hooks.recall.asked import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory
    from deja_hooks.recall.asked import Term

__all__ = ["Reading", "Wanted", "read_turn", "root", "turn_score"]

#: Characters of a turn that are read, each side.
_MOST_TEXT = 6_000
#: A word of the same family counts as this much of a word.
_FAMILY = 0.3
#: BM25's saturation and length share, for a sentence and for a turn.
_K_SENTENCE, _B_SENTENCE = 2.0, 0.5
_K_TURN, _B_TURN = 1.2, 0.6
#: Words of an average sentence.
_SENTENCE = 12.0
#: Two terms that follow each other in the question and, with at most this many words from one to the next, here.
_NEAR = 3
_SIDE_BY_SIDE = 0.6
#: Endings that the words of a family differ by.
_ENDINGS = (
    "ational", "fulness", "ousness", "iveness", "ization", "ations", "ership", "ation", "ition", "ingly", "ement",
    "ship", "ness", "ment", "ings", "edly", "able", "ible", "ance", "ence", "ical", "less", "ious", "ive", "ing",
    "ion", "ity", "ies", "ist", "ers", "ors", "ant", "ent", "ful", "ous", "est", "ate", "al", "er", "or", "ed", "es",
    "ly", "ic", "en", "s", "y", "e",
)  # fmt: skip
_MOST_ENDINGS = 3
_LEAST_ROOT = 4


def root(word: str) -> str:
    """What the words of a family have in common, roughly: all endings taken off. In lower case."""
    for _ in range(_MOST_ENDINGS):
        for ending in _ENDINGS:
            if len(word) - len(ending) >= _LEAST_ROOT and word.endswith(ending):
                word = word[: -len(ending)]
                break
        else:
            break
    if len(word) > _LEAST_ROOT and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] if len(word) > _LEAST_ROOT and word[-1] == "i" else word


class Reading:
    """What was read of one turn; terms by their place.

    Attributes:
        counts: how often each term stands there.
        length: words.
        best: score of its best sentence.
    """

    __slots__ = ("best", "counts", "length")

    def __init__(self, size: int) -> None:
        self.counts = [0.0] * size
        self.length = 0
        self.best = 0.0


class Wanted(dict[str, "tuple[tuple[int, float], ...]"]):
    """Chunk → the terms that it holds (place, how much it counts), filled as chunks are met."""

    def __init__(self, terms: "list[Term]") -> None:
        self.places: dict[str, int] = {}
        self.roots: dict[str, int] = {}
        for place, term in enumerate(terms):
            self.places.setdefault(term.key, place)
            for other in term.near:
                self.places.setdefault(other, place)
            if not term.identifier and term.key.isalpha():
                self.roots.setdefault(root(term.word.text.lower()), place)
        #: Most words of a text begin unlike all that is wanted: they are neither stemmed nor cut.
        self.heads = frozenset(key[:3] for key in self.places)

    def __missing__(self, chunk: str) -> "tuple[tuple[int, float], ...]":
        plain = chunk.strip("._-/")
        if plain.isalpha() and plain.isascii() and (plain.islower() or plain[1:].islower()):
            found = self._plain(plain.lower())
        else:
            found = tuple((self.places[t], 1.0) for t in read_word(plain).terms if t in self.places)
        self[chunk] = found
        return found

    def _plain(self, word: str) -> "tuple[tuple[int, float], ...]":
        if word[:3] not in self.heads:
            return ()
        place = self.places.get(stem(word))
        if place is not None:
            return ((place, 1.0),)
        place = self.roots.get(root(word))
        return () if place is None else ((place, _FAMILY),)


def read_turn(memory: "Memory", turn: int, terms: "list[Term]", wanted: Wanted) -> Reading:
    """Reads one turn for the terms."""
    reading = Reading(len(terms))
    known = memory.turn(turn)
    if known is None:
        return reading
    for text in (known.user[:_MOST_TEXT], known.assistant[:_MOST_TEXT]):
        for sentence in cut(text):
            if sentence:
                _read_sentence(reading, chunks(sentence), terms, wanted)
    return reading


def _read_sentence(reading: Reading, words: "list[str]", terms: "list[Term]", wanted: Wanted) -> None:
    reading.length += len(words)
    counts: dict[int, float] = {}
    places: dict[int, int] = {}
    score = 0.0
    for at, found in enumerate(map(wanted.__getitem__, words)):
        for place, much in found:
            if place not in counts and at - places.get(place - 1, -_NEAR - 1) <= _NEAR:
                score += _SIDE_BY_SIDE * min(terms[place].weight, terms[place - 1].weight)
            counts[place] = counts.get(place, 0.0) + much
            places[place] = at
    if not counts:
        return
    length = _K_SENTENCE * (1.0 - _B_SENTENCE + _B_SENTENCE * len(words) / _SENTENCE)
    for place, much in counts.items():
        reading.counts[place] += much
        score += terms[place].weight * much * (_K_SENTENCE + 1.0) / (much + length)
    reading.best = max(reading.best, score)


def turn_score(reading: Reading, unread: "list[float]", terms: "list[Term]", usual: float) -> float:
    """How much a turn is about the terms, by its text.

    Args:
        unread: of each term the weight that it has in the turn by the index: in its work, or beyond what is read.
        usual: words of an average turn.
    """
    length = _K_TURN * (1.0 - _B_TURN + _B_TURN * reading.length / usual)
    score = 0.0
    for place, count in enumerate(reading.counts):
        if count:
            score += terms[place].weight * count * (_K_TURN + 1.0) / (count + length)
        elif unread[place]:
            score += unread[place] * (_K_TURN + 1.0) / (1.0 + length)
    return score
