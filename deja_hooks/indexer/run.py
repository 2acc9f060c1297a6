"""One pass over all stores: what is new or changed is read, what is gone is dropped, nothing else is touched."""

from __future__ import annotations

import contextlib
import gc
import os
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from deja_hooks.indexer.report import Report
from deja_hooks.indexer.seen import hook_outcomes, hook_transcripts
from deja_hooks.indexer.workers import Job, Workers
from deja_hooks.memory.cursor import fingerprint_of
from deja_hooks.memory.write import MemoryWriter, Prepared, Source
from deja_hooks.sources.roots import SourceFile, files, find_roots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from deja_hooks.memory.layout import Layout
    from deja_hooks.sources.roots import Root

__all__ = ["Report", "index", "run_pass"]

#: What storing a file may raise because of the file: a number beyond 64 bits, a name that is no text.
_UNSTORABLE = (ValueError, OverflowError, sqlite3.DataError, sqlite3.IntegrityError)

#: Bytes of the hosts' files after which a transaction ends: readers and writers never wait long.
BATCH_BYTES = 8 << 20
#: A file changed less than this before it was read may change again within the same time stamp, in ms.
RACY_MS = 2_000
#: Stores whose host deletes old files by itself: their sessions stay.
ROTATED = frozenset(("vscode-transcript",))


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
    """A full pass in the foreground, under the indexer's lock.

    Args:
        layout: of the installation.
        environment, home, platform: where to look for stores (see `sources.roots`).
        progress: called with (bytes done, bytes in all).
        wait: wait for an indexer that is running; False raises `filelock.Timeout` instead.
        on_wait: called once before waiting.
        processes: how many may read at once; None: as many as there are processors, four at most.
    """
    Path(layout.cache).mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(layout.index_lock, mode=0o600)
    waited = False
    try:
        lock.acquire(timeout=0)
    except Timeout:
        if not wait:
            raise
        waited = True
        if on_wait is not None:
            on_wait()
        lock.acquire()
    try:
        count = processes or min(4, os.cpu_count() or 1)
        report = run_pass(layout, find_roots(environment, home, platform), progress, processes=count)
    finally:
        lock.release()
    return report._replace(waited=waited)


def run_pass(
    layout: Layout,
    roots: list[Root],
    progress: Callable[[int, int], None] | None = None,
    *,
    processes: int = 1,
) -> Report:
    """One pass; the caller holds the lock.

    Args:
        processes: how many may read at once. The background indexer is one process, and stays one.
    """
    started = time.monotonic()
    # Nothing made here is cyclic; the collector would look at every turn again and again (a tenth of a pass).
    gc.disable()
    try:
        with contextlib.closing(MemoryWriter(layout.memory)) as writer, Workers(processes) as workers:
            work = _Pass(layout, writer, workers)
            work.run(roots, progress)
    finally:
        gc.enable()
    return work.report(time.monotonic() - started)


