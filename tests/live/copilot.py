"""The real Copilot CLI, offline, in a home and a project of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .model import Model

__all__ = ["Finished", "Sandbox", "cache_folder", "complaints", "find_cli"]

#: Seconds for one run of the CLI; the first on a machine unpacks 235 MB.
RUN_LIMIT = 180
#: How the CLI logs what it has against hooks: today's native code, and what was there before it.
_COMPLAINT = re.compile(
    r"\[(?:ERROR|WARN(?:ING)?)\] "
    r"(?:\[rust:hooks\]|Invalid hook config|.*\b[Hh]ook (?:from .+ )?execution failed)"
)


def find_cli(environment: Mapping[str, str]) -> Path | None:
    """The CLI's executable: `COPILOT_BIN`, or `copilot` on the `PATH` where that is GitHub's."""
    named = environment.get("COPILOT_BIN")
    if named:
        return Path(named).resolve(strict=True)
    found = shutil.which("copilot", path=environment.get("PATH", ""))
    return Path(found) if found and _is_githubs(Path(found), environment) else None


def _is_githubs(program: Path, environment: Mapping[str, str]) -> bool:
    """Another company's deployment tool has the same name."""
    home = tempfile.mkdtemp(prefix="deja-live-version-")
    offline = {**environment, "HOME": home, "COPILOT_OFFLINE": "true", "COPILOT_AUTO_UPDATE": "false"}
    try:
        asked = subprocess.run(
            [program, "--version"],
            env={**offline, "XDG_CACHE_HOME": str(cache_folder(environment))},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=RUN_LIMIT,
            check=False,
        )
    finally:
        shutil.rmtree(home, ignore_errors=True)
    return b"GitHub Copilot" in asked.stdout


def cache_folder(environment: Mapping[str, str]) -> Path:
    """Where the CLI's unpacked package is kept between runs: `DEJA_LIVE_CACHE`, else a temporary folder."""
    named = environment.get("DEJA_LIVE_CACHE")
    # The user's number keeps two users of one machine apart.
    owner = os.getuid() if hasattr(os, "getuid") else "user"
    folder = Path(named) if named else Path(tempfile.gettempdir()) / f"deja-live-cache-{owner}"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def complaints(log: Iterable[str]) -> list[str]:
    """The lines of a CLI's log that warn of hooks (seen in 1.0.24 to 1.0.102)."""
    return [line for line in log if _COMPLAINT.search(line)]


@dataclass(frozen=True)
class Finished:
    """One run of the CLI that has ended: exit code, wall time in seconds, and all that it printed."""

    exit_code: int
    seconds: float
    output: str


@dataclass(frozen=True)
class Sandbox:
    """A home, a Copilot home, a home for deja-hooks and a git project, all below one folder."""

    root: Path
    cli: Path
    cache: Path

    @property
    def copilot_home(self) -> Path:
        return self.root / "copilot-home"

    @property
    def deja_home(self) -> Path:
        return self.root / "deja-home"

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def logs(self) -> Path:
        return self.root / "logs"

    @property
    def hook_file(self) -> Path:
        return self.copilot_home / "hooks" / "deja.json"

    def environment(self) -> dict[str, str]:
        """What every program in the sandbox gets; nothing of the caller's but the `PATH`."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "home"),
            "COPILOT_HOME": str(self.copilot_home),
            "DEJA_HOOKS_HOME": str(self.deja_home),
            "XDG_CACHE_HOME": str(self.cache),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
        }

    def lay_out(self, files: Mapping[str, str]) -> None:
        """Makes the folders and a git repository with the given files (path below the project: text)."""
        for folder in (self.root / "home", self.copilot_home, self.project, self.logs):
            folder.mkdir(parents=True)
        self.write(files)
        self._git("init", "-q", "-b", "main")
        self._git("add", "-A")
        self._git("commit", "-q", "-m", "Start")

    def _git(self, *arguments: str) -> None:
        author = ["-c", "user.name=Uma User", "-c", "user.email=uma@example.invalid"]
        environment = {**self.environment(), "GIT_CONFIG_NOSYSTEM": "1"}
        command = ["git", *author, *arguments]
        subprocess.run(command, cwd=self.project, env=environment, check=True, timeout=30)

    def write(self, files: Mapping[str, str]) -> None:
        """Writes files of the project, over what is there."""
        for name, text in files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def deja(self, *arguments: str) -> str:
        """Runs our own command in the sandbox; gives what it printed. Raises CalledProcessError."""
        done = subprocess.run(
            [sys.executable, "-m", "deja_hooks", *arguments],
            cwd=self.root,  # not the checkout: the package is to be found where it is installed
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return done.stdout

    def offline(self, model: Model) -> dict[str, str]:
        """What makes the CLI talk to that model and to nobody else."""
        return {
            "COPILOT_OFFLINE": "true",
            "COPILOT_AUTO_UPDATE": "false",
            "COPILOT_MODEL": "mock-model",
            "COPILOT_PROVIDER_TYPE": "openai",
            "COPILOT_PROVIDER_BASE_URL": model.base_url,
            "COPILOT_PROVIDER_API_KEY": "none",
        }

    def ask(self, prompt: str, model: Model, *options: str, token_limit: int | None = None) -> Finished:
        """One `copilot -p` run, a new session unless the options say otherwise.

        Args:
            token_limit: the model's prompt budget in tokens; a small one makes the CLI compact.
        """
        environment = {**self.environment(), **self.offline(model)}
        if token_limit:
            environment["COPILOT_PROVIDER_MAX_PROMPT_TOKENS"] = str(token_limit)
        logs = ["--log-level", "all", "--log-dir", str(self.logs)]
        command = [str(self.cli), "--no-auto-update", "--allow-all-tools", *logs, *options, "-p", prompt]
        return _run(command, self.project, environment)

    def sessions(self) -> list[str]:
        """The ids of the CLI's sessions, oldest first."""
        logs = (self.copilot_home / "session-state").glob("*/events.jsonl")
        return sorted((log.parent.name for log in logs), key=lambda name: self.records(name)[0]["timestamp"])

    def hook_complaints(self) -> list[str]:
        """What the CLI logged about hooks as a warning or an error."""
        lines = [line for log in sorted(self.logs.iterdir()) for line in log.read_text("utf-8").splitlines()]
        return complaints(lines)

    def records(self, session: str) -> list[dict[str, Any]]:
        """All records of a session's `events.jsonl`."""
        path = self.copilot_home / "session-state" / session / "events.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _run(command: list[str], folder: Path, environment: Mapping[str, str]) -> Finished:
    start = time.monotonic()
    program = subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = program.communicate(timeout=RUN_LIMIT)
    except subprocess.TimeoutExpired:
        # The group, since the CLI's shells and loader are processes of their own.
        os.killpg(program.pid, signal.SIGKILL)
        output, _ = program.communicate()
        output += f"\n[ended after {RUN_LIMIT} s]"
    return Finished(program.returncode, time.monotonic() - start, output)
