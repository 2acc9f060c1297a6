"""The packets that hooks have told, as `state.db` keeps them: counts, ids and hashes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

__all__ = ["Told", "told_packets"]

_TOLD = """SELECT told.sid, at, kind, event, told.host, coalesce(session.project, ''), characters, specifics
    FROM told LEFT JOIN session ON session.sid=told.sid"""


class Told(NamedTuple):
    """One packet.

    Attributes:
        sid: the session that it was told.
        at: epoch ms of the call.
        kind: of packet: session_start, prompt, before_tool, after_tool, compaction.
        event, host: of the call; the host is "" where it didn't show itself.
        project: the session's project key (`scope.project_key`); "" unknown.
        characters: of the packet, fence included.
        specifics: see `specifics.specifics`.
    """

    sid: str
    at: int
    kind: str
    event: str
    host: str
    project: str
    characters: int
    specifics: str

    @property
    def name(self) -> tuple[str, int, str]:
        """What it is known by in both databases."""
        return self.sid, self.at, self.kind


def told_packets(state: str, since: int = 0) -> list[Told] | None:
    """The packets told since then (epoch ms), the oldest first; None where the state can't be read."""
    if not Path(state).is_file():
        return []
    try:
        with closing(sqlite3.connect(f"{Path(state).resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)) as db:
            if not db.execute("SELECT 1 FROM sqlite_master WHERE name='told'").fetchone():
                return []  # an older version's; the next hook adds the table
            return [Told(*row) for row in db.execute(f"{_TOLD} WHERE at>=? ORDER BY at, told.sid, kind", (since,))]
    except sqlite3.Error:
        return None
