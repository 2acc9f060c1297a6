"""What lies in the hosts' stores beside what the memory has read of it: what `deja-hooks sources` prints."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from deja_hooks.indexer.seen import hook_transcripts
from deja_hooks.marks.barred import NOT_READ
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.read import Memory
from deja_hooks.memory.source_rows import Source, read_sources, unpack_tally
from deja_hooks.sources.model import Tally
from deja_hooks.sources.places.roots import PassedOver, Root, SourceFile, existing, files

__all__ = ["FileReport", "Place", "places"]


class FileReport(NamedTuple):
    """A file that a host has, or had.

    Attributes:
        path, store: of the file.
        state: "read"; "changed" (since it was read); "not read yet"; "failed" (nothing of it could be read, see
            `problem`); "deleted" (by the host; what it gave is still there).
        session_id: of the session that it gave; "" for none.
        version: of the host or the format, as the file says; "" unknown.
        size: bytes on disk; of a deleted file, when it was read.
        tally: of what was read.
        problem: why nothing could be read, or why that is a fault; "" where all is well.
        remarks: how it was read.
    """

    path: str
    store: str
    state: str
    session_id: str
    version: str
    size: int
    tally: Tally
    problem: str
    remarks: tuple[str, ...]


class Place(NamedTuple):
    """A root with its files; without one, all that lies elsewhere (hosts named it to hooks, or a root was there).

    Attributes:
        root: the root, or None.
        exists: whether it is there.
        files: by path.
        passed: what lies there and isn't read.
    """

    root: Root | None
    exists: bool
    files: list[FileReport]
    passed: list[PassedOver]


def places(roots: list[Root], layout: Layout, memory: Memory | None) -> list[Place]:
    """All roots in their order, each file in the first that has it; last what lies elsewhere, if anything does."""
    known = read_sources(memory.db) if memory else {}
    ids = dict(memory.db.execute("SELECT id, sid FROM session")) if memory else {}
    present = existing(roots)
    taken: set[tuple[int, int]] = set()
    found, open_rows = [], dict(known)
    for root in roots:
        passed: list[PassedOver] = []
        on_disk = _fresh(files(root, passed), taken) if root in present else []
        reports = [_report(file, open_rows.pop(str(file.path), None), ids) for file in on_disk]
        found.append(Place(root, root in present, reports, passed))
    named = _fresh(hook_transcripts(layout.state), taken)
    rest = [_report(file, open_rows.pop(str(file.path), None), ids) for file in named]
    for row in open_rows.values():
        _home_of(row, found, rest).append(_gone(row, ids))
    elsewhere = [Place(None, True, rest, [])] if rest else []
    return [place._replace(files=sorted(place.files)) for place in (*found, *elsewhere)]


def _fresh(found: Iterable[SourceFile], taken: set[tuple[int, int]]) -> list[SourceFile]:
    """Those of the files that no place before has had."""
    fresh = []
    for file in found:
        if (file.dev, file.ino) not in taken:
            taken.add((file.dev, file.ino))
            fresh.append(file)
    return fresh


def _home_of(row: Source, found: list[Place], rest: list[FileReport]) -> list[FileReport]:
    for place in found:
        if place.root and row.path.startswith(f"{place.root.path}{os.sep}"):
            return place.files
    return rest


def _report(file: SourceFile, row: Source | None, ids: Mapping[int, str]) -> FileReport:
    path = str(file.path)
    if row is None:
        return FileReport(path, file.store, "not read yet", "", "", file.size, Tally(), "", ())
    same = (file.dev, file.ino, file.size, file.mtime_ns) == (row.dev, row.ino, row.size, row.mtime)
    state = "failed" if row.problem else "read" if same else "changed"
    return _told(row, state, file.size, ids)


def _gone(row: Source, ids: Mapping[int, str]) -> FileReport:
    # A link, or a second name of a file that is there, is no file that was deleted.
    if Path(row.path).exists():
        return _told(row, "failed" if row.problem else "read", max(row.size, 0), ids)
    return _told(row, "deleted", max(row.size, 0), ids)


def _told(row: Source, state: str, size: int, ids: Mapping[int, str]) -> FileReport:
    tally, problem = unpack_tally(row.tally), row.problem
    if not problem and row.size > 0 and not tally.understood and not row.remarks.startswith(NOT_READ):
        problem = "nothing in it was understood: is it of a version that deja-hooks doesn't know?"
        state = "failed" if state != "deleted" else state
    sid = ids.get(row.session, "") if row.session is not None else ""
    remarks = tuple(line for line in row.remarks.splitlines() if line)
    return FileReport(row.path, row.store, state, sid, row.version, size, tally, problem, remarks)
