"""Where a VS Code chat's file lies, and what that says: which build keeps it, which profile, which window.

The memory keeps the paths of the files that a session was read from, and nothing more is needed: VS Code's folders
name all three. Nothing here looks at a disk but `profile_name`.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import NamedTuple

import orjson

from deja_hooks.sources.places.small import read_small
from deja_hooks.sources.places.workspace import path_of_uri

__all__ = ["ANY_BUILD", "Build", "Origin", "build_of", "origin_of", "profile_name"]

#: What older builds called the workspace of a window without a folder.
_NO_WORKSPACE = "no-workspace"
#: `storage.json` also holds the windows that were open; far less than this.
_STORAGE_LIMIT = 16 << 20


class Build(NamedTuple):
    """A build of VS Code or of its kin.

    Attributes:
        name: what a person calls it.
        programs: the names of its program on the `PATH`, the usual one first.
    """

    name: str
    programs: tuple[str, ...]


class Origin(NamedTuple):
    """The place of a chat's file.

    Attributes:
        user: the User folder, as text.
        profile: the id of the profile whose folder it lies in; "" for the default one.
        window: "folder" (a window with a folder or workspace), "empty" (one without), "moving" (on the way from one
            window into another).
        workspace: the path of the `workspace.json` that names the folder; "" where the window has none.
    """

    user: str
    profile: str
    window: str
    workspace: str


ANY_BUILD = Build("VS Code", ("code", "code-insiders", "codium", "code-server"))

_CODE = Build("VS Code", ("code",))
_INSIDERS = Build("VS Code Insiders", ("code-insiders",))
_CODIUM = Build("VSCodium", ("codium",))
_CODIUM_INSIDERS = Build("VSCodium Insiders", ("codium-insiders",))
_OSS = Build("Code - OSS", ("code-oss",))
#: The folder above a User folder (above its `data` for a server) → the build. See `user_folders`.
_BUILDS = {
    "Code": _CODE,
    "Code - Insiders": _INSIDERS,
    "VSCodium": _CODIUM,
    "VSCodium - Insiders": _CODIUM_INSIDERS,
    "Code - OSS": _OSS,
    "code-server": Build("code-server", ("code-server",)),
    ".vscode-server": _CODE,
    ".vscode-server-insiders": _INSIDERS,
    ".vscode-server-oss": _OSS,
    ".vscode-remote": _CODE,
    ".vscodium-server": _CODIUM,
    ".vscodium-server-insiders": _CODIUM_INSIDERS,
}


def origin_of(file: PurePath) -> Origin | None:
    """The place of a chat or a transcript; None where VS Code keeps none there (a copy, say)."""
    for storage in file.parents:
        if storage.name in ("workspaceStorage", "globalStorage"):
            break
    else:
        return None
    user, profile = storage.parent, ""
    if user.parent.name == "profiles":
        user, profile = user.parent.parent, user.name
    steps = file.relative_to(storage).parts
    if storage.name == "workspaceStorage":
        if steps[0] == _NO_WORKSPACE:
            return Origin(str(user), profile, "empty", "")
        return Origin(str(user), profile, "folder", str(storage / steps[0] / "workspace.json"))
    window = {"emptyWindowChatSessions": "empty", "transferredChatSessions": "moving"}.get(steps[0])
    return Origin(str(user), profile, window, "") if window else None


def build_of(user: PurePath) -> Build:
    """The build that a User folder belongs to; `ANY_BUILD` where its name doesn't say (a portable one)."""
    above = user.parent
    build = _BUILDS.get(above.parent.name if above.name == "data" else above.name, ANY_BUILD)
    parts = above.parts
    if ".var" in parts[:-3] and parts[parts.index(".var") + 1] == "app":  # Flatpak names a program by its application
        return Build(build.name, (parts[parts.index(".var") + 2], *build.programs))
    return build


def profile_name(user: Path, profile: str) -> str:
    """The name of the profile with this id; "" where `storage.json` doesn't say."""
    try:
        storage = orjson.loads(read_small(user / "globalStorage" / "storage.json", _STORAGE_LIMIT))
    except (OSError, ValueError):
        return ""
    known = storage.get("userDataProfiles") if isinstance(storage, dict) else None
    for each in known if isinstance(known, list) else ():
        if isinstance(each, dict) and _id(each.get("location")) == profile:
            name = each.get("name")
            return name if isinstance(name, str) and "\0" not in name else ""
    return ""


def _id(location: object) -> str:
    """The name of a profile's folder; earlier builds wrote the folder's URI."""
    path = path_of_uri(location) if isinstance(location, dict) else location
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] if isinstance(path, str) else ""
