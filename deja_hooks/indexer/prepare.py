"""Reading one file up to the point where it only has to be written: the work of an indexer's worker.

Everything here depends on the file alone, so a full pass can do it in several processes at once; what needs
the database (row ids, the project's number) is left to `memory.write`.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from deja_hooks.failures.fixes import find_fixes
from deja_hooks.marks.barred import NOT_READ
from deja_hooks.memory.admit import paths_kept, redact_all, turn_row
from deja_hooks.memory.cursor import fingerprint_of, prefix_of
from deja_hooks.memory.forks import request_keys
from deja_hooks.memory.kept_out import EXCLUDED
from deja_hooks.memory.prepared import Prepared, Reading
from deja_hooks.memory.rows import terms_of
from deja_hooks.memory.scope import project_key, project_root
from deja_hooks.memory.terms import TermCache
from deja_hooks.redaction.redact import redact
from deja_hooks.sources.merge import Copy, Merged, merge
from deja_hooks.sources.places.workspace import workspace_folder
from deja_hooks.sources.registry import reader_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deja_hooks.indexer.job import Job
    from deja_hooks.sources.model import Chunk, Header
    from deja_hooks.sources.places.roots import SourceFile

__all__ = ["prepare", "prepare_all"]

#: What reading a file may raise because of what is in it.
UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
#: Chunks of text whose terms are remembered (about 10 MB).
_CACHE_LIMIT = 60_000
_cache = TermCache()
#: Bytes at the beginning of a log in which its first record, with the folder, stands.
_HEAD_BYTES = 64 << 10


def prepare(job: Job) -> list[Prepared]:
    """Reads the job's files and makes the rows of the session that they hold.

    A file that can't be understood gives nothing, and its reading says why. Files that turn out to hold several
    sessions (names are the host's, and may be the same in two workspaces) give one result for each.

    Raises:
        OSError: a file can't be read.
    """
    copies: dict[str, list[Copy]] = {}
    readings: dict[str, list[Reading]] = {}
    failed = [_unread(file, EXCLUDED) for file in job.files if _is_excluded(file, job)]
    unread = {each.file for each in failed}
    for file in job.files:
        if file in unread:
            continue
        try:
            chunk = reader_for(file.store)(file.path, job.start, job.header, file.size)
        except UNREADABLE as error:
            failed.append(_failed(file, error))
            continue
        moved = job.header is not None and chunk.header.cwd != job.header.cwd
        if job.start and (moved or chunk.withdraws):
            # All of the session moves to another folder, perhaps another project; or turns are taken back that
            # lie before this reading.
            return prepare(job._replace(start=0, place=0, header=None))
        sid = chunk.header.session_id
        copies.setdefault(sid, []).append(Copy(chunk, file.mtime_ns // 1_000_000))
        readings.setdefault(sid, []).append(_reading(file, chunk, job.start))
    found = [_rows(job, merge(each), readings[sid]) for sid, each in copies.items()]
    return [Prepared(readings=tuple(failed)), *found] if failed else found  # it lets go of what it gave before


def _rows(job: Job, merged: Merged, readings: list[Reading]) -> Prepared:
    chunk = merged.chunk
    head = chunk.header
    times = (chunk.updated, *(turn.at for turn in chunk.turns))
    why = job.barred.why(head.session_id, head.cwd, None, head.started, times)
    if why:
        return Prepared(readings=tuple(_unread(each.file, why) for each in readings))
    requests = request_keys(_leading(turn.request for turn in chunk.turns))
    forgotten = job.barred.beginning(head.session_id, head.started, requests)
    if forgotten and forgotten >= job.skip:
        job = job._replace(skip=forgotten, origin="")
    root = project_root(head.cwd)
    turns = chunk.turns[job.skip :]
    places = [job.place + max(0, settled - job.skip) for settled in merged.settled]
    rows = [turn_row(turn, root, job.outcomes) for turn in turns]
    if len(_cache) > _CACHE_LIMIT:
        _cache.clear()
    return Prepared(
        readings=tuple(r._replace(place=place) for r, place in zip(readings, places, strict=True)),
        header=_clean(head),
        whole=job.start == 0,
        place=job.place,
        rows=rows,
        terms=[terms_of(row, _cache) for row in rows],
        fixes=find_fixes([(i, w) for i, row in enumerate(rows) for w in row.work]) if job.place == 0 else None,
        updated=chunk.updated,
        changed=paths_kept(chunk.files_modified, root),
        requests=requests,
        origin=job.origin,
        skip=job.skip,
    )


def _clean(header: Header) -> Header:
    """The header without secrets; its id and folder are the host's names for things, and stay."""
    title, branch, version = redact_all([header.title, header.branch, header.version])
    return header._replace(title=title, branch=branch, version=version)


def _leading(requests: Iterable[str]) -> list[str]:
    """The requests up to the first turn that is none of the chat's."""
    return list(takewhile(bool, requests))


def _reading(file: SourceFile, chunk: Chunk, start: int) -> Reading:
    return Reading(
        file=file,
        restart=chunk.restart,
        end=chunk.end,
        fingerprint=fingerprint_of(file.location, chunk.restart, chunk.end - chunk.restart) if chunk.restart else 0,
        prefix=prefix_of(file.location, chunk.restart) if chunk.restart else 0,
        bytes_read=max(0, chunk.end - start),
        version=redact(chunk.header.version),
        problem="",
        remarks=tuple(redact_all(list(chunk.remarks))),
        tally=chunk.tally._replace(names=tuple(redact_all(list(chunk.tally.names)))),
        settled=chunk.settled._replace(names=tuple(redact_all(list(chunk.settled.names)))),
    )


def _is_excluded(file: SourceFile, job: Job) -> bool:
    """Whether a file's session lies in an excluded folder, as far as that is known before the file is read.

    A log of the CLI says so in its first record.
    """
    if not job.barred.rules or job.start:
        return False
    if file.store == "vscode-chat":
        cwd = workspace_folder(file.path.parent.parent / "workspace.json")
    elif file.store == "vscode-transcript":
        cwd = workspace_folder(file.path.parent.parent.parent / "workspace.json")
    else:
        try:
            cwd = reader_for(file.store)(file.path, 0, None, min(file.size, _HEAD_BYTES)).header.cwd
        except UNREADABLE:
            return False
    return bool(cwd) and job.barred.rules.fit(cwd, project_key(cwd))


def _unread(file: SourceFile, why: str) -> Reading:
    """The reading of a file of which nothing is kept."""
    return Reading(file=file, remarks=(NOT_READ + why,))


def _failed(file: SourceFile, error: Exception) -> Reading:
    """The reading of a file that can't be understood. A sentence of ours stands as it is."""
    why = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
    return Reading(file=file, end=file.size, bytes_read=file.size, problem=why)


def prepare_all(jobs: list[Job]) -> list[list[Prepared] | str]:
    """`prepare` of each; the reason instead where a file can't be read."""
    found: list[list[Prepared] | str] = []
    for job in jobs:
        try:
            found.append(prepare(job))
        except (OSError, *UNREADABLE) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found
