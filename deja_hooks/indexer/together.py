"""Which files hold one session: VS Code keeps a chat in two stores, and copies of it elsewhere."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping
from pathlib import Path

from deja_hooks.sources.places.roots import SourceFile

__all__ = ["Together", "in_order", "source_file"]

#: Stores whose copies of a session are read together (`sources.merge`), the one that leads first.
MERGED = ("vscode-chat", "vscode-transcript")


class Together:
    """The files by session.

    Args:
        files: path → file, of all that the hosts have.
        sids: path → session id, of those that have been read. The others go by their name: it is the id, unless
            somebody has renamed the file.
    """

    def __init__(self, files: Mapping[str, SourceFile], sids: Mapping[str, str]) -> None:
        self._sids = sids
        self._groups: dict[str, list[SourceFile]] = {}
        for file in files.values():
            if file.store in MERGED:
                self._groups.setdefault(self._sid(file), []).append(file)

    def of(self, file: SourceFile) -> tuple[SourceFile, ...]:
        """All files of the file's session, in an order that doesn't depend on which of them is asked for."""
        if file.store not in MERGED:
            return (file,)
        found = self._groups.get(self._sid(file), [file])
        return in_order(found)

    def _sid(self, file: SourceFile) -> str:
        return self._sids.get(file.location) or file.path.stem


def in_order(files: Iterable[SourceFile]) -> tuple[SourceFile, ...]:
    """A session's files, the store that leads first."""
    return tuple(sorted(files, key=lambda f: (f.store in MERGED and MERGED.index(f.store), f.location)))


def source_file(path: Path, store: str) -> SourceFile | None:
    """The file as it is on disk now; None where there is none, or a link: what that leads to is not read."""
    try:
        found = path.lstat()
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return SourceFile(str(path), store, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
