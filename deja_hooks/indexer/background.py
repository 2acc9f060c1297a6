"""The background indexer: the script that a hook starts.

It makes passes as long as hooks ask for them, waits a second for more, and ends by itself. One at a time:
the claim (see `hook.wake`) lets one process start, the lock lets one write.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

from filelock import FileLock, Timeout

from deja_hooks.hook.wake import claim
from deja_hooks.indexer.report import keep_fault, keep_report
from deja_hooks.indexer.run import run_pass
from deja_hooks.memory.layout import Layout
from deja_hooks.sources.roots import find_roots

__all__ = ["main"]

#: Hosts write their logs after about 100 ms of quiet (Copilot CLI 1.0.102), in seconds.
LAG = 0.15
#: How long an idle indexer waits for more work, in seconds.
LINGER = 1.0
#: How long it waits for a foreground `deja-hooks index` to end, in seconds.
PATIENCE = 120.0


def main(arguments: list[str]) -> int:
    """Runs until nothing is asked for any more.

    Args:
        arguments: the cache and config folders of the installation.
    """
    layout = Layout.from_environment(arguments[0], arguments[1])
    _leave_the_host()
    renew = _renewer(layout)
    try:
        _hold_lock_and_work(layout, renew)
    except Exception as error:
        # The boundary of this process: nobody reads its stderr, so the fault is kept where `log` shows it.
        keep_fault(layout, error)
        _drop_claim(layout)
        return 1
    return 0


def _leave_the_host() -> None:
    """A session of its own (where the spawn could not make one), and no claim on anybody's processor."""
    if hasattr(os, "setsid"):
        try:
            os.setsid()
        except OSError:
            pass
    if hasattr(os, "nice"):
        try:
            os.nice(10)
        except OSError:
            pass


def _hold_lock_and_work(layout: Layout, renew: _Renewer) -> None:
    lock = FileLock(layout.index_lock, mode=0o600)
    deadline = time.monotonic() + PATIENCE
    while True:
        renew()
        try:
            lock.acquire(timeout=1.0)
        except Timeout:
            if time.monotonic() > deadline:
                _drop_claim(layout)
                return
            continue
        break
    try:
        _work(layout, renew)
    finally:
        lock.release()


def _work(layout: Layout, renew: _Renewer) -> None:
    while True:
        seen = _wanted(layout)
        _wait_for_the_log(layout)
        roots = find_roots(os.environ, Path.home(), sys.platform)
        keep_report(layout, run_pass(layout, roots, beat=renew))
        tidy(layout)
        if _more(layout, seen, renew):
            continue
        _drop_claim(layout)
        # A hook may have asked between the last look and the claim's end; it saw the claim and started nobody.
        if _wanted(layout) == seen or not claim(layout.index_claim, int(time.time() * 1000)):
            return


def _wait_for_the_log(layout: Layout) -> None:
    """Work asked for just now may not be in the host's log yet."""
    try:
        age = time.time() - Path(layout.index_wanted).stat().st_mtime
    except OSError:
        return
    if 0 <= age < LAG:
        time.sleep(LAG - age)


def _more(layout: Layout, seen: int, renew: _Renewer) -> bool:
    """Whether a hook asks again within the linger time."""
    until = time.monotonic() + LINGER
    while time.monotonic() < until:
        if _wanted(layout) != seen:
            return True
        renew()
        time.sleep(0.05)
    return _wanted(layout) != seen


def _wanted(layout: Layout) -> int:
    try:
        return Path(layout.index_wanted).stat().st_mtime_ns
    except OSError:
        return 0


def _drop_claim(layout: Layout) -> None:
    try:
        Path(layout.index_claim).unlink()
    except OSError:
        pass


class _Renewer:
    """Renews the claim, at most twice a second."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._next = 0.0

    def __call__(self) -> None:
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 0.5
        try:
            os.utime(self._path)
        except OSError:
            pass


def _renewer(layout: Layout) -> _Renewer:
    return _Renewer(layout.index_claim)


def tidy(layout: Layout) -> None:
    """Old sessions' state goes. Never raises: it is a courtesy."""
    from deja_hooks.memory.sqlite import sqlite_error
    from deja_hooks.memory.state import State

    if not Path(layout.state).exists():
        return
    try:
        State(layout.state).forget_old(int(time.time() * 1000))
    except (sqlite_error(), OSError):
        pass


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
