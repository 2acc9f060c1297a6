"""The formats that can be read, and where the files of each lie below a root.

A new format is one module with `read`, and one entry here. Readers are imported when the first file of their
format is read: a pass that finds nothing new needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from deja_hooks.sources.model import Reader

__all__ = ["FORMATS", "Format", "reader_for"]


class Format(NamedTuple):
    """A kind of file that a host writes.

    Attributes:
        store: its name, as in `Header.store`.
        kind: the kind of root it lies under: "cli" (a session-state folder) or "vscode" (a User folder).
        module: the reader's module.
        folders: the folders of its files below the root, "/" between steps, "*" for any one folder.
        names: the files' names there: a name, or "*" and a suffix. Where two suffixes fit files of one stem,
            the file with the earlier suffix counts.
    """

    store: str
    kind: str
    module: str
    folders: tuple[str, ...]
    names: tuple[str, ...]


#: The folders with a VS Code window's chats: of a folder or workspace (an empty window of older builds has the id
#: "no-workspace"), of empty windows, of chats on their way into another window (VS Code's `chatSessionStore.ts`).
_CHATS = (
    "workspaceStorage/*/chatSessions",
    "globalStorage/emptyWindowChatSessions",
    "globalStorage/transferredChatSessions",
)
_TRANSCRIPTS = ("workspaceStorage/*/GitHub.copilot-chat/transcripts",)

FORMATS = (
    Format("cli-events", "cli", "deja_hooks.sources.logs.cli_events", ("*",), ("events.jsonl",)),
    Format("vscode-transcript", "vscode", "deja_hooks.sources.logs.vscode_transcript", _TRANSCRIPTS, ("*.jsonl",)),
    Format("vscode-chat", "vscode", "deja_hooks.sources.chats.session", _CHATS, ("*.jsonl", "*.json")),
)


def reader_for(store: str) -> Reader:
    """The reader of a format. Raises KeyError where the format is unknown."""
    modules = {each.store: each.module for each in FORMATS}
    return cast("Reader", import_module(modules[store]).read)
