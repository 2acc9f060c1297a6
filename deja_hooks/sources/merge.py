"""One session out of all the files that hold it.

VS Code keeps a chat twice: as the log of its chat view (`chatSessions`: what the user sees, with results and
usage) and, where a hook is configured, as a transcript (ahead of the other by some seconds, with the work of
sub-agents). The chat says which turns there are; the transcript adds what the chat doesn't hold (yet).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from deja_hooks.sources.model import Chunk, Header, Turn, Work

__all__ = ["Copy", "Merged", "merge"]

#: The richer store first.
_RANK = {"vscode-chat": 0, "vscode-transcript": 1}
#: A prompt is dated by both stores within this, in ms.
_SAME_PROMPT_MS = 120_000
#: A chat that was saved this long after a turn began, in ms, would hold it: so the turn was withdrawn.
_SAVED_MS = 60_000
#: Characters by which prompts are compared.
_COMPARED = 500


class Copy(NamedTuple):
    """What one file gave of a session, and when that file was written last (epoch ms)."""

    chunk: Chunk
    saved: int


class Merged(NamedTuple):
    """A session out of its copies.

    Attributes:
        chunk: the whole of it.
        settled: for each copy, in the order given, how many turns of `chunk` begin before the place where that
            copy will be read on.
    """

    chunk: Chunk
    settled: tuple[int, ...]


def merge(copies: Sequence[Copy]) -> Merged:
    """The session that all the copies hold: the turns of the first store, completed from the others.

    Of two files of one store the one that was written last counts as the richer.
    """
    order = sorted(range(len(copies)), key=lambda i: (_RANK.get(copies[i].chunk.header.store, 9), -copies[i].saved))
    first, *others = order
    whole = copies[first]
    settled = {first: _settled(whole.chunk)}
    for i in others:
        other = copies[i].chunk
        turns, places = _turns(whole.chunk, other, whole.saved)
        last = _settled(other)
        settled[i] = places.get(last, len(turns)) if last else 0
        whole = Copy(_both(whole.chunk, other, turns), whole.saved)
    return Merged(whole.chunk, tuple(settled[i] for i in range(len(copies))))


def _settled(chunk: Chunk) -> int:
    return sum(1 for turn in chunk.turns if turn.offset < chunk.restart)


def _both(chunk: Chunk, other: Chunk, turns: tuple[Turn, ...]) -> Chunk:
    return chunk._replace(
        header=_header(chunk.header, other.header),
        turns=turns,
        updated=max(chunk.updated, other.updated),
        compactions=chunk.compactions or other.compactions,
        requests=chunk.requests or other.requests,
    )


def _header(header: Header, other: Header) -> Header:
    starts = [each.started for each in (header, other) if each.started]
    return header._replace(
        cwd=header.cwd or other.cwd,
        branch=header.branch or other.branch,
        started=min(starts, default=0),
        version=header.version or other.version,
        title=header.title or other.title,
        archived=header.archived if header.archived is not None else other.archived,
        nested=header.nested if header.nested is not None else other.nested,
        side=header.side if header.side is not None else other.side,
    )


def _turns(chunk: Chunk, other: Chunk, saved: int) -> tuple[tuple[Turn, ...], dict[int, int]]:
    """The turns of both, and where those of the other are among them."""
    pairs = _pairs(chunk.turns, other.turns)
    known = frozenset().union(*(turn.calls for turn in chunk.turns))
    turns = [_turn(turn, other.turns[pairs[i]], known) if i in pairs else turn for i, turn in enumerate(chunk.turns)]
    matched = max(pairs.values(), default=-1)
    seen = max(chunk.updated, saved - _SAVED_MS)
    behind = max(len(chunk.requests), len(chunk.turns))
    places = {j: i for i, j in pairs.items()}
    for j, late in enumerate(other.turns[matched + 1 :], matched + 1):
        if late.at > seen or not chunk.turns:
            places[j] = len(turns)
            turns.append(late._replace(offset=behind + j - matched - 1))
    if len(turns) > 1:  # whatever a store says of its last turn: a later one has begun
        turns[:-1] = [turn if turn.ended else turn._replace(ended=True) for turn in turns[:-1]]
    return tuple(turns), places


def _pairs(turns: Sequence[Turn], others: Sequence[Turn]) -> dict[int, int]:
    """Place in the one → place in the other, of the same prompt; both rising.

    The same words may be said often ("continue"): then it is the time that tells, and where it can't, nothing is
    paired.
    """
    texts, other_texts = [_said(turn) for turn in turns], [_said(turn) for turn in others]
    count, other_count = Counter(texts), Counter(other_texts)
    places: dict[str, list[int]] = {}
    for place, text in enumerate(other_texts):
        places.setdefault(text, []).append(place)
    found: dict[int, int] = {}
    begun = dict.fromkeys(places, 0)  # text → the first of its places that is still free
    last = -1
    for place, text in enumerate(texts):
        if text not in places or not text:
            continue
        free, there = begun[text], places[text]
        while free < len(there) and there[free] <= last:
            free += 1
        at = turns[place].at
        # Both are in the order of time: once the next one is farther away, all are.
        while free + 1 < len(there) and abs(others[there[free + 1]].at - at) < abs(others[there[free]].at - at):
            free += 1
        begun[text] = free
        if free < len(there):
            once = count[text] == other_count[text] == 1
            if once or abs(others[there[free]].at - at) <= _SAME_PROMPT_MS:
                found[place] = last = there[free]
    return found


def _said(turn: Turn) -> str:
    return " ".join(turn.user[: 2 * _COMPARED].split())[:_COMPARED]


def _turn(turn: Turn, other: Turn, known: frozenset[str]) -> Turn:
    """A turn completed from its record in another store; what the first one knows of a tool call stands."""
    work = tuple(each for each in other.work if not each.call or each.call not in known)
    said = {each.path for each in work if each.kind == "edit"}
    own = tuple(each for each in turn.work if not (each.kind == "edit" and not each.call and each.path in said))
    longer = not turn.ended and len(other.assistant) > len(turn.assistant)
    edited = {each.path for each in (*own, *work) if each.kind == "edit"}
    files = dict.fromkeys((*turn.files, *other.files))
    return turn._replace(
        assistant=other.assistant if longer or not turn.assistant else turn.assistant,
        work=_in_order(own, work),
        ended=turn.ended or other.ended,
        files=tuple(path for path in files if path not in edited),
        written=turn.written or other.written,
        calls=turn.calls | other.calls,
        usage=turn.usage or other.usage,
    )


def _in_order(work: tuple[Work, ...], more: tuple[Work, ...]) -> tuple[Work, ...]:
    return tuple(sorted((*work, *more), key=lambda each: each.at)) if more else work
