"""Fixtures by name, and logs written by tests."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from deja_hooks.sources.logs import cli_events, vscode_transcript
from deja_hooks.sources.model import Chunk, Turn, Work

FIXTURES = Path(__file__).parent / "fixtures"
SESSIONS = FIXTURES / "copilot" / "session-state"
TRANSCRIPTS = FIXTURES / "User" / "workspaceStorage" / "4cbb8af5" / "GitHub.copilot-chat" / "transcripts"
#: The time that `record(…, second=0)` has, epoch ms.
BASE = 1_800_000_000_000


def cli(name: str) -> Chunk:
    return cli_events.read(SESSIONS / name / "events.jsonl", 0, None, None)


def vscode(name: str) -> Chunk:
    return vscode_transcript.read(TRANSCRIPTS / f"{name}.jsonl", 0, None, None)


def record(kind: str, second: int, data: dict[str, Any], **more: Any) -> bytes:
    """One line as hosts write it, `second` seconds after BASE."""
    moment = datetime.fromtimestamp(BASE / 1000 + second, timezone.utc)
    stamp = moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    content = {"type": kind, "data": data, "id": str(second), "timestamp": stamp, "parentId": None, **more}
    return json.dumps(content).encode() + b"\n"


def cli_log(folder: Path, *lines: bytes) -> Path:
    """A CLI session named `s1` made of these lines."""
    path = folder / "s1" / "events.jsonl"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"".join(lines))
    return path


def read_cli(folder: Path, *lines: bytes) -> Chunk:
    return cli_events.read(cli_log(folder, *lines), 0, None, None)


def read_vscode(folder: Path, *lines: bytes) -> Chunk:
    path = folder / "v1.jsonl"
    path.write_bytes(b"".join(lines))
    return vscode_transcript.read(path, 0, None, None)


def said(turns: tuple[Turn, ...]) -> list[tuple[str, str, bool]]:
    """What the turns' speech comes to."""
    return [(turn.user, turn.assistant, turn.ended) for turn in turns]


def edit(at: int, tool: str, path: str, old: str, new: str, call: str) -> Work:
    return Work("edit", at, tool, path, old, new, "", None, "", call)


def command(at: int, tool: str, line: str, status: int | None, output: str, call: str) -> Work:
    return Work("command", at, tool, "", "", "", line, status, output, call)


def error(at: int, output: str) -> Work:
    return Work("error", at, "", "", "", "", "", None, output, "")


def failure(at: int, tool: str, path: str, output: str, call: str) -> Work:
    return Work("failure", at, tool, path, "", "", "", None, output, call)
