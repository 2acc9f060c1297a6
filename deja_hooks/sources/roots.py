"""Where hosts keep sessions on this machine, and the files there.

Finding is pure (environment, home and platform are passed in) and names folders that may not exist; listing
takes whatever it meets: folders that vanish, links that loop, a folder named like a file.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from deja_hooks.sources.registry import FORMATS, Format

__all__ = ["Root", "SourceFile", "files", "find_roots"]

_DESKTOP = ("Code", "Code - Insiders", "VSCodium")
#: Folders of VS Code's server (remote windows, dev containers, Codespaces), below the home.
_SERVERS = (".vscode-server", ".vscode-server-insiders", ".vscode-remote")


class Root(NamedTuple):
    """A place where a host keeps sessions.

    Attributes:
        kind: "cli" or "vscode".
        path: a session-state folder; or a User folder, a workspaceStorage folder or one file.
    """

    kind: str
    path: Path


class SourceFile(NamedTuple):
    """A file that a host wrote, as found on disk; the numbers are those of `os.stat`."""

    path: Path
    store: str
    dev: int
    ino: int
    size: int
    mtime_ns: int


def find_roots(environment: Mapping[str, str], home: Path, platform: str) -> list[Root]:
    """The places to look in, whether or not they exist.

    `DEJA_COPILOT_ROOT` (session-state folders) and `DEJA_COPILOT_CHAT_ROOTS` (User or workspaceStorage
    folders, or single files), lists in the platform's spelling, each replace the places of their host.

    Args:
        environment: environment variables.
        home: the user's home folder.
        platform: as `sys.platform`.
    """
    separator = ";" if platform == "win32" else ":"
    cli = _listed(environment, "DEJA_COPILOT_ROOT", separator)
    if cli is None:
        copilot = environment.get("COPILOT_HOME", "")
        cli = [(Path(copilot) if copilot else home / ".copilot") / "session-state"]
    chats = _listed(environment, "DEJA_COPILOT_CHAT_ROOTS", separator)
    if chats is None:
        chats = _user_folders(environment, home, platform)
    return [*(Root("cli", path) for path in cli), *(Root("vscode", path) for path in chats)]


def files(root: Root) -> Iterator[SourceFile]:
    """The files of a root in the order of their names, each once though links lead to it twice."""
    seen: set[tuple[int, int]] = set()
    for each in FORMATS:
        if each.kind == root.kind:
            for folder in _session_folders(root):
                for found in _found(folder, each, 0):
                    if (found.dev, found.ino) not in seen:
                        seen.add((found.dev, found.ino))
                        yield found


def _listed(environment: Mapping[str, str], name: str, separator: str) -> list[Path] | None:
    value = environment.get(name, "")
    return [Path(part) for part in value.split(separator) if part] if value else None


def _user_folders(environment: Mapping[str, str], home: Path, platform: str) -> list[Path]:
    if platform == "win32":
        roaming = environment.get("APPDATA", "")
        base = Path(roaming) if roaming else home / "AppData" / "Roaming"
        return [base / name / "User" for name in _DESKTOP]
    if platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        config = environment.get("XDG_CONFIG_HOME", "")
        base = Path(config) if config else home / ".config"
    data = environment.get("XDG_DATA_HOME", "")
    share = Path(data) if data else home / ".local" / "share"
    servers = [home / name / "data" / "User" for name in _SERVERS]
    return [*(base / name / "User" for name in _DESKTOP), share / "code-server" / "User", *servers]


def _session_folders(root: Root) -> list[str]:
    """The folders (or the file) that formats' patterns begin at."""
    if root.kind == "cli" or root.path.name == "workspaceStorage" or root.path.is_file():
        return [str(root.path)]
    profiles = [path for path, _ in _listing(str(root.path / "profiles"))]
    return [f"{folder}{os.sep}workspaceStorage" for folder in (str(root.path), *profiles)]


def _found(place: str, format_: Format, depth: int) -> Iterator[SourceFile]:
    """The format's files below a place that lies `depth` steps down its pattern."""
    if depth == 0 and _is_itself(place, format_):
        yield from _file(place, format_.store)
        return
    step = format_.pattern[depth]
    last = depth == len(format_.pattern) - 1
    if not step.startswith("*"):
        inner = f"{place}{os.sep}{step}"
        yield from _file(inner, format_.store) if last else _found(inner, format_, depth + 1)
        return
    for path, name in _listing(place):
        if name.endswith(step[1:]):
            yield from _file(path, format_.store) if last else _found(path, format_, depth + 1)


def _is_itself(place: str, format_: Format) -> bool:
    """Whether a root is itself a file of the format, by its name and its folder's."""
    path = Path(place)
    return all(
        name.endswith(step[1:]) if step.startswith("*") else name == step
        for name, step in zip((path.parent.name, path.name), format_.pattern[-2:], strict=True)
    )


def _listing(folder: str) -> list[tuple[str, str]]:
    """(path, name) of what is in a folder, links last: a file that is there in person goes by that name."""
    try:
        with os.scandir(folder) as entries:
            found = [(entry.is_symlink(), entry.name, entry.path) for entry in entries]
    except (OSError, ValueError):
        return []
    return [(path, name) for _, name, path in sorted(found)]


def _file(place: str, store: str) -> Iterator[SourceFile]:
    path = Path(place)
    try:
        found = path.lstat()  # a link may lead anywhere
    except (OSError, ValueError):
        return
    if stat.S_ISREG(found.st_mode):
        yield SourceFile(path, store, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
