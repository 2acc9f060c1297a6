"""The machine that is examined, as one value: so that any platform's can be examined in a test."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import deja_hooks
from deja_hooks.hosts.command import Program
from deja_hooks.memory.layout import Layout

__all__ = ["Machine"]


class Machine(NamedTuple):
    """What checks are made on.

    Attributes:
        layout: our folders.
        environment: environment variables.
        home: the user's home folder.
        platform: as `sys.platform`.
        executable: the interpreter that `install` would wire.
        now_ms: epoch ms.
        folders: the working directory, by each of its paths; none where it is gone.
    """

    layout: Layout
    environment: Mapping[str, str]
    home: Path
    platform: str
    executable: str
    now_ms: int
    folders: tuple[str, ...] = ()

    @property
    def program(self) -> Program:
        """What `install` would wire."""
        script = Path(deja_hooks.__file__).parent / "hook" / "entry.py"
        return Program(self.executable, str(script), self.layout.cache, self.layout.config)

    @property
    def copilot_home(self) -> Path:
        """Where Copilot CLI keeps what is its own."""
        named = self.environment.get("COPILOT_HOME")
        return Path(named).expanduser().absolute() if named else self.home / ".copilot"
