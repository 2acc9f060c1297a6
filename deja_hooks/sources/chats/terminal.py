"""Commands that VS Code ran in its terminal, as a chat shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from deja_hooks.sources.chats.values import mapping, text
from deja_hooks.sources.logs.log import call_key
from deja_hooks.sources.model import Turn, Work
from deja_hooks.sources.text import clip, epoch_ms, split_exit, without_injected

__all__ = ["Terminal", "edited_command", "terminal_of", "with_ends"]

#: Colours, cursor moves and titles: CSI and OSC sequences, and the two-character ones.
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][0-9A-Za-z]|[=>@-Z\\^_])")
#: How the result begins of a command that the user or the tool changed.
_EDITED = re.compile(
    r"Note: The (?:user manually edited|tool simplified) the command to `(.{1,8000}?)`,"
    r" and this is the output of running that command instead:\n",
    re.DOTALL,
)
#: How the result begins of a command that goes on in the background.
_BACKGROUND = re.compile(r"Command is running in terminal with ID=([0-9A-Za-z-]{1,64})")
#: The prompt that VS Code makes when it has ended.
_ENDED = re.compile(
    r"\[Terminal ([0-9A-Za-z-]{1,64}) notification: command completed with exit code (-?\d{1,10})\.[^\n]*\]"
    r"(?:\nTerminal output:\n(.*))?",
    re.DOTALL,
)
#: `isConfirmed.type`: the user denied the tool, or skipped it.
_NOT_RUN = (0, 5)


class Terminal(NamedTuple):
    """A shown tool call that has a terminal.

    Attributes:
        key: the tool call's id.
        tool: VS Code's id of the tool.
        parent: the id of the call whose sub-agent made this one; "" for the session's agent.
        asked: the command line that the model asked for.
        command: the command line that was run.
        ran: False where the user denied it.
        exit: its exit status, where known.
        output: what the terminal showed.
        at: when the command was run, epoch ms.
        seen: the terminal said something of it: it has certainly run.
    """

    key: str
    tool: str
    parent: str
    asked: str
    command: str
    ran: bool
    exit: int | None
    output: str
    at: int
    seen: bool

    def work(self, tool: str, at: int, call: str, result: str) -> Work:
        """The command as work; `result`: what the model was told, for what the terminal doesn't say."""
        command, told = edited_command(result, self.command)
        told, status = split_exit(told)
        return Work(
            "command",
            at,
            tool,
            "",
            "",
            "",
            command if self.command == self.asked else self.command,
            self.exit if self.exit is not None else status,
            clip(self.output or told),
            call,
        )


def terminal_of(part: dict[str, Any]) -> Terminal | None:
    """The terminal of a `toolInvocationSerialized`, if it has one.

    `toolSpecificData` of kind "terminal"; its `commandLine` holds what was asked for and, where these changed it,
    what the tool or the user made of it. A command that VS Code wrapped into its sandbox goes by its own words, not by
    the wrapper's. Older builds: `command`, a string.
    """
    data = mapping(part.get("toolSpecificData"))
    if data.get("kind") != "terminal":
        return None
    line = mapping(data.get("commandLine"))
    asked = text(line.get("original")) or text(data.get("commandLine")) or text(data.get("command"))
    command = text(line.get("toolEdited")) or text(line.get("userEdited")) or asked
    if line.get("isSandboxWrapped") is True:
        command = text(line.get("forDisplay")) or command
    if not command.strip():
        return None
    state = mapping(data.get("terminalCommandState"))
    shown = text(mapping(data.get("terminalCommandOutput")).get("text"))
    return Terminal(
        key=call_key(part.get("toolCallId")),
        tool=text(part.get("toolId")) or "run_in_terminal",
        parent=call_key(part.get("subAgentInvocationId")),
        asked=asked.strip(),
        command=command.replace("\0", "").strip(),
        ran=_was_run(part.get("isConfirmed")),
        exit=_status(state.get("exitCode")),
        output=_plain(shown),
        at=epoch_ms(state.get("timestamp")),
        seen=bool(state or shown),
    )


def edited_command(told: str, command: str) -> tuple[str, str]:
    """The command that was run in place of `command`, as the model was told, and what else it was told."""
    match = _EDITED.match(told)
    return (command, told) if match is None else (match[1].strip(), told[match.end() :])


def with_ends(turns: list[Turn], requests: Iterable[dict[str, Any]]) -> list[Turn]:
    """The turns, with how their commands in the background ended: a later request of VS Code's own says so."""
    ends = [found for request in requests if (found := _ENDED.match(_message(request)))]
    if not ends:
        return turns
    by_terminal = {end[1]: end for end in ends}
    return [turn._replace(work=tuple(_with_end(each, by_terminal) for each in turn.work)) for turn in turns]


def _with_end(work: Work, ends: dict[str, re.Match[str]]) -> Work:
    running = _BACKGROUND.match(work.output) if work.kind == "command" and work.exit is None else None
    end = ends.get(running[1]) if running is not None else None
    if end is None:
        return work
    return work._replace(exit=int(end[2]), output=clip(_plain(end[3] or "") or work.output))


def _message(request: dict[str, Any]) -> str:
    message = request.get("message")
    return text(message.get("text")) if isinstance(message, dict) else text(message)


def _was_run(confirmed: Any) -> bool:
    if isinstance(confirmed, dict):
        return confirmed.get("type") not in _NOT_RUN
    return confirmed is not False


def _status(value: Any) -> int | None:
    """Windows' exit statuses are 32 bits, signed or not."""
    return value if type(value) is int and -(1 << 32) <= value <= 1 << 32 else None


def _plain(shown: str) -> str:
    if "\x1b" in shown:
        shown = _ESCAPES.sub("", shown)
    return without_injected(shown.replace("\0", "").replace("\r\n", "\n")).rstrip()
