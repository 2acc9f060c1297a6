"""A small payload for each event, in each host's words (VS Code 1.139, Copilot CLI 1.0.102)."""

import json
from pathlib import Path
from typing import Any

from deja_hooks.hook.events import EVENTS

__all__ = ["SESSION", "sample", "sampled_events", "transcript"]

#: Nobody's session: hosts give UUIDs.
SESSION = "deja-hooks-doctor"
_TIME = "2026-01-01T00:00:00.000Z"
_PROMPT = "What does deja_hooks_doctor_sample do?"
_CLI: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "new", "initial_prompt": _PROMPT},
    "UserPromptSubmit": {"prompt": _PROMPT},
    "PreToolUse": {"tool_name": "Bash", "tool_input": {"command": "deja_hooks_doctor_sample"}},
    "PostToolUse": {
        "tool_name": "Bash",
        "tool_input": {"command": "deja_hooks_doctor_sample"},
        "tool_result": {
            "result_type": "success",
            "text_result_for_llm": "deja_hooks_doctor_sample: not found\n<shellId: 0 completed with exit code 127>",
        },
    },
    "PostToolUseFailure": {"tool_name": "Read", "tool_input": {"path": "x"}, "error": "Path does not exist"},
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "Stop": {"stop_reason": "end_turn", "stop_hook_active": False},
    "SessionEnd": {"reason": "complete"},
}
_TERMINAL = {"command": "deja_hooks_doctor_sample", "isBackground": False}
_VSCODE: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "new", "model": "none"},
    "UserPromptSubmit": {"prompt": _PROMPT},
    "PreToolUse": {"tool_name": "run_in_terminal", "tool_input": _TERMINAL, "tool_use_id": "call__vscode-1"},
    "PostToolUse": {
        "tool_name": "run_in_terminal",
        "tool_input": _TERMINAL,
        "tool_response": "deja_hooks_doctor_sample: not found\n\nCommand exited with code 127",
        "tool_use_id": "call__vscode-1",
    },
    "PreCompact": {"trigger": "auto"},
    "Stop": {"stop_hook_active": False},
}


def sampled_events(host: str) -> list[str]:
    """The events that a host (`hosts.places.HOSTS`) can raise."""
    return [event for event in EVENTS if event in (_CLI if host == "copilot" else _VSCODE)]


def transcript(host: str, folder: Path) -> Path:
    """Where the sampled session's log lies, in the words of each host's own places."""
    if host == "copilot":
        return folder / "session-state" / SESSION / "events.jsonl"
    return folder / "GitHub.copilot-chat" / "transcripts" / f"{SESSION}.jsonl"


def sample(host: str, event: str, folder: Path) -> bytes:
    """The payload of an event.

    Args:
        host: as in `hosts.places.HOSTS`.
        event: as in `hook.events.EVENTS`.
        folder: the session's working directory, nobody's project; its transcript lies in it.
    """
    path = str(transcript(host, folder))
    if host == "copilot":
        base = {"hook_event_name": event, "session_id": SESSION, "timestamp": _TIME, "cwd": str(folder)}
        named = {"transcript_path": path} if event in ("PreCompact", "Stop") else {}
        return json.dumps({**base, **named, **_CLI[event]}).encode()
    base = {"timestamp": _TIME, "hook_event_name": event, "session_id": SESSION, "transcript_path": path}
    return json.dumps({**base, **_VSCODE[event], "cwd": str(folder)}).encode()
