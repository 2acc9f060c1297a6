"""The files that a chat names: URIs as VS Code writes them into JSON, alone or in a location or a symbol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

from deja_hooks.sources.places.workspace import folder_of_uri

__all__ = ["drawn_name", "linked_paths", "path_of"]

_LINK = re.compile(r"\]\(([A-Za-z][A-Za-z0-9+.-]{1,40}:[^)\s]{1,4096})\)")


def path_of(value: Any) -> str:
    """The path that a URI (its text or its parts), a location or a symbol names, as its machine writes it.

    "" for what is no file: other schemes than `file:` and `vscode-remote:`, and what is no URI at all.
    """
    value = _uri(value)
    if isinstance(value, str):
        return _path_of_text(value)
    if not isinstance(value, dict):
        return ""
    scheme, path, authority = value.get("scheme"), value.get("path"), value.get("authority")
    if not isinstance(scheme, str) or not isinstance(path, str):
        return ""
    return _path_of_parts(scheme, authority if isinstance(authority, str) else "", path)


def linked_paths(message: Any) -> Iterator[str]:
    """The files of a message about a tool: those of its `uris`, else those that its text links to."""
    if isinstance(message, dict):
        uris = message.get("uris")
        if isinstance(uris, dict) and uris:
            yield from (path for uri in uris if (path := path_of(uri)))
            return
        message = message.get("value")
    if isinstance(message, str):
        yield from (path for uri in _LINK.findall(message) if (path := path_of(uri)))


def drawn_name(part: dict[str, Any]) -> str:
    """What VS Code draws for an `inlineReference`, or for any part with a `uri`: the name that the part gives, the
    symbol's, or the file's base name."""
    reference = part.get("inlineReference", part.get("uri"))
    named = [part, reference] if isinstance(reference, dict) else [part]
    for each in named:
        name = each.get("name")
        if isinstance(name, str) and name:
            return name
    uri = _uri(reference)
    path = unquote(uri.split("#")[0]) if isinstance(uri, str) else uri.get("path") if isinstance(uri, dict) else ""
    return path.rstrip("/").rpartition("/")[2] if isinstance(path, str) else ""


def _uri(value: Any) -> Any:
    """The URI of a symbol's location, of a location, or the URI itself."""
    for key in ("location", "uri"):
        if isinstance(value, dict) and key in value:
            value = value[key]
    return value


@lru_cache(maxsize=4096)
def _path_of_text(uri: str) -> str:
    return folder_of_uri(uri).replace("\0", "")


@lru_cache(maxsize=4096)
def _path_of_parts(scheme: str, authority: str, path: str) -> str:
    if scheme not in ("file", "vscode-remote"):
        return ""
    encoded = (quote(part, safe="/:@+", errors="replace") for part in (authority, path))
    return _path_of_text(f"{scheme}://{''.join(encoded)}")
