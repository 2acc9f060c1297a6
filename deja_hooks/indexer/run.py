"""One pass over all stores: what is new or changed is read, what is gone is dropped, nothing else is touched."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from filelock import FileLock, Timeout

from deja_hooks.indexer.seen import hook_outcomes, hook_transcripts
from deja_hooks.memory.cursor import fingerprint_of
from deja_hooks.memory.write import MemoryWriter, Source
from deja_hooks.sources.model import Header
from deja_hooks.sources.registry import reader_for
from deja_hooks.sources.roots import SourceFile, files, find_roots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from deja_hooks.memory.layout import Layout
    from deja_hooks.sources.roots import Root

__all__ = ["Report", "index", "run_pass"]

#: Bytes of the hosts' files after which a transaction ends: readers and writers never wait long.
BATCH_BYTES = 4 << 20
#: A file changed less than this before it was read may change again within the same time stamp, in ms.
RACY_MS = 2_000
#: Stores whose host deletes old files by itself: their sessions stay.
ROTATED = frozenset(("vscode-transcript",))


class Report(NamedTuple):
    """What a pass did.

    Attributes:
        files: files that the hosts have; changed: those read.
        sessions, turns: written.
        bytes_read: of the hosts' files.
        bad_lines: complete lines that could not be understood, in the files read.
        problems: (path, why) of files that could not be read.
        seconds: wall time of the pass; waited: whether another indexer had to end first.
    """

    files: int
    changed: int
    sessions: int
    turns: int
    bytes_read: int
    bad_lines: int
    problems: tuple[tuple[str, str], ...]
    seconds: float
    waited: bool


def index(
    layout: Layout,
    *,
    environment: Mapping[str, str],
    home: Path,
    platform: str,
    progress: Callable[[int, int], None] | None = None,
    wait: bool = True,
    on_wait: Callable[[], None] | None = None,
) -> Report:
    """A full pass in the foreground, under the indexer's lock.

    Args:
        layout: of the installation.
        environment, home, platform: where to look for stores (see `sources.roots`).
        progress: called with (bytes done, bytes in all).
        wait: wait for an indexer that is running; False raises `filelock.Timeout` instead.
        on_wait: called once before waiting.
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
        report = run_pass(layout, find_roots(environment, home, platform), progress)
    finally:
        lock.release()
    return report._replace(waited=waited)


def run_pass(
    layout: Layout,
    roots: list[Root],
    progress: Callable[[int, int], None] | None = None,
    beat: Callable[[], None] | None = None,
) -> Report:
    """One pass; the caller holds the lock.

    Args:
        beat: called at least after every file: the background indexer renews its claim there.
    """
    started = time.monotonic()
    writer = MemoryWriter(layout.memory)
    try:
        work = _Pass(layout, writer, progress, beat)
        work.run(roots)
    finally:
        writer.close()
    return work.report(time.monotonic() - started)


