import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.hook.payload import Payload, read_payload

ROOT = Path(__file__).parents[2]

EMPTY: dict[str, object] = {
    "agent_id": "",
    "agent_type": "",
    "at_ms": 0,
    "custom_instructions": "",
    "cwd": "",
    "error": "",
    "event": "",
    "host": "",
    "initial_prompt": "",
    "is_subagent": False,
    "parent_id": "",
    "prompt": "",
    "reason": "",
    "result": "",
    "result_failed": False,
    "session_id": "",
    "source": "",
    "stop_hook_active": False,
    "tool_input": {},
    "tool_name": "",
    "tool_text": "",
    "tool_use_id": "",
    "transcript_path": "",
    "trigger": "",
}
TRANSCRIPT = "/home/user/.config/Code/User/workspaceStorage/3b1f/GitHub.copilot-chat/transcripts/s.jsonl"


def read(value: object, event: str = "") -> dict[str, object]:
    payload = read_payload(value, event)
    assert isinstance(payload, Payload)
    return {name: getattr(payload, name) for name in EMPTY}


def test_no_attribute_is_left_out_here() -> None:
    assert {name for name in dir(Payload) if not name.startswith("_")} == set(EMPTY)


def test_vscode_after_a_tool() -> None:
    value = {
        "timestamp": "2026-10-05T22:06:50.142Z",
        "hook_event_name": "PostToolUse",
        "session_id": "s",
        "transcript_path": TRANSCRIPT,
        "tool_name": "run_in_terminal",
        "tool_input": {"command": "pytest -q", "isBackground": False},
        "tool_response": "1 failed\n\nCommand exited with code 1\n\n<PreToolUse-context>\nnote\n</PreToolUse-context>",
        "tool_use_id": "call_1__vscode-1796076405558",
        "cwd": "/home/user/project",
    }
    assert read(value, "PreToolUse") == EMPTY | {
        "at_ms": 1_791_238_010_142,
        "cwd": "/home/user/project",
        "event": "PostToolUse",
        "host": "vscode",
        "result": "1 failed\n\nCommand exited with code 1",
        "session_id": "s",
        "tool_input": {"command": "pytest -q", "isBackground": False},
        "tool_name": "run_in_terminal",
        "tool_use_id": "call_1",
        "transcript_path": TRANSCRIPT,
    }


def test_cli_in_camel_case_inside_a_sub_agent() -> None:
    value = {
        "sessionId": "child",
        "timestamp": 1796077501843,
        "cwd": "/p",
        "toolName": "view",
        "toolArgs": '{"path": "/p/missing.py"}',
        "toolResult": {"resultType": "failure", "textResultForLlm": "no such file"},
        "error": "Path does not exist",
        "agentId": "child",
        "agentType": "explore",
        "parentAgentId": "parent",
    }
    assert read(value, "postToolUseFailure") == EMPTY | {
        "agent_id": "child",
        "agent_type": "explore",
        "at_ms": 1796077501843,
        "cwd": "/p",
        "error": "Path does not exist",
        "event": "PostToolUseFailure",
        "host": "cli",
        "is_subagent": True,
        "parent_id": "parent",
        "result": "no such file",
        "result_failed": True,
        "session_id": "child",
        "tool_input": {"path": "/p/missing.py"},
        "tool_name": "view",
    }


@pytest.mark.parametrize(
    ("value", "argument", "changes"),
    [
        (
            {"source": "resume", "initial_prompt": "hi"},
            "SessionStart",
            {"source": "resume", "initial_prompt": "hi"},
        ),
        ({"source": "new", "initialPrompt": "hi"}, "sessionStart", {"source": "new", "initial_prompt": "hi"}),
        ({"prompt": "hi"}, "userPromptSubmitted", {"prompt": "hi"}),
        (
            {"trigger": "manual", "customInstructions": "keep", "transcriptPath": "/t"},
            "preCompact",
            {"trigger": "manual", "custom_instructions": "keep", "transcript_path": "/t"},
        ),
        (
            {"stopReason": "end_turn", "stop_hook_active": True},
            "agentStop",
            {"reason": "end_turn", "stop_hook_active": True},
        ),
        ({"reason": "user_exit"}, "SessionEnd", {"reason": "user_exit"}),
        ({"error": {"message": "boom", "stack": "x"}}, "PostToolUseFailure", {"error": "boom"}),
        ({"agent_type": "reviewer"}, "SessionStart", {"agent_type": "reviewer", "is_subagent": False}),
    ],
)
def test_fields_of_each_event(value: dict[str, Any], argument: str, changes: dict[str, object]) -> None:
    found = read(value, argument)
    assert {name: found[name] for name in changes} == changes


