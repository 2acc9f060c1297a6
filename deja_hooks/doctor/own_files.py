"""What lies in our folders: SECURITY.md names every file, and this is the same list. Anything else is not ours.

A link there could lead what we write to where others read it, so one that leads out is a fault.
"""

import os
import stat
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.looking import is_there
from deja_hooks.memory.layout import Layout

__all__ = ["CACHE", "CONFIG", "Found", "check_own_files", "own_files"]

_CHECK = "own-files"
_LOOK = os.R_OK | os.X_OK
#: Names as SECURITY.md has them → what they look like below the folder. An unfinished `NAME.PID` goes with its file.
CACHE: dict[str, tuple[str, ...]] = {
    "memory.db": ("memory.db", "memory.db-*", "memory.db.old", "memory.db.old-*", "memory.db.aside-*"),
    "state.db": ("state.db", "state.db-*", "state.db.aside-*"),
    "ring.jsonl": ("ring.jsonl", "ring.jsonl.1", "ring.jsonl.turn", "ring.jsonl.[0-9]*"),
    "index.json": ("index.json", "index.[0-9]*"),
    "recordings/": ("recordings", "recordings/[0-9]*.json"),
    "live/": ("live", "live/*"),
    "pending/": ("pending", "pending/*"),
    "index.lock": ("index.lock",),
    "index.claim": ("index.claim", "index.claim.[0-9]*"),
    "index.wanted": ("index.wanted",),
}
CONFIG: dict[str, tuple[str, ...]] = {
    "marks.jsonl": ("marks.jsonl", "marks.jsonl.[0-9]*"),
    "settings.json": ("settings.json", "settings.json.[0-9]*"),
    "settings.hooks": ("settings.hooks", "settings.hooks.[0-9]*"),
    "kept-out/": ("kept-out", "kept-out/rules", "kept-out/rules.[0-9]*", "kept-out/sessions", "kept-out/sessions/*"),
    "user-folders": ("user-folders", "user-folders.[0-9]*"),
    "installed.json": ("installed.json", ".installed.json.deja-hooks-*"),
    "off": ("off",),
    "off.d/": ("off.d", "off.d/*"),
    "record": ("record",),
    "marks.lock": ("marks.lock",),
    "install.lock": ("install.lock",),
}


class Found(NamedTuple):
    """Something in our folders.

    Attributes:
        path: it.
        name: below its folder, with `/` between names.
        mode: its type and permissions; a link's are its own.
        size: bytes; changed: epoch seconds.
        known: whether SECURITY.md names it, and it is a file or a folder.
    """

    path: Path
    name: str
    mode: int
    size: int
    changed: float
    known: bool

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file, and no link to one."""
        return stat.S_ISREG(self.mode)


def own_files(layout: Layout) -> list[Found]:
    """All that lies in our two folders, in order. No link is followed but the folders themselves."""
    tops = {Path(layout.cache): CACHE, Path(layout.config): CONFIG}
    found = []
    for top, names in tops.items():
        patterns = [pattern.split("/") for each in names.values() for pattern in each]
        for folder, below, files in os.walk(top):
            # On Windows the one folder lies in the other.
            below[:] = sorted(each for each in below if Path(folder, each) not in tops)
            for path in (Path(folder, each) for each in (*below, *sorted(files))):
                parts = path.relative_to(top).parts
                try:
                    status = path.lstat()
                except OSError:
                    continue  # a hook's, gone meanwhile
                plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
                known = plain and any(_fits(parts, pattern) for pattern in patterns)
                found.append(Found(path, "/".join(parts), status.st_mode, status.st_size, status.st_mtime, known))
    return found


def check_own_files(layout: Layout, found: list[Found]) -> Iterator[Finding]:
    """Whether all of it is ours, and nothing leads elsewhere.

    Args:
        layout: of the installation.
        found: see `own_files`.
    """
    closed = [each for each in (layout.cache, layout.config) if is_there(each) and not os.access(each, _LOOK)]
    for folder in closed:
        yield note(_CHECK, folder, "it can't be looked into", "see deja-hooks doctor")
    tops = [Path(os.path.realpath(each)) for each in (layout.cache, layout.config)]
    links = [each.path for each in found if stat.S_ISLNK(each.mode)]
    leading = [path for path in links if not any(Path(os.path.realpath(path)).is_relative_to(top) for top in tops)]
    for path in leading:
        yield broken(_CHECK, path, "it is a link that leads out of our folders", f"take the link away: rm {path}")
    strange = [each.path for each in found if not each.known and each.path not in leading]
    if strange:
        more = f", and {len(strange) - 1:,} more" if len(strange) > 1 else ""
        seen = f"deja-hooks didn't make it (SECURITY.md names all that it makes){more}"
        yield note(_CHECK, strange[0], seen, "see what put it there; nothing of ours needs it")
    if not leading and not strange and not closed:
        number = f"{len(found):,} {'file or folder' if len(found) == 1 else 'files and folders'}"
        yield ok(_CHECK, layout.cache, f"{number} there and in {layout.config}, each one that SECURITY.md names")


def _fits(parts: tuple[str, ...], pattern: list[str]) -> bool:
    return len(parts) == len(pattern) and all(fnmatchcase(*each) for each in zip(parts, pattern, strict=True))
