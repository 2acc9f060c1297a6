"""Whether what we keep stays within what SECURITY.md says: how much, and for how long."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, ok
from deja_hooks.doctor.looking import is_file
from deja_hooks.doctor.own_files import Found
from deja_hooks.hook.record import MOST as MOST_RECORDINGS
from deja_hooks.hook.ring import LIMIT
from deja_hooks.indexer.places import MOST as MOST_FOLDERS
from deja_hooks.memory.layout import Layout

__all__ = ["check_bounds"]

_CHECK = "bounds"
#: Bytes of both files of the ring: a line may cross the limit, and hooks that run at once cross it together.
_MOST_RING = 2 * LIMIT + (256 << 10)
#: 90 days, and a week in which a pass may come that forgets what is older.
_OLDEST_DAYS = 97
_DAY = 86_400


def check_bounds(layout: Layout, found: list[Found], now_ms: int) -> Iterator[Finding]:
    """The ring, recordings, markers, sessions in the state, known User folders.

    Args:
        layout: of the installation.
        found: what lies in our folders.
        now_ms: epoch ms.
    """
    faults = [
        *_of_ring(layout, found),
        *_of_recordings(layout, found),
        *_of_markers(found, now_ms),
        *_of_state(layout, now_ms),
        *_of_user_folders(layout),
    ]
    size = sum(each.size for each in found if each.is_file)
    yield from faults or [ok(_CHECK, layout.cache, f"{size / 1e6:.1f} MB in all; nothing is more, or older, than said")]


def _of_ring(layout: Layout, found: list[Found]) -> Iterator[Finding]:
    size = sum(each.size for each in found if each.known and each.name.startswith("ring.jsonl"))
    if size > _MOST_RING:
        seen = f"the log of calls takes {size / 1e6:.1f} MB, more than about 2"
        yield broken(_CHECK, layout.ring, seen, f"delete {layout.ring} and {layout.ring}.1: hooks begin another")


def _of_recordings(layout: Layout, found: list[Found]) -> Iterator[Finding]:
    number = sum(each.known and each.name.startswith("recordings/") for each in found)
    if number > MOST_RECORDINGS:
        seen = f"{number:,} payloads are kept, more than {MOST_RECORDINGS}"
        yield broken(_CHECK, layout.recordings, seen, "delete those that you don't need")


def _of_markers(found: list[Found], now_ms: int) -> Iterator[Finding]:
    before = now_ms / 1000 - _OLDEST_DAYS * _DAY
    old = [each for each in found if each.name.startswith(("live/", "pending/")) and each.changed < before]
    if old:
        seen = f"{_number(len(old), 'marker')} of a session's turn or packet older than 90 days"
        yield broken(_CHECK, old[0].path.parent, seen, "run deja-hooks index")


def _of_state(layout: Layout, now_ms: int) -> Iterator[Finding]:
    if not is_file(layout.state):
        return
    before = now_ms - _OLDEST_DAYS * _DAY * 1000
    try:
        with closing(sqlite3.connect(f"{Path(layout.state).resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)) as db:
            number = int(db.execute("SELECT count(*) FROM session WHERE last<?", (before,)).fetchone()[0])
    except sqlite3.Error:
        return  # `secrets` says that it can't be read
    if number:
        seen = f"it keeps {_number(number, 'session')} not heard of for more than 90 days"
        yield broken(_CHECK, layout.state, seen, "run deja-hooks index")


def _of_user_folders(layout: Layout) -> Iterator[Finding]:
    try:
        lines = Path(layout.user_folders).read_bytes().splitlines() if is_file(layout.user_folders) else []
    except OSError:
        return
    if len(lines) > MOST_FOLDERS:
        seen = f"it names {len(lines):,} folders, more than {MOST_FOLDERS}"
        yield broken(_CHECK, layout.user_folders, seen, "delete the lines that you don't need")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
