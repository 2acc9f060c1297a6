"""Mode `recall`: what stands about the thing that a question names; as before a prompt, and as often silent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.recall.fence import one_line
from deja_hooks.recall.prompt import look_up
from deja_hooks.recall.quote import LEADS, day, short_id
from deja_hooks.recall.thresholds import PROMPT_BUDGET
from deja_hooks.tool.results import Memory, Said
from deja_hooks.tool.told import Told

if TYPE_CHECKING:
    from deja_hooks.recall.passages import Passage
    from deja_hooks.recall.standing import Standing
    from deja_hooks.tool.question import Question

__all__ = ["recall"]

#: Characters of a quotation, and of one that was overturned (see `recall.prompt`).
_QUOTE, _OVERTURNED = 420, 160


def recall(question: Question) -> Told | str:
    """What is known, or why nothing is told."""
    found = look_up(question)
    if isinstance(found, str):
        return f"Nothing is known of that here ({found}). Mode search looks without being sure."
    told = [each for each in found.standing if all(question.visible(p.turn) for p in (each.stands, *each.before))]
    if not told:
        return "Nothing is known of that here."
    items = [([each.line()], _memory(each)) for each in told]
    return Told(f"{found.names} in {found.project}", [], items, PROMPT_BUDGET, "{count} more: mode search shows them.")


def _memory(each: Standing) -> Memory:
    before = each.overturned
    return Memory(
        **_said(each.stands, _QUOTE),
        overturns=Said(**_said(before, _OVERTURNED)) if before is not None else None,
        promoted=each.mark is not None and each.mark[0] == "promote",
    )


def _said(passage: Passage, limit: int) -> dict[str, str]:
    return {
        "session": short_id(passage.sid),
        "date": day(passage.at),
        "kind": LEADS.get(passage.lead, passage.lead),
        "text": one_line(passage.text, limit),
    }
