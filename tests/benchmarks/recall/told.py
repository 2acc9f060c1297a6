"""Sessions as both hosts write them: the CLI's `events.jsonl` and VS Code's `chatSessions` logs.

A benchmark tells a session once, as turns with the work done in them; `write` lays it out for its host.
"""

from __future__ import annotations

import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

__all__ = ["CHAT", "CLI", "Edited", "Ran", "Told", "Turn", "git", "identity", "write"]

CLI, CHAT = "cli", "vscode"
_PAUSE = 20_000


@dataclass(frozen=True)
class Ran:
    """A command, its exit status and what it printed."""

    command: str
    status: int = 0
    output: str = ""


@dataclass(frozen=True)
class Edited:
    """A replacement in a file of the project (its path below the project)."""

    path: str
    old: str
    new: str


@dataclass(frozen=True)
class Turn:
    """What the user asked, what was done, and what the assistant said at the end."""

    user: str
    assistant: str
    work: tuple[Ran | Edited, ...] = ()


@dataclass(frozen=True)
class Told:
    """One session.

    Attributes:
        id: the session's id.
        project: its folder.
        at: when it began, in epoch ms.
        host: `CLI` or `CHAT`.
    """

    id: str
    project: Path
    at: int
    turns: tuple[Turn, ...]
    host: str = field(default=CLI)


def identity(*names: object) -> str:
    """The id of a session that goes by these names: the same in each run, alike in no digit to its neighbours'."""
    return str(uuid.UUID(bytes=hashlib.sha256("/".join(map(str, names)).encode()).digest()[:16], version=4))


