"""The folder that a VS Code workspace id stands for."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import orjson

__all__ = ["folder_of_uri", "workspace_folder"]

_DRIVE = re.compile(r"/[A-Za-z]:(?:/|\Z)")


def workspace_folder(path: Path) -> str:
    """The folder, or the `.code-workspace` file, that a `workspace.json` names; "" where it can't be told."""
    try:
        content = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return ""
    if not isinstance(content, dict):
        return ""
    for key in ("folder", "workspace", "configuration"):
        uri = content.get(key)
        if isinstance(uri, str) and uri:
            return folder_of_uri(uri)
    return ""


def folder_of_uri(uri: str) -> str:
    """The path that a `file:` or `vscode-remote:` URI names, as its machine writes it; "" for other schemes.

    `file:///c%3A/dev` is `c:\\dev`, `file://server/share` is `\\\\server\\share`.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return ""
    path = unquote(parts.path)
    if parts.scheme == "file" and parts.netloc:
        return "\\\\" + unquote(parts.netloc) + path.replace("/", "\\")
    if parts.scheme not in ("file", "vscode-remote"):
        return ""
    if _DRIVE.match(path):
        return path[1:].replace("/", "\\")
    return path
