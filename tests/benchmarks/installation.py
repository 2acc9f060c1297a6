"""deja-hooks installed beside a corpus, with homes of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from deja_hooks.memory.layout import Layout

from .processes import Cost, measure

__all__ = ["Installation"]


@dataclass(frozen=True)
class Installation:
    """An installation that sees one Copilot home and nothing else of this machine.

    Attributes:
        root: folder of its homes.
        copilot_home: where the sessions are.
    """

    root: Path
    copilot_home: Path

    @property
    def layout(self) -> Layout:
        """Where its databases lie."""
        home = self.root / "deja"
        return Layout(str(home / "cache"), str(home / "config"))

    @property
    def user(self) -> Path:
        """VS Code's User folder."""
        return self.root / "home" / ".config" / "Code" / "User"

    def environment(self) -> dict[str, str]:
        """What its programs get."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.root / "home"),
            "COPILOT_HOME": str(self.copilot_home),
            "DEJA_HOOKS_HOME": str(self.root / "deja"),
            "LANG": "C.UTF-8",
        }

    def install(self) -> dict[str, str]:
        """Installs the hooks, without indexing; gives the shell command of each event."""
        (self.root / "home").mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "deja_hooks", "install", "copilot", "--no-index"]
        subprocess.run(
            command, cwd=self.root, env=self.environment(), check=True, stdout=subprocess.DEVNULL, timeout=60
        )
        hook_file = json.loads((self.copilot_home / "hooks" / "deja.json").read_text(encoding="utf-8"))
        return {event: entries[0]["bash"] for event, entries in hook_file["hooks"].items()}

    def index(self) -> Cost:
        """The whole process of `deja-hooks index`."""
        return measure([sys.executable, "-m", "deja_hooks", "index", "--json"], self.root, self.environment())

    def index_in_background(self) -> Cost:
        """The whole process of the background indexer, its wait for more work included."""
        program = [sys.executable, "-I", "-m", "deja_hooks.indexer.background"]
        command = [*program, self.layout.cache, self.layout.config]
        Path(self.layout.index_wanted).touch()  # as a hook does: unasked it does nothing
        return measure(command, self.root, self.environment())

    def wait_for_indexer(self, limit: float = 30.0) -> None:
        """Waits until no indexer is at work. Raises TimeoutError, with its report, after so many seconds."""
        end = time.monotonic() + limit
        while Path(self.layout.index_claim).exists():
            if time.monotonic() > end:
                report = Path(self.layout.index_report)
                said = report.read_text(encoding="utf-8") if report.exists() else "nothing"
                raise TimeoutError(f"an indexer is still at work after {limit} s; it reported {said}")
            time.sleep(0.02)

    def database_size(self) -> int:
        """Bytes of the memory, its write-ahead log included."""
        memory = Path(self.layout.memory)
        return sum(path.stat().st_size for path in memory.parent.glob(memory.name + "*"))
