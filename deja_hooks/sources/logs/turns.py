"""Turns in the making: which tool call belongs to which turn, and what it became.

What is carried from one turn to the next decides where a reading may begin again, so it is little and in one
place: a tool call is answered in its own turn or in the next one, or never.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from deja_hooks.sources.edits import command_of, named_paths, spans
from deja_hooks.sources.model import Turn, Usage, Work
from deja_hooks.sources.text import clip, split_background, split_exit, without_injected
from deja_hooks.tools import COMMAND_TOOLS, EDIT_TOOLS

__all__ = ["Call", "Counts", "Mark", "OpenTurn", "as_arguments", "call_key", "is_status", "result_text"]

#: Tools that read one file, and the argument that names it.
_READ_TOOLS = frozenset(("view", "Read", "show_file", "read_file"))
_PATH = ("path", "filePath", "file_path")


#: What a tally counts, in its order.
Counts = tuple[int, int, int, int, int, tuple[str, ...]]
#: A place where a reading may begin: its offset, and what was counted before it. No NamedTuple: one is made at
#: each turn, and read at the end of a reading.
Mark = tuple[int, Counts]


class Call:
    """A tool call: asked for, then perhaps started, then perhaps answered.

    Attributes:
        at: when it was started, epoch ms.
        started: the host began it.
        work: what it became; None while it is unanswered.
        files: what it read.
        shell: the shell in which its command went on in the background; "" where it didn't.
        running: how that command ended may still be told.
    """

    __slots__ = ("arguments", "at", "files", "name", "running", "shell", "started", "work")

    def __init__(self, name: str, arguments: Any, at: int, *, started: bool) -> None:
        self.name = name
        self.arguments = arguments
        self.at = at
        self.started = started
        self.work: tuple[Work, ...] | None = None
        self.files: tuple[str, ...] = ()
        self.shell = ""
        self.running = False

    def answer(self, call_id: str, data: Mapping[str, Any]) -> None:
        """Takes the data of its `tool.execution_complete`."""
        name = self.name
        failed = data.get("success") is False or (data.get("success") is None and bool(data.get("error")))
        if failed:
            self.work = self._failures(call_id, _failure_text(data))
        elif name in COMMAND_TOOLS:
            output, status = _shell_result(data)
            if status is None:
                output, self.shell = split_background(output)
                self.running = bool(self.shell)
            self.work = (self._command(call_id, output, status),)
        elif name in EDIT_TOOLS:
            self.work = self._edits(call_id)
        else:
            self.work = ()
        if not failed and name in _READ_TOOLS:
            self.files = self.read()
        if not failed and "fileEdits" in data and not (self.work and name in EDIT_TOOLS):
            changed = _changed(data["fileEdits"])
            self.work += tuple(Work("edit", self.at, name, path, "", "", "", None, "", call_id) for path in changed)
        self.arguments = None

    def hear(self, output: str, status: int | None) -> None:
        """Takes what its background command printed, and how it ended where that is told."""
        if self.work:
            told = self.work[0].output
            whole = output if output.startswith(told) else "\n".join(filter(None, (told, output)))
            known = self.work[0].exit if status is None else status
            self.work = (self.work[0]._replace(output=clip(whole), exit=known), *self.work[1:])
        self.running = self.running and status is None

    def unanswered(self, call_id: str, *, done: bool = False) -> tuple[Work, ...]:
        """What it counts for without an answer: a command ran, an edit perhaps didn't, unless all is `done`."""
        if self.started and self.name in COMMAND_TOOLS:
            return (self._command(call_id, "", None),)
        return self._edits(call_id) if done and self.started else ()

    def read(self) -> tuple[str, ...]:
        """The file that it reads, while its arguments are there."""
        if self.name not in _READ_TOOLS:
            return ()
        arguments = as_arguments(self.arguments)
        paths = (arguments.get(name) for name in _PATH)
        return _clean(paths)[:1]

    def _edits(self, call_id: str) -> tuple[Work, ...]:
        changes = spans(self.name, as_arguments(self.arguments))
        return tuple(
            Work("edit", self.at, self.name, path, old, new, "", None, "", call_id) for path, old, new in changes
        )

    def _command(self, call_id: str, output: str, status: int | None) -> Work:
        command = command_of(as_arguments(self.arguments))
        return Work("command", self.at, self.name, "", "", "", command, status, output, call_id)

    def _failures(self, call_id: str, output: str) -> tuple[Work, ...]:
        arguments = as_arguments(self.arguments)
        command = command_of(arguments) if self.name in COMMAND_TOOLS else ""
        paths = named_paths(self.name, arguments) or ("",)
        return tuple(
            Work("failure", self.at, self.name, path, "", "", command, None, output, call_id) for path in paths
        )


