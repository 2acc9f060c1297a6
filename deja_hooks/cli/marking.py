"""What the commands about marks share: writing a mark, and letting the memory follow."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line
from deja_hooks.memory.scope import normal_path, project_key
from deja_hooks.memory.sqlite import sqlite_error

if TYPE_CHECKING:
    from deja_hooks.indexer.report import Report
    from deja_hooks.marks.model import Mark

__all__ = [
    "add_mark",
    "agreed",
    "changing",
    "folders_of",
    "follow",
    "full_pass",
    "keys_of",
    "on_terminal",
    "say_waiting",
]


@contextmanager
def changing(here: Here) -> Iterator[None]:
    """Holds the lock of marks and settings; what goes wrong in the block is said in words.

    Raises:
        DejaError: another command holds it, or something can't be written.
    """
    from filelock import Timeout

    from deja_hooks.marks.log import locked
    from deja_hooks.marks.settings_error import SettingsError

    try:
        with locked(here.layout):
            yield
    except Timeout as error:
        raise DejaError("Another deja-hooks command is changing the marks: try again when it has ended.") from error
    except SettingsError as error:
        raise DejaError(str(error)) from error
    except OSError as error:
        raise DejaError(f"{error.filename or here.layout.config} can't be written ({error.strerror}).") from error


def add_mark(here: Here, made: Callable[[str], Mark], what: str) -> Mark:
    """Writes a mark.

    Args:
        made: the mark with a given id.
        what: the words that the id is made from.
    """
    from deja_hooks.marks.log import append, read_log
    from deja_hooks.marks.model import new_id

    with changing(here):
        taken = {mark.id for mark in read_log(here.layout)}
        mark = made(new_id(here.now_ms, what, taken))
        append(here.layout, mark)
    return mark


def follow(here: Here) -> None:
    """Brings the memory in line with the marks. Raises DejaError."""
    from deja_hooks.indexer.in_line import bring_in_line

    try:
        bring_in_line(here.layout, here.home, say_waiting)
    except OSError as error:
        raise DejaError(f"{error.filename or here.layout.cache} can't be written ({error.strerror}).") from error
    except sqlite_error() as error:
        raise DejaError(
            f"{here.layout.memory} can't be changed ({error}); the next pass of the indexer does it."
        ) from error


def full_pass(here: Here) -> Report:
    """A pass over all that the hosts have, with the memory brought in line with the marks. Raises DejaError."""
    from deja_hooks.indexer.run import index

    try:
        return index(
            here.layout, environment=here.environment, home=here.home, platform=here.platform, on_wait=say_waiting
        )
    except OSError as error:
        raise DejaError(f"{error.filename or here.layout.cache} can't be written ({error.strerror}).") from error
    except sqlite_error() as error:
        raise DejaError(
            f"{here.layout.memory} can't be changed ({error}); the next pass of the indexer does it."
        ) from error


def on_terminal() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin is not None and sys.stdin.isatty()


def agreed(question: str, otherwise: str, *, asking: bool) -> None:
    """Asks whether something may be erased. A script that is to do so says --yes: silence is no consent.

    Args:
        question: what is to be erased, as a question.
        otherwise: what is said where the answer is no.
        asking: whether there is somebody to ask.

    Raises:
        DejaError: the answer is no, or nobody can give one.
    """
    if not asking:
        raise DejaError(f"{question} There is no terminal to ask on: add --yes, or --dry-run to only look. {otherwise}")
    if not click.confirm(question, err=True):
        raise DejaError(otherwise)


def say_waiting() -> None:
    """Says that the indexer has to end first."""
    click.echo("Another indexer is running: waiting for it to end.", err=True)


def folders_of(here: Here, given: str) -> list[str]:
    """A project's folder by every path that a host may name: the real one first, then the one through links.

    A folder that is gone still has a name where the memory has sessions of it.

    Raises:
        DejaError: it is no folder, and never was one of a session.
    """
    folder = _at_home(here, Path(given))
    if not folder.is_dir():
        gone = list(dict.fromkeys(normal_path(str(each)) for each in (folder.resolve(), folder.absolute())))
        if not _keys_of_gone(here, gone):
            raise DejaError(f"{one_line(given)} is not a folder: name one of the project.")
        return gone
    if folder == Path():
        return working_folders(here.environment)
    return list(dict.fromkeys((str(folder.resolve()), str(folder.absolute()))))


def keys_of(here: Here, folders: list[str]) -> list[str]:
    """The keys of the folders' project, each once; of a folder that is gone those that its sessions have."""
    if not Path(folders[0]).is_dir():
        return _keys_of_gone(here, folders)
    return list(dict.fromkeys(map(project_key, folders)))


def _keys_of_gone(here: Here, folders: list[str]) -> list[str]:
    """The keys of the projects whose sessions ran in one of these folders; none where the memory knows none."""
    from deja_hooks.memory.read import open_memory

    memory = open_memory(here.layout.memory)
    if memory is None:
        return []
    try:
        rows = memory.db.execute(
            "SELECT DISTINCT key, cwd FROM session JOIN project ON project.id=project WHERE key<>''"
        ).fetchall()
    except sqlite_error():
        return []
    finally:
        memory.close()
    own = {key for folder in folders for key in (f"git:{folder}/.git", f"dir:{folder}")}
    return sorted({key for key, cwd in rows if key in own or normal_path(cwd) in folders})


def _at_home(here: Here, path: Path) -> Path:
    return here.home.joinpath(*path.parts[1:]) if path.parts[:1] == ("~",) else path
