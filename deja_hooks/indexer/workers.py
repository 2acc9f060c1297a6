"""Who reads the files of a pass: this process, or several at once where there is much to read.

`prepare` (the readers, redaction with its patterns) is imported when the first file is read: a pass with
nothing new must not load it.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future, ProcessPoolExecutor

    from deja_hooks.indexer.job import Job
    from deja_hooks.memory.prepared import Prepared

__all__ = ["Workers"]

#: Bytes of files from which on other processes are worth their start (a third of a second each).
MUCH = 12 << 20
#: Files handed to a process at once.
SHARE = 16


class Workers:
    """Reads batches of jobs, in their order.

    Args:
        processes: how many may read at once; 1: this process alone.
    """

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def prepared(self, batches: Iterable[list[Job]]) -> Iterator[list[tuple[Job, list[Prepared] | str]]]:
        """Each batch with its results; at most two batches are held at once.

        With several processes, a batch is read while the one before it is written.
        """
        waiting: deque[tuple[list[Job], list[Future[list[list[Prepared] | str]]]]] = deque()
        for jobs in batches:
            if self._processes < 2 or (self._pool is None and sum(j.size for j in jobs) < MUCH // 2):
                yield from (self._collect(*waiting.popleft()) for _ in range(len(waiting)))
                yield list(zip(jobs, _prepare_here(jobs), strict=True))
                continue
            waiting.append((jobs, self._submit(jobs)))
            if len(waiting) > 2:
                yield self._collect(*waiting.popleft())
        while waiting:
            yield self._collect(*waiting.popleft())

    def _submit(self, jobs: list[Job]) -> list[Future[list[list[Prepared] | str]]]:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        from deja_hooks.indexer.prepare import prepare_all

        if self._pool is None:
            # A fork is ready at once; it is safe on Linux while no other thread (a progress bar's) runs here.
            alone = sys.platform == "linux" and threading.active_count() == 1
            context = multiprocessing.get_context("fork" if alone else "spawn")
            self._pool = ProcessPoolExecutor(self._processes, mp_context=context)
        return [self._pool.submit(prepare_all, jobs[i : i + SHARE]) for i in range(0, len(jobs), SHARE)]

    def _collect(
        self, jobs: list[Job], futures: list[Future[list[list[Prepared] | str]]]
    ) -> list[tuple[Job, list[Prepared] | str]]:
        """The results of a batch; what a dead process has left undone is done here."""
        from concurrent.futures.process import BrokenProcessPool

        found: list[list[Prepared] | str] = []
        for i, future in enumerate(futures):
            try:
                found += future.result()
            except BrokenProcessPool:
                found += _prepare_here(jobs[i * SHARE : (i + 1) * SHARE])
        return list(zip(jobs, found, strict=True))


def _prepare_here(jobs: list[Job]) -> list[list[Prepared] | str]:
    from deja_hooks.indexer.prepare import prepare_all

    return prepare_all(jobs)
