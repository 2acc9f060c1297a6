"""Reading one file up to the point where it only has to be written: the work of an indexer's worker.

Everything here depends on the file alone, so a full pass can do it in several processes at once; what needs
the database (row ids, the project's number) is left to `memory.write`.
"""

from __future__ import annotations

from deja_hooks.failures.fixes import find_fixes
from deja_hooks.indexer.job import Job
from deja_hooks.memory.admit import turn_row
from deja_hooks.memory.cursor import fingerprint_of
from deja_hooks.memory.rows import terms_of
from deja_hooks.memory.scope import project_root
from deja_hooks.memory.terms import TermCache
from deja_hooks.memory.write import Prepared
from deja_hooks.sources.registry import reader_for

__all__ = ["prepare", "prepare_all"]

#: Chunks of text whose terms are remembered (about 30 MB).
_CACHE_LIMIT = 200_000
_cache = TermCache()


def prepare(job: Job) -> Prepared:
    """Reads the file and makes its rows.

    Raises:
        OSError: the file can't be read.
    """
    chunk = reader_for(job.file.store)(job.file.path, job.start, job.header, job.file.size)
    if job.header is not None and job.start and chunk.header.cwd != job.header.cwd:
        # The session has moved to another folder, perhaps another project: all of it moves.
        return prepare(job._replace(start=0, place=0, header=None))
    root = project_root(chunk.header.cwd)
    rows = [turn_row(turn, root, job.outcomes) for turn in chunk.turns]
    if len(_cache) > _CACHE_LIMIT:
        _cache.clear()
    return Prepared(
        header=chunk.header,
        whole=job.start == 0,
        place=job.place,
        rows=rows,
        terms=[terms_of(row, _cache) for row in rows],
        fixes=find_fixes([(i, w) for i, row in enumerate(rows) for w in row.work]) if job.place == 0 else None,
        settled=sum(1 for turn in chunk.turns if turn.offset < chunk.restart),
        updated=chunk.updated,
        restart=chunk.restart,
        end=chunk.end,
        fingerprint=fingerprint_of(str(job.file.path), chunk.restart, chunk.end - chunk.restart),
        bytes_read=max(0, chunk.end - job.start),
        lines=chunk.lines,
        bad=chunk.bad_lines,
        understood=chunk.understood,
    )


def prepare_all(jobs: list[Job]) -> list[Prepared | str]:
    """`prepare` of each; the reason instead where a file can't be read."""
    found: list[Prepared | str] = []
    for job in jobs:
        try:
            found.append(prepare(job))
        except (OSError, ValueError, LookupError, OverflowError, RecursionError) as error:
            found.append(f"{type(error).__name__}: {error}")
    return found
