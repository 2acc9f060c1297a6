"""What an edit tool's arguments say it changes.

Names and arguments: VS Code's (`replace_string_in_file` and its kin) and the CLI's, in both spellings of the
CLI's tool names; paths stay as the model wrote them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from deja_hooks.sources.patch import patch_spans
from deja_hooks.tools import EDIT_TOOLS

__all__ = ["command_of", "spans"]

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
            return "\n".join(line for line in value if isinstance(line, str))
    return ""
