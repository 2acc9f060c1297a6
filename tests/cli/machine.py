"""A machine with a session of each kind, as both hosts lay them out, with stand-ins for their programs; and our command
as a process on it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from .sessions import login_session

__all__ = ["CHAT", "CLI", "EMPTY", "PROFILES", "Machine", "Started"]

CLI = "aaaa1111-0000-4000-8000-000000000001"
CHAT = "bbbb2222-0000-4000-8000-000000000002"
EMPTY = "cccc3333-0000-4000-8000-000000000003"
PROFILES = "dddd4444-0000-4000-8000-000000000004"
#: When the chats begin: 2026-02-21T10:00:00Z, epoch ms.
CHATTED = 1_771_668_000_000

#: Writes down how it was started; its exit status is the environment's.
STAND_IN = """#!{python}
import json, os, sys
said = {{
    "program": os.path.basename(sys.argv[0]), "arguments": sys.argv[1:], "directory": os.getcwd(), "pid": os.getpid(),
    "stdin": sys.stdin.read(), "pwd": os.environ.get("PWD"), "copilot_home": os.environ.get("COPILOT_HOME"),
}}
with open({record!r}, "w") as file:
    json.dump(said, file)
sys.exit(int(os.environ.get("STAND_IN_STATUS", "0")))
"""


class Started(NamedTuple):
    """How a stand-in was started."""

    program: str
    arguments: list[str]
    directory: str
    pid: int
    stdin: str
    pwd: str | None
    copilot_home: str | None


class Machine:
    """A home with a project, four sessions, and the folder `bin` on the `PATH`."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.app = home / "src" / "app"
        self.user = home / ".config" / "Code" / "User"
        self.bin = home / "bin"
        self.bin.mkdir()
        login_session(home)
        self._write("workspaceStorage/1f/workspace.json", json.dumps({"folder": self.app.as_uri()}))
        self.chat("workspaceStorage/1f/chatSessions", CHAT, "Log each retry.", "We decided to log at debug level.")
        self.chat("globalStorage/emptyWindowChatSessions", EMPTY, "What is a monad?", "A monoid, they say.")
        self._write("profiles/-a1/workspaceStorage/1f/workspace.json", json.dumps({"folder": self.app.as_uri()}))
        self.chat("profiles/-a1/workspaceStorage/1f/chatSessions", PROFILES, "Name the release.", "It is 2.0.")
        profiles = [{"location": "-a1", "name": "Work"}]
        self._write("globalStorage/storage.json", json.dumps({"userDataProfiles": profiles}))

    def chat(self, below: str, sid: str, user: str, assistant: str) -> None:
        """A chat of one request, as VS Code writes it (`chatSessions/<id>.jsonl`)."""
        request = {
            "requestId": f"request_{sid}",
            "timestamp": CHATTED,
            "message": {"text": user, "parts": []},
            "response": [{"value": assistant}],
            "result": {"timings": {"totalElapsed": 5_000}, "metadata": {}},
        }
        state = {"version": 3, "creationDate": CHATTED, "sessionId": sid, "requests": [request]}
        self._write(f"{below}/{sid}.jsonl", json.dumps({"kind": 0, "v": state}) + "\n")

    def program(self, *names: str) -> None:
        """Puts stand-ins on the `PATH`."""
        for name in names:
            path = self.bin / name
            path.write_text(STAND_IN.format(python=sys.executable, record=str(self.home / "started.json")))
            path.chmod(0o755)

    def started(self) -> Started | None:
        """How the last stand-in was started; None where none was."""
        record = self.home / "started.json"
        if not record.exists():
            return None
        said = json.loads(record.read_text())
        record.unlink()
        return Started(**said)

    def deja(
        self, *arguments: str, cwd: Path | None = None, stdin: str = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Runs `deja-hooks` with these arguments as a process; `process` is its id."""
        with self.begin(*arguments, cwd=cwd, **environment) as process:
            out, err = process.communicate(stdin, timeout=60)
        return subprocess.CompletedProcess([process.pid], process.returncode, out, err)

    def begin(self, *arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.Popen[str]:
        """The same, begun."""
        return subprocess.Popen(
            [sys.executable, "-m", "deja_hooks", *arguments],
            cwd=cwd or self.app,
            env={**self.environment, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def environment(self) -> Mapping[str, str]:
        """Of every process; nothing of the caller's but where packages are found."""
        given: dict[str, Any] = {name: os.environ[name] for name in ("PYTHONPATH", "SYSTEMROOT") if name in os.environ}
        home = {"HOME": str(self.home), "USERPROFILE": str(self.home), "DEJA_HOOKS_HOME": str(self.home / "deja")}
        return {**given, **home, "PATH": str(self.bin), "TZ": "UTC"}

    def _write(self, below: str, text: str) -> None:
        path = self.user / below
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
