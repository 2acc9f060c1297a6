"""Mode `search`: the sessions that words lead to, ranked as `deja-hooks search` ranks them; it never abstains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.recall.fence import one_line
from deja_hooks.recall.quote import short_id
from deja_hooks.recall.search import search as ranked
from deja_hooks.recall.thresholds import SEARCH_BUDGET
from deja_hooks.tool.results import Hit
from deja_hooks.tool.told import Told

if TYPE_CHECKING:
    from deja_hooks.recall.search import Hit as Ranked
    from deja_hooks.tool.question import Question

__all__ = ["search"]

#: Most hits; characters of a hit's sentence and of its title.
_MOST, _QUOTE, _TITLE = 10, 280, 80


def search(question: Question) -> Told | str:
    """The hits, or why there are none."""
    if question.known.project(question.project_key) is None:
        return "There is no history of this project."
    hits = ranked(
        question.known,
        question.payload.prompt,
        project_key=question.project_key,
        limit=_MOST,
        now_ms=question.now_ms,
        allowed=question.visible,
    )
    if not hits:
        return "No session shares a word with that."
    items = [([_line(hit)], _hit(hit)) for hit in hits]
    return Told(
        f"a search in {question.place.label}", [], items, SEARCH_BUDGET, "{count} more: rarer words find fewer."
    )


def _line(hit: Ranked) -> str:
    title = one_line(hit.title, _TITLE) or "(untitled)"
    promoted = ", promoted by the user" if hit.mark == "promote" else ""
    where = f"turn {hit.turn}, confidence {hit.confidence:.2f}{promoted}"
    quoted = one_line(hit.text, _QUOTE)
    return f'- {hit.date} in "{title}" ({where}): "{quoted}" [deja-hooks show {short_id(hit.session_id)}]'


def _hit(hit: Ranked) -> Hit:
    return Hit(
        session=short_id(hit.session_id),
        host=hit.host,
        date=hit.date,
        title=one_line(hit.title, _TITLE),
        turn=hit.turn,
        text=one_line(hit.text, _QUOTE),
        confidence=hit.confidence,
        promoted=hit.mark == "promote",
    )
