"""What is asked of a memory, on two sessions; and memories that can't be read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.schema import DECIDED, SPOKEN, TURN_BITS, WORKED
from deja_hooks.memory.scope import project_key
from tests.support.world import World, asked, edited, ran, said

DAY = 86_400_000


@pytest.fixture
def memory(world: World) -> Memory:
    world.cli_session(
        "11111111-a",
        asked("why does retry_budget run out?"),
        *ran("pytest -q", 1, "FAILED tests/test_a.py::test_x - AssertionError: starved"),
        *edited(world.project / "src" / "pool.py", "retry_budget = 3", "retry_budget = 7"),
        *ran("pytest -q", 0),
        said("Root cause: retry_budget was too low."),
        asked("thanks"),
        said("You are welcome."),
        at=world.now - 2 * DAY,
    )
    world.cli_session("11111111-b", asked("another question"), said("We decided to keep it."), at=world.now - DAY)
    world.index()
    found = open_memory(world.layout.memory)
    assert found is not None
    return found


def test_projects_and_sessions(memory: Memory, world: World) -> None:
    key = project_key(str(world.project))
    (project,) = memory.projects()
    assert (project.key, project.label, project.sessions) == (key, "code/shop", 2)
    known = memory.project(key)
    assert known is not None
    assert known.id == project.id
    assert memory.project("git:/nowhere") is None
    assert [s.sid for s in memory.recent_sessions(project.id, 5)] == ["11111111-b", "11111111-a"]
    assert [s.sid for s in memory.recent_sessions(project.id, 1)] == ["11111111-b"]
    assert [s.sid for s in memory.sessions_like("1111", 5)] == ["11111111-b", "11111111-a"]
    assert memory.sessions_like("%", 5) == memory.sessions_like("2", 5) == []
    session = memory.session_of("11111111-a")
    assert session is not None
    assert (session.host, session.store, session.turns, session.places, session.title, session.gone) == (
        "cli",
        "cli-events",
        2,
        2,
        "why does retry_budget run out?",
        0,
    )
    assert memory.session_of("1") is memory.session(999) is None


def test_turns_notes_work_and_fixes(memory: Memory) -> None:
    session = memory.session_of("11111111-a")
    assert session is not None
    first, last = memory.turns(session.id)
    assert (first.id, first.session, first.place, last.place) == (session.id << TURN_BITS, session.id, 0, 1)
    assert [t.user for t in memory.turns(session.id, 1)] == ["thanks"]
    assert memory.notes(first.id) == [("cause", "Root cause: retry_budget was too low.")]
    assert memory.session_notes(session.id, 9) == [(first.id, "cause", "Root cause: retry_budget was too low.")]
    work = memory.work(session.id, 9)
    assert [(turn, kind, path, command, status) for turn, kind, path, command, status, _, _ in work] == [
        (first.id, "command", "", "pytest -q", 1),
        (first.id, "edit", "src/pool.py", "", None),
        (first.id, "command", "", "pytest -q", 0),
    ]
    assert memory.work(session.id, 1) == work[-1:]
    assert [(t, old, new) for t, _, old, new in memory.edits_of(session.project, "src/pool.py", 5)] == [
        (first.id, "retry_budget = 3", "retry_budget = 7")
    ]
    (fix,) = memory.fixes_of(work[0][6], session.project, 5)
    assert (fix.how, fix.what, fix.form, fix.turn) == ("edit", "src/pool.py", "pytest -q", first.id)
    assert [f.id for f in memory.fixes_of_command(session.project, "pytest -q", 5)] == [fix.id]
    assert memory.fixes_of("", None, 5) == memory.fixes_of(work[0][6], 999, 5) == []


def test_postings_by_role(memory: Memory) -> None:
    session = memory.session_of("11111111-a")
    assert session is not None
    first = session.id << TURN_BITS
    found = {
        (role, term): memory.postings(role, session.project, term, 5)
        for role in (SPOKEN, WORKED, DECIDED)
        for term in ("retrybudget", "poolpy", "pytest", "absent", "")
    }
    assert {key: turns for key, turns in found.items() if turns} == {
        (SPOKEN, "retrybudget"): [first],
        (WORKED, "poolpy"): [first],
        (WORKED, "pytest"): [first],
        (DECIDED, "retrybudget"): [first],
    }
    assert memory.postings(SPOKEN, session.project + 1, "retrybudget", 5) == []


class TestOpen:
    def test_nothing_broken_or_of_another_version_is_opened(self, world: World) -> None:
        path = world.layout.memory
        assert open_memory(path) is None
        Path(path).parent.mkdir(parents=True)
        for content in (b"", b"garbage" * 1_000, b"SQLite format 3\0" + b"\xff" * 5_000):
            Path(path).write_bytes(content)
            assert open_memory(path) is None
        Path(path).unlink()
        with sqlite3.connect(path) as db:
            db.executescript("CREATE TABLE session(x); PRAGMA user_version=99;")
        db.close()
        assert open_memory(path) is None
        assert open_memory(str(world.home)) is None

    def test_a_hook_is_silent_on_one_that_breaks_while_it_is_read(self, world: World, memory: Memory) -> None:
        memory.db.close()
        path = Path(world.layout.memory)
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\xff" * (len(content) - 4096))
        outcome = world.call("UserPromptSubmit", prompt="retry_budget?")
        assert outcome.reply == b""
        assert outcome.reason

    @pytest.mark.usefixtures("memory")
    def test_a_reader_sees_the_last_pass_while_the_next_one_writes(self, world: World) -> None:
        writer = sqlite3.connect(world.layout.memory, isolation_level=None)
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("DELETE FROM turn")
        assert "too low" in world.call("UserPromptSubmit", prompt="retry_budget?").text
        writer.execute("ROLLBACK")
        writer.close()

    def test_one_in_a_folder_that_cannot_be_written(self, world: World, memory: Memory) -> None:
        memory.db.close()
        folder = Path(world.layout.cache)
        for side in ("-wal", "-shm"):
            Path(world.layout.memory + side).unlink(missing_ok=True)
        folder.chmod(0o500)
        try:
            found = open_memory(world.layout.memory)
            assert found is not None
            assert len(found.projects()) == 1
            found.db.close()
        finally:
            folder.chmod(0o700)
