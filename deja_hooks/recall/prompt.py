"""Before a prompt: what earlier sessions decided about the very thing that it names; else nothing."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.terms import read_word
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.asked import Term, informative
from deja_hooks.recall.confidence import Evidence, evidence
from deja_hooks.recall.dates import DAY_MS, without_dates
from deja_hooks.recall.overturned import Subject, latest_word, says_the_same
from deja_hooks.recall.passages import Passage, passages
from deja_hooks.recall.quote import item
from deja_hooks.recall.rank import Candidate, Ranking, Reach, rank
from deja_hooks.recall.scope import Allowed, excluded_sessions, is_hidden
from deja_hooks.recall.thresholds import (
    BRIEF_BUDGET,
    CONFIDENT,
    FULL_PACKETS,
    MOST_LIKELY,
    POSTINGS,
    PROMPT_BUDGET,
    PROMPT_SESSIONS,
    READ_SESSIONS,
    READ_TURNS,
    SECOND_SHARE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory, Project, Session

__all__ = ["answer", "judge"]

#: Words that ask, or speak of earlier.
_ASKING = frozenset(
    "why how what whats which when where wheres who again earlier before last previously remember remind recall still"
    " anything know known tell explain".split()
)

KIND = "prompt"
#: Candidates looked at for a second session, or in the place of one that has been told.
_MOST_CANDIDATES = 8
_REACH = Reach(POSTINGS, READ_SESSIONS, READ_TURNS, likely=MOST_LIKELY, evidence=True)


def answer(ask: Ask) -> Answer:
    """The prompt packet."""
    text, asked = without_dates(ask.payload.prompt, ask.now_ms // DAY_MS)
    terms = informative(text)
    if not terms:
        return silent("nothing in the prompt that identifies anything")
    memory = ask.memory
    if memory is None:
        return silent("no memory yet")
    project = memory.project(ask.project_key)
    exclude = excluded_sessions(ask, memory)
    if project is None or project.sessions <= len(exclude):
        return silent("no history of this project")
    ranking = rank(memory, [project], _beside_its_name(terms, project), _REACH, exclude, asked)
    if not ranking.candidates:
        return silent("no term of the prompt is known here")
    # A day that the prompt names leads to sessions, and is no evidence by itself.
    telling = [c for c in ranking.candidates if any(t.rare and t.spoken for t in c.terms)]
    ranking.candidates = [c for c in telling if c.mark != "reject"]
    if not ranking.candidates:
        return silent("rejected by the user" if telling else "no rare term that was spoken")
    found = evidence(ranking, ranking.candidates[0])
    reason = judge(ranking, found, ask.payload.prompt)
    return silent(reason) if reason else _packet(ask, memory, project, ranking, found)


def _beside_its_name(terms: "list[Term]", project: "Project") -> "list[Term]":
    """The terms without the project's own name, which says nothing of one session."""
    own = read_word(project.label.rpartition("/")[2]).terms
    return [t for t in terms if t.key not in own]


def judge(ranking: Ranking, found: Evidence, prompt: str) -> str:
    """Why what was found for the best candidate is no evidence to speak on; "" where it is."""
    if found.names:
        return ""
    if not found.words:
        return "no rare term that was spoken"
    if any(t.identifier and not t.turns for t in ranking.terms if t.sentence == found.sentence):
        return "none of the prompt's identifiers is known here"
    # The terms of one chunk (CJK windows) are one word.
    if len({t.word.text for t in found.words}) == 1 and not _asks_back(prompt):
        return "one plain word, and no question"
    return "" if found.confidence >= CONFIDENT else f"confidence {found.confidence:.2f} is too low"


def _asks_back(prompt: str) -> bool:
    """Whether a prompt asks something, or speaks of earlier: then a single word may be about it."""
    words = {word.strip('.,:;!?"()').replace("'", "").lower() for word in prompt.split()}
    return "?" in prompt or not words.isdisjoint(_ASKING)


def _packet(ask: Ask, memory: "Memory", project: "Project", ranking: Ranking, why: Evidence) -> Answer:
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
    names = ", ".join(dict.fromkeys([_shown(t) for t in why.words]))
    told = [name for each in standing for name in each.names()]
    budget = BRIEF_BUDGET if brief else PROMPT_BUDGET
    return Answer(
        KIND, f"{names} in {project.label}", lines, told, f"recalled: {names} (confidence {why.confidence:.2f})", budget
    )


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
