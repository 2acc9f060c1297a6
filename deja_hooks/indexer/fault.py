"""A fault of the background indexer in one sentence, with what to do: nobody sees it at work, so commands tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.indexer.report import last_fault

if TYPE_CHECKING:
    import sqlite3

    from deja_hooks.memory.layout import Layout

__all__ = ["cut_short", "remedy", "standing_fault", "what_to_do"]

_AGAIN = "deja-hooks index tries again, and says why."
#: What stands in an error's text (lower case) → what to do about it. The first that fits counts.
_REMEDIES = (
    (
        ("disk is full", "no space left", "quota exceeded"),
        "free some room on the disk of {cache}, then run deja-hooks index.",
    ),
    (
        ("readonly", "read-only", "permission denied", "unable to open", "operation not permitted"),
        "make {cache} writable for yourself, or set DEJA_HOOKS_HOME to a folder that is, then run deja-hooks index.",
    ),
    (
        ("no locks", "disk i/o error", "locking protocol", "input/output error"),
        "see whether the disk of {cache} is full or failing; if it is a network drive, set DEJA_HOOKS_HOME to a"
        " folder on a local disk; then run deja-hooks index.",
    ),
    (
        ("not a regular file", "is a directory", "not a directory", "symbolic links"),
        "it is not ours: move it away, then run deja-hooks index.",
    ),
    (
        ("locked", "busy", "held by another"),
        "end the program that keeps {cache} open, then run deja-hooks index.",
    ),
)


def standing_fault(layout: Layout) -> str:
    """What ended the background indexer the last time, and what to do; "" where it ended well or has not run."""
    fault = last_fault(layout)
    return f"The background indexer failed ({fault}): {what_to_do(fault, layout)}" if fault else ""


def what_to_do(fault: str, layout: Layout) -> str:
    """What to do about an error of that text, as the second half of a sentence."""
    return remedy(fault, layout) or _AGAIN


def remedy(fault: str, layout: Layout) -> str:
    """The same; "" where nothing is known to help."""
    text = fault.lower()
    for signs, to_do in _REMEDIES:
        if any(sign in text for sign in signs):
            return to_do.format(cache=layout.cache)
    return ""


def cut_short(db: sqlite3.Connection, layout: Layout) -> str:
    """Says that a pass over the hosts' sessions was killed on its way; "" where none was, or one is at work."""
    if not db.execute("SELECT count(*) FROM pass").fetchone()[0]:
        return ""
    from filelock import FileLock, Timeout  # 40 ms: only where a pass has not come to its end

    lock = FileLock(layout.index_lock, mode=0o600)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError, NotImplementedError):
        return ""
    lock.release()
    return "The last reading of the hosts' sessions was cut short: deja-hooks index goes on with it."
