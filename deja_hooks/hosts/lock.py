"""One install or uninstall at a time: a lock in our config folder, which is gone afterwards."""

import contextlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.hosts.errors import HostsError, LockedError
from deja_hooks.hosts.files import make_folders, remove_empty
from deja_hooks.memory.layout import Layout

if TYPE_CHECKING:
    from filelock import FileLock

__all__ = ["install_lock", "lock_path"]

#: Seconds that a second install waits for the first.
_TIMEOUT = 10
#: An uninstall that just ends may take the folder away between our making it and our locking in it.
_TRIES = 20


@contextmanager
def install_lock(layout: Layout) -> Iterator[list[Path]]:
    """Holds the lock; gives the folders of ours that had to be made for it, outermost first.

    The lock's file is removed with the lock, and so are those folders if nothing came into them.

    Raises:
        LockedError: another install or uninstall is at work.
        HostsError: our own config folder can't be written.
    """
    from filelock import FileLock, Timeout  # 44 ms, and only where something is written

    path = lock_path(layout)
    lock = FileLock(path, timeout=_TIMEOUT, mode=0o600)
    try:
        made = _acquired(lock, path)
    except Timeout as error:
        raise LockedError("Another install or uninstall is at work: try again when it has ended.") from error
    except OSError as error:
        raise HostsError(f"{layout.config} can't be written ({error.strerror}).") from error
    try:
        yield made
    finally:
        # While it is held, so that nobody can hold a lock on the file that goes; Windows removes no open file.
        if sys.platform != "win32":
            path.unlink(missing_ok=True)
        lock.release()
        if sys.platform == "win32":
            with contextlib.suppress(OSError):  # the next one holds it already
                path.unlink(missing_ok=True)
        remove_empty(made)


def lock_path(layout: Layout) -> Path:
    """The lock's file; it is there only while somebody holds it, or where a holder was killed."""
    return Path(layout.in_config("install.lock"))


def _acquired(lock: "FileLock", path: Path) -> list[Path]:
    """The folders that had to be made before the lock could be taken. Raises OSError, `filelock.Timeout`."""
    made: list[Path] = []
    for tries_left in range(_TRIES - 1, -1, -1):
        try:
            made += make_folders(path.parent)
            lock.acquire()
            break
        except FileNotFoundError:
            if not tries_left:
                raise
    return list(dict.fromkeys(made))
