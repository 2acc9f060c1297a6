"""Copilot CLI's `session-state/<id>/events.jsonl` (also written by VS Code's Copilot harness).

Seen in 1.0.24 to 1.0.102. Records of a sub-agent are in its parent's file and carry `agentId` or
`data.parentToolCallId`. A rewind rewrites the file in place: withdrawn turns are then not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from deja_hooks.sources.log import Entry, Log, read_log, spellings
from deja_hooks.sources.model import Chunk, Header
from deja_hooks.sources.text import epoch_ms, is_host_made, words

__all__ = ["HOST", "STORE", "read"]

HOST = "cli"
STORE = "cli-events"


def read(path: Path, start: int, header: Header | None, size_limit: int | None) -> Chunk:
    """Reads a CLI session's log; see `Reader`. The session is named by the file's folder."""
    if start == 0 or header is None:
        header = Header(path.parent.name, HOST, STORE, "", "", 0, "")
    return read_log(_CliLog(header), path, start, size_limit)


class _CliLog(Log):
    #: `system.message` alone (the host's prompt, 43 KB each) is four fifths of a real log.
    skip = spellings(
        "system.",
        "hook.",
        "permission.",
        "model.",
        "subagent.",
        "assistant.turn_",
        "session.usage_record",
        "session.model_change",
        "session.auto_mode_",
        "session.permissions_",
        "session.compaction_start",
    )

    handlers: Mapping[str, str] = {
        **Log.handlers,
        "session.resume": "on_resume",
        "session.context_changed": "on_context_changed",
        "session.shutdown": "on_shutdown",
        "session.compaction_complete": "on_compaction",
    }

    def started(self, entry: Entry) -> Header:
        data = entry.data
        cwd, branch = _place(data.get("context"))
        version = data.get("copilotVersion")
        return self.header._replace(
            cwd=cwd,
            branch=branch,
            started=epoch_ms(data.get("startTime")) or entry.at,
            version=version if isinstance(version, str) else "",
        )

    def is_users(self, entry: Entry) -> bool:
        """A source other than the user is an agent (`agent-<id>`), a skill or the system."""
        if _is_agents(entry) or entry.data.get("source") not in (None, "", "user"):
            return False
        content = entry.data.get("content")
        return not is_host_made(content if isinstance(content, str) else words(content))

    def is_sessions(self, entry: Entry) -> bool:
        return not _is_agents(entry)

    def on_resume(self, entry: Entry) -> None:
        self.give_up_calls()
        self.move(*_place(entry.data.get("context")))

    def on_context_changed(self, entry: Entry) -> None:
        self.move(*_place(entry.data))

    def on_shutdown(self, entry: Entry) -> None:
        self.give_up_calls()
        self.shutdown = True
        changes = entry.data.get("codeChanges")
        names = changes.get("filesModified") if isinstance(changes, dict) else None
        if isinstance(names, list):
            self.files_modified = tuple(name for name in names if isinstance(name, str))

    def on_compaction(self, entry: Entry) -> None:
        summary = words(entry.data.get("summaryContent"))
        if summary and entry.data.get("success") is not False:
            self.compactions.append((entry.at, summary))


def _is_agents(entry: Entry) -> bool:
    return bool(entry.record.get("agentId") or entry.data.get("parentToolCallId"))


def _place(context: object) -> tuple[str, str]:
    if not isinstance(context, dict):
        return "", ""
    cwd, branch = context.get("cwd"), context.get("branch")
    return cwd if isinstance(cwd, str) else "", branch if isinstance(branch, str) else ""
