"""Small files that other programs own, read without trusting what lies in their place."""

from __future__ import annotations

import os
from pathlib import Path

from deja_hooks.sources.regular import open_regular

__all__ = ["read_small"]

#: Bytes beyond which such a file is none of what we look for.
LIMIT = 1 << 20


def read_small(path: Path, limit: int = LIMIT) -> bytes:
    """The whole of a regular file of at most so many bytes.

    Raises:
        OSError: it isn't there, can't be read, or is no regular file or a longer one.
    """
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > limit:
            raise OSError(f"{path} is longer than {limit:,} bytes")
        return file.read(limit)