class _Pass:
    """The state of one pass."""

    def __init__(
        self,
        layout: Layout,
        writer: MemoryWriter,
        progress: Callable[[int, int], None] | None,
        beat: Callable[[], None] | None,
    ) -> None:
        self._layout = layout
        self._writer = writer
        self._progress = progress
        self._beat = beat
        self._found = 0
        self._changed = 0
        self._sessions: set[str] = set()
        self._turns = 0
        self._bytes = 0
        self._bad = 0
        self._problems: list[tuple[str, str]] = []

    def run(self, roots: list[Root]) -> None:
        known = self._writer.sources()
        found = self._list(roots)
        self._found = len(found)
        self._forget(known, found, roots)
        now = int(time.time() * 1000)
        # The oldest first: row ids then rise with time, and a bounded lookup sees the latest.
        todo = sorted((f for f in found.values() if _changed(f, known.get(str(f.path)))), key=lambda f: f.mtime_ns)
        total = sum(f.size for f in todo)
        done = 0
        batch: list[SourceFile] = []
        size = 0
        for file in todo:
            batch.append(file)
            size += file.size
            if size >= BATCH_BYTES:
                self._read_batch(batch, known, now)
                done += size
                batch, size = [], 0
                if self._progress is not None:
                    self._progress(done, total)
        if batch:
            self._read_batch(batch, known, now)
        if self._progress is not None:
            self._progress(total, total)

    def _list(self, roots: list[Root]) -> dict[str, SourceFile]:
        found = {}
        for root in roots:
            for file in files(root):
                found[str(file.path)] = file
        for file in hook_transcripts(self._layout.state):
            found.setdefault(str(file.path), file)
        return found

    def _forget(self, known: dict[str, Source], found: dict[str, SourceFile], roots: Iterable[Root]) -> None:
        """Drops what the user has deleted; only below roots that are there to be seen."""
        seen = tuple(f"{root.path}/" for root in roots if root.path.is_dir())
        gone = [s for path, s in known.items() if path not in found and path.replace("\\", "/").startswith(seen)]
        if gone:
            with self._writer.transaction():
                for source in gone:
                    self._writer.forget_source(source.path, keep_session=source.store in ROTATED)

    def _read_batch(self, batch: list[SourceFile], known: dict[str, Source], now: int) -> None:
        with self._writer.transaction():
            for file in batch:
                self._changed += 1
                try:
                    self._read(file, known.get(str(file.path)), now)
                except (OSError, KeyError, LookupError, ValueError, RecursionError) as error:
                    self._problems.append((str(file.path), f"{type(error).__name__}: {error}"))
                if self._beat is not None:
                    self._beat()

    def _read(self, file: SourceFile, known: Source | None, now: int) -> None:
        start, place, header = self._resume(file, known)
        chunk = reader_for(file.store)(file.path, start, header, file.size)
        path = str(file.path)
        source = Source(
            path=path, store=file.store, session=None, dev=file.dev, ino=file.ino, size=file.size, mtime=file.mtime_ns,
            read_at=now, restart=chunk.restart, place=place, ended_at=chunk.end,
            fingerprint=fingerprint_of(path, chunk.restart), lines=chunk.lines, bad=chunk.bad_lines,
            understood=chunk.understood,
        )  # fmt: skip
        self._bytes += max(0, chunk.end - start)
        self._bad += chunk.bad_lines
        owner = self._writer.owner(chunk.header.session_id)
        if not chunk.header.session_id or (owner and owner != path and Path(owner).exists()):
            self._writer.touch(source)  # the same session from a second place: the first one stands
            return
        if owner and owner != path:
            self._writer.forget_source(owner, keep_session=False)
        outcomes = hook_outcomes(self._layout.state, chunk.header.session_id) if chunk.header.host == "vscode" else {}
        self._turns += self._writer.store(source, chunk, outcomes)
        self._sessions.add(chunk.header.session_id)

    def _resume(self, file: SourceFile, known: Source | None) -> tuple[int, int, Header | None]:
        """Where to read on: offset, place in the session, header; the start where the file was rewritten."""
        if known is None or known.session is None or known.restart == 0 or file.size < known.ended_at:
            return 0, 0, None
        if fingerprint_of(known.path, known.restart) != known.fingerprint:
            return 0, 0, None
        sid, host, store, cwd, branch, started = self._writer.header(known.session)
        return known.restart, known.place, Header(sid, host, store, cwd, branch, started, "")

    def report(self, seconds: float) -> Report:
        return Report(
            self._found, self._changed, len(self._sessions), self._turns, self._bytes, self._bad,
            tuple(self._problems), round(seconds, 3), False,
        )  # fmt: skip


def _changed(file: SourceFile, known: Source | None) -> bool:
    if known is None:
        return True
    if (file.dev, file.ino, file.size, file.mtime_ns) != (known.dev, known.ino, known.size, known.mtime):
        return True
    return known.read_at - known.mtime // 1_000_000 < RACY_MS


def note_problem(layout: Layout, error: BaseException) -> None:
    """Leaves the indexer's last fault where `log` and later `doctor` find it. Never raises."""
    import orjson

    with contextlib.suppress(OSError, sqlite3.Error):
        Path(layout.index_report).write_bytes(
            orjson.dumps({"at": int(time.time() * 1000), "error": f"{type(error).__name__}: {error}"})
        )
