"""The background indexer at work.

It makes passes as long as hooks ask for them, waits a second for more, and ends by itself. One at a time:
the claim (see `hook.wake`) lets one process start, the lock lets one write.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from pathlib import Path

from filelock import FileLock, Timeout

from deja_hooks.hook.wake import claim
from deja_hooks.indexer.budget import sure_limit_of
from deja_hooks.indexer.places import places_to_look, remember
from deja_hooks.indexer.report import keep_fault, keep_report
from deja_hooks.indexer.run import run_pass
from deja_hooks.indexer.tidy import tidy
from deja_hooks.indexer.timing import GIVE_WAY, LAG, LINGER, PATIENCE, RENEW
from deja_hooks.memory.layout import Layout

__all__ = ["serve"]


def serve(layout: Layout) -> int:
    """Runs until nothing is asked for any more.

    Args:
        layout: of the installation.
    """
    _leave_the_host(layout)
    _renew_claim(layout)
    try:
        _work(layout)
    except Exception as error:
        # The boundary of this process: nobody reads its stderr, so the fault is kept where `log` shows it.
        keep_fault(layout, error)
        _drop_claim(layout)
        return 1
    return 0


def _leave_the_host(layout: Layout) -> None:
    """A session of its own (where the spawn could not make one), and no folder of the user's held."""
    with contextlib.suppress(OSError):
        os.chdir(layout.cache)
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()


def _work(layout: Layout) -> None:
    """Makes passes while hooks ask for them. The lock is held for a pass, not between two of them: however often
    hooks ask, a command that waits for the indexer gets its turn.
    """
    while True:
        seen = _wanted(layout)
        if not seen or not _pass(layout):
            _drop_claim(layout)
            return
        time.sleep(GIVE_WAY)
        if _more(layout, seen):
            continue
        _drop_claim(layout)
        # A hook may have asked between the last look and the claim's end; it saw the claim and started nobody.
        if _wanted(layout) in (seen, 0) or not claim(layout.index_claim, int(time.time() * 1000)):
            return


def _pass(layout: Layout) -> bool:
    """One pass under the lock; False where somebody else has held it for too long, or nothing is asked for."""
    lock = FileLock(layout.index_lock, mode=0o600)
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        keep_fault(layout, TimeoutError(f"{layout.index_lock} was held by another process for {PATIENCE:.0f} s"))
        return False
    try:
        if not _wanted(layout):
            _undo_lock(layout)
            return False
        _wait_for_the_log(layout)
        roots = places_to_look(layout, os.environ, Path.home(), sys.platform)
        remember(layout, roots)
        keep_report(layout, run_pass(layout, roots, limit=sure_limit_of(os.environ)))
        tidy(layout)
    finally:
        lock.release()
    return True


def _undo_lock(layout: Layout) -> None:
    """All of ours was erased while we waited (`uninstall --purge`): the lock's file is all that we have made anew."""
    with contextlib.suppress(OSError):
        Path(layout.index_lock).unlink()
        Path(layout.cache).rmdir()


def _wait_for_the_log(layout: Layout) -> None:
    """Work asked for just now may not be in the host's log yet."""
    try:
        age = time.time() - Path(layout.index_wanted).stat().st_mtime
    except OSError:
        return
    if 0 <= age < LAG:
        time.sleep(LAG - age)


def _more(layout: Layout, seen: int) -> bool:
    """Whether a hook asks again within the linger time."""
    until = time.monotonic() + LINGER
    while time.monotonic() < until:
        if _wanted(layout) not in (seen, 0):
            return True
        time.sleep(0.05)
    return _wanted(layout) not in (seen, 0)


def _wanted(layout: Layout) -> int:
    """When a pass was asked for the last time; 0 where nobody asks."""
    try:
        return Path(layout.index_wanted).stat().st_mtime_ns
    except OSError:
        return 0


def _drop_claim(layout: Layout) -> None:
    with contextlib.suppress(OSError):
        Path(layout.index_claim).unlink()


def _renew_claim(layout: Layout) -> None:
    """Keeps the claim fresh while this process lives, however long one file takes."""

    def renew() -> None:
        while True:
            with contextlib.suppress(OSError):
                os.utime(layout.index_claim)
            time.sleep(RENEW)

    threading.Thread(target=renew, daemon=True).start()
