"""A throwaway machine: stores of both hosts, one installation, and what a host or a person can ask of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import deja_hooks
from deja_hooks.hook.main import handle

from ..installation import Installation
from .told import Told, git, write

__all__ = ["NOW", "Machine", "lines_of", "sessions_of"]

#: 2025-11-30T12:00Z, epoch ms: the clock of all calls. A process has the real one, which must be later.
NOW = 1_764_504_000_000
_ENTRY = Path(deja_hooks.__file__).parent / "hook" / "entry.py"
_NONCE = "bench"
#: One call in so many is made a second time, by a real process.
_SAMPLED = 10


class Machine:
    """One machine.

    Attributes:
        processes, alike: calls that a process answered too, and how many of them it answered in the same words.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.copilot_home = self.home / ".copilot"
        self.installation = Installation(root, self.copilot_home)
        self.user = self.installation.user
        self.layout = self.installation.layout
        self.processes = self.alike = 0
        self._asked = 0
        self.copilot_home.mkdir(parents=True)

    def project(self, name: str) -> Path:
        """A project's folder, made where it is new."""
        return git(self.home / "code" / name)

    def remember(self, sessions: Iterable[Told]) -> None:
        """Writes sessions into the stores and indexes them, as `deja-hooks index` does."""
        write(sessions, self.copilot_home, self.user)
        self.index()

    def index(self) -> None:
        """A pass of the indexer, by the command. Raises RuntimeError where it fails."""
        self.installation.index()

    def call(self, event: str, session: str, project: Path, at: int = NOW, **fields: Any) -> str:
        """The packet that a hook's reply puts before the model, "" for none; the event in the CLI's words.

        Raises RuntimeError where the hook failed: to the host that is silence, here it would pass for good judgement.
        """
        payload = {"hook_event_name": event, "session_id": session, "cwd": str(project), **fields}
        outcome = handle(payload, event, self.layout, now_ms=at, nonce=_NONCE, live=False)
        if outcome.reason.startswith("failed: "):
            raise RuntimeError(f"{event} {outcome.reason}")
        return _packet(outcome.reply)

    def prompt(self, text: str, session: str, project: Path) -> str:
        """The packet of the first prompt of a session; one in ten is asked again by a real process, as another one."""
        packet = self.call("UserPromptSubmit", session, project, prompt=text)
        self._asked += 1
        if self._asked % _SAMPLED == 0:
            payload = {"session_id": f"{session}-process", "cwd": str(project), "prompt": text}
            said = self.process("UserPromptSubmit", payload)
            self.processes += 1
            self.alike += lines_of(said) == lines_of(packet)
        return packet

    def process(self, event: str, payload: dict[str, Any]) -> str:
        """The packet on the stdout of the hook's process."""
        command = [sys.executable, "-I", "-S", str(_ENTRY), event, self.layout.cache, self.layout.config]
        done = subprocess.run(
            command,
            input=json.dumps(payload).encode(),
            env=self.installation.environment(),
            capture_output=True,
            timeout=20,
            check=True,
        )
        return _packet(done.stdout)

    def search(self, queries: Iterable[str], project: Path, limit: int = 100) -> list[list[dict[str, Any]]]:
        """The hits of each query, by one `deja-hooks search -`."""
        command = [sys.executable, "-m", "deja_hooks", "search", "--limit", str(limit), "-"]
        done = subprocess.run(
            command,
            input="".join(" ".join(query.split()) + "\n" for query in queries),
            cwd=project,
            env=self.installation.environment(),
            stdout=subprocess.PIPE,
            encoding="utf-8",
            check=True,
        )
        return [json.loads(line)["hits"] for line in done.stdout.splitlines()]


def _packet(reply: bytes) -> str:
    if not reply:
        return ""
    text = json.loads(reply)["additionalContext"]
    assert isinstance(text, str)
    return text


def lines_of(packet: str) -> list[str]:
    """The recalled lines of a packet: without its fence and the sentence that says what it is."""
    return [line for line in packet.splitlines() if line.startswith("- ")]


def sessions_of(packet: str) -> set[str]:
    """The first eight digits of the sessions that a packet names."""
    return {part[:8] for part in packet.split("deja-hooks show ")[1:]}
