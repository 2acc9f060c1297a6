"""The files of a request of a chat: those it read or named, and what the editor put into files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from deja_hooks.sources.chats.values import mapping, mappings
from deja_hooks.sources.model import Written
from deja_hooks.sources.places.uris import linked_paths, path_of

__all__ = ["named_files", "written_in"]

_READ_FILE = "copilot_readFile"
#: Attachments that name no file of the user's own choice: folders, and instructions that VS Code adds.
_NO_FILES = frozenset(("directory", "promptFile", "promptText", "workspace"))


def named_files(request: dict[str, Any], parts: Iterable[Any]) -> Iterator[str]:
    """The files that the user attached, that tools found or read, and that the answer refers to; some repeatedly."""
    for variable in mappings(mapping(request.get("variableData")).get("variables")):
        if variable.get("kind") not in _NO_FILES:
            yield path_of(variable.get("value"))
    for part in parts:
        kind = part.get("kind") if isinstance(part, dict) else None
        if kind == "inlineReference":
            yield path_of(part.get("inlineReference"))
        elif kind == "toolInvocationSerialized":
            yield from _found(part)


def written_in(parts: Iterable[Any]) -> Iterator[Written]:
    """What edits put into files, from the groups of text edits in the answer (a notebook's cells included)."""
    for part in parts:
        if isinstance(part, dict) and part.get("kind") in ("textEditGroup", "notebookEditGroup"):
            path = path_of(part.get("uri"))
            for text in _inserted(part.get("edits")) if path else ():
                if text.strip():
                    yield Written(path, text)


def _found(part: dict[str, Any]) -> Iterator[str]:
    details = part.get("resultDetails")
    if isinstance(details, list):
        yield from (path_of(each) for each in details)
    if part.get("toolId") == _READ_FILE:
        paths = list(linked_paths(part.get("pastTenseMessage")))
        yield from paths or linked_paths(part.get("invocationMessage"))


def _inserted(edits: Any) -> Iterator[str]:
    """The texts of a group's edits, which come in batches."""
    for batch in edits if isinstance(edits, list) else ():
        for edit in mappings(batch if isinstance(batch, list) else [batch]):
            text = edit.get("text", mapping(edit.get("edit")).get("text"))
            if isinstance(text, str):
                yield text.replace("\0", "")
