"""Looking into folders that other programs own.

Nothing that lies there is an error: what can't be listed or isn't a file is passed over, with the reason for
whoever asks (`deja-hooks sources`), and costs nothing else.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["PassedOver", "SourceFile", "Walk"]


class SourceFile(NamedTuple):
    """A file that a host wrote, as found on disk; the numbers are those of `os.stat`.

    There is one for each file of a history: its place is a text, since a `Path` takes four times the memory.
    """

    location: str
    store: str
    dev: int
    ino: int
    size: int
    mtime_ns: int

    @property
    def path(self) -> Path:
        """Where it lies."""
        return Path(self.location)


class PassedOver(NamedTuple):
    """Something that lies where a host's file would, or that can't be looked into.

    Attributes:
        path: where.
        why: the reason, for a person.
        unlisted: what is below the path isn't known just now; it need not be gone.
    """

    path: str
    why: str
    unlisted: bool = False


class Walk:
    """Looks for files; each file once, though links lead to it twice.

    Args:
        passed: gets what is passed over; None where nobody asks.
    """

    def __init__(self, passed: list[PassedOver] | None = None) -> None:
        self._passed = passed
        self._seen: set[tuple[int, int]] = set()

    def files(self, place: str, steps: Sequence[str], names: Sequence[str], store: str) -> Iterator[SourceFile]:
        """The files with such names in the folders that the steps lead to; see `registry.Format`."""
        if not steps:
            yield from self._in_folder(place, names, store)
        elif steps[0] != "*":
            yield from self.files(f"{place}{os.sep}{steps[0]}", steps[1:], names, store)
        else:
            for entry in self.entries(place):
                yield from self.files(entry.path, steps[1:], names, store)

    def entries(self, folder: str) -> list[os.DirEntry[str]]:
        """What is in a folder by name, links last: a file that is there in person goes by that name."""
        found: list[os.DirEntry[str]] = []
        try:
            with os.scandir(folder) as entries:
                found.extend(entries)
        except (FileNotFoundError, NotADirectoryError):
            self._absent(folder)
        except (OSError, ValueError) as error:
            self._pass(folder, f"can't be listed: {_reason(error)}", unlisted=True)
        return sorted(found, key=lambda entry: (_is_link(entry), entry.name))

    def file(self, path: str, store: str) -> Iterator[SourceFile]:
        """The file at a path, if that is a file in person: a link may lead anywhere."""
        place = Path(path)
        found = self._regular(place)
        if found is not None and self._is_new(found):
            yield _described(place, store, found)

    def _in_folder(self, folder: str, names: Sequence[str], store: str) -> Iterator[SourceFile]:
        if not names[0].startswith("*"):
            for name in names:
                yield from self.file(f"{folder}{os.sep}{name}", store)
            return
        entries = self.entries(folder)
        taken: dict[str, tuple[Path, os.stat_result]] = {}
        better: set[str] = set()
        for suffix in (name[1:] for name in names):
            stems = {entry.name[: -len(suffix)]: entry.path for entry in entries if entry.name.endswith(suffix)}
            for stem in sorted(better & stems.keys()):
                self._pass(stems.pop(stem), "an older copy: the file of this name in the later format is read")
            for stem, path in stems.items():
                place = Path(path)
                if (found := self._regular(place)) is not None:
                    taken[path] = (place, found)
                    better.add(stem)
        for entry in entries:
            if entry.path in taken:
                place, found = taken[entry.path]
                if self._is_new(found):
                    yield _described(place, store, found)

    def _regular(self, path: Path) -> os.stat_result | None:
        try:
            found = path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return None  # never there, or gone since
        except (OSError, ValueError) as error:
            self._pass(str(path), f"can't be looked at: {_reason(error)}", unlisted=True)
            return None
        if not stat.S_ISREG(found.st_mode):
            self._pass(str(path), _kind(path, found.st_mode))
        elif not _is_text(str(path)):
            self._pass(str(path), "its name is not valid UTF-8: no database can hold it")
        else:
            return found
        return None

    def _is_new(self, found: os.stat_result) -> bool:
        key = found.st_dev, found.st_ino
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _absent(self, folder: str) -> None:
        """Notes what is there in a folder's place; where there simply is nothing, there is nothing to say."""
        if self._passed is None:
            return
        path = Path(folder)
        try:
            mode = path.lstat().st_mode
        except (OSError, ValueError):
            return
        if not stat.S_ISDIR(mode):
            self._pass(folder, _kind(path, mode))

    def _pass(self, path: str, why: str, *, unlisted: bool = False) -> None:
        if self._passed is not None:
            self._passed.append(PassedOver(path, why, unlisted))


def _described(path: Path, store: str, found: os.stat_result) -> SourceFile:
    return SourceFile(str(path), store, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _is_link(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink()
    except OSError:
        return False  # gone, or unreadable: looking at it will tell


def _kind(path: Path, mode: int) -> str:
    """What something is that was taken for a file or folder by its name."""
    if stat.S_ISLNK(mode):
        return "a link: what it leads to is not read" if _leads_somewhere(path) else "a link that leads nowhere"
    if stat.S_ISDIR(mode):
        return "a folder, named like a file"
    if stat.S_ISREG(mode):
        return "a file, named like a folder"
    return "neither a file nor a folder"


def _is_text(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _leads_somewhere(link: Path) -> bool:
    try:
        link.stat()
    except OSError:
        return False
    return True


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)
