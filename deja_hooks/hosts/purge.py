"""Erasing everything that deja-hooks keeps: the folders of cache and configuration, and nothing beyond them."""

import contextlib
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.files import remove_empty
from deja_hooks.memory.layout import Layout

__all__ = ["purge"]

#: Seconds that the indexer gets to end its pass.
_PATIENCE = 60.0
#: Seconds in which an idle indexer sees that nothing is asked for any more (see `indexer.timing`).
_LEAVE = 5.0
_TRIES = 20
#: The folders of a home that ours may have been the first in, on any system.
_AROUND = ((".cache",), (".config",), (".local", "share"), (".local", "state"), (".local",))


def purge(layout: Layout, home: Path, *, dry_run: bool = False) -> tuple[list[Path], list[tuple[Path, str]]]:
    """Erases both folders of an installation. No link is followed: a linked folder loses the link.

    Args:
        layout: of the installation.
        home: the user's home folder, which is never erased.
        dry_run: only look.

    Returns:
        What was erased, and what was left, each with the reason.

    Raises:
        HostsError: the background indexer doesn't end, or something can't be erased.
    """
    folders = [folder for folder in map(Path, (layout.cache, layout.config)) if os.path.lexists(folder)]
    left = [(folder, why) for folder in folders if (why := _why_not(folder, home))]
    doomed = [folder for folder in folders if folder not in [each for each, _ in left]]
    left += [(folder.resolve(), f"only the link {folder} goes") for folder in doomed if folder.is_symlink()]
    if not dry_run:
        with _no_indexer(layout) if Path(layout.cache) in doomed else contextlib.nullcontext():
            for folder in doomed:
                _erase(folder, but=Path(layout.index_lock))
        for folder in doomed:  # the lock's file last: Windows removes none that is open
            _erase(folder)
        # Where both lay in one folder of ours (DEJA_HOOKS_HOME), that is empty now.
        remove_empty([parent for parent in {folder.parent for folder in doomed} if _is_ours(parent, layout, home)])
        # Those that were made for ours. Which that were nobody knows, but where one is empty, nobody else needs it.
        remove_empty([home.joinpath(*parts) for parts in _AROUND if _held(home.joinpath(*parts), doomed)])
    return doomed, left


def _held(folder: Path, doomed: list[Path]) -> bool:
    return any(each.is_relative_to(folder) for each in doomed)


def _is_ours(folder: Path, layout: Layout, home: Path) -> bool:
    return (str(folder / "cache"), str(folder / "config")) == (layout.cache, layout.config) and folder != home


def _why_not(folder: Path, home: Path) -> str:
    if folder.resolve() == home.resolve() or home.resolve().is_relative_to(folder.resolve()):
        return "the home folder is in it"
    if not folder.is_symlink() and not folder.is_dir():
        return "it is not a folder"
    return ""


@contextlib.contextmanager
def _no_indexer(layout: Layout) -> Iterator[None]:
    """Lets the indexer end its pass, and holds off the next one."""
    from filelock import FileLock, Timeout  # only where something is erased

    lock = FileLock(layout.index_lock, mode=0o600)
    try:
        lock.acquire(timeout=_PATIENCE)
    except Timeout as error:
        raise HostsError("The background indexer is at work and doesn't end: try again later.") from error
    except OSError as error:
        raise HostsError(f"{layout.index_lock} can't be written ({error.strerror}).") from error
    try:
        # One that waits for work sees that nothing is asked for any more, and takes its claim away.
        Path(layout.index_wanted).unlink(missing_ok=True)
        until = time.monotonic() + _LEAVE
        while Path(layout.index_claim).exists() and time.monotonic() < until:
            time.sleep(0.05)
        yield
    finally:
        lock.release()


def _erase(folder: Path, but: Path | None = None) -> None:
    """Removes the folder; all but one file of it where that is named. Raises HostsError."""
    for tries_left in range(_TRIES - 1, -1, -1):
        try:
            if folder.is_symlink():
                folder.unlink()
            elif but is None:
                shutil.rmtree(folder)
            else:
                _empty(folder, but)
            break
        except FileNotFoundError:
            break
        except OSError as error:  # a hook, or a waiting indexer, may just put a file there
            if not tries_left:
                raise HostsError(f"{error.filename or folder} can't be erased ({error.strerror}).") from error
            time.sleep(0.05)


def _empty(folder: Path, but: Path) -> None:
    for each in folder.iterdir():
        if each.is_dir() and not each.is_symlink():
            shutil.rmtree(each)
        elif each != but:
            each.unlink(missing_ok=True)
