"""A memory as plain values, without row ids: two memories that say the same are equal."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any

from deja_hooks.memory.schema import DECIDED, SPOKEN, TURN_BITS, WORKED
from deja_hooks.memory.terms import TermCache, index_terms

__all__ = ["dump", "expected_postings", "gone", "postings"]


def _open(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True, isolation_level=None)
    db.row_factory = sqlite3.Row
    db.execute("BEGIN")  # one look at one moment: an indexer may be writing
    return db


def dump(path: str) -> dict[str, Any]:
    """All tables but `terms`; sessions that are marked gone are left out."""
    db = _open(path)
    try:
        projects = {row["id"]: row["key"] for row in db.execute("SELECT * FROM project")}
        sessions = {row["id"]: row["sid"] for row in db.execute("SELECT * FROM session WHERE gone=0")}
        counted = db.execute("SELECT project, count(*) FROM session GROUP BY project").fetchall()
        stated = db.execute("SELECT id, sessions FROM project WHERE sessions<>0").fetchall()
        assert sorted(map(tuple, counted)) == sorted(map(tuple, stated))
        return {
            "integrity": [tuple(row) for row in db.execute("PRAGMA integrity_check")],
            "sessions": {
                row["sid"]: _plain(row, "id", "project") | {"project": projects[row["project"]]}
                for row in db.execute("SELECT * FROM session WHERE gone=0")
            },
            "turns": _by_turn(db, "turn", "id", sessions, projects),
            "notes": _by_turn(db, "note", "turn", sessions, projects),
            "work": _by_turn(db, "work", "turn", sessions, projects),
            "fixes": _by_turn(db, "fix", "turn", sessions, projects),
            "changed": {
                (sessions[row["session"]], projects[row["project"]], row["path"])
                for row in db.execute("SELECT * FROM changed")
            },
            "files": _by_turn(db, "file", "turn", sessions, projects),
            "written": _by_turn(db, "written", "turn", sessions, projects),
            "usage": _by_turn(db, "usage", "turn", sessions, projects),
            "sources": {
                row["path"]: _plain(row, "session", "read_at") | {"session": sessions.get(row["session"], "")}
                for row in db.execute("SELECT * FROM source")
                if row["session"] is None or row["session"] in sessions
            },
        }
    finally:
        db.close()


def _plain(row: sqlite3.Row, *without: str) -> dict[str, Any]:
    return {name: row[name] for name in row.keys() if name not in without}  # noqa: SIM118


def _by_turn(
    db: sqlite3.Connection, table: str, column: str, sessions: dict[int, str], projects: dict[int, str]
) -> dict[tuple[str, int], list[dict[str, Any]]]:
    found = defaultdict(list)
    order = {"file": "path", "written": "path", "usage": "seq"}.get(table, "id")
    for row in db.execute(f"SELECT * FROM {table} ORDER BY {column}, {order}"):
        turn = row[column]
        if turn >> TURN_BITS in sessions:
            value = _plain(row, "id", "turn", "seq")
            if "project" in value:
                value["project"] = projects[value["project"]]
            found[sessions[turn >> TURN_BITS], turn & (1 << TURN_BITS) - 1].append(value)
        else:
            assert db.execute("SELECT 1 FROM session WHERE id=? AND gone=1", (turn >> TURN_BITS,)).fetchone()
    return dict(found)


def gone(path: str) -> set[str]:
    """The sessions whose file the host has deleted."""
    db = _open(path)
    try:
        return {row["sid"] for row in db.execute("SELECT sid FROM session WHERE gone=1")}
    finally:
        db.close()


def postings(path: str) -> dict[int, set[str]]:
    """Turn row id → its tokens in the full-text table."""
    db = _open(path)
    try:
        db.execute("CREATE VIRTUAL TABLE temp.each_term USING fts5vocab(main, terms, instance)")
        found = defaultdict(set)
        for term, doc in db.execute("SELECT term, doc FROM each_term"):
            found[doc].add(term)
        return dict(found)
    finally:
        db.close()


def expected_postings(path: str) -> dict[int, set[str]]:
    """The tokens that the stored turns should have, made from their rows."""
    db = _open(path)
    cache = TermCache()
    try:
        found: dict[int, set[str]] = {}
        for turn, user, assistant in db.execute("SELECT id, user, assistant FROM turn").fetchall():
            project = db.execute("SELECT project FROM session WHERE id=?", (turn >> TURN_BITS,)).fetchone()[0]
            work = db.execute("SELECT path, command, failure FROM work WHERE turn=?", (turn,)).fetchall()
            notes = db.execute("SELECT text FROM note WHERE turn=?", (turn,)).fetchall()
            groups = {
                SPOKEN: f"{user}\n{assistant}",
                WORKED: "\n".join(" ".join(row) for row in work),
                DECIDED: "\n".join(row[0] for row in notes),
            }
            tokens = {f"{p}{project}_{t}" for p, text in groups.items() for t in index_terms(text, cache)}
            if tokens:
                found[turn] = tokens
        return found
    finally:
        db.close()
