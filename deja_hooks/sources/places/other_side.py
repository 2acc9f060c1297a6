"""The homes on the other side of WSL: Windows' as Linux sees them, Linux's as Windows sees them.

VS Code on Windows keeps the chats of its WSL windows on Windows, their transcripts in the distribution: a pass on
either side sees both. Looking must neither hang nor start anything, so other drives than C: (a drive may be a
dead network share) and distributions that don't run (opening a path in one boots it) are left alone;
`DEJA_COPILOT_ROOT` and `DEJA_COPILOT_CHAT_ROOTS` name what lies elsewhere.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

__all__ = ["names_in", "other_homes", "running_distributions"]

_WINDOWS_USERS = "/mnt/c/Users"
#: Folders there that are nobody's home.
_NOBODY = frozenset(("All Users", "Default", "Default User", "Public", "desktop.ini"))
#: How Windows names the distributions' files; builds before Windows 11 know the second name only.
_SHARES = ("\\\\wsl.localhost", "\\\\wsl$")
_LXSS = "Software\\Microsoft\\Windows\\CurrentVersion\\Lxss"


def running_distributions() -> tuple[str, ...]:
    """The names of this user's WSL distributions that run now; none where this isn't Windows.

    The registry says whether there are any (most machines have none: no process is started), `wsl.exe` which of
    them run.
    """
    if sys.platform != "win32":
        return ()
    known = _registered()
    return tuple(name for name in _running() if name in known) if known else ()


def other_homes(
    environment: Mapping[str, str],
    platform: str,
    distributions: Callable[[], tuple[str, ...]] = running_distributions,
    list_folder: Callable[[str], list[str]] = os.listdir,
) -> list[Path]:
    """The homes across WSL's border that can be listed; none where there is no border.

    Args:
        environment: environment variables; `WSL_DISTRO_NAME` says that this Linux runs in WSL.
        platform: as `sys.platform`.
        distributions: gives the names of the distributions to look into, on Windows.
        list_folder: as `os.listdir`.
    """
    if platform == "linux" and environment.get("WSL_DISTRO_NAME"):
        names = _names(_WINDOWS_USERS, list_folder) or []
        return [Path(_WINDOWS_USERS, name) for name in names if name not in _NOBODY]
    if platform == "win32":
        return [home for name in distributions() for home in _linux_homes(name, list_folder)]
    return []


def _linux_homes(distribution: str, list_folder: Callable[[str], list[str]]) -> list[Path]:
    for share in _SHARES:
        top = f"{share}\\{distribution}"
        names = _names(f"{top}\\home", list_folder)
        if names is not None:
            return [*(Path(f"{top}\\home\\{name}") for name in names), Path(f"{top}\\root")]
    return []


def _names(folder: str, list_folder: Callable[[str], list[str]]) -> list[str] | None:
    try:
        return sorted(list_folder(folder))
    except OSError:
        return None


def _registered() -> frozenset[str]:
    """The distributions that the registry holds for this user."""
    if sys.platform != "win32":
        return frozenset()
    import winreg

    found = []
    try:
        with winreg.OpenKey(winreg.HKEY_CURRENT_USER, _LXSS) as key:
            for index in range(winreg.QueryInfoKey(key)[0]):
                with winreg.OpenKey(key, winreg.EnumKey(key, index)) as each:
                    found.append(str(winreg.QueryValueEx(each, "DistributionName")[0]))
    except OSError:
        pass  # WSL isn't installed, or changes just now
    return frozenset(found)


def _running() -> list[str]:
    """What `wsl.exe` says is running; nothing where it can't say so at once."""
    import subprocess

    command = ["wsl.exe", "--list", "--running", "--quiet"]
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    try:
        done = subprocess.run(command, capture_output=True, timeout=3, check=False, creationflags=hidden)
    except (OSError, subprocess.SubprocessError):
        return []
    return names_in(done.stdout) if done.returncode == 0 else []


def names_in(output: bytes) -> list[str]:
    """The lines of `wsl.exe`'s output: UTF-16 as a rule, UTF-8 where `WSL_UTF8` is set."""
    text = output.decode("utf-16-le" if b"\0" in output else "utf-8", "replace")
    return [name for line in text.splitlines() if (name := line.strip().lstrip("\ufeff"))]
