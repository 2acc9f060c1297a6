"""One pass: what is new or changed is read and written, what is gone is dropped, nothing else is touched."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.feedback.judge import judge_packets
from deja_hooks.indexer.budget import keep_within
from deja_hooks.indexer.in_line import InLine
from deja_hooks.indexer.job import Job
from deja_hooks.indexer.look import Look, look
from deja_hooks.indexer.pieces import first_piece
from deja_hooks.indexer.report import Report
from deja_hooks.indexer.seen import hook_outcomes
from deja_hooks.indexer.together import Together, in_order, source_file
from deja_hooks.indexer.workers import Workers
from deja_hooks.marks.barred import NOT_READ
from deja_hooks.memory.cursor import fingerprint_of, prefix_of
from deja_hooks.memory.forks import changed_forks
from deja_hooks.memory.kept_out import FORGOTTEN
from deja_hooks.memory.prepared import Prepared, Reading
from deja_hooks.memory.write import MemoryWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from deja_hooks.memory.layout import Layout
    from deja_hooks.memory.rows import Outcome
    from deja_hooks.sources.places.roots import Root, SourceFile

__all__ = ["Pass"]

#: What storing a session may raise because of its files: a number beyond 64 bits, a name that is no text.
_UNSTORABLE = (ValueError, OverflowError, sqlite3.DataError, sqlite3.IntegrityError)
#: Bytes of the hosts' files after which a transaction ends: readers and writers never wait long.
BATCH_BYTES = 8 << 20
#: Sessions after which it ends, however short they are.
BATCH_JOBS = 500
#: Looks in one pass: the first, and others while sessions go for which files had been passed over.
_MOST_LOOKS = 3
#: Stores whose host deletes old files by itself: their sessions stay.
ROTATED = frozenset(("vscode-transcript",))


class Pass:
    """The state of one pass.

    Args:
        limit: bytes that the memory may take; 0 for no limit.
    """

    def __init__(self, layout: Layout, writer: MemoryWriter, workers: Workers, limit: int = 0) -> None:
        self._layout = layout
        self._limit = limit
        self._writer = writer
        self._workers = workers
        self._line = InLine(layout, writer, Path.home())
        self._seen = Look({}, {}, [], [])
        self._together = Together({}, {})
        self._again: set[tuple[SourceFile, ...]] = set()
        self._going_on: list[SourceFile] = []
        self._found = 0
        self._read: set[str] = set()
        self._sessions: set[str] = set()
        self._dropped = 0
        self._turns = 0
        self._bytes = 0
        self._bad = 0
        self._trimmed = 0
        self._problems: list[tuple[str, str]] = []

    def run(self, roots: list[Root], progress: Callable[[int, int], None] | None) -> None:
        """Does what there is to do. Raises sqlite3.OperationalError where the memory can't be written."""
        with self._writer.whole_pass(_now()) as unfinished:
            if unfinished:
                self._writer.firsts |= self._writer.possible_forks()
            self._line.begin()
            for _ in range(_MOST_LOOKS):
                dropped = self._writer.dropped
                self._run(self._look(roots), progress)
                if self._writer.dropped == dropped:
                    break  # else what was passed over for the sake of a session that is gone may be read now
            self._line.end()
            judge_packets(self._writer, self._layout.state)
        self._trimmed += keep_within(self._writer, self._limit)

    def _run(self, seen: Look, progress: Callable[[int, int], None] | None) -> None:
        self._seen = seen
        self._found = len(seen.files)
        if seen.todo or self._again:
            self._together = Together(seen.files, self._writer.sources.sids())
        total = sum(file.size - self._settled(file) for file in seen.todo)
        done = 0
        for jobs in self._rounds():
            for results in self._workers.prepared(_batches(jobs)):
                self._write(results)
                self._trimmed += keep_within(self._writer, self._limit)  # a first pass may read more than the limit
                done += sum(job.size for job, _ in results)
                if progress is not None:
                    progress(min(done, total), total)

    def _look(self, roots: list[Root]) -> Look:
        """What there is to do, once what is gone has been dropped."""
        seen = look(self._writer.db, self._layout, roots)
        if not seen.gone:
            return seen
        before = self._writer.dropped
        with self._writer.transaction():
            # Transcripts first: where the chat is gone too, it was the user who deleted it.
            for source in sorted(seen.gone, key=lambda s: s.store not in ROTATED):
                self._read_again(self._writer.lose(source.path, rotated=source.store in ROTATED))
        self._dropped += self._writer.dropped - before
        return look(self._writer.db, self._layout, roots)

    # -- what to read

    def _rounds(self) -> Iterator[Iterator[Job]]:
        """The jobs: first what has changed, then what that makes necessary."""
        yield self._jobs({self._together.of(file) for file in self._seen.todo}, whole=False)
        while self._again or self._going_on:
            again, self._again = self._again, set()
            yield self._jobs(again, whole=True)
            going_on, self._going_on = self._going_on, []
            yield self._next_pieces(going_on)
        yield self._fork_jobs()

    def _jobs(self, groups: set[tuple[SourceFile, ...]], *, whole: bool) -> Iterator[Job]:
        """The oldest first: row ids then rise with time, and a bounded lookup sees the latest."""
        for files in sorted(groups, key=lambda files: (min(f.mtime_ns for f in files), len(files), files[0].location)):
            if any(_name_of(file) in self._line.barred.decisions.forgotten for file in files):
                self._store_all([Prepared(readings=tuple(Reading(f, remarks=(NOT_READ + FORGOTTEN,)) for f in files))])
            else:
                known = self._seen.known.get(files[0].location)
                job = self._job(files, whole=whole)
                yield self._piece(job, known.ended_at if known is not None and job.start else 0)

    def _next_pieces(self, files: list[SourceFile]) -> Iterator[Job]:
        """What comes after a piece of a long log."""
        for file in files:
            path = file.location
            known = self._writer.sources.of(path)
            if known is None or known.size < 0:
                continue  # it can't be read just now, or is read from its start
            if known.session is None and known.remarks:  # why nothing of it is kept
                self._store_all([Prepared(readings=(Reading(file, remarks=(known.remarks,)),))])
                continue
            self._seen.known[path] = known
            yield self._piece(self._job((file,), whole=False, trimmed_too=True), known.size)

    def _piece(self, job: Job, read_to: int) -> Job:
        """The job, or the next piece of it."""
        piece = first_piece(job._replace(barred=self._line.barred), read_to)
        if piece.goes_on:
            self._going_on.append(job.files[0])
        return piece

    def _settled(self, file: SourceFile) -> int:
        """Bytes at a file's beginning that need not be read again."""
        known = self._seen.known.get(file.location)
        return known.restart if known is not None and known.restart <= file.size else 0

    def _fork_jobs(self) -> Iterator[Job]:
        """The sessions that turned out to be, or to be no more, forks of others."""
        firsts, self._writer.firsts = self._writer.firsts, set()
        for fork in changed_forks(self._writer.db, firsts, self._line.barred.beginning) if firsts else []:
            sid = self._writer.header(fork.session).session_id
            files = self._files(self._writer.sources.files_of(sid))
            if files:
                outcomes = self._outcomes(files)
                yield Job(files, outcomes, skip=fork.skip, origin=fork.origin, barred=self._line.barred)

    def _job(self, files: tuple[SourceFile, ...], *, whole: bool, trimmed_too: bool = False) -> Job:
        """From where to read: the start where there is more than one file, or where it is new or was rewritten.

        Args:
            trimmed_too: read on even where the session was trimmed: this pass has read what was taken out.
        """
        outcomes = self._outcomes(files)
        known = self._seen.known.get(files[0].location)
        if known is None or known.session is None:
            return Job(files, outcomes)
        origin, skip = self._writer.fork(known.session)
        anew = Job(files, outcomes, skip=skip, origin=origin)
        if whole or len(files) > 1 or known.restart == 0 or files[0].size < known.ended_at:
            return anew
        if self._writer.is_trimmed(known.session) and not trimmed_too:  # it goes on: what it was is wanted again
            return anew
        header = self._writer.header(known.session)
        if len(self._writer.sources.files_of(header.session_id)) > 1:
            return anew
        if fingerprint_of(known.path, known.restart, known.ended_at - known.restart) != known.fingerprint:
            return anew
        if prefix_of(known.path, known.restart) != known.prefix:
            return anew
        return Job(files, outcomes, known.restart, known.place, header)

    def _outcomes(self, files: tuple[SourceFile, ...]) -> dict[str, Outcome]:
        """How commands ended, as hooks saw it: VS Code's stores don't always tell."""
        sids = {file.path.stem for file in files if file.store.startswith("vscode-")}
        return {call: end for sid in sids for call, end in hook_outcomes(self._layout.state, sid).items()}

    def _files(self, named: Iterable[tuple[str, str]]) -> tuple[SourceFile, ...]:
        """The files of these paths and stores that are there."""
        found = [self._seen.files.get(path) or source_file(Path(path), store) for path, store in named]
        return tuple(file for file in found if file is not None)

    def _read_again(self, named: Iterable[tuple[str, str]]) -> None:
        """Has files read once more in this pass; within a transaction: if this pass dies, the next one does it."""
        files = self._files(named)
        self._writer.sources.read_anew(file.location for file in files)
        if files:
            self._again.add(in_order(files))

    # -- writing it

    def _write(self, results: list[tuple[Job, list[Prepared] | str]]) -> None:
        """Writes a batch in one transaction; where one session can't be stored, each in its own."""
        prepared: list[Prepared] = []
        for job, each in results:
            self._read |= {file.location for file in job.files}
            if isinstance(each, str):
                self._unread(job, each)
            else:
                prepared += each
        try:
            self._store_all(prepared)
        except _UNSTORABLE:
            # Not a savepoint for each: the full-text table ends a segment at each.
            for session in prepared:
                try:
                    self._store_all([session])
                except _UNSTORABLE as error:
                    self._unstorable(session, f"can't be stored: {type(error).__name__}: {error}")

    def _unstorable(self, session: Prepared, why: str) -> None:
        """A session that no table takes: its files are not read again until they change."""
        self._problems.append((session.readings[0].file.location, why))
        with self._writer.transaction():
            for reading in session.readings:
                self._writer.release(reading.file.location, "")
                self._writer.sources.note(reading._replace(problem=why), _now())

    def _unread(self, job: Job, why: str) -> None:
        """A file that can't be read just now: what is known of its session stays, and the next pass tries again."""
        self._problems += [(file.location, why) for file in job.files]
        with self._writer.transaction():
            for file in job.files:
                self._writer.sources.postpone(file, why, _now())

    def _store_all(self, prepared: list[Prepared]) -> None:
        """Stores the sessions, all or none."""
        again: list[list[tuple[str, str]]] = []
        with self._writer.transaction():
            turns = [self._store(each, _now(), again) for each in prepared]
            for named in again:
                self._read_again(named)
        self._turns += sum(turns)
        for each in prepared:
            self._bytes += sum(reading.bytes_read for reading in each.readings)
            self._bad += sum(reading.tally.bad for reading in each.readings)
            self._problems += [(r.file.location, r.problem) for r in each.readings if r.problem]
            self._sessions |= {each.header.session_id} if each.header is not None else set()
        self._sessions.discard("")

    def _store(self, prepared: Prepared, now: int, again: list[list[tuple[str, str]]]) -> int:
        """Stores one session; returns how many turns were written.

        Args:
            again: gets the files of sessions that have to be read again for it.
        """
        header = prepared.header
        sid = header.session_id if header is not None else ""
        for reading in prepared.readings:
            again.append(self._writer.release(reading.file.location, sid))
        others = self._others(sid, prepared.readings) if sid else []
        hosts = {store.startswith("vscode-") for _, store in others}
        remark = ""
        if header is not None and sid and header.store == "cli-events" and hosts == {True}:
            # The same id in both hosts: the CLI's own log is the whole of it.
            for path, _ in others:
                self._writer.sources.pass_over(
                    path, f"the same session as {prepared.readings[0].file.path}: that one is read"
                )
            others = []
        elif others and header is not None and (header.store == "cli-events" or False in hosts):
            remark = f"the same session as {others[0][0]}: that one is read"
        elif others:
            again.append([*others, *((r.file.location, r.file.store) for r in prepared.readings)])
            return 0
        if header is not None and sid and not remark:
            return self._writer.store(header, prepared, now)
        for reading in prepared.readings:
            self._writer.sources.note(reading._replace(remarks=(remark,) if remark else reading.remarks), now)
        return 0

    def _others(self, sid: str, readings: tuple[Reading, ...]) -> list[tuple[str, str]]:
        """The session's other files that are still there; what has moved from where it was is forgotten."""
        mine = {reading.file.location for reading in readings}
        others = []
        for path, store in self._writer.sources.files_of(sid):
            if path in mine:
                continue
            if self._files([(path, store)]):
                others.append((path, store))
            else:
                self._writer.sources.forget_file(path)
        return others

    def report(self, seconds: float) -> Report:
        """What has been done."""
        return Report(
            self._found, len(self._read), len(self._sessions), self._turns, self._bytes, self._bad,
            tuple(self._problems), round(seconds, 3), False, self._dropped, self._trimmed,
        )  # fmt: skip


def _name_of(file: SourceFile) -> str:
    """The session's id, as the file's place tells it."""
    return file.path.parent.name if file.store == "cli-events" else file.path.stem


def _now() -> int:
    return int(time.time() * 1000)


def _batches(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    """The jobs in groups of about `BATCH_BYTES`."""
    batch: list[Job] = []
    size = 0
    for job in jobs:
        batch.append(job)
        size += job.size
        if size >= BATCH_BYTES or len(batch) >= BATCH_JOBS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
