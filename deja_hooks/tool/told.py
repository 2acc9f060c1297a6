"""What a mode has to tell, and how it becomes the two forms of an answer: fenced text, and the structured one.

Both say the same: what the budget cuts from the text is left out of the structured form, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.recall.fence import fence

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic import BaseModel

__all__ = ["Told", "fitted"]

#: Lines of a packet that are the fence's: two before its items, one behind them.
_FENCE_LINES = 3
#: Characters kept free for the sentence that says what was left off.
_LEFT_OFF_ROOM = 140


class Told(NamedTuple):
    """What a mode found.

    Attributes:
        title: what it is about, for the fence.
        head: lines before the items.
        items: each with its lines, already quoted and dated.
        budget: most characters of the text.
        left_off: the sentence for items that were left off, with `{count}`.
        more: items that were left off before.
    """

    title: str
    head: Sequence[str]
    items: Sequence[tuple[Sequence[str], BaseModel]]
    budget: int
    left_off: str
    more: int = 0


def fitted(told: Told, nonce: str) -> tuple[str, list[BaseModel], int]:
    """The fenced text, the items that are in it (the last one perhaps cut short), and how many are not."""
    lines = [*told.head, *(line for lines, _ in told.items for line in lines)]
    text = fence(lines, told.title, nonce, told.budget)
    if told.more == 0 and _held(text) == len(lines):
        return text, [item for _, item in told.items], 0
    text = fence(lines, told.title, nonce, told.budget - _LEFT_OFF_ROOM)
    items = _items_within(told, _held(text) - len(told.head))
    count = len(told.items) - len(items) + told.more
    return (f"{text}\n{told.left_off.format(count=count)}" if count else text), items, count


def _held(text: str) -> int:
    return text.count("\n") + 1 - _FENCE_LINES if text else 0


def _items_within(told: Told, lines: int) -> list[BaseModel]:
    found = []
    for own, item in told.items:
        if lines <= 0:
            break
        found.append(item)
        lines -= len(own)
    return found
