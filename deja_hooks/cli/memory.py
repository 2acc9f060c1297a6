"""Opening the memory for a command, or saying why it can't be."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line
from deja_hooks.indexer.fault import cut_short, standing_fault
from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.scope import project_key
from deja_hooks.memory.sqlite import sqlite_error

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["memory_of", "project_here", "say_fault"]


@contextmanager
def memory_of(here: Here) -> Iterator[Memory]:
    """The memory, open while the block runs. What keeps it from being of today is said on stderr, in a line.

    Raises:
        DejaError: there is none yet, or the file is broken or of another version.
    """
    path = here.layout.memory
    faulty = say_fault(here.layout)
    if not Path(path).exists():
        raise DejaError("There is no memory yet: run deja-hooks index.")
    memory = open_memory(path)
    if memory is None:
        raise DejaError(f"{path} can't be read, or is of another version: run deja-hooks index.")
    try:
        cut = "" if faulty else cut_short(memory.db, here.layout)
        if cut:
            click.echo(cut, err=True)
        yield memory
    except sqlite_error() as error:
        raise DejaError(f"{path} is broken ({error}): delete it and run deja-hooks index.") from error
    finally:
        memory.db.close()


def project_here(here: Here, memory: Memory) -> str:
    """The key of the working directory's project, by the name under which the memory knows it."""
    keys = [project_key(folder) for folder in working_folders(here.environment)]
    return next((key for key in keys if memory.project(key)), keys[0])


def say_fault(layout: "Layout") -> bool:
    """Says on stderr what ended the background indexer, and what to do; whether there was anything to say."""
    fault = standing_fault(layout)
    if fault:
        click.echo(one_line(fault), err=True)
    return bool(fault)
