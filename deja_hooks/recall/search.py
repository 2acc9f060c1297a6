"""Search: the ranking of the hooks, without their abstention."""

from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.asked import informative
from deja_hooks.recall.confidence import evidence
from deja_hooks.recall.dates import DAY_MS, without_dates
from deja_hooks.recall.passages import passages
from deja_hooks.recall.quote import day
from deja_hooks.recall.rank import Candidate, Ranking, Reach, rank
from deja_hooks.recall.thresholds import MOST_LIKELY, SEARCH_POSTINGS, SEARCH_SESSIONS, SEARCH_TURNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.memory.read import Memory, Session
    from deja_hooks.recall.passages import Passage

__all__ = ["Hit", "search"]


class Hit:
    """One session that a query found.

    Attributes:
        session_id, host, project, title: of the session; the project by its label.
        date: UTC day of the quoted text.
        score: comparable within one search; the higher the better.
        text: its most telling sentence; turn: the number of the turn that it is from, from 1.
        confidence: that the session answers the query, 0 to 1; the hooks' own (see `confidence`).
        reasons: the query's words that it was found by.
        mark, note: what the user decided about it ("promote", "reject", ""), and why.
    """

    __slots__ = (
        "confidence", "date", "host", "mark", "note", "project", "reasons", "score", "session_id", "text", "title",
        "turn",
    )  # fmt: skip

    def __init__(self, session_id: str, host: str, project: str, title: str) -> None:
        self.session_id = session_id
        self.host = host
        self.project = project
        self.title = title
        self.date = ""
        self.score = 0.0
        self.text = ""
        self.turn = 0
        self.confidence = 0.0
        self.reasons: list[str] = []
        self.mark = self.note = ""


def search(
    memory: "Memory",
    query: str,
    *,
    project_key: "str | None",
    limit: int,
    now_ms: int,
    allowed: "Callable[[int], bool]" = lambda _turn: True,
) -> "list[Hit]":
    """The sessions that a query is about, the best first, those that the user rejected last; one hit each.

    Args:
        memory: the open memory.
        query: any text.
        project_key: the project to look in (`scope.project_key`), or None for all.
        limit: most hits.
        now_ms: epoch ms, from which the query's relative dates count.
        allowed: turn row id → whether it may be quoted. A session of which nothing may be quoted is no hit.
    """
    projects = memory.projects()
    if project_key is not None:
        projects = [p for p in projects if p.key == project_key]
    if not projects:
        return []
    labels = {p.id: p.label for p in projects}
    text, asked = without_dates(query, now_ms // DAY_MS)
    reach = Reach(SEARCH_POSTINGS, SEARCH_SESSIONS, SEARCH_TURNS, likely=max(limit, MOST_LIKELY), near=True)
    ranking = rank(memory, projects, informative(text, trade=True), reach, set(), asked)
    hits: list[Hit] = []
    for candidate in ranking.candidates:
        session = memory.session(candidate.session)
        if session is None:
            continue
        found = passages(memory, session, candidate, lambda turn: not allowed(turn))
        if found or allowed(candidate.turn):
            hits.append(_hit(session, labels[session.project], ranking, candidate, found))
        if len(hits) >= limit:
            break
    return hits


def _hit(session: "Session", label: str, ranking: Ranking, candidate: Candidate, found: "list[Passage]") -> Hit:
    hit = Hit(session.sid, session.host, label, session.title)
    hit.text = found[0].text if found else session.title
    hit.turn = ((found[0].turn if found else candidate.turn) & (1 << TURN_BITS) - 1) + 1
    hit.date = day(found[0].at if found else session.updated)
    hit.score = round(candidate.score, 4)
    hit.confidence = round(evidence(ranking, candidate).confidence, 2)
    hit.reasons = list(dict.fromkeys(t.word.text for t in candidate.terms))
    hit.mark, hit.note = candidate.mark, candidate.note
    return hit
