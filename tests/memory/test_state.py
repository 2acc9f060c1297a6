"""What hooks remember of sessions in progress; with several processes at once."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

import deja_hooks
from deja_hooks.memory.sqlite import sqlite_error
from deja_hooks.memory.state import Cursor, State, text_hash
from tests.support.world import NOON, World, asked, said

PACKAGE = Path(deja_hooks.__file__).parent.parent
DAY = 86_400_000


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "deja" / "cache" / "state.db")


@pytest.fixture
def state(path: str) -> State:
    return State(path)


def together(body: str, path: str, count: int) -> list[str]:
    """What real processes print that run the body (with `state`, `me`) from the same moment on."""
    script = (
        f"import sys, time\nsys.path.append({str(PACKAGE)!r})\nfrom deja_hooks.memory.state import State\n"
        f"me = int(sys.argv[1])\nprint('ready', flush=True)\nsys.stdin.readline()\npath = {path!r}\n{body}\n"
    )
    command = [sys.executable, "-I", "-S", "-c", script]
    running = [
        subprocess.Popen([*command, str(i)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for i in range(count)
    ]
    for each in running:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in running:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    return [each.communicate(timeout=30)[0].strip() for each in running]


class TestSessions:
    def test_count_their_prompts_and_keep_what_is_known(self, state: State) -> None:
        assert state.enter("s", "", "", NOON, prompt=False) == 0
        assert state.enter("s", "cli", "git:/shop/.git", NOON + 1, prompt=True) == 1
        assert state.enter("s", "", "", NOON + 2, prompt=True) == 2
        assert state.enter("t", "vscode", "", NOON + 2, prompt=True) == 1
        rows = state.db.execute("SELECT sid, host, project, first, last, prompts FROM session ORDER BY sid").fetchall()
        assert rows == [("s", "cli", "git:/shop/.git", NOON, NOON + 2, 2), ("t", "vscode", "", NOON + 2, NOON + 2, 1)]

    def test_parents_and_packets(self, state: State) -> None:
        assert (state.parent("s"), state.packets("s")) == ("", 0)
        state.enter("s", "cli", "", NOON, prompt=True)
        state.set_parent("s", "p")
        packet = (1, "UserPromptSubmit", "cli", 9, "")
        assert state.say("s", "prompt", ["a"], 1, packet)
        assert state.say("s", "before_tool", ["a"], 1, packet)
        assert not state.say("s", "prompt", ["a"], 1, packet)
        assert state.say("s", "prompt", ["b"], 2, packet)
        assert (state.parent("s"), state.packets("s"), state.parent("p")) == ("p", 2, "")

    def test_are_forgotten_after_90_days(self, state: State) -> None:
        for sid, last in (("old", NOON - 91 * DAY), ("new", NOON - 89 * DAY)):
            state.enter(sid, "cli", "", last, prompt=True)
            state.say(sid, "prompt", ["m"], 1)
            state.add_outcome(sid, "call", True, "", last)
            state.advance(sid, Cursor("/x", 1, 2, 3, 4, 5, 6), [(0, 9, "u")], anew=False)
            state.keep_packet(sid, "text", last)
            state.hold(sid, "text", last)
            state.say(sid, "prompt", ["m"], 1, (last, "UserPromptSubmit", "cli", 9, ""))
        state.forget_old(NOON)
        left = {
            table: {row[0] for row in state.db.execute(f"SELECT sid FROM {table}")}
            for table in ("session", "said", "told", "fact", "packet", "held", "outcome")
        }
        assert left == {table: {"new"} for table in left}


class TestSaid:
    def test_is_kept_by_session_and_kind(self, state: State) -> None:
        assert state.say("s", "prompt", ["a", "b"], 1)
        assert state.say("s", "session_start", ["a"], 1)
        assert state.say("t", "prompt", ["a"], 1)
        assert not state.say("s", "prompt", ["b", "c"], 2)
        assert state.said("s", "prompt") == {"a", "b", "c"}
        assert state.said("s", "session_start") == {"a"}
        assert state.said("s", "before_tool") == set()
        assert state.say("s", "prompt", [], 3)

    def test_is_unsaid_whole_by_kind_or_by_prompt(self, state: State) -> None:
        def fill() -> None:
            for i, kind in enumerate(("prompt", "session_start", "before_tool"), 1):
                state.say("s", kind, [f"m{i}"], i)
            state.say("other", "prompt", ["m"], 1)

        def left() -> list[tuple[str, str]]:
            return state.db.execute("SELECT kind, memory FROM said WHERE sid='s' ORDER BY memory").fetchall()

        fill()
        state.unsay("s", ("session_start", "before_tool"))
        assert left() == [("prompt", "m1")]
        fill()
        state.unsay_before("s", 3)
        assert left() == [("before_tool", "m3")]
        state.unsay("s")
        assert left() == []
        assert state.said("other", "prompt") == {"m"}


class TestAgents:
    def test_are_known_by_the_very_prompt_for_an_hour(self, state: State) -> None:
        state.expect_agent("s", "Find  the\npool ", NOON)
        assert state.announced_by("Find the pool", NOON) == "s"
        assert state.announced_by("Find the pool", NOON + 3_600_000) == "s"
        assert state.announced_by("Find the pool", NOON + 3_600_001) == ""
        assert state.announced_by("find the pool", NOON) == ""

    def test_the_latest_announcement_counts_and_old_ones_go(self, state: State) -> None:
        state.expect_agent("old", "look", NOON - 7_200_000)
        state.expect_agent("s", "look", NOON)
        state.expect_agent("t", "look", NOON + 1)
        assert state.announced_by("look", NOON + 2) == "t"
        assert state.db.execute("SELECT count(*) FROM agent_prompt").fetchone() == (2,)

    @pytest.mark.parametrize("text", ["", "\ud800", "日本", "x" * 100_000])
    def test_a_hash_of_any_text_fits(self, text: str) -> None:
        assert 0 <= text_hash(text) < 1 << 63


def test_outcomes(state: State) -> None:
    state.add_outcome("s", "c1", True, "key", NOON)
    state.add_outcome("s", "c2", False, "", NOON)
    state.add_outcome("s", "c1", False, "", NOON + 1)
    state.add_outcome("t", "c1", True, "", NOON)
    assert state.outcomes("s") == {"c1": False, "c2": False}


def test_the_packet_is_handed_out_once_and_unsays_all(state: State) -> None:
    state.say("s", "prompt", ["m"], 1)
    state.keep_packet("s", "first", NOON)
    state.keep_packet("s", "second", NOON)
    assert state.said("s", "prompt") == set()
    assert [state.take_packet("s"), state.take_packet("s"), state.take_packet("t")] == ["second", "", ""]


def test_held_packets_are_handed_out_together_once_and_stay_said(state: State) -> None:
    state.say("s", "prompt", ["m"], 1)
    for sid, text in (("s", "first"), ("t", "of another"), ("s", "second")):
        state.hold(sid, text, NOON)
    assert state.said("s", "prompt") == {"m"}
    assert state.take_packet("s") == ""
    assert [state.take_held("s"), state.take_held("s"), state.take_held("t")] == ["first\n\nsecond", "", "of another"]


def test_of_held_packets_that_grow_too_long_the_last_stays(state: State) -> None:
    for text in ("a" * 3_000, "b" * 1_000, "c"):
        state.hold("s", text, NOON)
    assert state.take_held("s") == "b" * 1_000 + "\n\nc"


class TestCursor:
    def test_moves_with_its_facts(self, state: State) -> None:
        assert vars_of(state.cursor("s")) == ("", 0, 0, 0, 0, 0, 0)
        state.enter("s", "cli", "", NOON, prompt=True)
        state.advance("s", Cursor("/t", 1, 2, 30, 4, 20, 6), [(0, 9, "u"), (10, 9, "a")], anew=False)
        state.advance("s", Cursor("/t", 1, 2, 50, 5, 40, 7), [(20, 19, "c")], anew=False)
        assert vars_of(state.cursor("s")) == ("/t", 1, 2, 50, 5, 40, 7)
        assert state.facts("s", 0) == [(0, 9, "u"), (10, 9, "a"), (20, 19, "c")]
        assert state.facts("s", 10) == [(10, 9, "a"), (20, 19, "c")]

    def test_anew_drops_what_the_file_gave(self, state: State) -> None:
        state.enter("s", "cli", "", NOON, prompt=True)
        state.advance("s", Cursor("/t", 1, 2, 30, 4, 20, 6), [(0, 9, "u")], anew=False)
        state.advance("s", Cursor("/t", 1, 2, 5, 4, 5, 6), [(2, 3, "a")], anew=True)
        assert state.facts("s", 0) == [(2, 3, "a")]


def vars_of(cursor: Cursor) -> tuple[object, ...]:
    return (cursor.path, cursor.dev, cursor.ino, cursor.size, cursor.mtime, cursor.offset, cursor.fingerprint)


class TestFile:
    def test_is_for_this_user_alone(self, path: str, state: State) -> None:
        state.enter("s", "cli", "", NOON, prompt=True)
        assert oct(Path(path).stat().st_mode & 0o777) == "0o600"
        for folder in (Path(path).parent, Path(path).parent.parent):
            assert oct(folder.stat().st_mode & 0o777) == "0o700"

    def test_of_another_version_is_begun_anew(self, path: str) -> None:
        Path(path).parent.mkdir(parents=True)
        with sqlite3.connect(path) as db:
            db.executescript("CREATE TABLE session(x); PRAGMA user_version=99;")
        db.close()
        state = State(path)
        assert state.enter("s", "cli", "", NOON, prompt=True) == 1
        assert State(path).said("s", "prompt") == set()

    @pytest.mark.parametrize(("version", "lacking"), [(1, ("told", "held")), (2, ("held",))])
    def test_of_a_version_before_is_kept_and_gets_its_tables(
        self, path: str, state: State, version: int, lacking: tuple[str, ...]
    ) -> None:
        state.say("s", "prompt", ["m"], 1)
        dropped = "".join(f"DROP TABLE {table};" for table in lacking)
        state.db.executescript(f"{dropped} PRAGMA user_version={version};")
        state.close()
        newer = State(path)
        newer.hold("s", "text", NOON)
        assert newer.take_held("s") == "text"
        assert newer.said("s", "prompt") == {"m"}
        assert newer.say("s", "prompt", ["n"], 1, (NOON, "UserPromptSubmit", "cli", 9, "s1 n1"))
        told = newer.db.execute("SELECT * FROM told").fetchall()
        assert told == [("s", NOON, "prompt", "UserPromptSubmit", "cli", 9, "s1 n1")]

    @pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 2000])
    def test_a_broken_one_is_an_error_and_the_hook_goes_on(self, world: World, content: bytes) -> None:
        world.cli_session("11111111-a", asked("about retry_budget"), said("We decided to set retry_budget to 7."))
        world.index()
        Path(world.layout.state).write_bytes(content)
        with pytest.raises(sqlite_error()):
            State(world.layout.state)
        for _ in range(2):
            assert "retry_budget to 7" in world.call("UserPromptSubmit", prompt="retry_budget?").text
        for event in ("SessionStart", "Stop", "PreCompact", "SessionEnd"):
            assert "failed" not in world.call(event).reason

    def test_a_busy_one_is_done_without(self, world: World) -> None:
        world.cli_session("11111111-a", asked("about retry_budget"), said("We decided to set retry_budget to 7."))
        world.index()
        State(world.layout.state).enter("asking", "cli", "", NOON, prompt=True)
        other = sqlite3.connect(world.layout.state, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        started = time.monotonic()
        outcome = world.call("UserPromptSubmit", prompt="retry_budget?")
        took = time.monotonic() - started
        other.execute("ROLLBACK")
        other.close()
        assert "retry_budget to 7" in outcome.text
        assert took < 1.2

    def test_a_hook_waits_once(self, world: World) -> None:
        """However often it would write: two waits, and its deadline would be near."""
        State(world.layout.state).enter("asking", "cli", "", NOON, prompt=True)
        other = sqlite3.connect(world.layout.state, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        state = State(world.layout.state)
        state.wait_no_more()
        assert state.db.execute("PRAGMA busy_timeout").fetchone() == (0,)
        with pytest.raises(sqlite_error(), match="locked"):
            state.enter("asking", "cli", "", NOON, prompt=True)
        other.execute("ROLLBACK")
        assert state.enter("asking", "cli", "", NOON, prompt=True) == 2
        state.close()
        other.close()

    def test_one_that_can_be_read_but_not_written_is_done_without(self, world: World) -> None:
        world.cli_session("11111111-a", asked("about retry_budget"), said("We decided to set retry_budget to 7."))
        world.index()
        State(world.layout.state).enter("asking", "cli", "", NOON, prompt=True)
        other = sqlite3.connect(world.layout.state, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        outcome = world.call("UserPromptSubmit", prompt="retry_budget?")
        other.execute("ROLLBACK")
        other.close()
        assert "retry_budget to 7" in outcome.text


class TestAtOnce:
    def test_one_of_eight_processes_says_it(self, path: str) -> None:
        body = "state = State(path)\nprint(sum(state.say('s', 'prompt', [f'm{i}'], 1) for i in range(20)))"
        told = [int(out) for out in together(body, path, 8)]
        assert sum(told) == 20
        assert State(path).said("s", "prompt") == {f"m{i}" for i in range(20)}

    def test_no_update_of_eight_first_events_is_lost_and_nobody_waits_long(self, path: str) -> None:
        body = (
            "start = time.monotonic()\nstate = State(path)\n"
            "state.enter('s', 'cli', 'p', me, prompt=True)\nstate.add_outcome('s', f'{me}', False, '', me)\n"
            "state.say('s', 'prompt', [f'{me}'], 1, (me, '', '', 0, ''))\nprint(time.monotonic() - start)"
        )
        waits = [float(out) for out in together(body, path, 8)]
        state = State(path)
        everyone = {str(i) for i in range(8)}
        assert (state.enter("s", "", "", 0, prompt=False), state.packets("s")) == (8, 8)
        assert (set(state.outcomes("s")), state.said("s", "prompt")) == (everyone, everyone)
        assert max(waits) < 1.2

    def test_a_writer_that_stays_is_waited_for_a_bounded_time(self, state: State, path: str) -> None:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        with pytest.raises(sqlite_error()):
            state.say("s", "prompt", ["m"], 1)
        assert 0.1 < time.monotonic() - started < 1.1
        other.execute("ROLLBACK")
        other.close()
        assert state.say("s", "prompt", ["m"], 1)
