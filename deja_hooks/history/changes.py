"""Who changed a file: what the recall tool asks of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.memory.schema import TURN_BITS

if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["changed_in", "known_paths"]


def _paths(condition: str) -> str:
    """The files of a project for which the condition holds, wherever they were noted."""
    tables = ("work", "written", "changed", "file")
    each = [f"SELECT path FROM {table} WHERE project=:project AND path<>'' AND {condition}" for table in tables]
    return " UNION ".join(each) + " ORDER BY path LIMIT :limit"


_EXACTLY = _paths("path=:path")
_ENDING = _paths("substr('/' || path, -length(:tail))=:tail")


def known_paths(memory: Memory, project: int, path: str, limit: int) -> list[str]:
    """The file of a project with that path, or, where there is none, those whose path ends with it."""
    values = {"project": project, "path": path, "tail": "/" + path.lstrip("/"), "limit": limit}
    for query in (_EXACTLY, _ENDING):
        found = memory.db.execute(query, {name: values[name] for name in values if f":{name}" in query}).fetchall()
        if found:
            return [row[0] for row in found]
    return []


def changed_in(memory: Memory, project: int, path: str) -> dict[int, list[int]]:
    """The sessions that changed a file, the latest first: row id → the turns that did (none: not known which)."""
    found: dict[int, list[int]] = {}
    turns = memory.db.execute(
        "SELECT turn FROM work WHERE project=?1 AND path=?2 AND path<>'' AND kind='edit'"
        " UNION SELECT turn FROM written WHERE project=?1 AND path=?2",
        (project, path),
    )
    for (turn,) in turns.fetchall():
        found.setdefault(turn >> TURN_BITS, []).append(turn)
    for (session,) in memory.db.execute("SELECT session FROM changed WHERE project=? AND path=?", (project, path)):
        found.setdefault(session, [])
    updated = {row_id: (row.updated, row_id) for row_id in found if (row := memory.session(row_id)) is not None}
    return {session: sorted(found[session]) for session in sorted(updated, key=updated.__getitem__, reverse=True)}
