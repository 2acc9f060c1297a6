"""A full pass over all stores, in the foreground or by the background indexer."""

from __future__ import annotations

import contextlib
import errno
import gc
import os
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.indexer.budget import is_over, limit_of
from deja_hooks.indexer.look import look_without_lock
from deja_hooks.indexer.places import places_to_look, remember
from deja_hooks.indexer.report import Report, keep_report, last_fault
from deja_hooks.system import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from deja_hooks.memory.layout import Layout
    from deja_hooks.sources.places.roots import Root

__all__ = ["Report", "index", "locked", "run_pass"]


def index(
    layout: Layout,
    *,
    environment: Mapping[str, str],
    home: Path,
    platform: str,
    progress: Callable[[int, int], None] | None = None,
    wait: bool = True,
    on_wait: Callable[[], None] | None = None,
    processes: int | None = None,
) -> Report:
    """A full pass in the foreground, under the indexer's lock; without it where nothing is new.

    Args:
        layout: of the installation.
        environment, home, platform: where to look for stores (see `sources.places.roots`).
        progress: called with (bytes done, bytes in all).
        wait: wait for an indexer that is running; False raises `filelock.Timeout` instead.
        on_wait: called once before waiting.
        processes: how many may read at once; None: as many as there are processors, four at most.

    Raises:
        LimitError: `DEJA_HOOKS_MAX_MB` can't be understood.
        OSError, sqlite3.OperationalError: the memory can't be written.
    """
    started = time.monotonic()
    limit = limit_of(environment)
    roots = places_to_look(layout, environment, home, platform)
    remember(layout, roots)
    seen = look_without_lock(layout, roots)
    settled = not is_over(layout.memory, limit) and not last_fault(layout)
    if settled and seen is not None and not seen.todo and not seen.gone:
        return Report(len(seen.files), 0, 0, 0, 0, 0, (), round(time.monotonic() - started, 3), False)
    with locked(layout, wait, on_wait) as waited:
        report = run_pass(layout, roots, progress, processes=processes or min(4, os.cpu_count() or 1), limit=limit)
        if last_fault(layout):
            keep_report(layout, report)  # what had ended the background indexer has passed
    return report._replace(waited=waited)


@contextlib.contextmanager
def locked(layout: Layout, wait: bool, on_wait: Callable[[], None] | None) -> Iterator[bool]:
    """Holds the indexer's lock; gives whether it had to be waited for.

    Args:
        wait: wait for an indexer that is running; False raises `filelock.Timeout` instead.
        on_wait: called once before waiting.
    """
    from filelock import FileLock, Timeout  # 40 ms, and nothing to lock where nothing is new

    make_private_dir(layout.cache)
    lock = FileLock(layout.index_lock, mode=0o600)
    waited = False
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            if not wait:
                raise
            waited = True
            if on_wait is not None:
                on_wait()
            lock.acquire()
    except NotImplementedError as error:  # so `filelock` says of a file system without locks
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK), layout.index_lock) from error
    try:
        yield waited
    finally:
        lock.release()


def run_pass(
    layout: Layout,
    roots: list[Root],
    progress: Callable[[int, int], None] | None = None,
    *,
    processes: int = 1,
    limit: int = 0,
) -> Report:
    """One pass; the caller holds the lock.

    Args:
        processes: how many may read at once. The background indexer is one process, and stays one.
        limit: bytes that the memory may take; 0 for no limit.
    """
    from deja_hooks.memory.opening import set_aside

    try:
        return _one_pass(layout, roots, progress, processes, limit)
    except sqlite3.DatabaseError as error:
        if type(error) is not sqlite3.DatabaseError:  # those below it are of our making, or pass
            raise
        set_aside(Path(layout.memory), broken=True)  # damaged: all that hosts still have is read again, at once
    return _one_pass(layout, roots, progress, processes, limit)


def _one_pass(
    layout: Layout, roots: list[Root], progress: Callable[[int, int], None] | None, processes: int, limit: int
) -> Report:
    from deja_hooks.indexer.passing import Pass
    from deja_hooks.indexer.workers import Workers
    from deja_hooks.memory.write import MemoryWriter

    started = time.monotonic()
    # Nothing made here is cyclic; the collector would look at every turn again and again (a tenth of a pass).
    gc.disable()
    try:
        with contextlib.closing(MemoryWriter(layout.memory)) as writer, Workers(processes) as workers:
            work = Pass(layout, writer, workers, limit)
            work.run(roots, progress)
    finally:
        gc.enable()
    return work.report(time.monotonic() - started)
