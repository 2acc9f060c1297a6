"""A memory made row by row, as the indexer would have left it: for what only reads one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from deja_hooks.memory.schema import SCHEMA, TURN_BITS, VERSION
from deja_hooks.memory.scope import label


class Built:
    """A memory at a path, open for inserting; `close` it before a command reads it."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.db = sqlite3.connect(path)
        self.db.executescript(SCHEMA)
        self.db.execute(f"PRAGMA user_version={VERSION}")

    def project(self, key: str) -> int:
        """The row id of a project; made where it is new."""
        self.db.execute("INSERT OR IGNORE INTO project(key, label) VALUES (?, ?)", (key, label(key)))
        self.db.execute("UPDATE project SET sessions=sessions+1 WHERE key=?", (key,))
        return int(self.db.execute("SELECT id FROM project WHERE key=?", (key,)).fetchone()[0])

    def session(self, sid: str, *turns: dict[str, Any], key: str = "dir:/src/app", **fields: Any) -> int:
        """A session; each turn has `at`, `user`, `assistant`, `ended`, `work`, `files` and `usage`, or some of them."""
        users = [turn for turn in turns if turn.get("user")]
        row = {
            "sid": sid,
            "host": "cli",
            "store": "cli-events",
            "project": self.project(key),
            "cwd": key.partition(":")[2],
            "branch": "",
            "title": users[0]["user"].splitlines()[0] if users else "",
            "started": turns[0].get("at", 0) if turns else 0,
            "updated": turns[-1].get("at", 0) if turns else 0,
            "turns": len(users),
            "places": len(turns),
            **fields,
        }
        session = self._insert("session", row)
        for place, turn in enumerate(turns):
            self._turn(session << TURN_BITS | place, row["project"], turn)
        return session

    def source(self, path: str, tally: Sequence[object], session: int | None = None, **fields: Any) -> None:
        """A file that was read, or not."""
        row = {
            "path": path,
            "store": "cli-events",
            "session": session,
            **dict.fromkeys(("dev", "ino", "size", "mtime", "read_at"), 0),
            **dict.fromkeys(("restart", "place", "ended_at", "prefix", "fingerprint"), 0),
            **dict.fromkeys(("version", "problem", "remarks"), ""),
            "tally": json.dumps(tally),
            "settled": "[]",
            **fields,
        }
        self._insert("source", row)

    def close(self) -> None:
        """Ends the writing."""
        self.db.commit()
        self.db.close()

    def _turn(self, turn: int, project: int, fields: dict[str, Any]) -> None:
        at = fields.get("at", 0)
        ended = fields.get("ended", 1)
        row = {"id": turn, "at": at, "ended": ended, "user": fields.get("user", "")}
        self._insert("turn", {**row, "assistant": fields.get("assistant", "")})
        for path in fields.get("files", ()):
            self._insert("file", {"turn": turn, "project": project, "path": path})
        for work in fields.get("work", ()):
            empty = dict.fromkeys(("path", "command", "failure", "signature", "old", "new"), "")
            self._insert("work", {"turn": turn, "project": project, "at": at, **empty, **work})
        for seq, usage in enumerate(fields.get("usage", ())):
            row = {"turn": turn, "seq": seq, "kind": "request", "request": f"r{turn}", "at": at, "model": ""}
            self._insert("usage", {**row, "exact": 1, "final": 1, **usage})

    def _insert(self, table: str, row: dict[str, Any]) -> int:
        marks = ", ".join("?" * len(row))
        cursor = self.db.execute(f"INSERT INTO {table}({', '.join(row)}) VALUES ({marks})", list(row.values()))
        return cursor.lastrowid or 0


def edit(path: str, old: str, new: str) -> dict[str, Any]:
    """The work of an edit."""
    return {"kind": "edit", "path": path, "old": old, "new": new}


def command(line: str, status: int | None = None, failure: str = "") -> dict[str, Any]:
    """The work of a command."""
    return {"kind": "command", "command": line, "exit": status, "failure": failure}


def turns(*prompts: str, at: int = 0) -> Iterable[dict[str, Any]]:
    """Turns of nothing but a prompt, a minute apart."""
    return [{"user": prompt, "at": at + 60_000 * n} for n, prompt in enumerate(prompts)]
