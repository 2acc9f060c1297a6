"""A long log is read in pieces, so that the indexer's memory does not grow with one file.

Up to any point a log is what it was when it ended there: the next piece goes on as a later pass goes on with a file
that has grown. A pass that dies between two pieces has nothing to undo.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deja_hooks.indexer.job import Job

__all__ = ["PIECE", "first_piece"]

#: Bytes of a log that one reading takes (it needs about twice that in memory).
PIECE = 8 << 20
#: The logs that can be read on from a turn. A chat's log of changes is replayed as a whole.
_READ_ON = frozenset(("cli-events", "vscode-transcript"))


def first_piece(job: Job, read_to: int, piece: int = PIECE) -> Job:
    """The job with as much of a long log as one reading takes; the job itself where that is all.

    Args:
        job: as if there were memory for all of it.
        read_to: where the reading before this one ended, 0 for none. One that begins far before it (a turn without
            an end) goes as far again, so that all readings together stay proportional to the file.
    """
    file = job.files[0]
    if len(job.files) > 1 or file.store not in _READ_ON:
        return job
    end = max(read_to, job.start)
    end += max(piece, end - job.start)
    return job if end >= file.size else job._replace(files=(file._replace(size=end),), goes_on=True)
