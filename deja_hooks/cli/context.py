"""What a command knows of the machine it runs on: read once here, passed on from here."""

import os
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deja_hooks.cli.errors import DejaError
from deja_hooks.memory.layout import Layout

__all__ = ["Here", "here", "layout_of", "working_folders"]

_NAME = "deja-hooks"


@dataclass(frozen=True)
class Here:
    """The machine, the user and the moment.

    Attributes:
        layout: our folders, absolute.
        environment: the environment variables.
        home: the user's home folder.
        platform: as `sys.platform`.
        executable: the interpreter that a new process of ours is started with.
        now_ms: the time of the call, milliseconds since the epoch.
    """

    layout: Layout
    environment: Mapping[str, str]
    home: Path
    platform: str
    executable: str
    now_ms: int


def here() -> Here:
    """The real machine, now."""
    return Here(
        layout=layout_of(os.environ),
        environment=dict(os.environ),
        home=Path.home(),
        platform=sys.platform,
        executable=sys.executable,
        now_ms=time.time_ns() // 1_000_000,
    )


def working_folders(environment: Mapping[str, str]) -> list[str]:
    """The working directory: its real path, then the path by which the shell knows it if that is another.

    A host that was started in a linked folder names either of them.
    """
    real = Path.cwd()
    shells = environment.get("PWD", "")
    try:
        same = bool(shells) and shells != str(real) and Path(shells).samefile(real)
    except OSError:
        same = False
    return [str(real), shells] if same else [str(real)]


def layout_of(environment: Mapping[str, str]) -> Layout:
    """Our folders: below `DEJA_HOOKS_HOME` where it is set, else where the platform keeps such things.

    Raises:
        DejaError: `DEJA_HOOKS_HOME` is relative: each hook, in its own folder, would take it for another one.
    """
    home = environment.get("DEJA_HOOKS_HOME")
    if home:
        root = Path(home)
        if not root.is_absolute():
            raise DejaError(f"DEJA_HOOKS_HOME is {home!r}: set it to an absolute path, or unset it.")
        return Layout(str(root / "cache"), str(root / "config"))
    from platformdirs import user_cache_dir, user_config_dir  # 25 ms, not needed above

    return Layout(user_cache_dir(_NAME, appauthor=False), user_config_dir(_NAME, appauthor=False))
