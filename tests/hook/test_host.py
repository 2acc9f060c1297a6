from typing import Any

import pytest

from deja_hooks.hook import host
from deja_hooks.hook.payload import Payload

S = {"hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-10-05T22:06:50.142Z", "cwd": "/p"}
CHAT = "C:\\Users\\u\\Code\\User\\workspaceStorage\\e78\\GitHub.copilot-chat\\transcripts\\s.jsonl"


@pytest.mark.parametrize(
    ("value", "host"),
    [
        (S | {"transcript_path": CHAT}, "vscode"),
        (S | {"transcript_path": CHAT.replace("\\", "/").lower()}, "vscode"),
        (S | {"transcript_path": "/h/.copilot/session-state/s/events.jsonl"}, "cli"),
        (S | {"transcript_path": "C:\\h\\.copilot\\session-state\\s\\events.jsonl"}, "cli"),
        (S | {"tool_use_id": "call_1__vscode-1"}, "vscode"),
        (S | {"tool_response": "x"}, "vscode"),
        (S | {"tool_name": "replace_string_in_file"}, "vscode"),
        (S | {"tool_name": "Edit"}, "cli"),
        (S | {"tool_result": {}}, "cli"),
        (S | {"initial_prompt": "x"}, "cli"),
        (S | {"hook_event_name": "SessionEnd"}, "cli"),
        (S | {"stop_reason": "end_turn"}, "cli"),
        (S | {"transcript_path": CHAT, "stop_reason": "end_turn"}, "vscode"),
        ({"hookEventName": "PreToolUse", "sessionId": "s"}, "vscode"),
        ({"sessionId": "s", "timestamp": 1, "cwd": "/p", "prompt": "x"}, "cli"),
        (
            {"timestamp": "t", "hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "x"},
            "vscode",
        ),
        ({"hook_event_name": "UserPromptSubmit", "session_id": "s", "timestamp": "t", "prompt": "x"}, "cli"),
        ({"cwd": "/p", "hook_event_name": "UserPromptSubmit", "session_id": "s"}, ""),
        ({"prompt": "x"}, ""),
        ({}, ""),
        ({"tool_use_id": 5, "transcript_path": ["x"], "tool_name": {}}, ""),
    ],
)
def test_host(value: dict[str, Any], host: str) -> None:
    assert Payload(value, "UserPromptSubmit").host == host


@pytest.mark.parametrize(
    ("event", "of", "version", "heard"),
    [
        ("UserPromptSubmit", "cli", "1.0.24", False),
        ("UserPromptSubmit", "cli", "1.0.64", False),
        ("UserPromptSubmit", "cli", "1.0.64-2", False),
        ("UserPromptSubmit", "cli", "0.9", False),
        ("UserPromptSubmit", "cli", "1.0.65", True),
        ("UserPromptSubmit", "cli", "1.0.102", True),
        ("UserPromptSubmit", "cli", "1.1", True),
        ("UserPromptSubmit", "vscode", "1.0.24", True),
        ("UserPromptSubmit", "", "1.0.24", True),
        ("UserPromptSubmit", "cli", "", True),
        ("UserPromptSubmit", "cli", "one", True),
        ("UserPromptSubmit", "cli", "1..2", True),
        ("PostToolUse", "cli", "1.0.48", False),
        ("PostToolUse", "cli", "1.0.49", True),
        ("PreToolUse", "cli", "1.0.24", True),
        ("SessionStart", "cli", "1.0.24", True),
        ("PostToolUseFailure", "cli", "1.0.24", True),
    ],
)
def test_which_versions_hear_an_event(
    monkeypatch: pytest.MonkeyPatch, event: str, of: str, version: str, heard: bool
) -> None:
    monkeypatch.setattr(host, "environment", {"COPILOT_CLI_BINARY_VERSION": version}.__getitem__)
    assert host.hears(event, of) is heard
