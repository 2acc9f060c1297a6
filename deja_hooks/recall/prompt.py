"""Before a prompt: what earlier sessions decided about the very thing that it names; else nothing."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.terms import read_word
from deja_hooks.recall.ask import Answer, Ask, silent
from deja_hooks.recall.asked import Term, informative
from deja_hooks.recall.confidence import Evidence, evidence
from deja_hooks.recall.dates import DAY_MS, without_dates
from deja_hooks.recall.overturned import Subject, latest_word, says_the_same
from deja_hooks.recall.passages import Passage, passages
from deja_hooks.recall.quote import announces
from deja_hooks.recall.rank import Candidate, Ranking, Reach, rank
from deja_hooks.recall.scope import Allowed, excluded_sessions, is_hidden
from deja_hooks.recall.standing import Standing, same
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

__all__ = ["Found", "answer", "judge", "look_up"]

#: Words that ask, or speak of earlier.
_ASKING = frozenset(
    "why how what whats which when where wheres who again earlier before last previously remember remind recall still"
    " anything know known tell explain".split()
)

KIND = "prompt"
#: Candidates looked at for a second session, or in the place of one that has been told.
_MOST_CANDIDATES = 8
_SAME_ASKED = "the same was asked before, and not answered"
#: Words that are named as the reason of a silence.
_MOST_LISTED = 4
_REACH = Reach(POSTINGS, READ_SESSIONS, READ_TURNS, likely=MOST_LIKELY, evidence=True)


class Found:
    """What is known of a prompt's matter, to be told.

    Attributes:
        standing: what stands, the best first; at least one.
        project: its label; names: of the prompt, by which it was found.
        confidence: see `confidence`.
        brief: the session has been told much already, so there is one alone.
    """

    __slots__ = ("brief", "confidence", "names", "project", "standing")

    def __init__(self, standing: "list[Standing]", project: str, names: str, confidence: float, *, brief: bool) -> None:
        self.standing = standing
        self.brief = brief
        self.project = project
        self.names = names
        self.confidence = confidence


def answer(ask: Ask) -> Answer:
    """The prompt packet."""
    found = look_up(ask)
    if isinstance(found, str):
        return silent(found)
    told = [each.names() for each in found.standing]
    reason = f"recalled: {found.names} (confidence {found.confidence:.2f})"
    budget = ask.budget("prompt", PROMPT_BUDGET)
    budget = min(BRIEF_BUDGET, budget) if found.brief else budget
    lines = [each.line() for each in found.standing]
    return Answer(KIND, f"{found.names} in {found.project}", lines, told, reason, budget)


def look_up(ask: Ask) -> "Found | str":
    """What is known of the very thing that the prompt names, or why nothing is told (the tool asks this too)."""
    text, asked = without_dates(ask.payload.prompt, ask.now_ms // DAY_MS)
    terms = informative(text)
    if not terms:
        return "nothing in the prompt that identifies anything"
    memory = ask.memory
    if memory is None:
        return "no memory yet"
    project = memory.project(ask.project_key)
    exclude = excluded_sessions(ask, memory)
    if project is None or project.sessions <= len(exclude):
        return "no history of this project"
    ranking = rank(memory, [project], _beside_its_name(terms, project), _REACH, exclude, asked)
    if not ranking.candidates:
        return "no term of the prompt is known here"
    # A day that the prompt names leads to sessions, and is no evidence by itself.
    telling = [c for c in ranking.candidates if any(t.leads_to(c.session) for t in c.terms)]
    ranking.candidates = _without_echoes(memory, [c for c in telling if c.mark != "reject"], ask.payload.prompt)
    if not ranking.candidates:
        if any(c.mark != "reject" for c in telling):
            return _SAME_ASKED
        return "rejected by the user" if telling else _too_common(ranking)
    found = evidence(ranking, ranking.candidates[0])
    reason = judge(ranking, found, ask.payload.prompt)
    return reason or _told(ask, memory, project, ranking, found)


def _beside_its_name(terms: "list[Term]", project: "Project") -> "list[Term]":
    """The terms without the project's own name, which says nothing of one session."""
    own = read_word(project.label.rpartition("/")[2]).terms
    return [t for t in terms if t.key not in own]


def judge(ranking: Ranking, found: Evidence, prompt: str) -> str:
    """Why what was found for the best candidate is no evidence to speak on; "" where it is."""
    if found.names:
        return ""
    if not found.words:
        return _too_common(ranking)
    if any(t.identifier and not t.turns for t in ranking.terms if t.sentence == found.sentence):
        return "none of the prompt's identifiers is known here"
    if _word_count(found.words) == 1 and not _asks_back(prompt):
        return "one plain word, and no question"
    if found.confidence < CONFIDENT:
        return f"confidence {found.confidence:.2f} is too low (hooks speak from {CONFIDENT:.2f} on)"
    return ""


