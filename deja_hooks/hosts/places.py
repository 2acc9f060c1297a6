"""Where each host looks for files of ours, and whether the host is on this machine."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from deja_hooks.sources.places.roots import Root, existing
from deja_hooks.sources.places.user_folders import user_folders

__all__ = ["HOSTS", "TITLES", "copilot_home", "hook_files", "host_found", "own_file", "vscode_folders"]

#: What can be wired, in the order in which it is named to the user.
HOSTS = ("vscode", "copilot")
TITLES = {"vscode": "VS Code Copilot Chat", "copilot": "Copilot CLI"}

_FILE = "deja.json"
_PROGRAMS = {"vscode": ("code", "code-insiders", "codium", "code-server"), "copilot": ("copilot",)}
#: Folders below the home that a VS Code of some kind has made.
_VSCODE_HOMES = (".vscode", ".vscode-insiders", ".vscode-server", ".vscode-server-insiders", ".vscode-remote")
_VSCODE_NAMES = ("Code", "Code - Insiders", "VSCodium", "code-server")


def own_file(host: str, environment: Mapping[str, str], home: Path) -> Path:
    """The hook file that this host reads even where `COPILOT_HOME` points elsewhere."""
    folder = copilot_home(environment, home) if host == "copilot" else home / ".copilot"
    return folder / "hooks" / _FILE


def hook_files(hosts: tuple[str, ...], environment: Mapping[str, str], home: Path) -> list[Path]:
    """The hook files that serve these hosts.

    The CLI and the runtime behind VS Code's Copilot harness read `$COPILOT_HOME/hooks`; VS Code's Local
    harness reads the literal `~/.copilot/hooks`. With `COPILOT_HOME` elsewhere, VS Code needs both.
    """
    return _distinct([own_file(host, environment, home) for host in ("copilot", *hosts)])


def host_found(host: str, environment: Mapping[str, str], home: Path, platform: str) -> bool:
    """Whether the host has left something on this machine, or is on the PATH."""
    if any(shutil.which(program, path=environment.get("PATH", "")) for program in _PROGRAMS[host]):
        return True
    if host == "copilot":
        return (copilot_home(environment, home) / "session-state").is_dir()
    folders = [home / name for name in _VSCODE_HOMES]
    folders += [_settings_root(environment, home, platform) / name for name in _VSCODE_NAMES]
    folders.append(home / ".local" / "share" / "code-server")
    return any(folder.is_dir() for folder in folders) or bool(vscode_folders(environment, home, platform))


def copilot_home(environment: Mapping[str, str], home: Path) -> Path:
    """The CLI's own folder."""
    chosen = environment.get("COPILOT_HOME")
    return Path(chosen).expanduser().absolute() if chosen else home / ".copilot"


def vscode_folders(environment: Mapping[str, str], home: Path, platform: str) -> list[Path]:
    """The User folders of every VS Code that is here, and those of their profiles; each once."""
    users = [Root("vscode", folder) for folder in user_folders(environment, home, platform)]
    folders = []
    for user in existing(users):
        if user.path.is_dir():
            folders += [user.path, *_profiles(user.path)]
    return folders


def _profiles(folder: Path) -> list[Path]:
    try:
        return sorted(profile for profile in (folder / "profiles").iterdir() if profile.is_dir())
    except OSError:
        return []


def _distinct(paths: list[Path]) -> list[Path]:
    seen = {path.resolve(): path for path in reversed(paths)}
    return [path for path in dict.fromkeys(paths) if seen[path.resolve()] == path]


def _settings_root(environment: Mapping[str, str], home: Path, platform: str) -> Path:
    if platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    if platform == "darwin":
        return home / "Library" / "Application Support"
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
