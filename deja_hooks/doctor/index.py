"""The index: whether it is there, fresh, how large it is, and what its last pass came to."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.looking import is_file, is_there
from deja_hooks.hook.wake import STALE_MS
from deja_hooks.indexer.fault import cut_short, remedy
from deja_hooks.indexer.look import look
from deja_hooks.indexer.report import last_fault
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.schema import VERSION
from deja_hooks.memory.source_rows import Source, read_sources
from deja_hooks.sources.places.roots import Root

__all__ = ["Held", "check_claim", "check_fault", "check_index", "check_limit", "claim_is_stale", "held"]

#: Time that the indexer has for what it was asked to read, ms.
_PATIENCE_MS = 600_000
_DO = "run deja-hooks index"


class Held(NamedTuple):
    """What the memory holds, and what it doesn't yet.

    Attributes:
        sessions: in the memory.
        read_at: of the last file, epoch ms; 0 for none.
        sources: what it says of the hosts' files.
        waiting: files that are new or changed, with the time of the last change, epoch ms.
        cut: what is said of a pass that was cut short (`indexer.fault.cut_short`); "" for none.
        shortened: sessions that were made smaller for want of room.
    """

    sessions: int
    read_at: int
    sources: list[Source]
    waiting: dict[str, int]
    cut: str = ""
    shortened: int = 0


def held(layout: Layout, roots: list[Root]) -> Held | None:
    """What the memory holds, beside what the hosts have; None where no memory can be read (`check_memory` says why).

    Args:
        layout: of the installation.
        roots: where the hosts keep sessions.
    """
    path = Path(layout.memory)
    # A pipe in a database's place would be waited for.
    if not is_file(path) or (is_there(layout.state) and not is_file(layout.state)):
        return None
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)) as db:
            if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
                return None
            sessions = int(db.execute("SELECT count(*) FROM session").fetchone()[0])
            sources = read_sources(db)
            seen = look(db, layout, roots)
            cut = cut_short(db, layout)
            shortened = int(db.execute("SELECT count(*) FROM session WHERE trimmed>0").fetchone()[0])
    except sqlite3.Error:
        return None
    waiting = {}
    for file in seen.todo:
        known = sources.get(str(file.path))
        # The indexer looks again at what it read within two seconds of a change, and at what it couldn't read: here
        # these count as read (`stores` names the latter).
        if known is None or (not known.problem and (file.dev, file.ino, file.size, file.mtime_ns) != known[3:7]):
            waiting[str(file.path)] = file.mtime_ns // 1_000_000
    read_at = max((each.read_at for each in sources.values()), default=0)
    return Held(sessions, read_at, list(sources.values()), waiting, cut, shortened)


def check_index(layout: Layout, found: Held | None, now_ms: int) -> Iterator[Finding]:
    """Whether it is there and fresh. What hooks asked for long ago and nobody has read since is a fault.

    Args:
        layout: of the installation.
        found: what the memory holds.
        now_ms: epoch ms.
    """
    path = Path(layout.memory)
    if found is None:
        if claim_is_stale(layout, now_ms) is False:
            yield note("index", path, "an indexer is at work on it: it can't be read yet", "look again later")
        elif not is_there(path):
            yield note("index", path, "there is no memory yet", f"{_DO}, or let a session's end do it")
        return
    size = sum(_size(Path(f"{path}{suffix}")) for suffix in ("", "-wal"))
    held_now = f"{found.sessions:,} {'session' if found.sessions == 1 else 'sessions'}, {_megabytes(size)}"
    asked = _asked_ms(layout)
    late = [name for name, at in found.waiting.items() if at <= asked]
    if late and now_ms - asked > _PATIENCE_MS and claim_is_stale(layout, now_ms) is not False:
        seen = f"{held_now}; the indexer was asked for {len(late):,} more, and has not read them ({late[0]})"
        yield broken("index", path, seen, _DO, fixable=True)
    elif found.waiting:
        number = f"{len(found.waiting):,} {'file waits' if len(found.waiting) == 1 else 'files wait'}"
        yield note("index", path, f"{held_now}; {number} to be read", f"{_DO}, or let the next session's end do it")
    else:
        yield ok("index", path, f"{held_now}, fresh")


def check_fault(layout: Layout, found: Held | None) -> Iterator[Finding]:
    """What ended the background indexer the last time; else whether a pass was cut short (the next one goes on)."""
    fault = last_fault(layout)
    if fault:
        do = remedy(fault, layout).removesuffix(".") or _DO
        yield broken("index-error", layout.index_report, f"the indexer failed ({fault})", do, fixable=True)
    elif found is not None and found.cut:
        seen, _, do = found.cut.partition(": ")
        yield note("index-error", layout.memory, seen, do.removesuffix("."))
    else:
        yield ok("index-error", "the indexer", "its last pass went well" if is_there(layout.index_report) else
                 "no background pass has failed")  # fmt: skip


def check_limit(layout: Layout, found: Held | None) -> Iterator[Finding]:
    """Whether the limit of the memory has made sessions smaller. That is what it is for: a note."""
    if found is not None and found.shortened:
        number = f"{found.shortened:,} {'session is' if found.shortened == 1 else 'sessions are'}"
        seen = f"{number} kept shorter, to keep the memory within its limit"
        yield note("index-limit", layout.memory, seen, "set DEJA_HOOKS_MAX_MB higher to keep more of what comes")


def check_claim(layout: Layout, now_ms: int) -> Iterator[Finding]:
    """Whether an indexer that has died left its claim. (The next hook takes it over; until then nothing is read.)"""
    stale = claim_is_stale(layout, now_ms)
    if stale is None:
        yield ok("index-claim", "the indexer", "not at work")
    elif stale:
        seen = "an indexer has died at work, and left its claim"
        yield broken("index-claim", layout.index_claim, seen, "delete it; the next pass begins anew", fixable=True)
    else:
        yield ok("index-claim", "the indexer", "at work")


def _asked_ms(layout: Layout) -> int:
    """When hooks have last asked for a pass, epoch ms; 0 for never."""
    try:
        return int(Path(layout.index_wanted).stat().st_mtime * 1000)
    except OSError:
        return 0


def claim_is_stale(layout: Layout, now_ms: int) -> bool | None:
    """Whether the indexer's claim was left by a process that died; None where there is no claim."""
    try:
        return abs(now_ms - int(Path(layout.index_claim).stat().st_mtime * 1000)) > STALE_MS
    except OSError:
        return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