def _without_echoes(memory: "Memory", candidates: "list[Candidate]", prompt: str) -> "list[Candidate]":
    """The candidates without those that lead because they asked the same, were not answered and settled nothing."""
    subject = Subject(prompt)
    for place, candidate in enumerate(candidates[:_MOST_CANDIDATES]):
        turn = memory.turn(candidate.turn)
        if turn is None or turn.assistant or not says_the_same(Subject(turn.user), subject):
            return candidates[place:]
        if memory.session_notes(candidate.session, 1):
            return candidates[place:]
    return candidates[_MOST_CANDIDATES:]


def _too_common(ranking: Ranking) -> str:
    """Which words of the prompt are known here, and why none of them tells one session from the others."""
    spoken = [_shown(t) for t in ranking.terms if t.spoken and t.turns]
    if spoken:
        return f"too many sessions speak of it to tell which is meant: {_listed(spoken)}"
    worked = [_shown(t) for t in ranking.terms if t.turns]
    return f"known here from commands and files alone: {_listed(worked)}" if worked else "no word of it is known here"


def _listed(words: "list[str]") -> str:
    return ", ".join(_windows_joined(words)[:_MOST_LISTED])


def _windows_joined(words: "list[str]") -> "list[str]":
    """The words, each once; overlapping windows of a script without spaces are one."""
    found: list[str] = []
    for word in dict.fromkeys(words):
        if found and len(word) == 2 and not word.isascii() and found[-1][-1] == word[0]:
            found[-1] += word[1]
        else:
            found.append(word)
    return found


def _word_count(terms: "list[Term]") -> int:
    """How many words they are: the terms of one chunk are one, but of a script without spaces every second window."""
    windows: dict[str, int] = {}
    for term in terms:
        windows[term.word.text] = windows.get(term.word.text, 0) + 1
    return sum([1 if text.isascii() else (count + 1) // 2 for text, count in windows.items()])


def _asks_back(prompt: str) -> bool:
    """Whether a prompt asks something, or speaks of earlier: then a single word may be about it."""
    words = {word.strip('.,:;!?"()').replace("'", "").lower() for word in prompt.split()}
    return "?" in prompt or "\uff1f" in prompt or not words.isdisjoint(_ASKING)


def _told(ask: Ask, memory: "Memory", project: "Project", ranking: Ranking, why: Evidence) -> "Found | str":
    state = ask.state
    brief = state is not None and state.packets(ask.payload.session_id) >= FULL_PACKETS
    allowed = Allowed(ask, memory)
    found: list[Standing] = []
    for candidate in _eligible(ranking):
        session = memory.session(candidate.session)
        if session is None:
            continue
        for passage in _fresh(ask, memory, session, candidate):
            later = latest_word(memory, project.id, passage, candidate.terms, allowed)
            stands = (_noted(memory, *later) if later else None) or passage
            same(found, stands).add(passage)
        if len({each.stands.sid for each in found}) >= (1 if brief else PROMPT_SESSIONS):
            break
    if not found:
        return _untold(ask, memory, ranking)
    found = found[: 1 if brief else None]
    sessions = [each.stands.turn >> TURN_BITS for each in found]
    marks = memory.marks_of(sessions)
    for each, session_id in zip(found, sessions, strict=True):
        each.mark = marks.get(session_id)
    names = ", ".join(_windows_joined([_shown(t) for t in why.words]))
    return Found(found, project.label, names, why.confidence, brief=brief)


def _untold(ask: Ask, memory: "Memory", ranking: Ranking) -> str:
    """Why nothing of what was found is told."""
    if ask.said(KIND):
        return "already said"
    turn = memory.turn(ranking.candidates[0].turn)
    if turn is not None and says_the_same(Subject(turn.user), Subject(ask.payload.prompt)):
        return _SAME_ASKED
    return "known only from a turn that is still in progress"


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
    prompt, echoed = Subject(ask.payload.prompt), False
    fresh: list[Passage] = []
    for passage in passages(memory, session, candidate, lambda turn: is_hidden(ask, session, turn)):
        if passage.kind == "asked" and says_the_same(passage.subject, prompt):
            echoed = True
            continue
        if echoed and announces(passage.text):
            continue
        if passage.name not in said and not any(says_the_same(passage.subject, other.subject) for other in fresh):
            fresh.append(passage)
    return fresh
