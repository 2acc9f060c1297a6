"""Before a prompt: what earlier sessions decided about the very thing that it names; else nothing."""

from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.passages import Passage, passages
from deja_hooks.recall.quote import item
from deja_hooks.recall.rank import Candidate, Ranking, Term, informative, rank
from deja_hooks.recall.scope import excluded_sessions, is_hidden
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
    from deja_hooks.memory.read import Memory, Session

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
    return _packet(ask, memory, project.label, ranking)


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


def _packet(ask: Ask, memory: "Memory", label: str, ranking: Ranking) -> Answer:
    state = ask.state
    brief = state is not None and state.packets(ask.payload.session_id) >= FULL_PACKETS
    told: dict[str, Passage] = {}
    lines: list[str] = []
    sessions = 0
    for candidate in _eligible(ranking):
        session = memory.session(candidate.session)
        fresh = [] if session is None else _fresh(ask, memory, session, candidate, told)
        if session is None or not fresh:
            continue
        for passage in fresh[:1] if brief else fresh:
            told[passage.name] = passage
            lines.append(item(passage.kind, passage.at, passage.text, session.sid))
        sessions += 1
        if brief or sessions >= PROMPT_SESSIONS:
            break
    if not lines:
        return silent("already said" if ask.said(KIND) else "known only from a turn that is still in progress")
    names = ", ".join(dict.fromkeys(_shown(t) for t in ranking.candidates[0].terms if t.rare))
    budget = BRIEF_BUDGET if brief else PROMPT_BUDGET
    return Answer(KIND, f"{names} in {label}", lines, list(told), f"recalled: {names}", budget)


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


def _fresh(
    ask: Ask, memory: "Memory", session: "Session", candidate: Candidate, told: "dict[str, Passage]"
) -> "list[Passage]":
    """What of a session has not been said, neither to this session nor, in the same words, just now."""
    said = ask.said(KIND)
    texts = {passage.text for passage in told.values()}
    fresh = []
    for passage in passages(memory, session, candidate, lambda turn: is_hidden(ask, session, turn)):
        if passage.name not in said and passage.text not in texts:
            texts.add(passage.text)
            fresh.append(passage)
    return fresh
