"""From the hook's process to `deja-hooks stats`: a command that is recalled and run, one that isn't, one still open."""

from __future__ import annotations

import itertools
import json
import sys
import time
from typing import Any

import pytest

from deja_hooks.cli.main import main
from deja_hooks.feedback.told import told_packets
from tests.support.world import World, asked, ran, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")

FAILING = "npx jest tests/cart.spec.js"
WORKING = "pnpm exec jest tests/cart.spec.js"
Records = tuple[tuple[str, dict[str, Any]], ...]

_CALLS = itertools.count(1)


def cli_call(world: World, sid: str) -> bytes:
    tool = {"tool_name": "bash", "tool_input": {"command": FAILING}}
    value = {"hook_event_name": "PreToolUse", "session_id": sid, "cwd": str(world.project), **tool}
    return world.process("PreToolUse", json.dumps(value).encode()).stdout


def vscode_call(world: World, sid: str) -> bytes:
    value = {
        "timestamp": "2026-11-30T12:00:00.000Z",
        "hook_event_name": "PreToolUse",
        "session_id": sid,
        "cwd": str(world.project),
        "tool_name": "run_in_terminal",
        "tool_input": {"command": FAILING, "explanation": "Tests", "isBackground": False},
        "tool_use_id": "call_0__vscode-1796079697000",
    }
    return world.process("PreToolUse", json.dumps(value).encode()).stdout


def cli_ran(command: str) -> Records:
    return ran(command, 0)


def vscode_ran(command: str) -> Records:
    """A command in a transcript of VS Code, which doesn't tell how it ended."""
    call = f"call_{next(_CALLS)}"
    start = {"toolCallId": call, "toolName": "run_in_terminal", "arguments": {"command": command}}
    return (
        ("tool.execution_start", start),
        ("tool.execution_complete", {"toolCallId": call, "success": True}),
    )


HOSTS = [
    pytest.param(cli_call, cli_ran, World.cli_session, "cli", id="cli"),
    pytest.param(vscode_call, vscode_ran, World.vscode_transcript, "vscode", id="vscode"),
]


@pytest.mark.parametrize(("call", "did", "write", "host"), HOSTS)
def test_taken_up_left_and_not_known_yet(
    world: World, capsys: pytest.CaptureFixture[str], call: Any, did: Any, write: Any, host: str
) -> None:
    world.now = int(time.time() * 1000)
    world.cli_session(
        "11111111-a", asked("run the tests"), *ran(FAILING, 1, "Error: Cannot find module"), *ran(WORKING, 0)
    )
    world.index()
    lengths = []
    for sid, after in {
        "22222222-taken": (*did(FAILING), *did(WORKING), said("They pass.")),
        "33333333-left": (*did(FAILING), *did("git status"), said("They fail.")),
        "44444444-open": did(FAILING),
        "55555555-unread": None,
    }.items():
        before = int(time.time() * 1000)
        lengths.append(len(json.loads(call(world, sid))["additionalContext"]))
        if after is not None:
            # The prompt half a second before the call; what follows begins 2.5 seconds after it.
            write(world, sid, asked("test the cart"), *after, at=before - 1_500)
    world.index()
    assert {packet.host for packet in told_packets(world.layout.state) or []} == {host}
    assert main(["stats", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    total = {"packets": 4, "taken_up": 1, "not_taken_up": 1, "not_known_yet": 2, "untellable": 0}
    cost = {"characters": sum(lengths), "estimated_tokens": round(sum(lengths) / 4)}
    assert found["packets"]["rows"] == [{"key": "PreToolUse", **total, **cost}]
    calls = found["calls"]["total"]
    assert (calls["calls"], calls["spoke"], calls["silent"]) == (4, 4, 0)
    assert 0 < calls["ms_median"] <= calls["ms_p95"]
