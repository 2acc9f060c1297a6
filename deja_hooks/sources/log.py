"""Reading an append-only log of typed records: what the CLI's and VS Code's formats share.

Both hosts write lines `{"type", "data", "id", "timestamp", "parentId"}` with the same record types for speech
and tools; they differ in what they leave out. A format is a subclass: how its header is made, which record
types it adds, and whose words a message is.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from deja_hooks.sources.lines import Lines, is_blank, parse
from deja_hooks.sources.model import Chunk, Header, Turn
from deja_hooks.sources.text import epoch_ms, words
from deja_hooks.sources.turns import Call, OpenTurn, as_arguments
from deja_hooks.tools import AGENT_TOOLS

__all__ = ["Entry", "Log", "call_key", "read_log", "spellings"]

#: Lines shorter than this (bytes) are parsed as fast as they are compared with what to skip.
_SHORT = 512


def spellings(*types: str) -> tuple[bytes, ...]:
    """The beginnings of lines whose record type begins with one of these, with and without spaces."""
    return tuple(f'{{"type":{gap}"{name}'.encode() for name in types for gap in ("", " "))


class Entry(NamedTuple):
    """A record of a type that the format uses.

    Attributes:
        record: the whole of it.
        data: its `data`.
        offset: where its line begins.
        at: its time, epoch ms.
    """

    record: Mapping[str, Any]
    data: Mapping[str, Any]
    offset: int
    at: int


class Log:
    """The state of one reading.

    What is kept at the start of a turn is the header alone, beside the calls of the turn before that wait for
    their answer: that makes readings stateless (see `Reader`).
    """

    #: Lines that begin so aren't parsed: most bytes of a log, and nothing in them is used.
    skip: tuple[bytes, ...] = ()
    #: Record type → the method that takes it. Names, so that a subclass may replace the method.
    handlers: Mapping[str, str] = {
        "session.start": "on_start",
        "user.message": "on_user",
        "assistant.message": "on_assistant",
        "tool.execution_start": "on_tool_start",
        "tool.execution_complete": "on_tool_complete",
    }

    def __init__(self, header: Header) -> None:
        self.header = header
        self.turns: list[Turn] = []
        self.previous: OpenTurn | None = None
        self.current: OpenTurn | None = None
        self.prompts: dict[str, str] = {}
        self.latest = 0
        self.written_again = False
        self.updated = 0
        self.understood = 0
        self.shutdown = False
        self.files_modified: tuple[str, ...] = ()
        self.compactions: list[tuple[int, str]] = []

    def started(self, entry: Entry) -> Header:
        """The header that a `session.start` gives."""
        raise NotImplementedError

    def is_users(self, entry: Entry) -> bool:
        """Whether a user.message holds the words of the user (not of a host or an agent)."""
        raise NotImplementedError

    def is_sessions(self, entry: Entry) -> bool:
        """Whether an assistant.message is the session's agent speaking (not a sub-agent)."""
        raise NotImplementedError

    def feed(self, record: Mapping[str, Any], offset: int) -> None:
        """Takes one record; types that the format doesn't know change nothing."""
        kind = record.get("type")
        name = self.handlers.get(kind) if isinstance(kind, str) else None
        data = record.get("data")
        if name is None or not isinstance(data, dict):
            return
        self.understood += 1
        at = epoch_ms(record.get("timestamp"))
        if self.written_again:
            if at <= self.latest:
                return
            self.written_again = False
        was_shut, self.shutdown = self.shutdown, False
        getattr(self, name)(Entry(record, data, offset, at))
        if self.written_again:
            self.shutdown = was_shut
        if at > self.updated:
            self.updated = at
        if at > self.latest and self.current is not None:
            self.latest = at

    def on_start(self, entry: Entry) -> None:
        """The first start names the session. The same start once more: the host (or a copying tool) wrote the
        history again, so what isn't newer than what was read is the same, not new turns."""
        header = self.started(entry)
        if self.current is None and not self.header.started:
            self.header = header
        elif self.current is not None and header.started == self.header.started:
            self.written_again = True
        else:
            self.move(header.cwd, header.branch)

    def move(self, cwd: str, branch: str) -> None:
        """The session goes on in another folder or on another branch ("": as before)."""
        self.header = self.header._replace(cwd=cwd or self.header.cwd, branch=branch or self.header.branch)

    def on_user(self, entry: Entry) -> None:
        if self.is_users(entry):
            self.begin(entry.offset, entry.at, words(entry.data.get("content")))

    def on_assistant(self, entry: Entry) -> None:
        turn = self.turn(entry)
        data = entry.data
        requests = data.get("toolRequests")
        asked = [each for each in requests if isinstance(each, dict)] if isinstance(requests, list) else []
        for each in asked:
            self.call(turn, each.get("toolCallId"), each.get("name"), each.get("arguments"), entry.at)
        if self.is_sessions(entry):
            turn.say(words(data.get("content")), last=not asked)

    def on_tool_start(self, entry: Entry) -> None:
        data = entry.data
        call = self.call(
            self.turn(entry), data.get("toolCallId"), data.get("toolName"), data.get("arguments"), entry.at
        )
        if call is not None:
            call.started, call.at = True, entry.at

    def on_tool_complete(self, entry: Entry) -> None:
        key = call_key(entry.data.get("toolCallId"))
        self.prompts.pop(key, None)
        for turn in (self.current, self.previous):
            call = turn.calls.get(key) if turn is not None else None
            if call is not None:
                if call.work is None:
                    call.answer(key, entry.data)
                return

    def begin(self, offset: int, at: int, user: str) -> OpenTurn:
        """Begins a turn; the one before the last can't change any more."""
        if self.previous is not None:
            self.turns.append(self.previous.close(ended=True))
        self.previous, self.current = self.current, OpenTurn(offset, at, user)
        self.latest = at
        self.prompts = {}
        return self.current

    def turn(self, entry: Entry) -> OpenTurn:
        """The turn in progress; one without a user's words where an agent runs without any."""
        return self.current or self.begin(entry.offset, entry.at, "")

    def call(self, turn: OpenTurn, call_id: Any, name: Any, arguments: Any, at: int) -> Call | None:
        """The call of that id in this turn, made where it is new."""
        key = call_key(call_id)
        if not key or not isinstance(name, str):
            return None
        call = turn.calls.get(key)
        if call is None:
            call = turn.calls[key] = Call(name, arguments, at, started=False)
            if name in AGENT_TOOLS:
                prompt = as_arguments(arguments).get("prompt")
                self.prompts[key] = prompt if isinstance(prompt, str) else ""
        return call

    def give_up_calls(self) -> None:
        """The host's process ended: what is unanswered stays so."""
        for turn in (self.previous, self.current):
            for call_id, call in turn.calls.items() if turn is not None else ():
                if call.work is None:
                    call.work = call.unanswered(call_id)

    def finish(self) -> list[Turn]:
        """All turns, those that may still grow included."""
        turns = list(self.turns)
        if self.previous is not None:
            turns.append(self.previous.close(ended=True))
        if self.current is not None:
            turns.append(self.current.close(ended=self.shutdown and bool(self.current.speech)))
        return turns

    def restart(self, end: int) -> int:
        """From where the next reading must begin."""
        if self.current is None:
            return end
        waiting = self.previous is not None and self.previous.waits()
        return self.previous.offset if waiting and self.previous is not None else self.current.offset


def read_log(log: Log, path: Path, start: int, size_limit: int | None) -> Chunk:
    """Reads a file into a log. Raises OSError."""
    count = bad = 0
    skip = log.skip
    with path.open("rb", buffering=0) as file:
        lines = Lines(file, start, size_limit)
        for first, block in lines:
            offset = first
            for line in block:
                if len(line) < _SHORT or not line.startswith(skip):
                    record = parse(line)
                    if record is not None:
                        log.feed(record, offset)
                    elif is_blank(line):
                        count -= 1
                    else:
                        bad += 1
                offset += len(line) + 1
            count += len(block)
    bad += lines.too_long
    return Chunk(
        log.header,
        tuple(log.finish()),
        log.restart(lines.end),
        lines.end,
        log.updated,
        count + lines.too_long,
        bad,
        log.understood,
        log.shutdown,
        log.files_modified,
        tuple(log.compactions),
    )


def call_key(value: Any) -> str:
    """A tool call's id; VS Code adds `__vscode-<n>` to it in some places."""
    if not isinstance(value, str):
        return ""
    return value.split("__vscode-", 1)[0] if "__vscode-" in value else value
