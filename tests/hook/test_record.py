"""Payloads kept for replay: redacted, still JSON, few."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.hook import record as module
from deja_hooks.hook.record import record, redacted
from deja_hooks.memory.layout import Layout
from tests.support.world import NOON, World

TOKEN = "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8"
PASSWORD = "hunter2" + "Swordfish9"


def kept(layout: Layout) -> list[Path]:
    return sorted(Path(layout.recordings).iterdir())


@pytest.mark.parametrize(
    "prompt",
    [
        f"use {TOKEN}",
        f"PASSWORD={PASSWORD}",
        f'{{"password": "{PASSWORD}"}}',
        f"password: '{PASSWORD}' and more",
        f"https://user:{PASSWORD}@example.com/x",
        f"Authorization: Bearer {TOKEN}",
        f'export DB_PASSWORD="{PASSWORD}"\nnext',
        f"-----BEGIN RSA PRIVATE KEY-----\n{TOKEN}\n-----END RSA PRIVATE KEY-----",
        f"set PASSWORD={PASSWORD}",
    ],
)
def test_is_redacted_and_still_json(world: World, prompt: str) -> None:
    value = {"prompt": prompt, "tool_input": {"command": [prompt, 7, None]}, prompt: True}
    record(world.layout, "UserPromptSubmit", value, NOON)
    (path,) = kept(world.layout)
    text = path.read_text()
    assert TOKEN not in text
    assert PASSWORD not in text
    found = json.loads(text)
    assert found["tool_input"]["command"][1:] == [7, None]
    assert path.name.startswith(f"{NOON}-")
    assert path.name.endswith("-UserPromptSubmit.json")
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    assert oct(path.parent.stat().st_mode & 0o777) == "0o700"


def test_what_holds_no_secret_is_kept_as_it_came(world: World) -> None:
    value = {
        "hook_event_name": "Stop",
        "cwd": "/code/shop",
        "n": [1, 2.5, True, None],
        "text": "caf\u00e9 \u65e5\ud800",
    }
    record(world.layout, "Stop", value, NOON)
    assert json.loads(kept(world.layout)[0].read_text()) == value


def test_only_the_latest_are_kept(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST", 3)
    for i in range(6):
        record(world.layout, "Stop", {"n": i}, NOON + i)
    assert [json.loads(path.read_text()) for path in kept(world.layout)] == [{"n": i} for i in (3, 4, 5)]


@pytest.mark.parametrize("event", ["", "../../x", "a\0b", "x" * 500, "\u65e5"])
def test_a_hostile_event_makes_no_other_file(world: World, event: str) -> None:
    record(world.layout, event, {}, NOON)
    assert {each.parent.name for each in Path(world.layout.cache).rglob("*") if each.is_file()} <= {"recordings"}


def test_nothing_is_raised_where_it_cannot_be_kept(world: World) -> None:
    Path(world.layout.cache).mkdir(parents=True)
    Path(world.layout.recordings).write_text("in the way")
    record(world.layout, "Stop", {}, NOON)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    record(world.layout, "Stop", deep, NOON)


@settings(max_examples=50, deadline=None)
@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=30),
        lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=8), v, max_size=3),
        max_leaves=8,
    )
)
def test_redacting_keeps_the_shape(value: Any) -> None:
    def shape(each: Any) -> Any:
        if isinstance(each, dict):
            return [shape(v) for v in each.values()]
        return [shape(v) for v in each] if isinstance(each, list) else type(each)

    assert shape(redacted(value)) == shape(value)


def test_the_process_records_only_where_asked(world: World) -> None:
    payload = json.dumps({"hook_event_name": "Stop", "session_id": "s", "prompt": TOKEN}).encode()
    assert world.process("Notification", payload).returncode == 0
    assert not Path(world.layout.recordings).exists()
    Path(world.layout.record).parent.mkdir(parents=True, exist_ok=True)
    Path(world.layout.record).touch()
    done = world.process("PreToolUse", json.dumps({"tool_name": "view", "tool_input": {"path": TOKEN}}).encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (path,) = kept(world.layout)
    assert TOKEN not in path.read_text()
    assert json.loads(path.read_text())["tool_name"] == "view"
