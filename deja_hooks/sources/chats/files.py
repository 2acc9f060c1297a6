"""The files of a request of a chat: those it read or named, and what the editor did to files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from deja_hooks.sources.chats.values import mapping, mappings, text
from deja_hooks.sources.model import Work, Written
from deja_hooks.sources.places.uris import linked_paths, path_of

__all__ = ["edited_unasked", "named_files", "written_in"]

_READ_FILE = "copilot_readFile"
#: Attachments that name no file of the user's own choice: folders, and instructions that VS Code adds.
_NO_FILES = frozenset(("directory", "promptFile", "promptText", "workspace"))


def named_files(request: dict[str, Any], parts: Iterable[Any]) -> Iterator[str]:
    """The files that the user attached, that tools found or read, and that the answer refers to; some repeatedly."""
    for variable in mappings(mapping(request.get("variableData")).get("variables")):
        if text(variable.get("kind")) not in _NO_FILES:
            yield path_of(variable.get("value"))
    for part in parts:
        kind = part.get("kind") if isinstance(part, dict) else None
        if kind == "inlineReference":
            yield path_of(part.get("inlineReference"))
        elif kind == "toolInvocationSerialized":
            yield from _found(part)


def written_in(parts: Iterable[Any]) -> Iterator[Written]:
    """What edits put into files, from the groups of text edits in the answer (a notebook's cells included)."""
    return (Written(path, put) for path, put in _edits(parts) if put.strip())


def edited_unasked(parts: Iterable[Any], work: Iterable[Work], at: int) -> list[Work]:
    """The files that the editor changed without an edit among the request's work that says so: as long as the request
    is in progress, where it was cancelled, and where a tool of VS Code's own or a sub-agent made the change.

    What was taken out isn't known then; what was put in is told as the editor did it, piece below piece.
    """
    known = {_key(each.path) for each in work if each.kind == "edit"}
    found: dict[str, list[str]] = {}
    for path, inserted in _edits(parts):
        if _key(path) not in known:
            found.setdefault(path, []).append(inserted)
    return [Work("edit", at, "", path, "", _joined(texts), "", None, "", "") for path, texts in found.items()]


def _key(path: str) -> str:
    """A path for comparing: models and VS Code write Windows' ones differently."""
    return path.replace("\\", "/").lower() if path[1:2] == ":" else path


def _joined(texts: list[str]) -> str:
    return "".join(text if text.endswith("\n") or not text else text + "\n" for text in texts)


def _edits(parts: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """File and inserted text of each edit."""
    for part in parts:
        if isinstance(part, dict) and part.get("kind") in ("textEditGroup", "notebookEditGroup"):
            path = path_of(part.get("uri"))
            if path:
                yield from ((path, text) for text in _inserted(part.get("edits")))


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
