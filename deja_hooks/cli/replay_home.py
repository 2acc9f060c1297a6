"""The throwaway home of a replay: nothing of the user's is read or written.

A sample home holds what hosts would have left on disk, with `@HOME@` where its own path would stand.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from deja_hooks.hook.instant import epoch_ms
from deja_hooks.memory.layout import Layout
from deja_hooks.system import calls

__all__ = ["MARK", "ThrowawayHome", "throwaway_home"]

#: What stands for the home's path in payloads, transcripts and expected replies.
MARK = "@HOME@"
_TEXT_SUFFIXES = (".json", ".jsonl", ".yaml")
_TIME = re.compile(rb'"timestamp": ?"([^"]{1,40})"')
#: The time of files that tell none: 2000-01-01T00:00:00Z, in epoch ms.
_LONG_AGO_MS = 946_684_800_000
#: The user's own settings, which a replay must not depend on.
_UNSET = ("COPILOT_HOME", "DEJA_RECALL", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "APPDATA")


class ThrowawayHome:
    """A home that lasts for one replay.

    Attributes:
        path: the home folder.
        layout: our folders, beside the home.
        environment: what a hook in this home would see.
    """

    def __init__(self, root: Path) -> None:
        self.path = root / "home"
        self.path.mkdir()
        ours = root / "deja"
        self.layout = Layout(str(ours / "cache"), str(ours / "config"))
        kept = {name: value for name, value in os.environ.items() if name not in _UNSET}
        self.environment = {
            **kept,
            "HOME": str(self.path),
            "USERPROFILE": str(self.path),
            "DEJA_HOOKS_HOME": str(ours),
            "DEJA_COPILOT_ROOT": str(self.path / ".copilot" / "session-state"),
            "DEJA_COPILOT_CHAT_ROOTS": "",
        }
        self._escaped = json.dumps(str(self.path))[1:-1]

    def fill(self, sample: Path) -> None:
        """Copies the sample home and writes this home's path for every mark in it. Raises OSError.

        A log gets the time of its last record: the memory's order is then the same at every replay.
        """
        shutil.copytree(sample, self.path, dirs_exist_ok=True, copy_function=shutil.copyfile)
        for file in filter(Path.is_file, self.path.rglob("*")):
            content = file.read_bytes()
            if file.suffix in _TEXT_SUFFIXES:
                file.write_bytes(content.replace(MARK.encode(), self._escaped.encode()))
            times = _TIME.findall(content) if file.suffix == ".jsonl" else []
            last_ms = epoch_ms(times[-1].decode("ascii", "replace")) if times else 0
            set_time(file, last_ms or _LONG_AGO_MS)
        users = sorted({str(folder.parent) for folder in self.path.rglob("workspaceStorage")})
        self.environment["DEJA_COPILOT_CHAT_ROOTS"] = os.pathsep.join(users)

    def set_clock(self, session_id: str, now_ms: int) -> None:
        """Dates what a hook has stamped by the real clock (the turn in progress) by the replay's."""
        stamp = Path(self.layout.live(session_id)) if session_id else None
        if stamp is not None and stamp.is_file():
            set_time(stamp, now_ms)

    def with_path(self, text: str) -> str:
        """JSON text with this home's path for every mark."""
        return text.replace(MARK, self._escaped)

    def with_mark(self, text: str) -> str:
        """Text, JSON or plain, with the mark for this home's path."""
        return text.replace(self._escaped, MARK).replace(str(self.path), MARK)


def set_time(file: Path, at_ms: int) -> None:
    """Gives a file this time of change, epoch ms. Raises OSError."""
    os.utime(file, ns=(at_ms * 1_000_000, at_ms * 1_000_000))


@contextmanager
def throwaway_home(sample: Path | None) -> Iterator[ThrowawayHome]:
    """A home, filled from the sample if there is one, and the environment of this process set to it."""
    root = Path(tempfile.mkdtemp(prefix="deja-")).resolve()
    try:
        home = ThrowawayHome(root)
        if sample is not None:
            home.fill(sample)
        with _environment(home.environment):
            yield home
    finally:
        shutil.rmtree(root, ignore_errors=True)


@contextmanager
def _environment(environment: Mapping[str, str]) -> Iterator[None]:
    # Hooks read the variables that the process was started with, past `os.environ` (see `system`).
    hooks_see: dict[Any, Any] = calls.environ
    before, hooks_before = dict(os.environ), dict(hooks_see)
    try:
        _replace(os.environ, environment)
        _replace(hooks_see, environment if sys.platform == "win32" else _encoded(environment))
        yield
    finally:
        _replace(os.environ, before)
        _replace(hooks_see, hooks_before)


def _replace(target: MutableMapping[Any, Any], values: Mapping[Any, Any]) -> None:
    target.clear()
    target.update(values)


def _encoded(environment: Mapping[str, str]) -> dict[bytes, bytes]:
    return {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
