"""Before a prompt: what earlier sessions decided about the very thing that it names; else nothing."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.overturned import Subject, latest_word, says_the_same
from deja_hooks.recall.passages import Passage, passages
from deja_hooks.recall.quote import item
from deja_hooks.recall.rank import Candidate, Ranking, Term, informative, rank
from deja_hooks.recall.scope import Allowed, excluded_sessions, is_hidden
from deja_hooks.recall.thresholds import (
    BRIEF_BUDGET,
    FULL_PACKETS,
    PLAIN_COVERAGE,
    POSTINGS,
    PROMPT_BUDGET,
    PROMPT_SESSIONS,
    SECOND_SHARE,
    SINGLE_COVERAGE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory, Project, Session

__all__ = ["answer", "judge"]

#: Words that ask, or speak of earlier.
_ASKING = frozenset(
    "why how what which when where who again earlier before last previously remember recall still".split()
)

KIND = "prompt"
#: Candidates looked at for a second session, or in the place of one that has been told.
_MOST_CANDIDATES = 8


def answer(ask: Ask) -> Answer:
    """The prompt packet."""
    terms = informative(ask.payload.prompt)
    if not terms:
        return silent("nothing in the prompt that identifies anything")
    memory = ask.memory
    if memory is None:
        return silent("no memory yet")
    project = memory.project(ask.project_key)
    exclude = excluded_sessions(ask, memory)
    if project is None or project.sessions <= len(exclude):
        return silent("no history of this project")
    ranking = rank(memory, [project], terms, POSTINGS, exclude)
    reason = judge(ranking, ask.payload.prompt)
    if reason:
        return silent(reason)
    return _packet(ask, memory, project, ranking)


def judge(ranking: Ranking, prompt: str) -> str:
    """Why the ranking is no evidence to speak on; "" where it is."""
    if not ranking.candidates:
        return "no term of the prompt is known here"
    names = [t for t in ranking.terms if t.identifier and t.word.identifier]
    if names and not any(t.sessions for t in names):
        return "none of the prompt's identifiers is known here"
    best = ranking.candidates[0]
    rare = [t for t in best.terms if t.rare and t.spoken]
    if not rare:
        return "no rare term that was spoken"
    if any(t.identifier for t in rare):
        return ""
    # The terms of one chunk (CJK windows) are one word.
    distinct = {t.word.text for t in rare}
    if len(distinct) == 1 and not _asks_back(prompt):
        return "one plain word, and no question"
    needed = PLAIN_COVERAGE if len(distinct) > 1 else SINGLE_COVERAGE
    if best.coverage < needed:
        return f"only {best.coverage:.0%} of the prompt is covered"
    return ""


def _asks_back(prompt: str) -> bool:
    """Whether a prompt asks something, or speaks of earlier: then a single word may be about it."""
    words = {word.strip(".,:;!?\"'()").lower() for word in prompt.split()}
    return "?" in prompt or not words.isdisjoint(_ASKING)


def _packet(ask: Ask, memory: "Memory", project: "Project", ranking: Ranking) -> Answer:
    state = ask.state
    brief = state is not None and state.packets(ask.payload.session_id) >= FULL_PACKETS
    allowed = Allowed(ask, memory)
    found: dict[str, _Standing] = {}
    for candidate in _eligible(ranking):
        session = memory.session(candidate.session)
        if session is None:
            continue
        for passage in _fresh(ask, memory, session, candidate):
            later = latest_word(memory, project.id, passage, candidate.terms, allowed)
            stands = (_noted(memory, *later) if later else None) or passage
            _same(found, stands).add(passage)
        if len({each.stands.sid for each in found.values()}) >= (1 if brief else PROMPT_SESSIONS):
            break
    standing = list(found.values())[: 1 if brief else None]
    lines = [each.line() for each in standing]
    if not lines:
        return silent("already said" if ask.said(KIND) else "known only from a turn that is still in progress")
    names = ", ".join(dict.fromkeys(_shown(t) for t in ranking.candidates[0].terms if t.rare))
    told = [name for each in standing for name in each.names()]
    budget = BRIEF_BUDGET if brief else PROMPT_BUDGET
    return Answer(KIND, f"{names} in {project.label}", lines, told, f"recalled: {names}", budget)


class _Standing:
    """What stands of a thing, and what was found of it before that."""

    __slots__ = ("before", "stands")

    def __init__(self, stands: Passage) -> None:
        self.stands = stands
        self.before: list[Passage] = []

    def add(self, passage: Passage) -> None:
        if passage.name != self.stands.name:
            self.before.append(passage)

    def names(self) -> "list[str]":
        """The memories that it tells."""
        return [self.stands.name, *[each.name for each in self.before]]

    def line(self) -> str:
        """The latest word, and which one it overturned where that said something else."""
        stands = self.stands
        line = item(stands.kind, stands.at, stands.text, stands.sid)
        subject = Subject(stands.text)
        for each in self.before:
            if not says_the_same(subject, Subject(each.text)):
                return f"{line} (overturns {item(each.kind, each.at, each.text, each.sid, 160)[2:]})"
        return line


def _same(found: "dict[str, _Standing]", stands: Passage) -> _Standing:
    """The one that says nearly the same, whoever said it; made where there is none."""
    if stands.name not in found:
        subject = Subject(stands.text)
        for each in found.values():
            if says_the_same(subject, Subject(each.stands.text)):
                return each
        found[stands.name] = _Standing(stands)
    return found[stands.name]


def _noted(memory: "Memory", turn_id: int, kind: str, text: str) -> "Passage | None":
    """The passage of a noted sentence; None where the indexer has just taken it out."""
    session, turn = memory.session(turn_id >> TURN_BITS), memory.turn(turn_id)
    if session is None:
        return None
    return Passage(session, turn_id, kind, (turn.at if turn is not None else 0) or session.updated, text)


def _shown(term: Term) -> str:
    """The term as the prompt has it where that is a whole name of the word; else as the memory knows it.

    A word may hold more than what is known here, a secret perhaps: today's prompt is not redacted.
    """
    text = term.word.text
    if text.isalpha() and len(term.word.terms) == 1:
        return text
    for piece in (text, *text.split("/"), *text.replace("/", ".").split(".")):
        if "".join([c for c in piece.lower() if c.isalnum()]) == term.key:
            return piece
    return term.key


def _eligible(ranking: Ranking) -> "list[Candidate]":
    """The best session, and those nearly as good that share one of its rare terms."""
    first = ranking.candidates[0]
    rare = {t.key for t in first.terms if t.rare}
    enough = SECOND_SHARE * first.score
    near = [c for c in ranking.candidates[1:_MOST_CANDIDATES] if c.score >= enough]
    return [first, *[c for c in near if any(t.key in rare for t in c.terms)]]


def _fresh(ask: Ask, memory: "Memory", session: "Session", candidate: Candidate) -> "list[Passage]":
    """What of a session has not been said to this one; of sentences that say nearly the same, the first."""
    said = ask.said(KIND)
    subjects: list[Subject] = []
    fresh = []
    for passage in passages(memory, session, candidate, lambda turn: is_hidden(ask, session, turn)):
        subject = Subject(passage.text)
        if passage.name not in said and not any(says_the_same(subject, other) for other in subjects):
            subjects.append(subject)
            fresh.append(passage)
    return fresh
