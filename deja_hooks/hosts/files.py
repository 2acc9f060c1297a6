"""Changes to files that belong to a host: planned as values, applied atomically, undone."""

import contextlib
import os
import stat
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from deja_hooks.hosts.errors import HookFileError

__all__ = [
    "Change",
    "apply_change",
    "clear_leftovers",
    "make_folders",
    "missing_folders",
    "names_of_file",
    "read",
    "remove_empty",
    "replace",
]

#: In the names of files that are written before they take another's place.
_UNFINISHED = "deja-hooks-"


class Change(NamedTuple):
    """What one file is to become.

    Attributes:
        path: the file as the host names it (a symbolic link is followed when it is written).
        before: its bytes when the change was planned; None where there was no file.
        after: its bytes afterwards; None removes it.
        record: what the ledger is to keep of it once it is made; None for nothing.
        note: why something was left as it is, for the user.
        remark: what else the user should know about the change.
        private: what stands in the file is not to be shown (it may hold the user's tokens).
    """

    path: Path
    before: bytes | None
    after: bytes | None
    record: dict[str, Any] | None = None
    note: str = ""
    remark: str = ""
    private: bool = False

    @property
    def verb(self) -> str:
        """`create`, `update`, `remove`, or `unchanged`."""
        if self.before == self.after:
            return "unchanged"
        if self.after is None:
            return "remove"
        return "create" if self.before is None else "update"


def read(path: Path) -> bytes | None:
    """The file's bytes, or None where there is none. Raises HookFileError where it can't be read."""
    try:
        # A pipe or a device would keep us waiting, or never end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise HookFileError(f"{path} can't be read (it is not a regular file): move it away, and try again.")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise HookFileError(f"{path} can't be read ({error.strerror}): mend it, and try again.") from error


def names_of_file(path: Path) -> int:
    """How many names (hard links) the file has; 0 where there is none."""
    try:
        return path.stat().st_nlink
    except OSError:
        return 0


def apply_change(change: Change) -> None:
    """Makes the change, and the folders it needs.

    Raises:
        HookFileError: the file isn't what it was when the change was planned, or can't be written.
    """
    if read(change.path) != change.before:
        raise HookFileError(f"{change.path} was changed meanwhile: try again.")
    # Through a link, so that a home kept in a dotfiles repository stays linked.
    target = Path(os.path.realpath(change.path))
    try:
        if change.after is None:
            target.unlink(missing_ok=True)
            return
        make_folders(target.parent)
        replace(target, change.after)
    except OSError as error:
        raise HookFileError(f"{change.path} can't be written ({error.strerror}).") from error


def missing_folders(folder: Path) -> list[Path]:
    """The folders that have to be made for this one to be there, outermost first."""
    missing: list[Path] = []
    while not folder.exists() and folder != folder.parent:
        missing.insert(0, folder)
        folder = folder.parent
    return missing


def make_folders(folder: Path) -> list[Path]:
    """Makes the folder and its parents for this user alone (0700); returns those made. Raises OSError."""
    made = missing_folders(folder)
    for missing in made:
        missing.mkdir(mode=0o700, exist_ok=True)
    return made


def remove_empty(folders: list[Path]) -> list[Path]:
    """Removes those of the folders that are empty, innermost first, and returns them."""
    removed = []
    for folder in sorted(folders, key=lambda path: len(path.parts), reverse=True):
        try:
            folder.rmdir()
        except OSError:
            continue  # in use, or gone
        removed.append(folder)
    return removed


def replace(target: Path, data: bytes) -> None:
    """Writes the whole file or nothing; a new one is this user's alone (0600). Raises OSError."""
    mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else 0o600
    descriptor, name = tempfile.mkstemp(prefix=_prefix(target), dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def clear_leftovers(path: Path) -> None:
    """Removes what a killed process of ours was about to put in the file's place; nobody else may be at it."""
    target = Path(os.path.realpath(path))
    with contextlib.suppress(OSError):
        for name in os.listdir(target.parent):  # noqa: PTH208 (a file's name may hold what a pattern means)
            if name.startswith(_prefix(target)):
                (target.parent / name).unlink(missing_ok=True)


def _prefix(target: Path) -> str:
    return f".{target.name}.{_UNFINISHED}"
