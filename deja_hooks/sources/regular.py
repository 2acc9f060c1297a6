"""Opening what should be a file, without waiting where it is something else."""

from __future__ import annotations

import os
import stat
from io import FileIO
from pathlib import Path

__all__ = ["open_log", "open_regular"]

#: A pipe in a file's place is opened without waiting.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_regular(path: Path) -> FileIO:
    """A regular file, open for reading. Raises OSError: it can't be, or something else is in its place."""
    return _open(path, _FLAGS)


def open_log(path: Path) -> FileIO:
    """A host's log: a regular file in person. Raises OSError, also for a link, which may lead anywhere."""
    return _open(path, _FLAGS | getattr(os, "O_NOFOLLOW", 0))


def _open(path: Path, flags: int) -> FileIO:
    file = FileIO(os.open(path, flags), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(f"{path} is no regular file")
