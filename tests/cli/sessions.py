"""Copilot CLI sessions as the host writes them (events.jsonl of 1.0.102), made for these tests."""

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

#: When the sessions begin: 2026-02-20T10:00:00Z, epoch seconds.
STARTED = 1_771_581_600


def write_session(home: Path, session_id: str, cwd: Path, *events: tuple[str, dict[str, Any]]) -> Path:
    """A session below `home/.copilot`; its events are a minute apart."""
    path = home / ".copilot" / "session-state" / session_id / "events.jsonl"
    path.parent.mkdir(parents=True)
    context = {"cwd": str(cwd), "branch": "main"}
    start = ("session.start", {"sessionId": session_id, "copilotVersion": "1.0.102", "context": context})
    lines = []
    for minute, (kind, data) in enumerate((start, *events)):
        at = datetime.fromtimestamp(STARTED + 60 * minute, timezone.utc).isoformat(timespec="milliseconds")
        record = {"type": kind, "data": data, "id": str(minute), "timestamp": at, "parentId": None}
        lines.append(json.dumps(record) + "\n")
    path.write_text("".join(lines))
    return path


def said(text: str) -> tuple[str, dict[str, Any]]:
    return "user.message", {"content": text}


def answered(text: str, *requests: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    return "assistant.message", {"messageId": text[:8], "content": text, "toolRequests": list(requests)}


def ran(call: str, command: str, output: str, status: int) -> list[tuple[str, dict[str, Any]]]:
    """A shell command and its end."""
    result = {"content": f"{output}\n<shellId: 0 completed with exit code {status}>"}
    arguments = {"command": command}
    return [
        ("tool.execution_start", {"toolCallId": call, "toolName": "bash", "arguments": arguments}),
        (
            "tool.execution_complete",
            {"toolCallId": call, "success": True, "result": result, "shellExecution": {"exitCode": status}},
        ),
    ]


def edited(call: str, path: Path, old: str, new: str) -> list[tuple[str, dict[str, Any]]]:
    """An edit of a file."""
    arguments = {"path": str(path), "old_str": old, "new_str": new}
    return [
        ("tool.execution_start", {"toolCallId": call, "toolName": "edit", "arguments": arguments}),
        ("tool.execution_complete", {"toolCallId": call, "success": True, "result": {"content": "ok"}}),
    ]


def login_session(home: Path) -> None:
    """A session of two turns about a login that times out."""
    cwd = home / "src" / "app"
    write_session(
        home,
        "aaaa1111-0000-4000-8000-000000000001",
        cwd,
        said("Why does refresh_session time out?"),
        answered("I will run the tests."),
        *ran("c1", "pytest tests/test_login.py", "ModuleNotFoundError: No module named 'redis'", 1),
        answered("We decided to use `RetryPolicy` with 3 tries.\nThe pool was too small."),
        said("Do it"),
        *edited("c2", cwd / "login.py", "retry = 0", "retry = 3"),
        answered("Done."),
    )
