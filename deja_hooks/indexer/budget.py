"""Keeping the memory's file within its limit: how large it may be, and a bounded amount of work towards that.

The limit is `DEJA_HOOKS_MAX_MB`. The other files of ours are bounded by themselves (the ring, the recordings, 90 days
of state).
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    from deja_hooks.memory.terms import TermCache
    from deja_hooks.memory.trim import Candidate
    from deja_hooks.memory.write import MemoryWriter

__all__ = ["DEFAULT_MB", "LEAST_MB", "LimitError", "is_over", "keep_within", "limit_of", "sure_limit_of"]

#: A memory takes 14 to 34 % of the hosts' files: this holds some 8 GB of them, years of daily work. So nobody loses
#: anything by it but whom a cache of that size would surprise.
DEFAULT_MB = 2_000
#: Below that, little but the tables' own pages would fit.
LEAST_MB = 10
_NAME = "DEJA_HOOKS_MAX_MB"
_MB = 1_000_000
#: Down to this share of the limit: else each pass would trim for the few pages that it added.
_DOWN_TO = 0.9
#: Where an estimate had been too high, so much of the limit is taken out before it is measured again.
_AT_LEAST = 0.02
#: Turns that one call makes smaller at most (some seconds), and those after which a transaction ends.
_MOST_TURNS = 20_000
_BATCH_TURNS = 500
#: Pages that one call merges in the full-text table at most, and at a time.
_MOST_MERGED = 20_000
_MERGED = 1_000
#: Free pages that one call gives back to the file system at most (200 MB).
_MOST_FREED = 50_000


class LimitError(ValueError):
    """`DEJA_HOOKS_MAX_MB` says nothing that can be followed."""


def limit_of(environment: Mapping[str, str]) -> int:
    """Bytes that the memory may take; 0 for no limit. Raises LimitError."""
    text = environment.get(_NAME, "").strip()
    if not text:
        return DEFAULT_MB * _MB
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if number != 0 and number < LEAST_MB:
        raise LimitError(
            f"{_NAME} is {text!r}: set it to whole megabytes ({LEAST_MB} or more; 0 for no limit), or unset it."
        )
    return number * _MB


def sure_limit_of(environment: Mapping[str, str]) -> int:
    """The same where nobody could be told of a mistake: the default then."""
    try:
        return limit_of(environment)
    except LimitError:
        return DEFAULT_MB * _MB


def is_over(memory: str, limit: int) -> bool:
    """Whether the memory's file is larger than the limit."""
    try:
        return 0 < limit < Path(memory).stat().st_size
    except OSError:
        return False


def keep_within(writer: MemoryWriter, limit: int) -> int:
    """Makes the memory smaller where it is larger than the limit; a bounded amount, a next call goes on.

    Args:
        writer: of the memory, in no transaction.
        limit: bytes; 0 for none.

    Returns:
        How many sessions were made smaller.

    Raises:
        sqlite3.OperationalError: the memory can't be written.
    """
    db = writer.db
    if not limit or _sizes(db)[0] <= limit:
        return 0
    trimmed = _trim(writer, limit) if _used(db) > limit else set()
    db.executescript(f"PRAGMA incremental_vacuum({_MOST_FREED})")  # `execute` would take one step: one page
    return len(trimmed)


def _trim(writer: MemoryWriter, limit: int) -> set[int]:
    """Stage after stage, the oldest sessions first, until there is room enough or enough has been done.

    What was taken out counts by an estimate, and is measured once that should do: the full-text table gives its
    pages back only where its segments are merged, which costs more than the trimming.
    """
    from deja_hooks.memory.terms import TermCache
    from deja_hooks.memory.trim import candidates

    target = int(limit * _DOWN_TO)
    need = _used(writer.db) - target
    trimmed: set[int] = set()
    left = _MOST_TURNS
    cache = TermCache()
    for stage, sessions in candidates(writer.db):
        todo = deque(sessions)
        while todo and left > 0:
            if need <= 0:
                _merge(writer.db)
                need = _used(writer.db) - target
                if need <= 0:
                    return trimmed
                need = max(need, int(limit * _AT_LEAST))
            done, freed = _trim_some(writer, todo, stage, (need, min(left, _BATCH_TURNS)), cache)
            trimmed |= {session.id for session in done}
            left -= sum(session.places + 1 for session in done)
            need -= freed
    _merge(writer.db)
    return trimmed


def _trim_some(
    writer: MemoryWriter, todo: deque[Candidate], stage: int, enough: tuple[int, int], cache: TermCache
) -> tuple[list[Candidate], int]:
    """Takes the next sessions down in one short transaction.

    Args:
        enough: how many bytes, and how many turns, are.

    Returns:
        The sessions, and the bytes that they should give back.
    """
    from deja_hooks.memory.trim import trim_session

    done: list[Candidate] = []
    freed = turns = 0
    with writer.transaction():
        while todo and freed < enough[0] and turns < enough[1]:
            done.append(todo.popleft())
            freed += trim_session(writer.db, done[-1], stage, cache)
            turns += done[-1].places + 1
    return done, freed


def _merge(db: sqlite3.Connection) -> None:
    """Lets the full-text table drop what was taken out of it: it keeps marks of it until its segments are merged."""
    pages = -_MERGED  # negative: segments of all sizes are taken together
    for _ in range(_MOST_MERGED // _MERGED):
        before = db.total_changes
        db.execute("INSERT INTO terms(terms, rank) VALUES ('merge', ?)", (pages,))
        if db.total_changes - before < 2:
            return
        pages = _MERGED


def _sizes(db: sqlite3.Connection) -> tuple[int, int]:
    """Bytes of the file, and of the pages in it that are free."""
    count, free, size = (int(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in _PRAGMAS)
    return count * size, free * size


_PRAGMAS = ("page_count", "freelist_count", "page_size")


def _used(db: sqlite3.Connection) -> int:
    whole, free = _sizes(db)
    return whole - free
