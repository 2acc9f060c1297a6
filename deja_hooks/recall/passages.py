"""What a found session has to say: its own sentences, the most telling first."""

from deja_hooks.memory.terms import TermCache, index_terms
from deja_hooks.recall.overturned import Subject
from deja_hooks.recall.quote import best_sentence, memory_name, told_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.memory.read import Memory, Session
    from deja_hooks.recall.rank import Candidate

__all__ = ["Passage", "passages"]

#: Kinds of notes in the order in which they answer a question.
_ORDER = ("decision", "cause", "fixed", "rule", "failed", "open")
_SETTLED = ("decision", "cause", "fixed")
#: Shortest request, in characters, that says something also where no answer is known.
_TELLING = 40
#: Notes of one session that are looked at, and passages given.
_NOTES = 60
_MOST = 3


class Passage:
    """One sentence of a session.

    Attributes:
        name: a name of the memory, the same each time it is found.
        turn: row id of its turn; sid: id of its session.
        kind: a kind of note, or "said", "asked"; lead: how it is put.
        at: epoch ms.
        text: the sentence.
    """

    __slots__ = ("_subject", "at", "kind", "lead", "name", "sid", "text", "turn")

    def __init__(self, session: "Session", turn: int, kind: str, at: int, text: str) -> None:
        self.name = memory_name(session, text)
        self.turn = turn
        self.sid = session.sid
        self.kind = kind
        self.lead = told_as(kind, session)
        self.at = at
        self.text = text
        self._subject: Subject | None = None

    @property
    def subject(self) -> Subject:
        """What it is about."""
        if self._subject is None:
            self._subject = Subject(self.text)
        return self._subject


def passages(
    memory: "Memory", session: "Session", candidate: "Candidate", hidden: "Callable[[int], bool]"
) -> "list[Passage]":
    """At most three sentences of a session, about the terms that it was found by.

    Its notes that name one of them come first, wherever in the session they stand; else the best sentence of
    its best turn, and what came of it where that is a question.

    Args:
        hidden: turn row id → whether it may not be quoted (a turn in progress).
    """
    cache = TermCache()

    def terms_of(text: str) -> "set[str]":
        return index_terms(text, cache)

    wanted = {t.key for t in candidate.terms} | {p for t in candidate.terms for p in t.word.terms}
    notes = [note for note in memory.session_notes(session.id, _NOTES) if not hidden(note[0])]
    found: dict[str, tuple[float, int, int]] = {}
    for turn, kind, text in notes:
        if text in found or (kind == "open" and turn != candidate.turn):
            continue
        overlap = wanted & terms_of(text)
        if overlap:
            # The best match leads; between equals a decision before a finding, the later before the earlier.
            weight = sum(t.weight for t in candidate.terms if t.key in overlap)
            found[text] = (-weight, _ORDER.index(kind), -turn)
    if found:
        best = sorted(found.items(), key=lambda each: each[1])[:_MOST]
        return [_noted(memory, session, -turn, _ORDER[order], text) for text, (_, order, turn) in best]
    if hidden(candidate.turn):
        return []
    spoken = _spoken(memory, session, candidate.turn, wanted, terms_of)
    if spoken and spoken[0].kind == "asked":
        settled = _settled_after(notes, candidate.turn)
        if settled is not None:
            # The question names the thing, the answer says "it": what came of it leads.
            return [_noted(memory, session, *settled), spoken[0]]
    return spoken


def _settled_after(notes: "list[tuple[int, str, str]]", asked: int) -> "tuple[int, str, str] | None":
    """What was settled in the turn of a question, or in the next one, by a sentence that names nothing else."""
    for turn, kind, text in reversed(notes):
        if asked <= turn <= asked + 1 and kind in _SETTLED and not Subject(text).names:
            return turn, kind, text
    return None


def _noted(memory: "Memory", session: "Session", turn: int, kind: str, text: str) -> Passage:
    known = memory.turn(turn)
    return Passage(session, turn, kind, (known.at if known else 0) or session.updated, text)


def _spoken(
    memory: "Memory", session: "Session", turn_id: int, wanted: "set[str]", terms_of: "Callable[[str], set[str]]"
) -> "list[Passage]":
    """The sentence with most of the terms: an answer's alone, a question's with the start of its answer."""
    turn = memory.turn(turn_id)
    if turn is None:
        return []
    at = turn.at or session.updated
    told, told_count = best_sentence(turn.assistant, wanted, terms_of)
    asked, asked_count = best_sentence(turn.user, wanted, terms_of)
    if told and told_count >= asked_count:
        return [Passage(session, turn.id, "said", at, told)]
    if not asked:
        return []
    found = [Passage(session, turn.id, "asked", at, asked)]
    answer = best_sentence(turn.assistant, terms_of(turn.assistant), terms_of)[0]
    if answer:
        found.append(Passage(session, turn.id, "said", at, answer))
    elif len(asked) < _TELLING and not any(c.isdigit() for c in asked):
        return []
    return found