def git(folder: Path) -> Path:
    """Makes the folder look like a git repository, which needs no git."""
    for name in (".git/objects", ".git/refs/heads"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    return folder


def write(sessions: Iterable[Told], copilot_home: Path, user: Path) -> None:
    """Writes each session below the Copilot home or VS Code's User folder, as its host does."""
    for told in sessions:
        if told.host == CLI:
            path = copilot_home / "session-state" / told.id / "events.jsonl"
            lines = _events(told)
        else:
            workspace = user / "workspaceStorage" / hashlib.md5(str(told.project).encode()).hexdigest()
            path = workspace / "chatSessions" / f"{told.id}.jsonl"
            lines = _chat(told)
            path.parent.mkdir(parents=True, exist_ok=True)
            (workspace / "workspace.json").write_text(json.dumps({"folder": told.project.as_uri()}), encoding="utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def _stamp(at: int) -> str:
    moment = datetime.fromtimestamp(at / 1000, tz=timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at % 1000:03d}Z"


def _events(told: Told) -> Iterator[dict[str, Any]]:
    place = {"cwd": str(told.project), "gitRoot": str(told.project), "branch": "main"}
    start = {"sessionId": told.id, "version": 1, "producer": "copilot-agent", "startTime": _stamp(told.at)}
    for number, (kind, data) in enumerate([("session.start", {**start, "context": place}), *_records(told)]):
        at = _stamp(told.at + number * _PAUSE)
        yield {"type": kind, "data": data, "id": identity(told.id, number), "timestamp": at, "parentId": None}


def _records(told: Told) -> Iterator[tuple[str, dict[str, Any]]]:
    for place, turn in enumerate(told.turns):
        yield "user.message", {"content": turn.user, "attachments": []}
        for number, work in enumerate(turn.work):
            call = f"call_{place}_{number}"
            name, arguments = _cli_call(told, work)
            requests = [{"toolCallId": call, "name": name, "arguments": arguments, "type": "function"}]
            yield "assistant.message", {"messageId": call, "content": "", "toolRequests": requests}
            yield "tool.execution_start", {"toolCallId": call, "toolName": name, "arguments": arguments}
            yield "tool.execution_complete", {"toolCallId": call, "success": True, **_cli_result(work, number)}
        yield "assistant.message", {"messageId": f"m{place}", "content": turn.assistant, "toolRequests": []}
    yield "session.shutdown", {"shutdownType": "routine"}


def _cli_call(told: Told, work: Ran | Edited) -> tuple[str, dict[str, str]]:
    if isinstance(work, Ran):
        return "bash", {"command": work.command, "description": "Run a command"}
    return "edit", {"path": str(told.project / work.path), "old_str": work.old, "new_str": work.new}


def _cli_result(work: Ran | Edited, number: int) -> dict[str, Any]:
    if isinstance(work, Edited):
        return {"result": {"content": f"File {work.path} updated with changes."}}
    text = f"{work.output}\n<shellId: {number} completed with exit code {work.status}>"
    return {"result": {"content": text}, "shellExecution": {"exitCode": work.status}}


def _chat(told: Told) -> Iterator[dict[str, Any]]:
    yield {
        "kind": 0,
        "v": {
            "version": 3,
            "creationDate": told.at,
            "initialLocation": "panel",
            "responderUsername": "GitHub Copilot",
            "sessionId": told.id,
            "requests": [],
        },
    }
    for place, turn in enumerate(told.turns):
        yield from _request(told, place, turn)


def _request(told: Told, place: int, turn: Turn) -> Iterator[dict[str, Any]]:
    at = told.at + place * 6 * _PAUSE
    calls = [_Call(told, f"call_{told.id[:8]}_{place}_{number}", work) for number, work in enumerate(turn.work)]
    request = {
        "requestId": f"request_{identity(told.id, place)}",
        "timestamp": at,
        "agent": {"id": "github.copilot.editsAgent", "extensionVersion": "0.67.0"},
        "modelId": "copilot/gpt-5",
        "message": {"text": turn.user, "parts": [{"text": turn.user, "kind": "text"}]},
        "variableData": {"variables": []},
        "response": [],
    }
    yield {"kind": 2, "k": ["requests"], "v": [request]}
    parts = [part for call in calls for part in call.parts()]
    yield {"kind": 2, "k": ["requests", place, "response"], "v": [*parts, {"value": turn.assistant}]}
    rounds = [{"response": "", "toolCalls": [call.call()], "id": call.id, "timestamp": at + 5} for call in calls]
    metadata = {
        "codeBlocks": [],
        "toolCallRounds": [*rounds, {"response": turn.assistant, "toolCalls": [], "id": f"r{place}"}],
        "toolCallResults": {f"{call.id}__vscode-1": call.result() for call in calls},
    }
    result = {"timings": {"totalElapsed": 4000}, "metadata": metadata}
    yield {"kind": 1, "k": ["requests", place, "result"], "v": result}
    yield {"kind": 1, "k": ["requests", place, "modelState"], "v": {"value": 1, "completedAt": at + _PAUSE}}


class _Call:
    """One tool call, as the three places of a chat's log have it."""

    def __init__(self, told: Told, identifier: str, work: Ran | Edited) -> None:
        self.id = identifier
        self.work = work
        self.path = told.project / work.path if isinstance(work, Edited) else told.project

    def parts(self) -> list[dict[str, Any]]:
        tool = {"kind": "toolInvocationSerialized", "toolCallId": self.id, "isComplete": True}
        if isinstance(self.work, Ran):
            data = {
                "kind": "terminal",
                "commandLine": {"original": self.work.command},
                "terminalCommandState": {"exitCode": self.work.status},
                "terminalCommandOutput": {"text": self.work.output},
            }
            return [{**tool, "toolId": "run_in_terminal", "toolSpecificData": data}]
        uri = {"$mid": 1, "path": str(self.path), "scheme": "file"}
        edit = {"text": self.work.new, "range": {"startLineNumber": 1, "endLineNumber": 2}}
        return [
            {**tool, "toolId": "copilot_replaceString", "presentation": "hidden"},
            {"kind": "textEditGroup", "uri": uri, "edits": [[edit], []], "done": True},
        ]

    def call(self) -> dict[str, str]:
        if isinstance(self.work, Ran):
            name, arguments = "run_in_terminal", {"command": self.work.command}
        else:
            name = "replace_string_in_file"
            arguments = {"filePath": str(self.path), "oldString": self.work.old, "newString": self.work.new}
        return {"name": name, "arguments": json.dumps(arguments), "id": f"{self.id}__vscode-1"}

    def result(self) -> dict[str, Any]:
        if isinstance(self.work, Ran):
            text = f"{self.work.output}\nCommand exited with code {self.work.status}"
        else:
            text = f"The following files were successfully edited:\n{self.path}"
        return {"$mid": 20, "content": [{"$mid": 23, "value": text}]}
