"""The folder that a VS Code workspace id stands for, and the paths that its URIs name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import orjson

from deja_hooks.sources.places.small import read_small

__all__ = [
    "Opened",
    "folder_of_uri",
    "opened_in",
    "path_of_uri",
    "uri_of_path",
    "workspace_folder",
    "workspace_problem",
]

_DRIVE = re.compile(r"/[A-Za-z]:(?:/|\Z)")
#: A string that is a path already.
_PATH = re.compile(r"[/\\]|[A-Za-z]:(?:[/\\]|\Z)")
#: Where a `workspace.json` names its folder; "configuration" is what older builds called "workspace".
_FOLDER_KEYS = ("folder", "workspace", "configuration")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,40}:")


class Opened(NamedTuple):
    """What a window had open: the URI of a folder, or of a workspace's file."""

    uri: str
    is_file: bool


def opened_in(path: Path) -> Opened | None:
    """What a `workspace.json` names, on whatever machine and of whatever scheme; None where it can't be told."""
    try:
        content = orjson.loads(read_small(path))
    except (OSError, ValueError):
        return None
    for key in _FOLDER_KEYS if isinstance(content, dict) else ():
        uri = _uri_in(content.get(key))
        if uri:
            return Opened(uri, key != "folder")
    return None


def workspace_folder(path: Path) -> str:
    """The folder, or the `.code-workspace` file, that a `workspace.json` names; "" where it can't be told."""
    try:
        content = orjson.loads(read_small(path))
    except (OSError, ValueError):
        return ""
    return _folder_in(content) if isinstance(content, dict) else ""


def workspace_problem(path: Path) -> str:
    """Why a `workspace.json` that is there names no folder; "" where it names one, or isn't there."""
    try:
        content = orjson.loads(read_small(path))
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, ValueError) as error:
        return "is no JSON" if isinstance(error, ValueError) else f"can't be read: {error.strerror or error}"
    if not isinstance(content, dict):
        return "is no JSON object"
    if _folder_in(content):
        return ""
    uris = [value for key in _FOLDER_KEYS if isinstance(value := content.get(key), str)]
    return f"names no folder of a file system ({uris[0].partition(':')[0][:40]}:)" if uris else "names no folder"


def folder_of_uri(uri: str) -> str:
    """The path that a `file:` or `vscode-remote:` URI names, as its machine writes it; "" for other schemes.

    `file:///c%3A/dev` is `c:\\dev`, `file://server/share` is `\\\\server\\share`; which machine a remote URI means
    (`wsl+Ubuntu`, `ssh-remote+host`, `dev-container+…`) is not part of the path.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    return _native(parts.scheme, unquote(parts.netloc), unquote(parts.path))


def path_of_uri(value: object) -> str:
    """The path that VS Code's JSON names: by a URI, by a URI object, or plainly; "" where it names none.

    A URI object is what VS Code's `URI.toJSON` writes: `{"$mid": 1, "fsPath", "external", "path", "scheme",
    "authority"?}`, of which `scheme` and `path` (not percent-encoded) are always there.
    """
    if isinstance(value, str):
        return value if _PATH.match(value) else folder_of_uri(value)
    if not isinstance(value, dict):
        return ""
    scheme, authority, path, external, native = (
        text if isinstance(text := value.get(key), str) else ""
        for key in ("scheme", "authority", "path", "external", "fsPath")
    )
    if scheme and path:
        return _native(scheme, authority, path)
    return folder_of_uri(external) if external else native


def uri_of_path(path: str) -> str:
    """The `file:` URI of an absolute path, of whatever machine; `folder_of_uri` gives the path again."""
    if path.startswith("\\\\"):
        return "file:" + quote(path.replace("\\", "/"), errors="surrogateescape")
    if _DRIVE.match("/" + path.replace("\\", "/")):
        return f"file:///{path[0]}:" + quote(path[2:].replace("\\", "/"), errors="surrogateescape")
    return "file://" + quote(path, errors="surrogateescape")


def _uri_in(value: object) -> str:
    if isinstance(value, str):
        return uri_of_path(value) if _PATH.match(value) else value if _SCHEME.match(value) else ""
    if not isinstance(value, dict):
        return ""
    external, scheme, authority, path = (value.get(key) for key in ("external", "scheme", "authority", "path"))
    if isinstance(external, str) and _SCHEME.match(external):
        return external
    if not isinstance(scheme, str) or not isinstance(path, str) or not _SCHEME.fullmatch(scheme + ":"):
        return ""
    host = quote(authority, safe="+", errors="replace") if isinstance(authority, str) else ""
    return f"{scheme}://{host}{quote(path, errors='replace')}"


def _folder_in(content: dict[str, Any]) -> str:
    return next((found for key in _FOLDER_KEYS if (found := path_of_uri(content.get(key)))), "")


def _native(scheme: str, authority: str, path: str) -> str:
    """A URI's decoded parts as a path of its machine."""
    if scheme == "file" and authority:
        return f"\\\\{authority}" + path.replace("/", "\\")
    if scheme not in ("file", "vscode-remote"):
        return ""
    if _DRIVE.match(path):
        return path[1:].replace("/", "\\")
    return path
