"""VS Code's `<User>/workspaceStorage/<id>/GitHub.copilot-chat/transcripts/<session id>.jsonl`.

Seen in Copilot Chat 0.37 to 0.67. There is no tool output and no folder in it, `success` is true for a
command or a replacement that failed, and a sub-agent's messages have no mark: its prompt is the text that a
pending `runSubagent` call gave it.
"""

from __future__ import annotations

from pathlib import Path

from deja_hooks.sources.lines import spellings
from deja_hooks.sources.logs.log import Entry, Log, read_log
from deja_hooks.sources.logs.turns import call_key
from deja_hooks.sources.model import Chunk, Header
from deja_hooks.sources.places.workspace import workspace_folder
from deja_hooks.sources.text import epoch_ms, is_host_made, words

__all__ = ["HOST", "STORE", "read"]

HOST = "vscode"
STORE = "vscode-transcript"


def read(path: Path, start: int, header: Header | None, size_limit: int | None) -> Chunk:
    """Reads a VS Code session's transcript; see `Reader`. The session is named by the file."""
    if start == 0 or header is None:
        cwd = workspace_folder(path.parent.parent.parent / "workspace.json")
        header = Header(path.stem, HOST, STORE, cwd, "", 0, "")
    return read_log(_TranscriptLog(header), path, start, size_limit)


class _TranscriptLog(Log):
    skip = spellings("assistant.turn_")
    unused = ("assistant.turn_",)

    def __init__(self, header: Header) -> None:
        super().__init__(header)
        self.agents: set[str] = set()

    def started(self, entry: Entry) -> Header:
        version = entry.data.get("copilotVersion")
        return self.header._replace(
            started=epoch_ms(entry.data.get("startTime")) or entry.at,
            version=version if isinstance(version, str) else "",
        )

    def is_users(self, entry: Entry) -> bool:
        content = entry.data.get("content")
        text = content if isinstance(content, str) else words(content)
        for call_id, prompt in self.prompts.items():
            if prompt and prompt == text:
                del self.prompts[call_id]
                self.agents.add(call_id)
                return False
        if is_host_made(text) or entry.record.get("agentId"):
            return False
        self.agents.clear()
        return True

    def is_sessions(self, entry: Entry) -> bool:
        return not self.agents and not entry.record.get("agentId")

    def on_tool_complete(self, entry: Entry) -> None:
        super().on_tool_complete(entry)
        self.agents.discard(call_key(entry.data.get("toolCallId")))
