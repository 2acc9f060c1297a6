"""What an edit tool's arguments say it changes.

Names and arguments: VS Code's (`replace_string_in_file` and its kin) and the CLI's, in both spellings of the
CLI's tool names; paths stay as the model wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from deja_hooks.sources.patch import patch_spans
from deja_hooks.sources.places.workspace import path_of_uri
from deja_hooks.tools import COMMAND_TOOLS, EDIT_TOOLS

__all__ = ["command_of", "named_paths", "spans"]

Span = tuple[str, str, str]

_PATH = ("path", "filePath", "file_path")
_OLD = ("old_str", "oldString", "old_string")
_NEW = ("new_str", "newString", "new_string", "file_text", "content", "code", "newCode")
#: A line that stands for code left as it is, in `insert_edit_into_file`.
_EXISTING = re.compile(r"^.*\.\.\.\s*existing code\s*\.\.\..*(?:\n|\Z)", re.MULTILINE | re.IGNORECASE)

#: Tools that change one file, named in their arguments.
_ONE_FILE = EDIT_TOOLS - {"multi_replace_string_in_file", "apply_patch"}


def spans(tool: str, arguments: Mapping[str, object]) -> list[Span]:
    """(path, text taken out, text put in) for each change that a call makes; none for other tools."""
    if tool in _ONE_FILE:
        return _span(tool, arguments)
    if tool == "multi_replace_string_in_file":
        parts = arguments.get("replacements")
        if not isinstance(parts, list):
            return []
        return [span for part in parts if isinstance(part, Mapping) for span in _span(tool, part)]
    if tool == "apply_patch":
        return patch_spans(_text(arguments, ("input", "patch")))
    return []


def command_of(arguments: Mapping[str, object]) -> str:
    """The command line of a command tool's arguments."""
    return _text(arguments, ("command",))


def named_paths(tool: str, arguments: Mapping[str, object]) -> tuple[str, ...]:
    """The files that a call concerns, each once: those it would change, else those that its arguments name."""
    changed = [path for path, _, _ in spans(tool, arguments)]
    if changed or tool in COMMAND_TOOLS:
        return tuple(dict.fromkeys(changed))
    named = [value for name in (*_PATH, "uri") if isinstance(value := arguments.get(name), str) and value]
    several = arguments.get("filePaths")
    if not named and isinstance(several, list):
        named = [value for value in several if isinstance(value, str) and value]
    paths = (path_of_uri(value) if "://" in value else value for value in named)
    return tuple(dict.fromkeys(path.replace("\0", "") for path in paths if path))


def _span(tool: str, arguments: Mapping[str, object]) -> list[Span]:
    path = _text(arguments, _PATH)
    if not path:
        return []
    new = _text(arguments, _NEW)
    if tool == "insert_edit_into_file":
        new = _EXISTING.sub("", new)
    return [(path, _text(arguments, _OLD), new)]


def _text(arguments: Mapping[str, object], names: tuple[str, ...]) -> str:
    for name in names:
        value = arguments.get(name)
        if isinstance(value, str):
            return value.replace("\0", "")
        if isinstance(value, list):  # a notebook cell's lines
            return _lines([line for line in value if isinstance(line, str)])
    return ""


def _lines(lines: list[str]) -> str:
    """The text of lines that each may or may not hold their own break (a notebook's file has both)."""
    whole = "\n".join(line.removesuffix("\n") for line in lines)
    return (whole + "\n" if lines and lines[-1].endswith("\n") else whole).replace("\0", "")
