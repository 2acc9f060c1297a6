"""Whether our folders lie where others come: in a folder that others may write, or one that a program copies away.

A folder above ours that others may only read is no fault: ours are closed to them.
"""

import stat
from collections.abc import Iterator
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, note, ok

__all__ = ["check_place"]

_CHECK = "place"
_WRITABLE = 0o022
_STICKY = 0o1000
#: How the names of folders begin that a program keeps alike on several machines (lower case).
_SYNCHRONISED = (
    "dropbox", "onedrive", "google drive", "googledrive", "cloudstorage", "mobile documents", "icloud", "nextcloud",
    "owncloud", "pcloud", "box sync", "syncthing", "megasync", "seafile", "proton drive", "yandex.disk",
)  # fmt: skip
#: What such programs leave in the top folder.
_MARKS = (".stfolder", ".dropbox", ".dropbox.cache", ".nextcloudsync.log", ".owncloudsync.log")


def check_place(folders: list[Path], platform: str) -> Iterator[Finding]:
    """The folders above ours, by the names that lead there and by where these lead.

    Args:
        folders: our cache and config folders.
        platform: as `sys.platform`; on Windows modes say nothing.
    """
    above = list(dict.fromkeys(each for folder in folders for way in _ways(folder) for each in way.parents))
    open_ones = [] if platform == "win32" else [each for each in above if _is_open(each)]
    for each in open_ones:
        seen = "other users can write it, and so put another folder in the place of ours"
        yield broken(_CHECK, each, seen, f"chmod go-w {each}, or set DEJA_HOOKS_HOME to a folder of your own")
    copied = [each for each in (*above, *folders) if _is_synchronised(each)]
    if copied:
        seen = "it looks synchronised with other machines: who reads it there reads your history"
        yield note(_CHECK, copied[0], seen, "set DEJA_HOOKS_HOME to a folder that stays on this machine")
    if not open_ones and not copied:
        yield ok(_CHECK, folders[0], "in no folder that others can write, nor a synchronised one")


def _ways(folder: Path) -> tuple[Path, Path]:
    return folder, folder.resolve()


def _is_open(folder: Path) -> bool:
    try:
        mode = folder.stat().st_mode
    except OSError:
        return False
    return bool(mode & _WRITABLE) and not mode & _STICKY and stat.S_ISDIR(mode)


def _is_synchronised(folder: Path) -> bool:
    if folder.name.lower().startswith(_SYNCHRONISED):
        return True
    try:
        return any((folder / mark).exists() for mark in _MARKS)
    except OSError:
        return False
