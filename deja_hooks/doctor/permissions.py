"""Whether our folders and files are this user's alone: they hold what was said in every session."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from deja_hooks.doctor.finding import Finding, broken, ok
from deja_hooks.doctor.looking import is_there

__all__ = ["Wide", "check_folders", "check_hook_modes", "check_permissions", "too_wide"]

_CHECK = "permissions"
#: Files that are looked at in our folders: far more than there ever are.
_MOST = 200_000
_WRITABLE = 0o022
_STICKY = 0o1000


class Wide(NamedTuple):
    """A file or folder that others may read or change.

    Attributes:
        path: it.
        mode: its permission bits.
        wanted: those that it should have.
    """

    path: Path
    mode: int
    wanted: int


def too_wide(folders: list[Path]) -> list[Wide]:
    """What in these folders, and of them, is wider than 0700 (folders) or 0600 (files). Links are not followed."""
    found = []
    for path in _walk(folders):
        try:
            status = path.lstat()
        except OSError:
            continue
        mode, is_folder = stat.S_IMODE(status.st_mode), stat.S_ISDIR(status.st_mode)
        wanted = mode & 0o700 if is_folder else mode & 0o600
        # Who may run one of our files can do nothing with that; a socket or a device is nothing of ours.
        if (is_folder or stat.S_ISREG(status.st_mode)) and mode & 0o077:
            found.append(Wide(path, mode, wanted))
    return found


def check_permissions(folders: list[Path], platform: str, user: int | None) -> Iterator[Finding]:
    """Our folders and what is in them.

    Args:
        folders: our cache and config folders.
        platform: as `sys.platform`; Windows keeps a profile's folders private by itself.
        user: the number of this user; None where users have none.
    """
    if platform == "win32":
        yield ok(_CHECK, folders[0], "as private as the profile that it lies in")
        return
    wide = too_wide(folders)
    if wide:
        first = wide[0]
        more = f", and {len(wide) - 1:,} more" if len(wide) > 1 else ""
        seen = f"others may use it (mode {first.mode:04o}){more}"
        yield broken(_CHECK, first.path, seen, f"chmod {first.wanted:04o} {first.path}", fixable=True)
    foreign = [path for path in _walk(folders) if user is not None and _owner(path) not in (user, None)]
    if foreign:
        seen = f"it belongs to another user ({_owner(foreign[0])}): hooks can't write it"
        yield broken(_CHECK, foreign[0], seen, f"make {folders[0]} and all in it yours (chown)")
    if not wide and not foreign:
        yield ok(_CHECK, folders[0], "this user's alone")


def check_hook_modes(files: list[Path], ours: list[Path], platform: str) -> Iterator[Finding]:
    """Whether others can write the hook files, or put others in their place: what stands in them is run.

    Args:
        files: the hook files.
        ours: the folders in which our own folders lie, where those are ours as well.
        platform: as `sys.platform`.
    """
    ways = [path for file in files for path in (file, file.parent, file.parent.parent)] + ours
    found = [] if platform == "win32" else [path for path in dict.fromkeys(ways) if _writable(path)]
    for path in found:
        seen = "other users can write it, and so run what they like as you"
        yield broken("hook-modes", path, seen, f"chmod go-w {path}", fixable=True)
    if not found:
        yield ok("hook-modes", "the hook files", "nobody else can write them")


def check_folders(folders: list[Path], user: int | None) -> Iterator[Finding]:
    """Whether our folders can be made or written. (Root may write everywhere: then only what is in the way is seen.)

    Args:
        folders: our cache and config folders.
        user: the number of this user; None where users have none.
    """
    for folder in folders:
        there = next(path for path in (folder, *folder.parents) if is_there(path))
        if not os.path.isdir(there):  # noqa: PTH112  (where it leads may be closed to us)
            yield broken("folders", folder, f"{there} is not a folder", f"move {there} away")
        elif not os.access(there, os.W_OK | os.X_OK):
            mine = there == folder and _owner(there) == user
            do = f"chmod 0700 {there}" if mine else f"make {there} yours (chown)"
            yield broken("folders", folder, f"{there} can't be written", do, fixable=mine)
        else:
            yield ok("folders", folder, "can be written" if there == folder else "not there yet; it can be made")


def _writable(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
        return bool(mode & _WRITABLE) and not (stat.S_ISDIR(mode) and mode & _STICKY)
    except OSError:
        return False


def _walk(folders: list[Path]) -> Iterator[Path]:
    """The folders and all below them, each once, bounded."""
    left = _MOST
    seen: set[Path] = set()
    for top in folders:
        for name, below, files in os.walk(top):
            for path in (Path(name), *(Path(name, each) for each in files), *(Path(name, each) for each in below)):
                if path not in seen and left > 0:
                    seen.add(path)
                    left -= 1
                    yield path


def _owner(path: Path) -> int | None:
    try:
        return path.lstat().st_uid
    except OSError:
        return None
