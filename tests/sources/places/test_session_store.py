"""VS Code's session store, in the states in which a host leaves it."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deja_hooks.sources.places.session_store import session_cwd

#: The table as Copilot Chat 0.67 makes it (schema 3), without the columns that nobody reads.
SCHEMA = "CREATE TABLE sessions (id TEXT PRIMARY KEY, cwd TEXT, repository TEXT, branch TEXT)"


def store_of(user: Path) -> Path:
    folder = user / "globalStorage" / "github.copilot-chat"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "session-store.db"


@contextmanager
def writer(user: Path, *rows: tuple[str, object], schema: str = SCHEMA) -> Iterator[sqlite3.Connection]:
    """A host that has the store open, what it wrote still in the -wal."""
    with closing(sqlite3.connect(store_of(user), isolation_level=None)) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA wal_autocheckpoint=0")
        db.execute(schema)
        db.executemany("INSERT INTO sessions (id, cwd) VALUES (?, ?)", rows)
        yield db


def chat(user: Path, place: str = "workspaceStorage/1f/chatSessions") -> Path:
    return user / place / "s1.jsonl"


def left(user: Path) -> dict[str, bytes]:
    """All that lies in the store's folder."""
    return {path.name: path.read_bytes() for path in store_of(user).parent.iterdir()}


@pytest.mark.parametrize(
    ("cwd", "folder"),
    [
        ("/home/u/p", "/home/u/p"),
        ("c:\\dev\\p", "c:\\dev\\p"),
        ("file:///home/u/my%20p", "/home/u/my p"),
        ("vscode-remote://wsl%2BUbuntu/home/u/p", "/home/u/p"),
        (None, ""),
        ("", ""),
        (b"\xff", ""),
        (7, ""),
    ],
)
def test_a_store_at_rest(tmp_path: Path, cwd: object, folder: str) -> None:
    with writer(tmp_path, ("s1", cwd)):
        pass
    before = left(tmp_path)
    assert list(before) == ["session-store.db"]
    assert session_cwd(chat(tmp_path), "s1") == folder
    assert session_cwd(chat(tmp_path), "s2") == ""
    assert left(tmp_path) == before


#: A host at work: opens a store, then carries out a statement a line.
HOST = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA wal_autocheckpoint=0")
for statement in sys.stdin:
    db.execute(statement).fetchall()
    print("done", flush=True)
