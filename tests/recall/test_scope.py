"""What may not be recalled: turns in progress elsewhere, one's own parent; and what is never echoed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.world import NOON, World, asked, edited, ran, said

OTHER = "11111111-aaaa-4000-8000-000000000001"


@pytest.fixture
def busy(world: World) -> World:
    """Another session has decided, edited, failed and mended something, in a turn that is still going on."""
    pool = world.project / "pool.py"
    world.cli_session(
        OTHER,
        asked("raise the budget"),
        *ran("make bench", 2, "ValueError: bench_budget exceeded by far"),
        *edited(pool, "budget = 3 or so\n", "bench_budget = 7  # measured\n"),
        *ran("make bench", 0),
        said("We decided to set bench_budget to 7 in pool.py."),
    )
    world.index()
    world.call("UserPromptSubmit", sid=OTHER, prompt="raise the budget")
    world.now = int(Path(world.layout.live(OTHER)).stat().st_mtime * 1000)
    return world


def calls(world: World) -> list[str]:
    failed = "ValueError: bench_budget exceeded by far\n<shellId: 1 completed with exit code 2>"
    return [
        world.call("SessionStart").text,
        world.call("UserPromptSubmit", prompt="why bench_budget?").text,
        world.tool(
            "PreToolUse", "edit", path=str(world.project / "pool.py"), old_str="bench_budget = 7  # measured"
        ).text,
        world.tool("PostToolUse", "bash", result=failed, command="make bench").text,
    ]


def test_a_turn_in_progress_is_recalled_by_no_kind_of_packet(busy: World) -> None:
    assert calls(busy) == ["", "", "", ""]
    assert busy.call("UserPromptSubmit", sid="x", prompt="why bench_budget?").reason == (
        "known only from a turn that is still in progress"
    )
    busy.call("Stop", sid=OTHER)
    assert all(calls(busy))


def test_an_announced_sub_agents_tools_are_not_told_their_parents_words(world: World) -> None:
    world.cli_session(OTHER, asked("about the pool"), said("We decided to keep pool.py small."))
    world.index()
    world.tool("PreToolUse", "task", sid=OTHER, prompt="Tidy pool.py", description="x")
    world.call("UserPromptSubmit", sid="agent", prompt="Tidy pool.py")
    path = str(world.project / "pool.py")
    assert world.tool("PreToolUse", "edit", sid="agent", path=path, old_str="a").text == ""
    assert world.tool("PreToolUse", "edit", sid="somebody", path=path, old_str="a").text


def test_todays_words_are_not_echoed(world: World) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    world.cli_session(OTHER, asked("about load_rates"), said("We decided to keep load_rates in pool.py."))
    world.index()
    said_now = world.call("UserPromptSubmit", prompt=f"what about load_rates/{token}?").text
    assert 'about="load_rates in code/shop"' in said_now
    assert token not in said_now
    edit = world.tool("PreToolUse", "edit", path=str(world.project / token / "pool.py"), old_str="a").text
    assert 'about="before an edit of pool.py"' in edit
    assert token not in edit


def test_the_same_sentence_of_several_turns_is_said_once(world: World) -> None:
    answer = said("We decided to keep load_rates in redis.")
    world.cli_session(OTHER, *[each for i in range(3) for each in (asked(f"load_rates {i}"), answer)])
    world.index()
    assert world.call("UserPromptSubmit", prompt="load_rates?").text.count("keep load_rates in redis") == 1


@pytest.mark.parametrize(
    ("prompt", "speaks"),
    [
        ("write a script that resizes images", False),
        ("write a README for the mobile app", False),
        ("which images?", True),
        ("why slim images", True),
    ],
)
def test_a_single_plain_word_speaks_only_to_a_question(world: World, prompt: str, speaks: bool) -> None:
    world.cli_session(OTHER, asked("build it"), said("We decided to use slim images for the README of docker."))
    world.index()
    assert bool(world.call("UserPromptSubmit", prompt=prompt).text) is speaks


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("PreToolUse", {"tool_name": "bash", "tool_input": {"command": "pytest -q \ud83d"}}),
        ("PreToolUse", {"tool_name": "edit", "tool_input": {"path": "a\ud83d.py", "old_str": "\ud83d"}}),
        ("UserPromptSubmit", {"prompt": "what is load_rates \ud83d?", "cwd": "/tmp/\udcff"}),
        ("SessionStart", {"cwd": "/tmp/\udcff"}),
        (
            "PostToolUse",
            {"tool_name": "bash", "tool_input": {"command": "x \ud83d"}, "tool_result": "ValueError: \ud83d"},
        ),
        ("PreCompact", {"custom_instructions": "\ud83d"}),
        ("Stop", {"transcript_path": "/x/session-state/\ud800/events.jsonl"}),
    ],
)
def test_lone_surrogates_anywhere(world: World, event: str, fields: dict[str, object]) -> None:
    world.cli_session(OTHER, asked("about load_rates"), said("We decided to keep load_rates."))
    world.index()
    outcome = world.call(event, sid="é\ud800", **fields)
    assert not outcome.reason.startswith("failed")


class TestForks:
    """A chat that was forked holds its origin's beginning: that is no memory to it, and its words are none to that."""

    SENTENCE = "We decided to set {} to 7 in pool.py."

    @pytest.fixture
    def forked(self, world: World) -> World:
        def request(name: str, topic: str) -> dict[str, object]:
            answer = [{"value": self.SENTENCE.format(topic)}]
            text = f"what about {topic}?"
            return {"requestId": name, "timestamp": NOON - 9_000_000, "message": text, "response": answer, "result": {}}

        chats = {
            "origin": ["shared_budget", "origin_budget"],
            "middle": ["shared_budget", "middle_budget"],
            "asking": ["shared_budget", "middle_budget", "asking_budget"],
            "branch": ["shared_budget", "middle_budget", "asking_budget", "branch_budget"],
        }
        folder = world.vscode_transcript("x").parents[2] / "chatSessions"
        folder.mkdir()
        for age, (sid, topics) in enumerate(chats.items()):
            requests = [request(topic, topic) for topic in topics]
            state = {"version": 3, "creationDate": NOON - 9_000_000 + age, "sessionId": sid, "requests": requests}
            (folder / f"{sid}.jsonl").write_text(json.dumps({"kind": 0, "v": state}) + "\n")
        world.index()
        return world

    def told(self, world: World, sid: str) -> dict[str, bool]:
        topics = [f"{name}_budget" for name in ("shared", "origin", "middle", "asking", "branch")]
        prompts = [f"why is {topic} what it is?" for topic in topics]
        texts = "".join(world.call("UserPromptSubmit", sid=sid, prompt=prompt).text for prompt in prompts)
        return {topic: self.SENTENCE.format(topic) in texts for topic in topics}

    def test_what_stands_in_the_chat_already_is_not_told(self, forked: World) -> None:
        assert self.told(forked, "asking") == {
            "shared_budget": False,
            "origin_budget": True,
            "middle_budget": False,
            "asking_budget": False,
            "branch_budget": False,
        }

    def test_a_stranger_is_told_all(self, forked: World) -> None:
        assert all(self.told(forked, "stranger").values())
