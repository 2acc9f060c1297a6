"""What an event means for its session: the stamp of a turn in progress."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deja_hooks.recall.thresholds import LIVE_MS
from tests.support.world import World, asked, said

SETTLED = "We decided to set retry_budget to 7."
UNSETTLED = "We decided to set jitter_span to 3."


@pytest.fixture
def shop(world: World) -> World:
    """Another session with two turns, both about something."""
    world.cli_session(
        "11111111-other", asked("about retry_budget"), said(SETTLED), asked("about jitter_span"), said(UNSETTLED)
    )
    world.index()
    return world


def stamp(world: World, sid: str, age_ms: int) -> Path:
    path = Path(world.layout.live(sid))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.utime(path, ((world.now - age_ms) / 1000,) * 2)
    return path


class TestStamp:
    @pytest.mark.parametrize("end", ["Stop", "SessionEnd"])
    def test_stands_from_the_prompt_to_the_end(self, world: World, end: str) -> None:
        path = Path(world.layout.live("s"))
        world.call("SessionStart", sid="s")
        assert not path.exists()
        world.call("UserPromptSubmit", sid="s", prompt="go")
        assert oct(path.stat().st_mode & 0o777) == "0o600"
        assert oct(path.parent.stat().st_mode & 0o777) == "0o700"
        world.call(end, sid="s")
        assert not path.exists()
        assert world.call(end, sid="s").reason == "noted"

    def test_is_renewed_by_tool_calls_but_not_made_by_them(self, world: World) -> None:
        path = stamp(world, "s", 60_000)
        before = path.stat().st_mtime
        world.tool("PreToolUse", "view", sid="s", path="x")
        assert path.stat().st_mtime > before
        world.tool("PreToolUse", "view", sid="t", path="x")
        assert not Path(world.layout.live("t")).exists()

    def test_is_not_a_sub_agents(self, world: World) -> None:
        world.call("UserPromptSubmit", sid="a", prompt="go", agent_id="a", parent_agent_id="s")
        assert not Path(world.layout.live("a")).exists()

    @pytest.mark.parametrize("sid", ["../../x", "a/b", "\0", "x" * 300, "\ud800"])
    def test_of_a_hostile_id_stays_in_its_folder(self, world: World, sid: str) -> None:
        outcome = world.call("UserPromptSubmit", sid=sid, prompt="go")
        assert outcome.reply == b""
        made = [each for each in Path(world.layout.cache).parent.rglob("*") if each.is_file()]
        assert {each.parent.name for each in made} <= {"cache", "live"}
        assert len([each for each in made if each.parent.name == "live"]) == 1


class TestTurnInProgress:
    @pytest.mark.parametrize(
        ("age", "recalled"),
        [(1_000, False), (LIVE_MS - 1_000, False), (LIVE_MS + 1_000, True)],
    )
    def test_is_not_quoted_for_twenty_minutes(self, shop: World, age: int, recalled: bool) -> None:
        stamp(shop, "11111111-other", age)
        assert (UNSETTLED in shop.call("UserPromptSubmit", prompt="jitter_span?").text) is recalled
        assert (UNSETTLED in shop.call("SessionStart", sid="new").text) is recalled

    def test_what_was_settled_before_it_is_fair_game(self, shop: World) -> None:
        stamp(shop, "11111111-other", 1_000)
        assert SETTLED in shop.call("UserPromptSubmit", prompt="retry_budget?").text
        assert SETTLED in shop.call("SessionStart", sid="new").text

    def test_one_whose_stamp_is_a_breath_newer_than_this_call_is_in_progress(self, shop: World) -> None:
        """Another hook renews the stamp between this hook's look at the clock and its look at the file."""
        stamp(shop, "11111111-other", -40)
        assert UNSETTLED not in shop.call("UserPromptSubmit", prompt="jitter_span?").text
