"""Copilot CLI's `session-state/<id>/events.jsonl` (also written by VS Code's Copilot harness).

Seen in 1.0.24 to 1.0.102. Records of a sub-agent are in its parent's file and carry `agentId` or
`data.parentToolCallId`. A rewind rewrites the file in place: withdrawn turns are then not in it.

Not seen, and taken as the CLI's SDK and public parsers have them: `session.snapshot_rewind` (`upToEventId`: that
event and all after it are gone), `session.title_changed`, `session.task_complete` (`summary`: an autopilot's last
words), `tool.user_requested`, `abort`, `assistant.message_delta` (`deltaContent`: a message while it is being
said; the message itself follows, unless the process ended), `assistant.usage`, `session.import_legacy` (a chat
from before there were events). Of messages in chunks only `chunkIndex` 0 of 1 was seen; further ones are taken to
go on where the last one ended. A `session.context_cleared` or `session.truncation` drops what the model sees, not
what was said.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deja_hooks.sources.lines import spellings
from deja_hooks.sources.logs import cli_usage
from deja_hooks.sources.logs.log import Entry, Log, read_log
from deja_hooks.sources.logs.turns import Call, OpenTurn, as_arguments, is_status, result_text
from deja_hooks.sources.model import Chunk, Header, Turn, Usage
from deja_hooks.sources.text import (
    epoch_ms,
    is_host_made,
    split_background,
    split_exit,
    spoken,
    without_injected,
    words,
)

__all__ = ["HOST", "STORE", "read"]

HOST = "cli"
STORE = "cli-events"

#: Record types, or their beginnings, that are known and not used.
_UNUSED = (
    "system.", "hook.", "permission.", "model.", "subagent.", "skill.", "user_input.", "elicitation.", "sampling.",
    "mcp.", "mcp_app.", "external_tool.", "command.", "commands.", "capabilities.", "exit_plan_mode.", "tool_search.",
    "auto_mode_switch.", "pending_messages.", "workflow.", "factory.", "tool.execution_pa", "tool.execution_pr",
    "assistant.turn_", "assistant.intent", "assistant.reasoning", "assistant.streaming_", "assistant.idle",
    "assistant.fusion_", "assistant.server_tool_", "session.auto_", "session.autopilot_", "session.background_",
    "session.binary_asset", "session.compaction_start", "session.completion_receipt", "session.context_cleared",
    "session.custom_", "session.extensions", "session.fusion_", "session.handoff", "session.idle",
    "session.info", "session.mcp_", "session.mode", "session.permissions_", "session.plan_", "session.remote_",
    "session.schedule_", "session.session_limits", "session.skills_", "session.todos_", "session.tools_",
    "session.truncation", "session.usage_info", "session.warning", "session.workspace_",
)  # fmt: skip


#: Tools that tell of a command that goes on in a shell.
_SHELL_READERS = frozenset(f"{verb}_{shell}" for verb in ("read", "stop", "write") for shell in ("bash", "powershell"))


def read(path: Path, start: int, header: Header | None, size_limit: int | None) -> Chunk:
    """Reads a CLI session's log; see `Reader`. The session is named by the file's folder."""
    if start == 0 or header is None:
        header = Header(path.parent.name, HOST, STORE, "", "", 0, "")
    return read_log(_CliLog(header), path, start, size_limit)


class _CliLog(Log):
    #: `system.message` alone (the host's prompt, 43 KB each) is four fifths of a real log.
    skip = spellings(
        "system.message",
        "hook.",
        "permission.",
        "model.",
        "subagent.",
        "assistant.turn_",
        "session.model_change",
        "session.auto_mode_",
        "session.permissions_",
        "session.compaction_start",
    )
    unused = _UNUSED

    handlers: Mapping[str, str] = {
        **Log.handlers,
        "session.resume": "on_resume",
        "session.context_changed": "on_context_changed",
        "session.title_changed": "on_title",
        "session.shutdown": "on_shutdown",
        "session.compaction_complete": "on_compaction",
        "session.usage_record": "on_usage_record",
        "session.usage_checkpoint": "on_usage_checkpoint",
        "session.snapshot_rewind": "on_rewind",
        "session.task_complete": "on_task_complete",
        "session.import_legacy": "on_legacy_chat",
        "assistant.message_delta": "on_message_delta",
        "assistant.usage": "on_usage_record",
        "tool.user_requested": "on_tool_start",
        "abort": "on_abort",
        "session.error": "on_error",
        "system.notification": "on_notification",
    }

    def started(self, entry: Entry) -> Header:
        data = entry.data
        cwd, branch = _place(data.get("context"))
        version = data.get("copilotVersion")
        return self.header._replace(
            cwd=cwd or self.header.cwd,
            branch=branch or self.header.branch,
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

    def say(self, turn: OpenTurn, data: Mapping[str, Any], *, last: bool) -> None:
        if turn.message is None and "chunkIndex" not in data:
            turn.say(words(data.get("content")), last=last)
            return
        chunk = data.get("chunkIndex")
        goes_on = isinstance(chunk, int) and chunk > 0
        text = spoken(data.get("content"))
        answered = last and not text.isspace() and bool(text) and (turn.answered or not goes_on)
        turn.say_part(text, data.get("messageId"), goes_on=goes_on)
        turn.answered = answered

    def estimate(self, turn: OpenTurn, entry: Entry) -> None:
        row = cli_usage.message_row(entry.data, _id(entry, entry.data.get("messageId")), entry.at)
        if row is not None:
            turn.estimates.add((row.id, row.model))
            turn.usage[row.id, row.model] = row

    def on_message_delta(self, entry: Entry) -> None:
        if self.is_sessions(entry):
            turn = self.turn(entry)
            turn.say_part(spoken(entry.data.get("deltaContent")), entry.data.get("messageId"), goes_on=True)
            turn.answered = False

    def on_task_complete(self, entry: Entry) -> None:
        summary = words(entry.data.get("summary"))
        if summary and self.is_sessions(entry):
            turn = self.turn(entry)
            if not turn.speech or turn.speech[-1].strip() != summary:
                turn.say(summary, last=True)

    def on_abort(self, entry: Entry) -> None:
        """The user stopped the agent: what it said by then is all there will be."""
        if self.current is not None and not _is_agents(entry):
            self.current.answered = bool(self.current.speech)
            reason = words(entry.data.get("reason"))
            self.current.fail(entry.at, f"Cancelled: {reason}" if reason else "Cancelled")

    def on_error(self, entry: Entry) -> None:
        """The turn failed, at the model's provider say; the host may go on all the same."""
        message = words(entry.data.get("message")) or words(entry.data.get("errorType"))
        if self.current is not None and message:
            self.current.fail(entry.at, message)

    def on_notification(self, entry: Entry) -> None:
        """A command in the background has ended."""
        kind = entry.data.get("kind")
        if isinstance(kind, dict) and is_status(kind.get("exitCode")):
            self.tell_shell(kind.get("shellId"), "", kind["exitCode"])

    def answer(self, call: Call, key: str, entry: Entry) -> None:
        if call.name in _SHELL_READERS:
            output, status = split_exit(without_injected(result_text(entry.data)))
            self.tell_shell(as_arguments(call.arguments).get("shellId"), split_background(output)[0], status)
        call.answer(key, entry.data)

    def tell_shell(self, shell: object, output: str, status: int | None) -> None:
        """What is known of the command in a shell. Once its turn and the next are over, nothing is added: a reading
        that begins after them doesn't know it."""
        if not isinstance(shell, str) or not shell:
            return
        for turn in (self.current, self.previous):
            call = turn.in_shell(shell, running=turn is self.previous) if turn is not None else None
            if call is not None:
                call.hear(output, status)
                return

    def on_rewind(self, entry: Entry) -> None:
        self.withdraw(entry.data.get("upToEventId"))

    def on_resume(self, entry: Entry) -> None:
        self.give_up_calls()
        self.move(*_place(entry.data.get("context")))

    def on_context_changed(self, entry: Entry) -> None:
        self.move(*_place(entry.data))

    def on_title(self, entry: Entry) -> None:
        self.header = self.header._replace(title=words(entry.data.get("title")) or self.header.title)

    def on_shutdown(self, entry: Entry) -> None:
        self.give_up_calls()
        self.shutdown = True
        changes = entry.data.get("codeChanges")
        names = changes.get("filesModified") if isinstance(changes, dict) else None
        if isinstance(names, list):
            found = (name.replace("\0", "") for name in names if isinstance(name, str))
            self.files_modified = tuple(dict.fromkeys((*self.files_modified, *found)))
        for row in cli_usage.total_rows(entry.data, _id(entry), entry.at):
            self.used(self.known(row))

    def on_compaction(self, entry: Entry) -> None:
        summary = words(entry.data.get("summaryContent"))
        if summary and entry.data.get("success") is not False:
            self.compactions.append((entry.at, summary))
        row = cli_usage.compaction_row(entry.data, _id(entry), entry.at)
        self.used(row and self.known(row))

    def on_usage_record(self, entry: Entry) -> None:
        row = cli_usage.record_row(entry.data, _id(entry), entry.at)
        if row is not None and row.cached is None and self.current is not None and cli_usage.hides_cached(entry.data):
            self.current.uncached.add(row.model)
        self.used(row)

    def known(self, row: Usage) -> Usage:
        """A sum of calls, of which the calls of the turn say whether their provider reports what was cached."""
        return row if self.current is None else cli_usage.without_cached(row, self.current.uncached)

    def on_usage_checkpoint(self, entry: Entry) -> None:
        self.used(cli_usage.checkpoint_row(entry.data, _id(entry), entry.at))

    def on_legacy_chat(self, entry: Entry) -> None:
        """A chat in the model's own message format; all its turns begin at this one record."""
        chat = entry.data.get("legacySession")
        messages = chat.get("chatMessages") if isinstance(chat, dict) else None
        for each in messages if isinstance(messages, list) else ():
            if not isinstance(each, dict):
                continue
            role, content = each.get("role"), each.get("content")
            if role == "user":
                self.on_user(entry._replace(data={"content": content}))
            elif role == "assistant":
                asked = _legacy_requests(each.get("tool_calls"))
                self.on_assistant(entry._replace(data={"content": content, "toolRequests": asked}))
            elif role == "tool":
                answer = {"toolCallId": each.get("tool_call_id"), "result": {"content": words(content)}}
                self.on_tool_complete(entry._replace(data=answer))

    def finish(self) -> list[Turn]:
        """The turns, without calls that a later total holds."""
        turns = super().finish()
        rows = [row for turn in turns for row in turn.usage]
        kept = cli_usage.uncovered(rows)
        if len(kept) == len(rows):
            return turns
        held = {id(row) for row in kept}
        return [
            turn._replace(usage=tuple(row for row in turn.usage if id(row) in held)) if turn.usage else turn
            for turn in turns
        ]


def _legacy_requests(calls: object) -> list[dict[str, Any]]:
    asked = []
    for each in calls if isinstance(calls, list) else ():
        function = each.get("function") if isinstance(each, dict) else None
        if isinstance(function, dict):
            name, arguments = function.get("name"), function.get("arguments")
            asked.append({"toolCallId": each.get("id"), "name": name, "arguments": arguments})
    return asked


def _id(entry: Entry, known: object = None) -> str:
    value = known or entry.record.get("id")
    return value.replace("\0", "") if isinstance(value, str) and value else str(entry.offset)


def _is_agents(entry: Entry) -> bool:
    return bool(entry.record.get("agentId") or entry.data.get("parentToolCallId"))


def _place(context: object) -> tuple[str, str]:
    if not isinstance(context, dict):
        return "", ""
    cwd, branch = context.get("cwd"), context.get("branch")
    return cwd if isinstance(cwd, str) else "", branch if isinstance(branch, str) else ""
