"""What was said in a request of a chat: by the user, and by the agent as VS Code draws it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from deja_hooks.sources.chats.values import mapping, mappings, text
from deja_hooks.sources.places.uris import drawn_name
from deja_hooks.sources.text import is_host_made, words

__all__ = ["KNOWN_KINDS", "answer", "is_withdrawn", "question", "shown_parts"]

#: Kinds of response parts that say nothing: what VS Code shows around the speech, and what other modules read.
_CHROME = frozenset(
    """autoModeResolution clearToPreviousToolInvocation codeCitation command confirmation disabledClaudeHooks
    elicitation elicitation2 elicitationSerialized extensions externalEdit externalEdits hook info
    mcpAuthenticationRequired mcpServersStarting mcpServersStartingSlow move multiDiffData notebookEdit
    notebookEditGroup planReview prepareToolInvocation progressMessage progressTask progressTaskResult
    progressTaskSerialized pullRequest questionCarousel reference systemNotification textEdit textEditGroup thinking
    toolInvocation toolInvocationSerialized treeData undoStop usedContext voiceProgress warning
    workspaceEdit""".split()
)
_SPOKEN = frozenset(("codeblockUri", "inlineReference", "markdownContent", "markdownVuln"))
#: Kinds of response parts that are known.
KNOWN_KINDS = _CHROME | _SPOKEN

#: Between messages, and around the name of a file that a code block is for. No text holds a NUL after `_clean`.
_BREAK = "\0\0"
_MARK = "\0"
#: A code fence with nothing in it but the mark of a file.
_FENCED = re.compile(
    r"(?:\n|\A)[ \t]*(`{3,16}|~{3,16})[^`\0\n]{0,80}\n(?:\s|\0\0)*\0([^\0\n]+)\0(?:\s|\0\0)*\n[ \t]*\1[ \t]*(?=\n|\Z)"
)
_MARKED = re.compile(r"\0[^\0\n]*\0")


def is_withdrawn(request: dict[str, Any]) -> bool:
    """Whether the user took the request back (`isHidden` in older builds), all of it."""
    removed = request.get("shouldBeRemovedOnSend")
    return bool(request.get("isHidden")) or (bool(removed) and not mapping(removed).get("afterUndoStop"))


def shown_parts(request: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """The parts of the answer, and those that the user took back (all after an undo stop)."""
    response = request.get("response")
    parts = response if isinstance(response, list) else [response]
    stop = mapping(request.get("shouldBeRemovedOnSend")).get("afterUndoStop")
    if stop:
        for place, part in enumerate(parts):
            if isinstance(part, dict) and part.get("kind") == "undoStop" and part.get("id") == stop:
                return parts[:place], parts[place:]
    return parts, []


def question(request: dict[str, Any]) -> str:
    """The user's words; "" where the host made the request, or where it is the answer to a confirmation."""
    hidden = request.get("hiddenFromTranscript") or request.get("requestHiddenFromTranscript")
    if hidden or request.get("isSystemInitiated") or request.get("requestSource") or request.get("confirmation"):
        return ""
    message = request.get("message")
    if isinstance(message, dict):
        parts = mappings(message.get("parts"))
        message = message.get("text") or "".join(text(part.get("text")) for part in parts)
    said = words(message)
    return "" if is_host_made(said) else said


def answer(parts: Iterable[Any]) -> str:
    """What the agent said: its messages, joined by a blank line; a tool call ends a message.

    A code fence around the edit of a file becomes the file's name on its own line, as VS Code draws it.
    """
    said = "".join(_spoken(part) for part in parts)
    if _MARK in said:
        said = _FENCED.sub(r"\n\2", said)
        messages = [_MARKED.sub("", message) for message in said.split(_BREAK)]
        return "\n\n".join(message for each in messages if (message := words(each)))
    return words(said)


def _spoken(part: Any) -> str:
    if isinstance(part, str):
        return _clean(part)
    if not isinstance(part, dict):
        return ""
    kind = part.get("kind")
    if kind is None:
        return _clean(part.get("value"))
    if kind == "toolInvocationSerialized":
        return _BREAK
    if kind == "inlineReference":
        return _clean(drawn_name(part))
    if kind == "codeblockUri":
        name = _clean(drawn_name(part)).replace("\n", " ")
        return f"{_MARK}{name}{_MARK}" if name else ""
    if kind in ("markdownContent", "markdownVuln"):
        content = part.get("content")
        return _clean(content.get("value") if isinstance(content, dict) else content)
    return ""


def _clean(value: Any) -> str:
    return value.replace("\0", "") if isinstance(value, str) else ""
