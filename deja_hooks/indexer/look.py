"""What there is to do: the hosts' files beside what the memory knows of them.

Light on purpose: most passes find nothing new, and then nothing else of the indexer is loaded.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.indexer.in_line import is_in_line
from deja_hooks.indexer.seen import hook_transcripts
from deja_hooks.memory.schema import VERSION
from deja_hooks.memory.source_rows import Source, gone_paths, read_sources
from deja_hooks.sources.places.roots import PassedOver, SourceFile, all_files, existing

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout
    from deja_hooks.sources.places.roots import Root

__all__ = ["Look", "look", "look_without_lock"]

#: A file changed less than this before it was read may change again within the same time stamp, in ms.
RACY_MS = 2_000


class Look(NamedTuple):
    """What a look came to.

    Attributes:
        files: path → file, of all that the hosts have.
        known: path → how far a file has been read.
        gone: files that were there at the last pass; only of roots that are there to be seen.
        todo: files that are new or changed.
    """

    files: dict[str, SourceFile]
    known: dict[str, Source]
    gone: list[Source]
    todo: list[SourceFile]


def look(db: sqlite3.Connection, layout: Layout, roots: list[Root]) -> Look:
    """Looks at all files of the roots, and at those that hosts have named to hooks."""
    known, marked = read_sources(db, told=False), gone_paths(db)
    passed: list[PassedOver] = []
    found = _list(layout, roots, passed)
    seen = tuple(f"{root.path}{os.sep}" for root in existing(roots))
    unseen = [str(each.path) for each in passed if each.unlisted]  # what lies there just now, nobody can say
    refused = {str(each.path) for each in passed if not each.unlisted}
    gone = [
        source
        for path, source in known.items()
        if path not in found
        and path not in marked
        and path.startswith(seen)
        and not _is_within(path, unseen)
        # Other roots than the last time may lead past a file that is there.
        and (path in refused or not os.path.lexists(path))
    ]
    todo = [file for path, file in found.items() if path in marked or _changed(file, known.get(path))]
    return Look(found, known, gone, todo)


def _is_within(path: str, places: list[str]) -> bool:
    return any(path == place or path.startswith(place + os.sep) for place in places)


def look_without_lock(layout: Layout, roots: list[Root]) -> Look | None:
    """A look at a memory that nobody is changing just now; None where that isn't so, or there is none to read.

    None too where the user has decided something that the memory doesn't follow yet.
    """
    if Path(layout.index_claim).exists() or not Path(layout.memory).is_file():
        return None
    try:
        db = sqlite3.connect(f"{Path(layout.memory).resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)
        try:
            if db.execute("PRAGMA user_version").fetchone()[0] != VERSION or not is_in_line(db, layout):
                return None
            if db.execute("SELECT count(*) FROM pass").fetchone()[0]:
                return None  # a pass died on its way: what it left undone has to be found
            return look(db, layout, roots)
        finally:
            db.close()
    except (sqlite3.Error, OSError):
        return None


def _list(layout: Layout, roots: list[Root], passed: list[PassedOver]) -> dict[str, SourceFile]:
    found = {file.location: file for file in all_files(roots, passed)}
    places = {(file.dev, file.ino) for file in found.values()}
    for file in hook_transcripts(layout.state):
        if (file.dev, file.ino) not in places:
            found.setdefault(file.location, file)
    return found


def _changed(file: SourceFile, known: Source | None) -> bool:
    if known is None:
        return True
    if (file.dev, file.ino, file.size, file.mtime_ns) != (known.dev, known.ino, known.size, known.mtime):
        return True
    # On either side: a file from the future (the clock was wrong for a while) is not read again until that comes.
    return abs(known.read_at - known.mtime // 1_000_000) < RACY_MS