class OpenTurn:
    """A turn that may still grow.

    Attributes:
        mark: where a reading must begin to see all of it: its own line, or what came before the first turn.
        usage: what was recorded in it, by id and model.
        estimates: those of it that messages say, and that no turn with records of its calls needs.
        message: the id of the message that the last words are of, where the format has messages in parts.
        errors: what failed or stopped the turn itself, each with the number of calls before it.
        uncached: the models whose provider doesn't report what it read from a cache.
    """

    __slots__ = (
        "answered", "at", "calls", "errors", "estimates", "mark", "message", "offset", "speech", "uncached", "usage",
        "user",
    )  # fmt: skip

    def __init__(self, mark: Mark, offset: int, at: int, user: str) -> None:
        self.mark = mark
        self.offset = offset
        self.at = at
        self.user = user
        self.speech: list[str] = []
        self.message: object = None
        self.answered = False
        self.calls: dict[str, Call] = {}
        self.usage: dict[tuple[str, str], Usage] = {}
        self.estimates: set[tuple[str, str]] = set()
        self.errors: list[tuple[int, Work]] = []
        self.uncached: set[str] = set()

    def say(self, text: str, *, last: bool) -> None:
        """The session's agent said something; `last`: and asked for no tool with it."""
        if text:
            self.speech.append(text)
            self.message = None
        self.answered = last and bool(text)

    def say_part(self, text: str, message: object, *, goes_on: bool) -> None:
        """Something of a message was said: `goes_on`: after what was said of it before, else instead of that."""
        if self.speech and message and message == self.message:
            self.speech[-1] = self.speech[-1] + text if goes_on else text
        elif text:
            self.speech.append(text)
            self.message = message

    def fail(self, at: int, message: str) -> None:
        """The turn itself failed or was stopped."""
        self.errors.append((len(self.calls), Work("error", at, "", "", "", "", "", None, clip(message), "")))

    def in_shell(self, shell: str, *, running: bool) -> Call | None:
        """The last call whose command went on in that shell; `running`: and whose end isn't known."""
        calls = [each for each in self.calls.values() if each.shell == shell and (each.running or not running)]
        return calls[-1] if calls else None

    def waits(self) -> bool:
        """Whether a call of this turn is unanswered, or its command still running."""
        return any(call.work is None or call.running for call in self.calls.values())

    def close(self, *, ended: bool) -> Turn:
        """The turn as it is now."""
        work: list[Work] = []
        files: list[str] = []
        for call_id, call in self.calls.items():
            if call.work is None:
                work.extend(call.unanswered(call_id, done=self._is_done()))
                files.extend(call.read())
            else:
                work += call.work
                files += call.files
        if self.errors:
            work = self._with_errors(work)
        speech = "\n\n".join(filter(None, map(str.strip, self.speech)))
        return Turn(
            self.offset, self.at, self.user, speech, tuple(work), ended or self.answered, "",
            _unchanged(files, work) if files else (), (),
            frozenset(self.calls), self._usage() if self.usage else (),
        )  # fmt: skip

    def _with_errors(self, work: list[Work]) -> list[Work]:
        order = {key: place for place, key in enumerate(self.calls)}
        placed = [(order[each.call], 1, each) for each in work] + [(place, 0, each) for place, each in self.errors]
        return [each for _, _, each in sorted(placed, key=lambda item: item[:2])]

    def _is_done(self) -> bool:
        """Whether the agent came to its end with no call answered: the host (Copilot Chat 0.37) writes none."""
        return self.answered and all(call.work is None for call in self.calls.values())

    def _usage(self) -> tuple[Usage, ...]:
        recorded = any(row.kind == "call" and key not in self.estimates for key, row in self.usage.items())
        return tuple(row for key, row in self.usage.items() if not recorded or key not in self.estimates)


def _unchanged(files: list[str], work: list[Work]) -> tuple[str, ...]:
    changed = {each.path for each in work if each.kind == "edit"}
    return tuple(path for path in dict.fromkeys(files) if path not in changed)


def _changed(edits: object) -> tuple[str, ...]:
    """The paths of a completion's `fileEdits`: what a tool changed that isn't known as an edit tool."""
    if not isinstance(edits, list):
        return ()
    paths = (each.get("path") for each in edits if isinstance(each, dict))
    return _clean(paths)


def _clean(paths: Iterable[object]) -> tuple[str, ...]:
    return tuple(path.replace("\0", "") for path in paths if isinstance(path, str) and path)


def as_arguments(value: Any) -> Mapping[str, object]:
    """A tool call's arguments, given as an object, as JSON text, or as bare text (a patch)."""
    if isinstance(value, str):
        try:
            parsed = orjson.loads(value)
        except ValueError:
            return {"input": value}
        value = parsed
    return value if isinstance(value, dict) else {}


def call_key(value: Any) -> str:
    """A tool call's id; VS Code adds `__vscode-<n>` to it in some places."""
    if not isinstance(value, str):
        return ""
    return value.split("__vscode-", 1)[0] if "__vscode-" in value else value


def _shell_result(data: Mapping[str, Any]) -> tuple[str, int | None]:
    output, status = split_exit(without_injected(result_text(data)))
    execution = data.get("shellExecution")
    if isinstance(execution, dict) and is_status(execution.get("exitCode")):
        status = execution["exitCode"]
    return clip(output), status


def is_status(value: Any) -> bool:
    """Whether it is an exit status: Windows' are 32 bits, signed or not."""
    return isinstance(value, int) and -(1 << 32) <= value <= 1 << 32


def _failure_text(data: Mapping[str, Any]) -> str:
    error = data.get("error")
    if isinstance(error, dict):
        error = error.get("message")
    text = error if isinstance(error, str) and error else result_text(data)
    return clip(without_injected(text))


def result_text(data: Mapping[str, Any]) -> str:
    """The text of a `tool.execution_complete`'s result."""
    result = data.get("result")
    if isinstance(result, dict):
        result = result.get("content")
    return result.replace("\0", "") if isinstance(result, str) else ""
