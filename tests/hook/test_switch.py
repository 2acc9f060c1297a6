"""The kill switches, file by file and through the hook."""

from __future__ import annotations

import json
import os
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deja_hooks.hook.switch import silenced
from deja_hooks.memory.scope import project_key
from deja_hooks.memory.state import State
from deja_hooks.system import calls
from tests.support.world import NOON, World, asked, said

if TYPE_CHECKING:
    from collections.abc import Callable

OFF = "switched off"
OFF_HERE = "switched off for this project"
BY_VARIABLE = "switched off by DEJA_RECALL"


def put(path: str, content: bytes = b"") -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return file


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session("11111111-a", asked("about retry_budget"), said("We decided to set retry_budget to 7."))
    world.index()
    return world


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", OFF),
        (b"\n", OFF),
        (b"%d\n" % (NOON + 1), OFF),
        (b"%d" % NOON, ""),
        (b"%d" % (NOON - 1), ""),
        (b"for ever", OFF),
        (b"-5", OFF),
        (b"1" * 200, OFF),
        (b"\xff\0", OFF),
        ("\u0661\u0662".encode(), OFF),
    ],
)
def test_a_file_holds_its_end_or_nothing(world: World, content: bytes, expected: str) -> None:
    put(world.layout.off, content)
    assert silenced(world.layout, str(world.project), NOON) == expected


def test_one_that_cannot_be_read_is_off(world: World) -> None:
    Path(world.layout.off).mkdir(parents=True)
    assert silenced(world.layout, "", NOON) == OFF


#: What may stand in the place of the file.
ODD_PLACES: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a loop of links": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("place", ODD_PLACES)
def test_what_is_no_file_is_off_and_keeps_no_hook_waiting(shop: World, place: str) -> None:
    """A real process: it must neither read a pipe for ever nor fail."""
    Path(shop.layout.config).mkdir(parents=True)
    ODD_PLACES[place](Path(shop.layout.off))
    done = shop.process("SessionStart", b'{"hook_event_name":"SessionStart","session_id":"s1","source":"new"}')
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = Path(shop.layout.ring).read_text().splitlines()
    assert json.loads(line)["r"] == OFF


def test_a_link_to_nothing_is_no_switch(world: World) -> None:
    Path(world.layout.config).mkdir(parents=True)
    Path(world.layout.off).symlink_to("nowhere")
    assert silenced(world.layout, "", NOON) == ""


def test_of_one_project_is_of_no_other(world: World) -> None:
    other = world.home / "code" / "other"
    world.git(other)
    put(world.layout.off_project(project_key(str(world.project))), b"%d" % (NOON + 1))
    assert silenced(world.layout, str(world.project / "src" / "deep"), NOON) == OFF_HERE
    assert silenced(world.layout, str(world.project), NOON + 1) == ""
    assert silenced(world.layout, str(other), NOON) == ""
    assert silenced(world.layout, "", NOON) == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("off", BY_VARIABLE),
        (" OFF ", BY_VARIABLE),
        ("0", BY_VARIABLE),
        ("no", BY_VARIABLE),
        ("false", BY_VARIABLE),
        ("on", ""),
        ("1", ""),
        ("", ""),
        ("offline", ""),
    ],
)
def test_the_variable(world: World, monkeypatch: pytest.MonkeyPatch, value: str, expected: str) -> None:
    monkeypatch.setitem(calls.environ, b"DEJA_RECALL", value.encode())
    assert silenced(world.layout, "", NOON) == expected


def test_silence_is_all_that_is_switched_off(shop: World) -> None:
    switch = put(shop.layout.off)
    for event in ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop"):
        outcome = shop.call(event, prompt="retry_budget?", tool_name="bash", tool_input={"command": "ls"})
        assert (outcome.reply, outcome.reason) == (b"", OFF)
    switch.unlink()
    outcome = shop.call("UserPromptSubmit", prompt="retry_budget?")
    assert "retry_budget to 7" in outcome.text


def test_a_turn_is_followed_all_the_same(shop: World) -> None:
    put(shop.layout.off)
    stamp = Path(shop.layout.live("asking"))
    shop.call("UserPromptSubmit", prompt="retry_budget?")
    assert stamp.exists()
    shop.call("Stop")
    assert not stamp.exists()


def test_how_commands_end_is_noted_in_silence(world: World) -> None:
    Path(world.layout.config).mkdir(parents=True)
    Path(world.layout.off).touch()
    outcome = world.call(
        "PostToolUse",
        tool_name="run_in_terminal",
        tool_input={"command": "npm test"},
        tool_response="Command exited with code 1",
        tool_use_id="call_7",
    )
    assert (outcome.text, outcome.reason) == ("", "switched off")
    with closing(State(world.layout.state)) as state:
        assert state.outcomes("asking") == {"call_7": True}
