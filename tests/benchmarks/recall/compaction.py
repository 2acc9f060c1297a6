"""Each recorded session, played event by event through the hooks, compacted at its end: what is handed back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from .figures import Figure, Miss, at_least
from .machine import NOW, Machine, lines_of
from .recorded import RECORDED

__all__ = ["Event", "events_of", "measure"]

_CHECKOUT = Path(__file__).parents[3]
#: The CLI's tools as it names them in hooks under PascalCase keys.
_TOOLS = {"bash": "Bash", "edit": "Edit", "create": "Write", "view": "Read", "task": "Agent"}
_MOST = 4_000


class Event(NamedTuple):
    """A hook call: the event, its fields, and how many bytes of the log there are by then."""

    name: str
    fields: dict[str, Any]
    size: int


def measure(root: Path, data: Path) -> Iterator[Figure]:
    """All recorded sessions that are there."""
    misses, right, of, sessions, long = [], 0, 0, 0, []
    for recorded in RECORDED:
        path = (_CHECKOUT if recorded.path.startswith("hook_payloads") else data) / recorded.path
        if not path.exists():
            continue
        sessions += 1
        packet = _played(Machine(root / f"compacted-{sessions}"), path)
        for wanted in (*recorded.asked, *recorded.failed):
            of += 1
            right += wanted in packet
            if wanted not in packet:
                misses.append(Miss(recorded.path, wanted, "\n".join(lines_of(packet))))
        if len(packet) > _MOST:
            long.append(Miss(recorded.path, f"{_MOST} characters", str(len(packet))))
    if sessions:
        yield at_least("compaction", f"instructions and failed commands, {sessions} sessions", right, of, of, misses)
        yield at_least(
            "compaction", f"packets within {_MOST:,} characters", sessions - len(long), sessions, sessions, long
        )


def _played(machine: Machine, path: Path) -> str:
    """The packet of the first event after the compaction."""
    folder = machine.project("project")
    recorded = path / "transcript.jsonl" if path.is_dir() else path
    text = recorded.read_text(encoding="utf-8").replace("@HOME@/project", str(folder))
    log = text.replace("@HOME@/recorder", str(folder)).replace("/home/user/project", str(folder)).encode()
    payloads = path / "payloads.jsonl"
    events = list(_recorded_events(payloads, folder, log) if path.is_dir() else events_of(log))
    sid = json.loads(log.partition(b"\n")[0])["data"]["sessionId"]
    cli = path.name.endswith("events.jsonl") or path.name.startswith("events.")
    where = _place(machine, sid, cli)
    compacted = ""
    for number, event in enumerate([*events, Event("PreCompact", {"trigger": "auto"}, len(log)), _NEXT]):
        where.write_bytes(log[: event.size] if event is not _NEXT else log)
        known = {} if cli and event.name not in ("Stop", "PreCompact") else {"transcript_path": str(where)}
        compacted = machine.call(event.name, sid, folder, at=NOW + number * 1_000, **{**event.fields, **known})
    return compacted


_NEXT = Event("UserPromptSubmit", {"prompt": "go on"}, 0)


def _place(machine: Machine, sid: str, cli: bool) -> Path:
    """Where the host keeps that log."""
    if cli:
        where = machine.copilot_home / "session-state" / sid / "events.jsonl"
    else:
        folder = machine.user / "workspaceStorage" / ("0" * 32) / "GitHub.copilot-chat" / "transcripts"
        where = folder / f"{sid}.jsonl"
    where.parent.mkdir(parents=True, exist_ok=True)
    return where


def _recorded_events(path: Path, folder: Path, log: bytes) -> Iterator[Event]:
    """The payloads that VS Code sent, up to the compaction; of a turn without any, its prompt."""
    first = True
    for line in path.read_text(encoding="utf-8").replace("/home/user/project", str(folder)).splitlines():
        record = json.loads(line)
        payload = record["payload"]
        name = payload["hook_event_name"]
        if name in ("PreCompact", "SubagentStart", "SubagentStop"):
            continue
        size = _same_share(record["transcript"]["types"], log)
        if first and name == "UserPromptSubmit":
            yield from (e for e in events_of(log) if e.size < size)
        first = first and name == "SessionStart"
        fields = {k: v for k, v in payload.items() if k not in ("hook_event_name", "session_id", "cwd")}
        yield Event(name, fields, size)


def _same_share(types: list[str], log: bytes) -> int:
    """Bytes of the log's first so many records: its paths have other lengths here than where it was recorded."""
    return len(b"".join(line + b"\n" for line in log.split(b"\n")[: len(types)]))


def events_of(log: bytes) -> Iterator[Event]:
    """What a host would have called while it wrote that log; not for sub-agents' work, which has ids of its own."""
    size = 0
    inputs: dict[str, tuple[str, Any]] = {}
    for line in log.splitlines(keepends=True):
        size += len(line)
        record = json.loads(line)
        kind, data = record["type"], record.get("data") or {}
        if record.get("agentId") or data.get("parentToolCallId") or str(data.get("source", "")).startswith("agent-"):
            continue
        if kind in ("session.start", "session.resume"):
            yield Event("SessionStart", {"source": "new" if kind == "session.start" else "resume"}, size)
        elif kind == "user.message":
            yield Event("UserPromptSubmit", {"prompt": data["content"]}, size)
        elif kind == "tool.execution_start":
            name = _TOOLS.get(data["toolName"], data["toolName"])
            inputs[data["toolCallId"]] = (name, data.get("arguments") or {})
            yield Event("PreToolUse", _tool(*inputs[data["toolCallId"]]), size)
        elif kind == "tool.execution_complete" and data["toolCallId"] in inputs:
            yield _ended(_tool(*inputs[data["toolCallId"]]), data, size)


def _tool(name: str, arguments: Any) -> dict[str, Any]:
    given = json.loads(arguments) if isinstance(arguments, str) else arguments
    return {"tool_name": name, "tool_input": given}


def _ended(tool: dict[str, Any], data: dict[str, Any], size: int) -> Event:
    if not data.get("success"):
        message = (data.get("error") or {}).get("message", "")
        return Event("PostToolUseFailure", {**tool, "error": message}, size)
    text = (data.get("result") or {}).get("content", "")
    result = {"result_type": "success", "text_result_for_llm": text}
    return Event("PostToolUse", {**tool, "tool_result": result}, size)
