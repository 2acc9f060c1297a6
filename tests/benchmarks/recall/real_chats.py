"""The recorded sessions and chats as one machine's history, and the hand-written prompts asked of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from .figures import Figure, Miss, at_least, at_most
from .machine import NOW, Machine, lines_of, sessions_of
from .real_prompts import PROMPTS, SAMPLES, Sample

__all__ = ["lay_out", "measure"]

#: The recordings are of the end of 2026: they are asked a day after the last one.
_LATER = NOW + 370 * 86_400_000


def lay_out(machine: Machine, data: Path) -> int:
    """Puts each recording where its host keeps it; gives how many there are."""
    found = 0
    for sample in SAMPLES:
        path = data / sample.path
        if not path.exists():
            continue
        found += 1
        if path.is_dir():
            for name, place in (("transcript.jsonl", "transcripts"), ("chat_session.jsonl", "chats")):
                if (path / name).exists():
                    _put(machine, sample, path / name, place)
        elif "copilot_cli" in sample.path:
            _put(machine, sample, path, "cli")
        else:
            _put(machine, sample, path, "transcripts" if "transcripts" in sample.path else "chats")
    return found


def _put(machine: Machine, sample: Sample, path: Path, place: str) -> None:
    folder = machine.project(sample.project)
    text = path.read_text(encoding="utf-8")
    for home in ("/home/user/projects/testing-git-vscode-hooks", "/home/user/project"):
        text = text.replace(home, str(folder))
    sid = sample.session or _session_id(text)
    if place == "cli":
        where = machine.copilot_home / "session-state" / sid / "events.jsonl"
    else:
        workspace = machine.user / "workspaceStorage" / hashlib.md5(sample.project.encode()).hexdigest()
        below = "chatSessions" if place == "chats" else "GitHub.copilot-chat/transcripts"
        where = workspace / below / f"{sid}{path.suffix}"
        where.parent.mkdir(parents=True, exist_ok=True)
        (workspace / "workspace.json").write_text(json.dumps({"folder": folder.as_uri()}), encoding="utf-8")
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(text, encoding="utf-8")


def _session_id(log: str) -> str:
    first = json.loads(log.partition("\n")[0])
    found = (first.get("data") or first.get("v") or {})["sessionId"]
    assert isinstance(found, str)
    return found


def measure(machine: Machine, data: Path) -> Iterator[Figure]:
    """60 prompts, each in a session of its own; nothing where there are no recordings."""
    if not lay_out(machine, data):
        return
    machine.index()
    misses, right, of, spoken = [], 0, 0, []
    for number, prompt in enumerate(PROMPTS):
        folder = machine.project(prompt.project)
        packet = machine.call("UserPromptSubmit", f"real-{number}", folder, at=_LATER, prompt=prompt.text)
        shown = "\n".join(lines_of(packet))
        if not prompt.session:
            spoken += [Miss(f"[{prompt.project}] {prompt.text}", "silence", shown)] if packet else []
            continue
        of += 1
        told = prompt.session in sessions_of(packet) and prompt.answer in shown
        right += told
        if not told:
            misses.append(Miss(f"[{prompt.project}] {prompt.text}", f"{prompt.session}: {prompt.answer}", shown))
    yield at_least("real chats", "answered by the right session", right, of, None, misses)
    yield at_most("real chats", "a packet where nothing is known", len(spoken), len(PROMPTS) - of, 0, spoken)
