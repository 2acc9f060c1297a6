"""Housekeeping after a pass: nothing that hooks leave in the cache may grow without an end."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["tidy"]

#: Markers of sessions that no Stop has ever ended, and whose packet no event has ever carried: 90 days, as in `state`.
_MARKER_SECONDS = 90 * 86_400.0
#: A file that was to take another's place, and whose process died in between.
_HALF_SECONDS = 86_400.0


def tidy(layout: Layout) -> None:
    """Forgets old sessions' state and markers, puts a broken `state.db` away: hooks do without it until then.

    Never raises.
    """
    _tidy_state(layout)
    now = time.time()
    for folder in ("live", "pending"):
        _drop_older(Path(layout.in_cache(folder)), "*", now - _MARKER_SECONDS)
    cache = Path(layout.cache)
    for half_written in ("index.[0-9]*", "ring.jsonl.[0-9][0-9]*", "index.claim.[0-9]*"):
        _drop_older(cache, half_written, now - _HALF_SECONDS)


def _tidy_state(layout: Layout) -> None:
    from deja_hooks.memory.state import State

    if not Path(layout.state).exists():
        return
    try:
        with contextlib.closing(State(layout.state)) as state:
            state.forget_old(int(time.time() * 1000))
    except sqlite3.OperationalError:
        pass  # busy, or a full disk: the next pass tidies
    except sqlite3.DatabaseError:
        for suffix in ("", "-journal"):
            with contextlib.suppress(OSError):
                Path(layout.state + suffix).unlink()
    except OSError:
        pass


def _drop_older(folder: Path, names: str, than: float) -> None:
    """Removes files of that name that were last changed before that time, epoch seconds."""
    with contextlib.suppress(OSError):
        if folder.is_symlink():
            return  # not ours, wherever it leads
        for path in folder.glob(names):
            with contextlib.suppress(OSError):
                if path.lstat().st_mtime < than:
                    path.unlink()
