"""Turns in the making: which tool call belongs to which turn, and what it became.

What is carried from one turn to the next decides where a reading may begin again, so it is little and in one
place: a tool call is answered in its own turn or in the next one, or never.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from deja_hooks.sources.edits import command_of, spans
from deja_hooks.sources.model import Turn, Work
from deja_hooks.sources.text import clip, split_exit, without_injected
from deja_hooks.tools import COMMAND_TOOLS, EDIT_TOOLS

__all__ = ["Call", "OpenTurn", "as_arguments"]


class Call:
    """A tool call: asked for, then perhaps started, then perhaps answered.

    Attributes:
        at: when it was started, epoch ms.
        started: the host began it.
        work: what it became; None while it is unanswered.
    """

    __slots__ = ("arguments", "at", "name", "started", "work")

    def __init__(self, name: str, arguments: Any, at: int, *, started: bool) -> None:
        self.name = name
        self.arguments = arguments
        self.at = at
        self.started = started
        self.work: tuple[Work, ...] | None = None

    def answer(self, call_id: str, data: Mapping[str, Any]) -> None:
        """Takes the data of its `tool.execution_complete`."""
        name = self.name
        failed = data.get("success") is False or (data.get("success") is None and bool(data.get("error")))
        if failed:
            self.work = (self._failure(call_id, _failure_text(data)),)
        elif name in COMMAND_TOOLS:
            output, status = _shell_result(data)
            self.work = (self._command(call_id, output, status),)
        elif name in EDIT_TOOLS:
            changes = spans(name, as_arguments(self.arguments))
            self.work = tuple(
                Work("edit", self.at, name, path, old, new, "", None, "", call_id) for path, old, new in changes
            )
        else:
            self.work = ()
        self.arguments = None

    def unanswered(self, call_id: str) -> tuple[Work, ...]:
        """What it counts for without an answer: a command ran, an edit perhaps didn't."""
        if self.started and self.name in COMMAND_TOOLS:
            return (self._command(call_id, "", None),)
        return ()

    def _command(self, call_id: str, output: str, status: int | None) -> Work:
        command = command_of(as_arguments(self.arguments))
        return Work("command", self.at, self.name, "", "", "", command, status, output, call_id)

    def _failure(self, call_id: str, output: str) -> Work:
        arguments = as_arguments(self.arguments)
        command = command_of(arguments) if self.name in COMMAND_TOOLS else ""
        changes = spans(self.name, arguments)
        path = changes[0][0] if changes else ""
        return Work("failure", self.at, self.name, path, "", "", command, None, output, call_id)


class OpenTurn:
    """A turn that may still grow."""

    __slots__ = ("answered", "at", "calls", "offset", "speech", "user")

    def __init__(self, offset: int, at: int, user: str) -> None:
        self.offset = offset
        self.at = at
        self.user = user
        self.speech: list[str] = []
        self.answered = False
        self.calls: dict[str, Call] = {}

    def say(self, text: str, *, last: bool) -> None:
        """The session's agent said something; `last`: and asked for no tool with it."""
        if text:
            self.speech.append(text)
        self.answered = last and bool(text)

    def waits(self) -> bool:
        """Whether a call of this turn is unanswered."""
        return any(call.work is None for call in self.calls.values())

    def close(self, *, ended: bool) -> Turn:
        """The turn as it is now."""
        work: list[Work] = []
        for call_id, call in self.calls.items():
            work.extend(call.unanswered(call_id) if call.work is None else call.work)
        speech = "\n\n".join(self.speech)
        return Turn(self.offset, self.at, self.user, speech, tuple(work), ended or self.answered)


def as_arguments(value: Any) -> Mapping[str, object]:
    """A tool call's arguments, given as an object, as JSON text, or as bare text (a patch)."""
    if isinstance(value, str):
        try:
            parsed = orjson.loads(value)
        except ValueError:
            return {"input": value}
        value = parsed
    return value if isinstance(value, dict) else {}


def _shell_result(data: Mapping[str, Any]) -> tuple[str, int | None]:
    output, status = split_exit(without_injected(_result_text(data)))
    execution = data.get("shellExecution")
    if isinstance(execution, dict) and _is_status(execution.get("exitCode")):
        status = execution["exitCode"]
    return clip(output), status


def _is_status(value: Any) -> bool:
    """Whether it is an exit status: Windows' are 32 bits, signed or not."""
    return isinstance(value, int) and -(1 << 32) <= value <= 1 << 32


def _failure_text(data: Mapping[str, Any]) -> str:
    error = data.get("error")
    if isinstance(error, dict):
        error = error.get("message")
    text = error if isinstance(error, str) and error else _result_text(data)
    return clip(without_injected(text))


def _result_text(data: Mapping[str, Any]) -> str:
    result = data.get("result")
    if isinstance(result, dict):
        result = result.get("content")
    return result.replace("\0", "") if isinstance(result, str) else ""