class _Pass:
    """The state of one pass."""

    def __init__(self, layout: Layout, writer: MemoryWriter, workers: Workers) -> None:
        self._layout = layout
        self._writer = writer
        self._workers = workers
        self._found = 0
        self._changed = 0
        self._sessions: set[str] = set()
        self._turns = 0
        self._bytes = 0
        self._bad = 0
        self._problems: list[tuple[str, str]] = []
        self._forgot = False

    def run(self, roots: list[Root], progress: Callable[[int, int], None] | None) -> None:
        known = self._writer.sources()
        found = self._list(roots)
        self._found = len(found)
        self._forget(known, found, roots)
        # The oldest first: row ids then rise with time, and a bounded lookup sees the latest.
        known = self._writer.sources() if self._forgot else known
        back = self._writer.gone_paths() & found.keys()
        changed = (f for path, f in found.items() if path in back or _changed(f, known.get(path)))
        todo = sorted(changed, key=lambda f: f.mtime_ns)
        if not todo:
            return
        total = done = 0
        batches = list(_batches(todo))
        total = sum(f.size for f in todo)
        jobs = ([self._job(f, known.get(str(f.path))) for f in batch] for batch in batches)
        for results in self._workers.prepared(jobs):
            self._write(results)
            done += sum(job.file.size for job, _ in results)
            if progress is not None:
                progress(done, total)

    def _list(self, roots: list[Root]) -> dict[str, SourceFile]:
        found = {}
        for root in roots:
            for file in files(root):
                found[str(file.path)] = file
        places = {(file.dev, file.ino) for file in found.values()}
        for file in hook_transcripts(self._layout.state):
            if (file.dev, file.ino) not in places:
                found.setdefault(str(file.path), file)
        return found

    def _forget(self, known: dict[str, Source], found: dict[str, SourceFile], roots: Iterable[Root]) -> None:
        """Drops what the user has deleted; only below roots that are there to be seen."""
        seen = tuple(f"{root.path}{os.sep}" for root in roots if root.path.is_dir())
        gone = [s for path, s in known.items() if path not in found and path.startswith(seen)]
        self._forgot = bool(gone)
        if gone:
            with self._writer.transaction():
                for source in gone:
                    self._writer.forget_source(source.path, keep_session=source.store in ROTATED)

    def _job(self, file: SourceFile, known: Source | None) -> Job:
        """Where to read a file on: the start where it is new or was rewritten."""
        session = file.path.stem if file.store == "vscode-transcript" else ""
        outcomes = hook_outcomes(self._layout.state, session) if session else {}
        fresh = Job(file, 0, 0, None, outcomes)
        if known is None or known.session is None or known.restart == 0 or file.size < known.ended_at:
            return fresh
        if fingerprint_of(known.path, known.restart, known.ended_at - known.restart) != known.fingerprint:
            return fresh
        from deja_hooks.sources.model import Header  # not needed where nothing is new

        sid, host, store, cwd, branch, started = self._writer.header(known.session)
        return Job(file, known.restart, known.place, Header(sid, host, store, cwd, branch, started, ""), outcomes)

    def _write(self, results: list[tuple[Job, Prepared | str]]) -> None:
        """Writes a batch in one transaction; where one file can't be stored, each in its own."""
        self._changed += len(results)
        prepared = [(job.file, each) for job, each in results if not isinstance(each, str)]
        self._problems += [(str(job.file.path), each) for job, each in results if isinstance(each, str)]
        try:
            self._store_all(prepared)
        except _UNSTORABLE:
            # Not a savepoint for each file: the full-text table ends a segment at each.
            for file, each in prepared:
                try:
                    self._store_all([(file, each)])
                except _UNSTORABLE as error:
                    self._problems.append((str(file.path), f"{type(error).__name__}: {error}"))

    def _store_all(self, prepared: list[tuple[SourceFile, Prepared]]) -> None:
        """Stores the files, all or none."""
        now = int(time.time() * 1000)
        with self._writer.transaction():
            turns = [self._store(file, each, now) for file, each in prepared]
        self._turns += sum(turns)
        for _, each in prepared:
            self._bytes += each.bytes_read
            self._bad += each.bad
            self._sessions.add(each.header.session_id)
        self._sessions.discard("")

    def _store(self, file: SourceFile, prepared: Prepared, now: int) -> int:
        """Stores one file; returns how many turns were written."""
        path = str(file.path)
        source = Source(
            path=path, store=file.store, session=None, dev=file.dev, ino=file.ino, size=file.size, mtime=file.mtime_ns,
            read_at=now, restart=prepared.restart, place=0, ended_at=prepared.end, fingerprint=prepared.fingerprint,
            lines=prepared.lines, bad=prepared.bad, understood=prepared.understood,
        )  # fmt: skip
        sid = prepared.header.session_id
        owner = self._writer.owner(sid)
        if not sid or (owner and owner != path and Path(owner).exists()):
            self._writer.touch(source)  # the same session from a second place: the first one stands
            return 0
        if owner and owner != path:
            self._writer.forget_source(owner, keep_session=False)
        return self._writer.store(source, prepared)

    def report(self, seconds: float) -> Report:
        return Report(
            self._found, self._changed, len(self._sessions), self._turns, self._bytes, self._bad,
            tuple(self._problems), round(seconds, 3), False,
        )  # fmt: skip


def _batches(todo: list[SourceFile]) -> Iterator[list[SourceFile]]:
    """The files in groups of about `BATCH_BYTES`."""
    batch: list[SourceFile] = []
    size = 0
    for file in todo:
        batch.append(file)
        size += file.size
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _changed(file: SourceFile, known: Source | None) -> bool:
    if known is None:
        return True
    if (file.dev, file.ino, file.size, file.mtime_ns) != (known.dev, known.ino, known.size, known.mtime):
        return True
    return known.read_at - known.mtime // 1_000_000 < RACY_MS
