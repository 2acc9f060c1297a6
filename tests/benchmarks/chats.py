"""Made-up chats of VS Code beside the CLI's sessions: `chatSessions` logs of about a megabyte each.

Each request is written as VS Code writes it: pushed when it begins, its answer in parts, its result with the rounds
of tool calls, then its state and its figures. What people type meanwhile (`inputState`) is in between.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .words import Words

__all__ = ["Chats", "generate_chats", "go_on"]

_FIRST_DAY = 1_772_355_600_000  # 2026-03-01T09:00Z, epoch ms
_HOUR = 3_600_000


@dataclass(frozen=True)
class Chats:
    """Generated chats: VS Code's User folder, their logs, and their size in bytes."""

    user: Path
    paths: tuple[Path, ...]
    size: int


def generate_chats(user: Path, projects: list[Path], count: int, size: int, seed: int = 21) -> Chats:
    """Writes so many chats of at least that many bytes each, one workspace a project.

    Args:
        user: VS Code's User folder.
    """
    words = Words(seed)
    paths = []
    for number in range(count):
        project = projects[number % len(projects)]
        workspace = user / "workspaceStorage" / f"{number % len(projects):032x}"
        folder = workspace / "chatSessions"
        folder.mkdir(parents=True, exist_ok=True)
        (workspace / "workspace.json").write_text(json.dumps({"folder": project.as_uri()}), encoding="utf-8")
        sid = str(uuid.UUID(int=words.random.getrandbits(128), version=4))
        path = folder / f"{sid}.jsonl"
        path.write_text("".join(_log(words, sid, project, _FIRST_DAY + number * _HOUR, size)), encoding="utf-8")
        paths.append(path)
    return Chats(user, tuple(paths), sum(path.stat().st_size for path in paths))


def go_on(path: Path, project: Path, seed: int = 22) -> None:
    """Appends one more request to a chat."""
    log = path.read_text(encoding="utf-8")
    place = log.count('"requestId"')
    with path.open("a", encoding="utf-8") as file:
        file.writelines(_request(Words(seed), project, _FIRST_DAY + 10_000 * _HOUR, place))


def _log(words: Words, sid: str, project: Path, start: int, size: int) -> Iterator[str]:
    state = {
        "version": 3,
        "creationDate": start,
        "initialLocation": "panel",
        "responderUsername": "GitHub Copilot",
        "sessionId": sid,
        "requests": [],
        "inputState": {"inputText": ""},
    }
    written = 0
    place = 0
    yield _line(0, None, state)
    while written < size:
        for line in _request(words, project, start + place * 60_000, place):
            written += len(line)
            yield line
        place += 1


def _line(kind: int, path: list[object] | None, value: object) -> str:
    return json.dumps({"kind": kind, **({"k": path} if path else {}), "v": value}) + "\n"


def _request(words: Words, project: Path, at: int, place: int) -> Iterator[str]:
    """The lines of one request: asked, answered in two parts with tools between, closed."""
    identity = str(uuid.UUID(int=words.random.getrandbits(128), version=4))
    text = f"now check {words.sentence(6, 18)}"
    request = {
        "requestId": f"request_{identity}",
        "timestamp": at,
        "agent": {"id": "github.copilot.editsAgent", "extensionVersion": "0.67.0", "description": words.lines(20, 20)},
        "modelId": "copilot/gpt-5",
        "message": {"text": text, "parts": [{"text": text, "kind": "text"}]},
        "variableData": {"variables": []},
        "response": [],
    }
    yield _line(1, ["inputState", "inputText"], text)
    yield _line(2, ["requests"], [request])
    path = project / "src" / f"{words.rare()}.py"
    tools = [_Read(words, path), _Terminal(words), _Edit(words, path)]
    for tool in tools:
        yield _line(2, ["requests", place, "response"], [{"value": words.sentence(9, 30)}, *tool.parts()])
    yield _line(2, ["requests", place, "response"], [{"value": words.lines(3, 12)}])
    rounds = [{"response": "", "toolCalls": [tool.call()], "id": tool.id, "timestamp": at + 5} for tool in tools]
    metadata = {
        "codeBlocks": [],
        "renderedUserMessage": [{"type": 1, "text": words.lines(60, 60)}],
        "toolCallRounds": [*rounds, {"response": "", "toolCalls": [], "id": identity, "timestamp": at + 9}],
        "toolCallResults": {f"{tool.id}__vscode-1": tool.result() for tool in tools},
    }
    yield _line(1, ["requests", place, "result"], {"timings": {"totalElapsed": 4000}, "metadata": metadata})
    yield _line(1, ["requests", place, "modelState"], {"value": 1, "completedAt": at + 30_000})
    yield _line(1, ["requests", place, "completionTokens"], words.random.randint(50, 900))
    yield _line(1, ["requests", place, "promptTokens"], words.random.randint(9_000, 90_000))


