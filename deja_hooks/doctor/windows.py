"""VS Code's windows: whether it trusts this folder, and on which side of a remote window hooks run.

VS Code runs hooks only in trusted workspaces, user-level ones too. Which folders are trusted stands in
`globalStorage/state.vscdb` (SQLite: `ItemTable`, key `content.trust.model.key`), which is the host's: it is opened to
read. Hooks run where the extension host runs: in a remote window on the other machine, from that home's hook file.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from deja_hooks.doctor.finding import Finding, note, ok
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc
from deja_hooks.memory.scope import real_path
from deja_hooks.sources.places.workspace import path_of_uri

__all__ = ["check_remote", "check_trust"]

_TRUST, _REMOTE = "vscode-trust", "vscode-remote"
_KEY = "content.trust.model.key"
#: Workspaces of a VS Code that are looked at, the last used first.
_MOST = 200
_SERVER_FOLDERS = (".vscode-server", ".vscode-server-insiders", ".vscode-remote", ".vscodium-server")


def check_trust(user_folders: list[Path], folders: tuple[str, ...]) -> Iterator[Finding]:
    """Whether the working directory is trusted, in each VS Code that has had it open.

    Args:
        user_folders: VS Code's User folders that are there.
        folders: the working directory, by each of its paths.
    """
    paths = {real_path(folder) for folder in folders}
    for user in user_folders:
        opened = next((path for path in _local_workspaces(user) if _holds(path, paths)), None)
        if opened is None or _trust_is_off(user):
            continue
        trusted = _trusted(user / "globalStorage" / "state.vscdb")
        if trusted is None:
            continue
        if any(_holds(path, {opened}) for path in trusted):
            yield ok(_TRUST, opened, "VS Code trusts it")
        else:
            seen = f"the VS Code of {user} doesn't say that it trusts it: there it would call no hook"
            yield note(_TRUST, opened, seen, 'run "Workspaces: Manage Workspace Trust" in VS Code')


def check_remote(user_folders: list[Path], home: Path, environment_names: list[str]) -> Iterator[Finding]:
    """Remote windows that were opened from here, and whether this is the remote side of others.

    Args:
        user_folders: VS Code's User folders that are there.
        home: the user's home folder.
        environment_names: the names of the environment variables.
    """
    counted: dict[str, int] = {}
    for user in user_folders:
        for uri in _workspaces(user):
            side = _authority(uri)
            if side:
                counted[side] = counted.get(side, 0) + 1
    for side, number in sorted(counted.items()):
        seen = f"{number} {'workspace' if number == 1 else 'workspaces'} opened there: their hooks run on that side"
        yield note(_REMOTE, side, seen, "install deja-hooks there too")
    servers = [name for name in _SERVER_FOLDERS if (home / name).is_dir()]
    if servers or "WSL_DISTRO_NAME" in environment_names:
        what = f"~/{servers[0]}" if servers else "WSL"
        yield ok(_REMOTE, what, "remote windows of this machine run the hooks of this home")
    elif not counted:
        yield ok(_REMOTE, "remote windows", "none: hooks run on this machine")


def _workspaces(user: Path) -> Iterator[str]:
    """The URIs of the folders that this VS Code had open, the last used first."""
    found = []
    for path in (user / "workspaceStorage").glob("*/workspace.json"):
        try:
            found.append((path.stat().st_mtime, path))
        except OSError:
            continue
    for _, path in sorted(found, reverse=True)[:_MOST]:
        try:
            content = read_jsonc(path) or {}
        except JsoncError:
            continue
        uri = content.get("folder", content.get("workspace"))
        if isinstance(uri, str):
            yield uri


def _authority(uri: str) -> str:
    """The other machine that a folder's URI names, as `ssh-remote+host`; "" for one of this machine."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    return unquote(parts.netloc) if parts.scheme == "vscode-remote" else ""


def _local_workspaces(user: Path) -> Iterator[str]:
    for uri in _workspaces(user):
        path = "" if _authority(uri) else path_of_uri(uri)
        if path:
            yield real_path(path)


def _holds(folder: str, paths: set[str]) -> bool:
    top = folder.rstrip("/\\")
    return any(path == folder or path.startswith((f"{top}/", f"{top}\\")) for path in paths)


def _trust_is_off(user: Path) -> bool:
    try:
        return (read_jsonc(user / "settings.json") or {}).get("security.workspace.trust.enabled") is False
    except JsoncError:
        return False


def _trusted(store: Path) -> list[str] | None:
    """The folders that are trusted; None where the store doesn't say (a web client keeps it in the browser)."""
    try:
        if not store.is_file():
            return None
        # Where nothing waits beside it, `immutable` keeps SQLite from making any file there.
        waiting = any(store.with_name(store.name + end).exists() for end in ("-wal", "-journal"))
        uri = f"{store.resolve().as_uri()}?mode=ro" + ("" if waiting else "&immutable=1")
        with closing(sqlite3.connect(uri, uri=True, timeout=0.25)) as db:
            row = db.execute("SELECT value FROM ItemTable WHERE key=?", (_KEY,)).fetchone()
        entries: Any = json.loads(row[0])["uriTrustInfo"] if row else []
        return [real_path(path_of_uri(each["uri"])) for each in entries if each.get("trusted") is True]
    except (OSError, sqlite3.Error, ValueError, TypeError, LookupError, AttributeError):
        return None
