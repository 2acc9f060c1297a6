"""What hooks have seen that no store says: where transcripts lie, and how VS Code's commands ended."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.indexer.together import source_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deja_hooks.memory.rows import Outcome
    from deja_hooks.sources.places.roots import SourceFile

__all__ = ["hook_outcomes", "hook_transcript_paths", "hook_transcripts"]


def _rows(state: str, query: str, values: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    """The rows of a query on the hooks' state; none where it isn't there, busy or broken."""
    if not Path(state).is_file():  # a pipe would be waited for
        return []
    try:
        db = sqlite3.connect(f"{Path(state).resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)
    except sqlite3.Error:
        return []
    try:
        return db.execute(query, values).fetchall()
    except sqlite3.Error:
        return []
    finally:
        db.close()


def hook_transcript_paths(state: str) -> list[str]:
    """The paths of the transcripts that hosts have named to hooks, and hooks have read."""
    return [str(name) for (name,) in _rows(state, "SELECT transcript FROM session WHERE transcript<>''")]


def hook_transcripts(state: str) -> Iterator[SourceFile]:
    """The transcripts that hosts have named to hooks (a portable VS Code keeps them where nobody would look)."""
    for name in hook_transcript_paths(state):
        path = Path(name)
        store = "cli-events" if path.name == "events.jsonl" else "vscode-transcript"
        found = source_file(path, store)
        if found is not None:
            yield found


def hook_outcomes(state: str, sid: str) -> dict[str, Outcome]:
    """Tool call id → how it ended, of one session."""
    from deja_hooks.memory.rows import Outcome  # not needed where nothing is new

    rows = _rows(state, "SELECT call, failed, signature FROM outcome WHERE sid=?", (sid,))
    return {str(call): Outcome(bool(failed), str(signature)) for call, failed, signature in rows}