"""


@contextmanager
def host(user: Path) -> Iterator[Callable[[str], None]]:
    """A host in its own process: SQLite's locks are a process's, and so is what it shares of a -shm."""
    command = [sys.executable, "-c", HOST, str(store_of(user))]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, answers = process.stdin, process.stdout

        def do(statement: str) -> None:
            to.write(f"{statement}\n")
            assert answers.readline() == "done\n"

        yield do
        to.close()


def test_an_open_writer(tmp_path: Path) -> None:
    with host(tmp_path) as do:
        do("PRAGMA journal_mode=WAL")
        do(SCHEMA)
        do("INSERT INTO sessions (id, cwd) VALUES ('s1', '/p')")
        before = left(tmp_path)
        assert sorted(before) == ["session-store.db", "session-store.db-shm", "session-store.db-wal"]
        assert session_cwd(chat(tmp_path), "s1") == "/p"
        assert left(tmp_path) == before
        do("BEGIN IMMEDIATE")
        do("UPDATE sessions SET cwd='/later'")
        before = left(tmp_path)
        assert session_cwd(chat(tmp_path), "s1") == "/p"
        assert left(tmp_path) == before
        do("COMMIT")
        assert session_cwd(chat(tmp_path), "s1") == "/later"


def test_a_writer_that_locks_all_others_out(tmp_path: Path) -> None:
    with host(tmp_path) as do:
        do("PRAGMA locking_mode=EXCLUSIVE")
        do("PRAGMA journal_mode=WAL")
        do(SCHEMA)
        do("INSERT INTO sessions (id, cwd) VALUES ('s1', '/p')")
        before = left(tmp_path)
        assert session_cwd(chat(tmp_path), "s1") == ""
        assert left(tmp_path) == before


def test_a_writer_that_has_just_opened_and_written_nothing(tmp_path: Path) -> None:
    with writer(tmp_path, ("s1", "/p")):
        pass
    with closing(sqlite3.connect(store_of(tmp_path))) as db:
        db.execute("SELECT * FROM sessions").fetchall()
        before = left(tmp_path)
        assert session_cwd(chat(tmp_path), "s1") == "/p"
        assert left(tmp_path) == before


def test_a_wal_that_a_crash_has_left_is_not_recovered_for_the_host(tmp_path: Path) -> None:
    user = tmp_path / "crashed"
    with writer(tmp_path, ("s1", "/p")):
        for end in ("", "-wal"):
            source = store_of(tmp_path)
            shutil.copyfile(f"{source}{end}", f"{store_of(user)}{end}")
    before = left(user)
    assert session_cwd(chat(user), "s1") == ""
    assert left(user) == before


def test_a_folder_that_cant_be_written(tmp_path: Path) -> None:
    with writer(tmp_path, ("s1", "/p")):
        pass
    folder = store_of(tmp_path).parent
    folder.chmod(0o500)
    try:
        assert session_cwd(chat(tmp_path), "s1") == "/p"
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize("content", [b"", b"not a database" * 100, b"SQLite format 3\0", b"\0" * 8192])
def test_no_database(tmp_path: Path, content: bytes) -> None:
    store_of(tmp_path).write_bytes(content)
    before = left(tmp_path)
    assert session_cwd(chat(tmp_path), "s1") == ""
    assert left(tmp_path) == before


def test_a_corrupt_page(tmp_path: Path) -> None:
    with writer(tmp_path, *((f"s{i}", "/p" * 50) for i in range(200))):
        pass
    store = store_of(tmp_path)
    whole = store.read_bytes()
    store.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert session_cwd(chat(tmp_path), "s1") == ""


@pytest.mark.parametrize(
    "schema", ["CREATE TABLE turns (id TEXT)", "CREATE TABLE sessions (session TEXT, folder TEXT)"]
)
def test_another_schema(tmp_path: Path, schema: str) -> None:
    with closing(sqlite3.connect(store_of(tmp_path))) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute(schema)
    assert session_cwd(chat(tmp_path), "s1") == ""


def test_no_store_and_no_user_folder(tmp_path: Path) -> None:
    assert session_cwd(chat(tmp_path), "s1") == ""
    assert session_cwd(tmp_path / "s1.jsonl", "s1") == ""
    assert session_cwd(Path("\0/workspaceStorage/1f/chatSessions/s1.jsonl"), "s1") == ""
    store_of(tmp_path).mkdir()
    assert session_cwd(chat(tmp_path), "s1") == ""
    assert session_cwd(chat(tmp_path), "\ud800") == ""


@pytest.mark.parametrize(
    "place",
    [
        "workspaceStorage/1f/chatSessions",
        "workspaceStorage/1f/GitHub.copilot-chat/transcripts",
        "globalStorage/emptyWindowChatSessions",
        "globalStorage/transferredChatSessions",
        "profiles/a1/workspaceStorage/1f/chatSessions",
        "profiles/a1/globalStorage/emptyWindowChatSessions",
    ],
)
def test_the_user_folder_of_each_place(tmp_path: Path, place: str) -> None:
    user = tmp_path / "with #? and %20" / "User"
    with writer(user, ("s1", "/p")):
        pass
    assert session_cwd(chat(user, place), "s1") == "/p"


def test_a_profiles_own_store_comes_first(tmp_path: Path) -> None:
    with writer(tmp_path, ("s1", "/main"), ("s2", "/main2")), writer(tmp_path / "profiles/a1", ("s1", "/profile")):
        pass
    file = chat(tmp_path, "profiles/a1/globalStorage/emptyWindowChatSessions")
    assert [session_cwd(file, sid) for sid in ("s1", "s2", "s3")] == ["/profile", "/main2", ""]
