"""Looking at what may be closed to us: up to Python 3.11 `Path.exists` and its like raise where a folder is."""

import stat
from pathlib import Path

__all__ = ["is_file", "is_there"]


def is_there(path: "str | Path") -> bool:
    """Whether something is at the path; False too where it can't be looked at."""
    try:
        Path(path).lstat()
    except (OSError, ValueError):
        return False
    return True


def is_file(path: "str | Path") -> bool:
    """Whether a regular file is at the path; False too where it can't be looked at."""
    try:
        return stat.S_ISREG(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False
