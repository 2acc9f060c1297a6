"""Search: the ranking of the hooks, without their abstention."""

from deja_hooks.recall.passages import passages
from deja_hooks.recall.quote import day
from deja_hooks.recall.rank import informative, rank
from deja_hooks.recall.thresholds import SEARCH_POSTINGS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["Hit", "search"]


class Hit:
    """One session that a query found.

    Attributes:
        session_id, host, project, title: of the session; the project by its label.
        date: UTC day of the quoted text.
        score: comparable within one search; the higher the better.
        text: its most telling sentence.
        confidence: share of the query's weight that the session covers, 0 to 1.
        reasons: the query's words that it was found by.
    """

    __slots__ = ("confidence", "date", "host", "project", "reasons", "score", "session_id", "text", "title")

    def __init__(self, session_id: str, host: str, project: str, title: str) -> None:
        self.session_id = session_id
        self.host = host
        self.project = project
        self.title = title
        self.date = ""
        self.score = 0.0
        self.text = ""
        self.confidence = 0.0
        self.reasons: list[str] = []


def search(memory: "Memory", query: str, *, project_key: "str | None", limit: int) -> "list[Hit]":
    """The sessions that a query is about, the best first, one hit each.

    Args:
        memory: the open memory.
        query: any text.
        project_key: the project to look in (`scope.project_key`), or None for all.
        limit: most hits.
    """
    projects = memory.projects()
    if project_key is not None:
        projects = [p for p in projects if p.key == project_key]
    labels = {p.id: p.label for p in projects}
    if not projects:
        return []
    ranking = rank(memory, projects, informative(query, trade=True), SEARCH_POSTINGS, set())
    hits: list[Hit] = []
    for candidate in ranking.candidates[:limit]:
        session = memory.session(candidate.session)
        if session is None:
            continue
        hit = Hit(session.sid, session.host, labels[session.project], session.title)
        found = passages(memory, session, candidate, lambda _turn: False)
        hit.text = found[0].text if found else session.title
        hit.date = day(found[0].at if found else session.updated)
        hit.score = round(candidate.score, 4)
        hit.confidence = round(candidate.coverage, 3)
        hit.reasons = list(dict.fromkeys(t.word.text for t in candidate.terms))
        hits.append(hit)
    return hits
