"""A throwaway machine: a home, a project, both hosts' stores, one installation; and calls of the hook in it."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import deja_hooks
from deja_hooks.hook.main import Outcome, handle
from deja_hooks.indexer.run import Report, index
from deja_hooks.memory.layout import Layout

ENTRY = Path(deja_hooks.__file__).parent / "hook" / "entry.py"
#: 2026-11-30T12:00:00Z
NOON = 1_796_040_000_000


class World:
    """One machine of a test."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = self.home / "code" / "shop"
        self.layout = Layout(str(folder / "deja" / "cache"), str(folder / "deja" / "config"))
        self.deja_home = folder / "deja"
        self.store = self.home / ".copilot" / "session-state"
        self.user = self.home / ".config" / "Code" / "User"
        self.now = NOON
        self._calls = itertools.count(1)
        self.git(self.project)

    def git(self, folder: Path, branch: str = "main") -> None:
        """Makes a folder look like a git checkout."""
        (folder / ".git").mkdir(parents=True, exist_ok=True)
        (folder / ".git" / "HEAD").write_text(f"ref: refs/heads/{branch}\n")

    @property
    def environment(self) -> dict[str, str]:
        """The environment of processes in this world."""
        return {"PATH": os.environ["PATH"], "HOME": str(self.home), "DEJA_HOOKS_HOME": str(self.deja_home)}

    def cli_session(self, sid: str, *records: tuple[str, dict[str, Any]], cwd: Path | None = None, at: int = 0) -> Path:
        """Writes a session of the CLI; see `said`, `ran`, `edited`."""
        at = at or self.now - 86_400_000
        path = self.store / sid / "events.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        start = {"sessionId": sid, "version": 1, "startTime": iso(at), "context": {"cwd": str(cwd or self.project)}}
        lines = [line("session.start", start, at)]
        for i, (kind, data) in enumerate(records, 1):
            lines.append(line(kind, data, at + 1_000 * i))
        path.write_text("".join(lines))
        return path

    def vscode_transcript(self, sid: str, *records: tuple[str, dict[str, Any]], at: int = 0) -> Path:
        """Writes a transcript of VS Code for the project."""
        at = at or self.now - 86_400_000
        workspace = self.user / "workspaceStorage" / "0123456789abcdef0123456789abcdef"
        path = workspace / "GitHub.copilot-chat" / "transcripts" / f"{sid}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        (workspace / "workspace.json").write_text(json.dumps({"folder": self.project.as_uri()}))
        start = {"sessionId": sid, "version": 1, "producer": "copilot-agent", "startTime": iso(at)}
        lines = [line("session.start", start, at)]
        for i, (kind, data) in enumerate(records, 1):
            lines.append(line(kind, data, at + 1_000 * i))
        path.write_text("".join(lines))
        return path

    def index(self) -> Report:
        """A pass of the indexer."""
        return index(self.layout, environment={}, home=self.home, platform="linux")

    def ask_for_a_pass(self) -> None:
        """What a hook leaves before it starts the background indexer, which does nothing unasked."""
        Path(self.layout.cache).mkdir(mode=0o700, parents=True, exist_ok=True)
        Path(self.layout.index_wanted).touch()

    def call(self, event: str, sid: str = "asking", **fields: Any) -> Outcome:
        """A call of the hook in this process, with the clock and nonce fixed."""
        payload = {"hook_event_name": event, "session_id": sid, "cwd": str(self.project), **fields}
        return handle(payload, event, self.layout, now_ms=self.now, nonce="0", live=False)

    def tool(self, event: str, name: str, sid: str = "asking", result: str | None = None, **arguments: Any) -> Outcome:
        """A tool call's event, in the CLI's words."""
        fields: dict[str, Any] = {"tool_name": name, "tool_input": arguments}
        if result is not None:
            fields["tool_result"] = {"result_type": "success", "text_result_for_llm": result}
        return self.call(event, sid, **fields)

    def process(self, event: str, payload: bytes, **options: Any) -> subprocess.CompletedProcess[bytes]:
        """The hook as a real process."""
        command = [sys.executable, "-I", "-S", str(ENTRY), event, self.layout.cache, self.layout.config]
        with tempfile.TemporaryFile() as given:  # at its end at once: a busy machine may be late to close a pipe
            given.write(payload)
            given.seek(0)
            return subprocess.run(
                command, stdin=given, capture_output=True, env=self.environment, timeout=20, check=False, **options
            )


def iso(at: int) -> str:
    """Epoch ms as hosts write it."""
    import datetime

    moment = datetime.datetime.fromtimestamp(at / 1000, tz=datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03d}Z"


def line(kind: str, data: dict[str, Any], at: int) -> str:
    """One record of a log, as hosts write it."""
    return json.dumps({"type": kind, "data": data, "id": f"e{at}", "timestamp": iso(at), "parentId": None}) + "\n"


def asked(text: str) -> tuple[str, dict[str, Any]]:
    """The user's message."""
    return "user.message", {"content": text}


def said(text: str) -> tuple[str, dict[str, Any]]:
    """The assistant's message."""
    return "assistant.message", {"content": text, "toolRequests": []}


_IDS = itertools.count(1)


def ran(command: str, status: int, output: str = "") -> tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]:
    """A command of the CLI and how it ended."""
    call = f"call_{next(_IDS)}"
    return (
        ("tool.execution_start", {"toolCallId": call, "toolName": "bash", "arguments": {"command": command}}),
        (
            "tool.execution_complete",
            {
                "toolCallId": call,
                "success": True,
                "shellExecution": {"exitCode": status},
                "result": {"content": f"{output}\n<shellId: 0 completed with exit code {status}>"},
            },
        ),
    )


def edited(path: Path, old: str, new: str) -> tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]:
    """An edit of the CLI that went well."""
    call = f"call_{next(_IDS)}"
    arguments = {"path": str(path), "old_str": old, "new_str": new}
    return (
        ("tool.execution_start", {"toolCallId": call, "toolName": "edit", "arguments": arguments}),
        ("tool.execution_complete", {"toolCallId": call, "success": True, "result": {"content": "updated"}}),
    )
