"""What a tool answered: the text of a `toolCallResults` entry, and whether it says that the tool failed."""

from __future__ import annotations

from typing import Any

from deja_hooks.sources.chats.values import mapping, mappings
from deja_hooks.sources.text import without_injected
from deja_hooks.tools import EDIT_TOOLS

__all__ = ["has_failed", "result_text"]

#: How an edit tool's result begins where nothing was edited.
_FAILED_EDIT = ("ERROR", "Applying patch failed", "String replacement failed")
#: How the result ends that Copilot writes for a tool that threw, that is disabled or that doesn't exist. (A file
#: or a search may begin with "ERROR" too.)
_ADVICE = "Please check your input and try again."


def result_text(result: Any) -> str:
    """The text of a tool's result, without what hooks added to it.

    Its parts hold text (`value` a string) or a tree of prompt elements (`value.node`), whose leaves hold it.
    """
    found: list[str] = []
    for part in mappings(mapping(result).get("content")):
        value = part.get("value")
        if isinstance(value, dict):
            value = _leaves(value.get("node"))
        if isinstance(value, str) and value:
            found.append(value)
    return without_injected("\n".join(found).replace("\0", ""))


def has_failed(tool: str, output: str) -> bool:
    """Whether a result says that the tool did nothing."""
    if tool in EDIT_TOOLS:
        return output.lstrip().startswith(_FAILED_EDIT)
    return output.lstrip().startswith("ERROR") and output.rstrip().endswith(_ADVICE)


def _leaves(node: Any) -> str:
    """The text of a tree's leaves, in order. Not recursive: a tree may be as deep as the parser allows."""
    found: list[str] = []
    waiting = [node]
    while waiting:
        node = waiting.pop()
        if not isinstance(node, dict):
            continue
        text = node.get("text")
        if isinstance(text, str):
            if node.get("lineBreakBefore") and found and not found[-1].endswith("\n"):
                found.append("\n")
            found.append(text)
        children = node.get("children")
        if isinstance(children, list):
            waiting.extend(reversed(children))
    return "".join(found)
