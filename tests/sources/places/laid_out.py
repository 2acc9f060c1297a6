"""A User folder with a file in every place that VS Code has for chats, and beside them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from deja_hooks.sources.places.roots import PassedOver, Root, files

LINKS = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")


def found_in(root: Root, top: Path, passed: list[PassedOver] | None = None) -> list[tuple[str, str]]:
    return [(file.store, file.path.relative_to(top).as_posix()) for file in files(root, passed)]


TRANSCRIPTS = "GitHub.copilot-chat/transcripts"
USER = (
    f"workspaceStorage/2b/{TRANSCRIPTS}/t2.jsonl",
    f"workspaceStorage/1a/{TRANSCRIPTS}/t1.jsonl",
    "workspaceStorage/1a/chatSessions/c2.jsonl",
    "workspaceStorage/1a/chatSessions/c1.json",
    "workspaceStorage/no-workspace/chatSessions/old.json",
    "globalStorage/emptyWindowChatSessions/e1.jsonl",
    "globalStorage/emptyWindowChatSessions/e2.json",
    "globalStorage/transferredChatSessions/x1.json",
    # and what is nobody's session
    "workspaceStorage/1a/workspace.json",
    "workspaceStorage/1a/state.vscdb",
    "workspaceStorage/1a/chatEditingSessions/c1/state.json",
    "workspaceStorage/1a/chatSessions/c3.txt",
    f"workspaceStorage/1a/{TRANSCRIPTS}/t1.json",
    "globalStorage/github.copilot-chat/models.json",
    "globalStorage/storage.json",
    "settings.json",
)
FOUND = [
    ("vscode-transcript", f"workspaceStorage/1a/{TRANSCRIPTS}/t1.jsonl"),
    ("vscode-transcript", f"workspaceStorage/2b/{TRANSCRIPTS}/t2.jsonl"),
    ("vscode-chat", "workspaceStorage/1a/chatSessions/c1.json"),
    ("vscode-chat", "workspaceStorage/1a/chatSessions/c2.jsonl"),
    ("vscode-chat", "workspaceStorage/no-workspace/chatSessions/old.json"),
    ("vscode-chat", "globalStorage/emptyWindowChatSessions/e1.jsonl"),
    ("vscode-chat", "globalStorage/emptyWindowChatSessions/e2.json"),
    ("vscode-chat", "globalStorage/transferredChatSessions/x1.json"),
]
