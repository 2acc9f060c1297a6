"""An installation beside a large history: its indexer and its hooks as real processes, and how large they grow."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

from tests.benchmarks.corpus import Fact
from tests.benchmarks.installation import Installation
from tests.support.world import ENTRY

__all__ = ["Machine"]

_PEAK = Path(__file__).parent / "peak.py"
BARE = [sys.executable, "-I", "-S"]


class Machine:
    """One user's machine.

    Attributes:
        installation: of deja-hooks, without hook files: the commands are run as these name them.
    """

    def __init__(self, root: Path, copilot_home: Path) -> None:
        self.installation = Installation(root, copilot_home)
        self.layout = self.installation.layout
        (root / "home").mkdir(parents=True)
        Path(self.layout.cache).mkdir(parents=True, mode=0o700)
        self._peak = root / "peak"

    @property
    def indexer(self) -> list[str]:
        """The command by which hooks start the indexer."""
        script = ENTRY.parent.parent / "indexer" / "background.py"
        return [sys.executable, "-IS", str(script), self.layout.cache, self.layout.config]

    def index(self) -> int:
        """Has the background indexer make its passes; gives its largest memory in bytes.

        Raises:
            RuntimeError: it failed; says how.
        """
        Path(self.layout.index_wanted).touch()
        size, done = self._measured(self.indexer, b"")
        report = json.loads(Path(self.layout.index_report).read_text(encoding="utf-8"))
        if done.returncode or report["error"] or report["problems"]:
            raise RuntimeError(f"the indexer ended with {done.returncode}: {done.stderr!r}, {report}")
        return size

    def hook(self, event: str, **fields: Any) -> tuple[int, bytes]:
        """A call of the hook, of a session of its own; gives its largest memory in bytes, and what it printed.

        Raises:
            RuntimeError: it did not exit 0, or wrote to stderr.
        """
        payload = {"hook_event_name": event, "session_id": str(uuid.uuid4()), **fields}
        size, done = self._measured(self.hook_command(event), json.dumps(payload).encode())
        if done.returncode or done.stderr:
            raise RuntimeError(f"{event} ended with {done.returncode}: {done.stderr!r}")
        return size, done.stdout

    def hook_command(self, event: str) -> list[str]:
        """The command of an event."""
        return [*BARE, str(ENTRY), event, self.layout.cache, self.layout.config]

    def hooks(self, fact: Fact, transcript: Path) -> tuple[int, int]:
        """A call of each kind about what a session settled; gives the largest memory of any in bytes, and how many of
        those that had to answer did not.
        """
        # Nothing is started behind the calls: an indexer is at work already.
        Path(self.layout.index_claim).touch()
        place = {"cwd": str(fact.project)}
        edit = {"tool_name": "edit", "tool_input": {"path": str(fact.project / fact.file), "old_str": fact.topic}}
        failed = {"tool_name": "bash", "tool_input": {"command": fact.failing}}
        failed["tool_result"] = {"text_result_for_llm": f"{fact.error}\n<shellId: 1 completed with exit code 1>"}
        own = {**place, "session_id": fact.session, "transcript_path": str(transcript)}
        calls = [
            ("SessionStart", {**place, "source": "new"}, True),
            ("UserPromptSubmit", {**place, "prompt": f"what did we decide about {fact.topic}?"}, True),
            ("PreToolUse", {**place, **edit}, False),
            ("PostToolUse", {**place, **failed}, False),
            ("UserPromptSubmit", {**own, "prompt": "go on"}, False),
            ("PreCompact", {**own, "trigger": "auto"}, False),
            ("UserPromptSubmit", {**own, "prompt": "go on"}, False),
            ("Stop", own, False),
        ]
        largest = silent = 0
        for event, fields, speaks in calls:
            size, printed = self.hook(event, **fields)
            largest = max(largest, size)
            packet = json.loads(printed)["additionalContext"] if printed else ""
            silent += speaks and not packet
        return largest, silent

    def stored(self) -> tuple[int, int]:
        """How many sessions and turns are in the memory. Raises RuntimeError where a pass is unfinished."""
        with contextlib.closing(sqlite3.connect(self.layout.memory)) as db:
            if db.execute("SELECT count(*) FROM pass").fetchone()[0]:
                raise RuntimeError("the last pass did not end")
            sessions = db.execute("SELECT count(*) FROM session").fetchone()[0]
            return int(sessions), int(db.execute("SELECT count(*) FROM turn").fetchone()[0])

    def _measured(self, command: list[str], data: bytes) -> tuple[int, subprocess.CompletedProcess[bytes]]:
        done = subprocess.run(
            [*BARE, str(_PEAK), str(self._peak), *command],
            input=data,
            capture_output=True,
            env=self.installation.environment(),
            check=False,
        )
        return int(self._peak.read_text(encoding="ascii")), done
