"""Sessions that no host has any more outlive a change of the tables."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from deja_hooks.marks.log import append, locked
from deja_hooks.marks.model import Forgotten, Mark
from deja_hooks.memory import opening
from deja_hooks.memory.opening import open_for_writing
from deja_hooks.memory.schema import VERSION
from tests.indexer.dump import expected_postings, gone, postings
from tests.support.bytes_kept import holding
from tests.support.world import World

#: The tables of version 1 (the first release's).
V1 = """
CREATE TABLE project(
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    sessions INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE session(
    id INTEGER PRIMARY KEY,
    sid TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    store TEXT NOT NULL,
    project INTEGER NOT NULL REFERENCES project(id),
    cwd TEXT NOT NULL,
    branch TEXT NOT NULL,
    title TEXT NOT NULL,
    started INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    places INTEGER NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX session_recent ON session(project, updated);
CREATE TABLE source(
    path TEXT PRIMARY KEY,
    store TEXT NOT NULL,
    session INTEGER,
    dev INTEGER NOT NULL, ino INTEGER NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL,
    read_at INTEGER NOT NULL,
    restart INTEGER NOT NULL,
    place INTEGER NOT NULL,
    ended_at INTEGER NOT NULL,
    fingerprint INTEGER NOT NULL,
    lines INTEGER NOT NULL, bad INTEGER NOT NULL, understood INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX source_session ON source(session);
CREATE TABLE turn(
    id INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    user TEXT NOT NULL,
    assistant TEXT NOT NULL
);
CREATE TABLE note(
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX note_turn ON note(turn);
CREATE TABLE work(
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    project INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    path TEXT NOT NULL,
    command TEXT NOT NULL,
    exit INTEGER,
    failure TEXT NOT NULL,
    signature TEXT NOT NULL,
    old TEXT NOT NULL, new TEXT NOT NULL
);
CREATE INDEX work_turn ON work(turn);
CREATE INDEX work_path ON work(project, path, turn) WHERE path <> '';
CREATE TABLE fix(
    id INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    project INTEGER NOT NULL,
    signature TEXT NOT NULL,
    form TEXT NOT NULL,
    failure TEXT NOT NULL,
    how TEXT NOT NULL,
    what TEXT NOT NULL,
    at INTEGER NOT NULL
);
CREATE INDEX fix_turn ON fix(turn);
CREATE INDEX fix_signature ON fix(signature, project) WHERE signature <> '';
CREATE INDEX fix_form ON fix(project, form);
CREATE VIRTUAL TABLE terms USING fts5(body, content='', detail=none, tokenize="ascii tokenchars '_'");
"""

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
SESSION = 5
TURN = SESSION << 16


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A memory of version 1 with a session that is gone and one that isn't."""
    path = tmp_path / "memory.db"
    db = sqlite3.connect(path)
    db.executescript(V1)
    db.execute("INSERT INTO project VALUES (3, 'dir:/code/shop', 'code/shop', 2)")
    for number, sid, is_gone in ((SESSION, "lost", 1), (6, "there", 0)):
        db.execute(
            "INSERT INTO session VALUES (?,?,'vscode','vscode-transcript',3,'/code/shop','main','Why?',10,20,1,1,?)",
            (number, sid, is_gone),
        )
        turn = number << 16
        db.execute("INSERT INTO turn VALUES (?, 11, 1, ?, 'We chose tenacity.')", (turn, f"Why? {SECRET}"))
        db.execute("INSERT INTO note(turn, kind, text) VALUES (?, 'decided', 'We chose tenacity.')", (turn,))
        db.execute(
            "INSERT INTO work(turn, project, kind, at, path, command, exit, failure, signature, old, new)"
            " VALUES (?, 3, 'command', 12, '', 'pytest', 1, 'E: no', 'sig', '', '')",
            (turn,),
        )
        db.execute("INSERT INTO fix VALUES (?, ?, 3, 'sig', 'pytest', 'E: no', 'edit', 'a.py', 13)", (number, turn))
    db.execute("PRAGMA user_version=1")
    db.commit()
    db.close()
    return path


def rows(db: sqlite3.Connection, query: str) -> list[tuple[object, ...]]:
    return [tuple(row) for row in db.execute(query)]


def test_a_session_that_is_gone_is_taken_along(old: Path) -> None:
    db = open_for_writing(old)
    try:
        assert rows(db, "PRAGMA user_version") == [(VERSION,)]
        assert rows(db, "SELECT key, label, sessions FROM project") == [("dir:/code/shop", "code/shop", 1)]
        assert rows(
            db, "SELECT sid, host, store, cwd, branch, title, started, updated, turns, places, gone, version, archived,"
            " forked_from, skipped FROM session"
        ) == [
            ("lost", "vscode", "vscode-transcript", "/code/shop", "main", "Why?", 10, 20, 1, 1, 1, "", None, "", 0)
        ]  # fmt: skip
        assert rows(db, "SELECT at, ended, user, assistant FROM turn") == [
            (11, 1, "Why? [redacted:github-token]", "We chose tenacity.")
        ]
        assert rows(db, "SELECT kind, text FROM note") == [("decided", "We chose tenacity.")]
        assert rows(db, "SELECT kind, at, command, exit, failure, signature FROM work") == [
            ("command", 12, "pytest", 1, "E: no", "sig")
        ]
        assert rows(db, "SELECT signature, form, failure, how, what, at FROM fix") == [
            ("sig", "pytest", "E: no", "edit", "a.py", 13)
        ]
        turn = db.execute("SELECT id FROM turn").fetchone()[0]
        for table in ("note", "work", "fix"):
            assert rows(db, f"SELECT turn FROM {table}") == [(turn,)]
    finally:
        db.close()
    assert gone(str(old)) == {"lost"}
    assert postings(str(old)) == expected_postings(str(old)) != {}
    assert not old.with_name("memory.db.old").exists()


def sids(path: Path) -> list[str]:
    with contextlib.closing(open_for_writing(path)) as db:
        return [str(row[0]) for row in rows(db, "SELECT sid FROM session")]


@pytest.mark.parametrize("where", ["carry_over", "_connect"])
def test_what_is_cut_short_is_gone_on_with(old: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """A process that is killed between putting the older memory away and having taken its sessions."""

    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(opening, where, kill)
        with pytest.raises(Killed):
            open_for_writing(old)
    assert sids(old) == ["lost"]
    assert not old.with_name("memory.db.old").exists()


def test_twice_is_once(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_: None)  # killed before the older one is deleted
        assert sids(old) == ["lost"]
    assert old.with_name("memory.db.old").exists()
    assert sids(old) == ["lost"]
    assert not old.with_name("memory.db.old").exists()


def test_a_full_disk_passes(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(opening, "carry_over", full)
        assert sids(old) == []
    assert sids(old) == ["lost"]


def test_an_older_memory_without_the_tables_takes_nothing_along(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    db = sqlite3.connect(path)
    db.executescript("CREATE TABLE session(id INTEGER); INSERT INTO session VALUES (1); PRAGMA user_version=99")
    db.close()
    db = open_for_writing(path)
    try:
        assert rows(db, "SELECT count(*) FROM session") == [(0,)]
    finally:
        db.close()


def test_a_forgotten_session_is_not_taken_along(old: Path, world: World) -> None:
    cache = Path(world.layout.cache)
    cache.mkdir(parents=True)
    memory = old.rename(cache / "memory.db")
    with locked(world.layout):
        append(world.layout, Mark("a", 1, "forget", sessions=(Forgotten("lost"),)))
    world.index()
    assert gone(str(memory)) == set()
    assert holding(world.deja_home, ["tenacity"]) == {}