class _Tool:
    """One tool call, as the three places of a log have it."""

    name = ""
    text = ""

    def __init__(self, words: Words) -> None:
        self.id = f"call_{words.random.getrandbits(64):x}"

    def arguments(self) -> dict[str, str]:
        raise NotImplementedError

    def parts(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def call(self) -> dict[str, str]:
        return {"name": self.name, "arguments": json.dumps(self.arguments()), "id": f"{self.id}__vscode-1"}

    def result(self) -> dict[str, Any]:
        leaves = [{"type": 2, "text": line + "\n", "lineBreakBefore": False} for line in self.text.split("\n")]
        return {"$mid": 20, "content": [{"$mid": 23, "value": {"node": {"type": 1, "ctor": 2, "children": leaves}}}]}

    def part(self, tool_id: str, **more: object) -> dict[str, Any]:
        return {
            "kind": "toolInvocationSerialized",
            "toolCallId": self.id,
            "toolId": tool_id,
            "isComplete": True,
            **more,
        }


class _Read(_Tool):
    name = "read_file"

    def __init__(self, words: Words, path: Path) -> None:
        super().__init__(words)
        self.path = path
        self.text = words.lines(40, 160)

    def arguments(self) -> dict[str, str]:
        return {"filePath": str(self.path)}

    def parts(self) -> list[dict[str, Any]]:
        uri = self.path.as_uri()
        message = {"value": f"Read [](<{uri}>)", "uris": {uri: {"$mid": 1, "path": str(self.path), "scheme": "file"}}}
        return [self.part("copilot_readFile", pastTenseMessage=message, invocationMessage=message)]


class _Terminal(_Tool):
    name = "run_in_terminal"

    def __init__(self, words: Words) -> None:
        super().__init__(words)
        self.command = f"pytest -q tests/{words.common()}"
        self.status = int(words.random.random() < 0.25)
        self.text = words.lines(10, 60)

    def arguments(self) -> dict[str, str]:
        return {"command": self.command}

    def parts(self) -> list[dict[str, Any]]:
        data = {
            "kind": "terminal",
            "commandLine": {"original": self.command},
            "terminalCommandState": {"exitCode": self.status},
            "terminalCommandOutput": {"text": self.text},
        }
        return [self.part("run_in_terminal", toolSpecificData=data)]


class _Edit(_Tool):
    name = "replace_string_in_file"

    def __init__(self, words: Words, path: Path) -> None:
        super().__init__(words)
        self.path = path
        self.old, self.new = words.lines(2, 8), words.lines(2, 8)
        self.text = f"The following files were successfully edited:\n{path}"

    def arguments(self) -> dict[str, str]:
        return {"filePath": str(self.path), "oldString": self.old, "newString": self.new}

    def parts(self) -> list[dict[str, Any]]:
        uri = {"$mid": 1, "path": str(self.path), "scheme": "file"}
        edit = {"text": self.new, "range": {"startLineNumber": 1, "endLineNumber": 9}}
        return [
            self.part("copilot_replaceString", presentation="hidden"),
            {"value": "\n```\n"},
            {"kind": "codeblockUri", "uri": uri, "isEdit": True},
            {"kind": "textEditGroup", "uri": uri, "edits": [[edit], []], "done": True},
            {"value": "\n```\n"},
        ]
