"""One pass: what is new or changed is read and written, what is gone is dropped, nothing else is touched."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.indexer.job import Job
from deja_hooks.indexer.look import Look, look
from deja_hooks.indexer.report import Report
from deja_hooks.indexer.seen import hook_outcomes
from deja_hooks.indexer.workers import Workers
from deja_hooks.memory.cursor import fingerprint_of
from deja_hooks.memory.source_rows import Source
from deja_hooks.memory.write import MemoryWriter, Prepared
from deja_hooks.sources.model import Header
from deja_hooks.sources.roots import SourceFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from deja_hooks.memory.layout import Layout
    from deja_hooks.sources.roots import Root

__all__ = ["Pass"]

#: What storing a file may raise because of the file: a number beyond 64 bits, a name that is no text.
_UNSTORABLE = (ValueError, OverflowError, sqlite3.DataError, sqlite3.IntegrityError)
#: Bytes of the hosts' files after which a transaction ends: readers and writers never wait long.
BATCH_BYTES = 8 << 20
#: Stores whose host deletes old files by itself: their sessions stay.
ROTATED = frozenset(("vscode-transcript",))


class Pass:
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

    def run(self, roots: list[Root], progress: Callable[[int, int], None] | None) -> None:
        """Does what there is to do. Raises sqlite3.OperationalError where the memory can't be written."""
        seen = self._look(roots)
        self._found = seen.files
        total = sum(file.size for file in seen.todo)
        done = 0
        jobs = ([self._job(f, seen.known.get(str(f.path))) for f in batch] for batch in _batches(seen.todo))
        for results in self._workers.prepared(jobs):
            self._write(results)
            done += sum(job.file.size for job, _ in results)
            if progress is not None:
                progress(done, total)

    def _look(self, roots: list[Root]) -> Look:
        """What there is to do, once what is gone has been dropped."""
        seen = look(self._writer.db, self._layout, roots)
        if not seen.gone:
            return seen
        with self._writer.transaction():
            for source in seen.gone:
                self._writer.forget_source(source.path, keep_session=source.store in ROTATED)
        return look(self._writer.db, self._layout, roots)

    def _job(self, file: SourceFile, known: Source | None) -> Job:
        """Where to read a file on: the start where it is new or was rewritten."""
        session = file.path.stem if file.store == "vscode-transcript" else ""
        outcomes = hook_outcomes(self._layout.state, session) if session else {}
        fresh = Job(file, 0, 0, None, outcomes)
        if known is None or known.session is None or known.restart == 0 or file.size < known.ended_at:
            return fresh
        if fingerprint_of(known.path, known.restart, known.ended_at - known.restart) != known.fingerprint:
            return fresh
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
        """What has been done."""
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