@pytest.mark.parametrize(
    ("value", "argument", "event"),
    [
        ({"hook_event_name": "Stop"}, "PreToolUse", "Stop"),
        ({"hookEventName": "agentStop"}, "PreToolUse", "Stop"),
        ({"hook_event_name": "Stop", "hookEventName": "PreToolUse"}, "", "Stop"),
        ({"hook_event_name": ""}, "preToolUse", "PreToolUse"),
        ({"hook_event_name": 5}, "preToolUse", "PreToolUse"),
        ({"hook_event_name": ["x"]}, "", ""),
        ({"hook_event_name": "Notification"}, "Stop", "Notification"),
        ({}, "userPromptSubmitted", "UserPromptSubmit"),
    ],
)
def test_the_payloads_own_event_name_wins(value: dict[str, Any], argument: str, event: str) -> None:
    assert read(value, argument)["event"] == event


@pytest.mark.parametrize(
    ("value", "session"),
    [
        ({"hook_event_name": "Stop", "sessionId": "camel", "session_id": "snake"}, "snake"),
        ({"hookEventName": "Stop", "session_id": "snake", "sessionId": "camel"}, "camel"),
        ({"session_id": "snake", "sessionId": "camel"}, "camel"),
        ({"hook_event_name": "Stop", "session_id": None, "sessionId": "camel"}, "camel"),
        ({"hook_event_name": "Notification", "sessionId": "camel"}, "camel"),
        ({"sessionId": 7}, ""),
    ],
)
def test_the_dialect_of_the_event_name_comes_first(value: dict[str, Any], session: str) -> None:
    assert read(value)["session_id"] == session


@pytest.mark.parametrize(
    ("value", "arguments", "text"),
    [
        ({"tool_input": {"a": 1}}, {"a": 1}, ""),
        ({"toolArgs": {"a": 1}}, {"a": 1}, ""),
        ({"toolInput": {"a": 1}}, {"a": 1}, ""),
        ({"toolArgs": ' {"a": 1}\n'}, {"a": 1}, ""),
        ({"tool_input": "*** Begin Patch"}, {}, "*** Begin Patch"),
        ({"toolArgs": "[1]"}, {}, "[1]"),
        ({"toolArgs": '{"a":'}, {}, '{"a":'),
        ({"tool_input": [1, {"a": 1}]}, {}, ""),
        ({"tool_input": None, "toolArgs": {"a": 1}}, {"a": 1}, ""),
        ({"tool_input": 5}, {}, ""),
        ({}, {}, ""),
    ],
)
def test_tool_arguments(value: dict[str, Any], arguments: dict[str, Any], text: str) -> None:
    found = read(value)
    assert (found["tool_input"], found["tool_text"]) == (arguments, text)


@pytest.mark.parametrize("value", [None, [], "text", 5, True])
def test_only_an_object_is_a_payload(value: object) -> None:
    assert read_payload(value, "Stop") is None


names = st.sampled_from(
    [
        "hook_event_name",
        "hookEventName",
        "session_id",
        "sessionId",
        "cwd",
        "transcript_path",
        "transcriptPath",
        "timestamp",
        "source",
        "prompt",
        "initial_prompt",
        "tool_name",
        "toolName",
        "tool_input",
        "toolArgs",
        "tool_use_id",
        "tool_response",
        "tool_result",
        "toolResult",
        "error",
        "agent_id",
        "parentAgentId",
        "trigger",
        "reason",
        "stop_reason",
        "stop_hook_active",
    ]
)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=10)
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["message", "text", "content", "result_type", "textResultForLlm", "x"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(names, anything, max_size=8), st.sampled_from(["", "Stop", "preToolUse", "x"]))
def test_every_type_is_tolerated(value: dict[str, Any], argument: str) -> None:
    found = read(value, argument)
    assert {name: type(item) for name, item in found.items()} == {name: type(item) for name, item in EMPTY.items()}


def test_reading_an_ignored_call_loads_next_to_nothing() -> None:
    program = (
        "import sys\n"
        "before = set(sys.modules)\n"
        f"sys.path.append({str(ROOT)!r})\n"
        "from deja_hooks.hook.stdin import read_value\n"
        "from deja_hooks.hook.payload import read_payload\n"
        "from deja_hooks.hook.reply import reply\n"
        "received = read_value(0)\n"
        "payload = read_payload(received.value, 'PreToolUse')\n"
        "reply(payload.event, 'x')\n"
        "loaded = sorted(set(sys.modules) - before)\n"
        "print(payload.tool_name, payload.host, *loaded)\n"
        "from deja_hooks.hook.salvage import salvage\n"
        "salvage(b'{\"a\": [1, 2')\n"
        "print(payload.at_ms, payload.result, *sorted(set(sys.modules) - before - set(loaded)))\n"
    )
    value = b'{"timestamp": "1970-01-01T00:00:01Z", "tool_name": "read_file", "tool_response": "r"}'
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], input=value, capture_output=True, check=True)
    modules = ["events", "host", "payload", "reply", "stdin"]
    first = [
        "_json",
        "deja_hooks",
        "deja_hooks.hook",
        *(f"deja_hooks.hook.{name}" for name in modules),
        "deja_hooks.scan",
        "deja_hooks.system",
    ]
    later = [f"deja_hooks.hook.{name}" for name in ("instant", "result", "salvage")]
    lines = [" ".join(("read_file vscode", *first)), " ".join(("1000 r", *later))]
    assert done.stdout.decode().splitlines() == lines
