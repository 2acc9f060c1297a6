"""The User folders that VS Code and its kin are known to keep, by operating system.

Names of folders only: nothing here looks at a disk, and most of them won't exist.
Sources: VS Code's documentation (settings, portable mode, remote development) and its `userDataPath.ts`
(`VSCODE_PORTABLE`, `VSCODE_APPDATA`), VSCodium's and code-server's documentation, the applications' ids on Flathub.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

__all__ = ["user_folders"]

_DESKTOP = ("Code", "Code - Insiders", "VSCodium", "VSCodium - Insiders", "Code - OSS")
#: Folders of the server (remote windows, WSL, dev containers, Codespaces), below the home it runs in.
_SERVERS = (
    ".vscode-server",
    ".vscode-server-insiders",
    ".vscode-server-oss",
    ".vscode-remote",
    ".vscodium-server",
    ".vscodium-server-insiders",
)
#: Packages that keep their configuration in a folder of their own, below the home.
_PACKAGED = (
    ".var/app/com.visualstudio.code/config/Code",
    ".var/app/com.visualstudio.code.insiders/config/Code - Insiders",
    ".var/app/com.visualstudio.code-oss/config/Code - OSS",
    ".var/app/com.vscodium.codium/config/VSCodium",
    ".var/app/com.vscodium.codium-insiders/config/VSCodium - Insiders",
    "snap/code/current/.config/Code",
    "snap/code-insiders/current/.config/Code - Insiders",
    "snap/codium/current/.config/VSCodium",
)


def user_folders(environment: Mapping[str, str], home: Path, platform: str) -> list[Path]:
    """The User folders of a home, whether or not they exist, those that the environment names first.

    A folder that the environment moves (`XDG_CONFIG_HOME`, `XDG_DATA_HOME`) is looked for in the usual place too:
    the shell that starts us need not have the environment of the desktop that started VS Code.

    Args:
        environment: environment variables, as VS Code's terminals pass them on.
        home: the user's home folder.
        platform: as `sys.platform`.
    """
    folders = []
    if portable := environment.get("VSCODE_PORTABLE", ""):
        folders.append(Path(portable) / "user-data")
    folders += [base / name for base in _bases(environment, home, platform) for name in _DESKTOP]
    if platform != "win32":
        folders += [base / "code-server" for base in _moved(environment, "XDG_DATA_HOME", home / ".local" / "share")]
    if platform.startswith("linux"):
        folders += [home / name for name in _PACKAGED]
    servers = [home / name for name in _SERVERS]
    if agent := environment.get("VSCODE_AGENT_FOLDER", ""):
        servers.insert(0, Path(agent))
    folders += [server / "data" for server in servers]
    return [folder / "User" for folder in dict.fromkeys(folders)]


def _bases(environment: Mapping[str, str], home: Path, platform: str) -> list[Path]:
    """The folders in which each desktop application has one by its name."""
    named = environment.get("VSCODE_APPDATA", "")
    first = [Path(named)] if named else []
    if platform == "win32":
        roaming = environment.get("APPDATA", "")
        return [*first, Path(roaming) if roaming else home / "AppData" / "Roaming"]
    if platform == "darwin":
        return [*first, home / "Library" / "Application Support"]
    return [*first, *_moved(environment, "XDG_CONFIG_HOME", home / ".config")]


def _moved(environment: Mapping[str, str], name: str, usual: Path) -> list[Path]:
    value = environment.get(name, "")
    return [Path(value), usual] if value else [usual]
