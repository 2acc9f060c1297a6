"""Opening the memory for a command, or saying why it can't be."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError
from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.scope import project_key
from deja_hooks.memory.sqlite import sqlite_error

__all__ = ["memory_of", "project_here"]


@contextmanager
def memory_of(here: Here) -> Iterator[Memory]:
    """The memory, open while the block runs.

    Raises:
        DejaError: there is none yet, or the file is broken or of another version.
    """
    path = here.layout.memory
    if not Path(path).exists():
        raise DejaError("There is no memory yet: run deja-hooks index.")
    memory = open_memory(path)
    if memory is None:
        raise DejaError(f"{path} can't be read, or is of another version: run deja-hooks index.")
    try:
        yield memory
    except sqlite_error() as error:
        raise DejaError(f"{path} is broken ({error}): delete it and run deja-hooks index.") from error
    finally:
        memory.db.close()


def project_here(here: Here, memory: Memory) -> str:
    """The key of the working directory's project, by the name under which the memory knows it."""
    keys = [project_key(folder) for folder in working_folders(here.environment)]
    return next((key for key in keys if memory.project(key)), keys[0])
