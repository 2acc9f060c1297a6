"""Reading an append-only log of typed records: what the CLI's and VS Code's formats share.

Both hosts write lines `{"type", "data", "id", "timestamp", "parentId"}` with the same record types for speech
and tools; they differ in what they leave out. A format is a subclass: how its header is made, which record
types it adds, and whose words a message is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from deja_hooks.sources.lines import Lines, is_blank, parse
from deja_hooks.sources.logs.turns import Call, Counts, Mark, OpenTurn, as_arguments, call_key
from deja_hooks.sources.model import MOST_NAMES, Chunk, Header, Tally, Turn, Usage
from deja_hooks.sources.regular import open_log
from deja_hooks.sources.text import epoch_ms, words
from deja_hooks.tools import AGENT_TOOLS

__all__ = ["Entry", "Log", "call_key", "read_log"]

#: Lines shorter than this (bytes) are parsed as fast as they are compared with what to skip.
_SHORT = 512


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


#: Characters of an unknown record type that are kept.
_LONGEST_NAME = 80

#: Makes an Entry in half the time that calling the class takes: one is made at each record.
_entry: Callable[[tuple[Mapping[str, Any], Mapping[str, Any], int, int]], Entry] = partial(tuple.__new__, Entry)


_BEGINNING: Mark = (0, (0, 0, 0, 0, 0, ()))


class Log:
    """The state of one reading.

    What is kept at the start of a turn is the header alone, beside the calls of the turn before that wait for
    their answer: that makes readings stateless (see `Reader`). Usage that is recorded while there is no turn
    waits for the next one, and the next reading begins where it begins.
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
    #: The beginnings of the record types that the format knows and doesn't use.
    unused: tuple[str, ...] = ()

    def __init__(self, header: Header) -> None:
        self.header = header
        # Functions, not methods: bound ones would make each log a cycle, which nobody collects (see `indexer.run`).
        self.methods = {kind: getattr(type(self), name) for kind, name in self.handlers.items()}
        self.turns: list[Turn] = []
        self.begun: list[tuple[object, Mark]] = []
        self.previous: OpenTurn | None = None
        self.current: OpenTurn | None = None
        self.waiting: Mark | None = None
        self.loose: dict[tuple[str, str], Usage] = {}
        self.prompts: dict[str, str] = {}
        self.latest = 0
        self.written_again = False
        self.updated = 0
        self.number = self.blank = self.bad = self.understood = self.unknown = self.foreign = 0
        self.names: dict[str, None] = {}
        self.shutdown = False
        self.withdraws = False
        self.rewound = False
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
        """Takes one record; types that the format doesn't know or use change nothing."""
        kind = record.get("type")
        data = record.get("data")
        take = self.methods.get(kind) if isinstance(kind, str) else None
        if take is None or not isinstance(data, dict):
            self.set_aside(kind, known=take is not None)
            return
        at = epoch_ms(record.get("timestamp"))
        if self.written_again and at > self.latest:
            self.written_again = False
        if not self.written_again:
            was_shut = self.shutdown
            if was_shut:
                self.shutdown = False
            take(self, _entry((record, data, offset, at)))
            if was_shut and self.written_again:
                self.shutdown = True
            if at > self.updated:
                self.updated = at
            if at > self.latest and self.current is not None:
                self.latest = at
        elif kind == "session.start":
            self.count_foreign(data)
        # Counted last: a turn that began with this record counts what was before it.
        self.understood += 1

    def set_aside(self, kind: object, *, known: bool) -> None:
        """Counts a record that isn't used: it has no type or no data, isn't needed, or isn't known."""
        if known or not isinstance(kind, str):
            self.bad += 1
        elif not kind.startswith(self.unused):
            self.unknown += 1
            if len(self.names) < MOST_NAMES:
                self.names[kind[:_LONGEST_NAME].replace("\0", "")] = None

    def count_foreign(self, data: Mapping[str, Any]) -> bool:
        """Counts a start that names another session than the file, and says whether it does."""
        foreign = bool(data.get("sessionId", self.header.session_id) != self.header.session_id)
        self.foreign += foreign
        return foreign

    def counts(self) -> Counts:
        """What was counted up to the line that is being read, as a `Tally` has it."""
        names = tuple(self.names) if self.names else ()
        return self.number - self.blank, self.bad, self.understood, self.unknown, self.foreign, names

    def on_start(self, entry: Entry) -> None:
        """The first start names the session. The same start once more: the host (or a copying tool) wrote the
        history again, so what isn't newer than what was read is the same, not new turns."""
        foreign = self.count_foreign(entry.data)
        header = self.started(entry)
        if self.current is None and not self.header.started:
            self.header = header
        elif self.current is not None and header.started == self.header.started:
            self.written_again = True
        elif not foreign:  # what another session's start says of its folder is nothing to this one
            self.move(header.cwd, header.branch)

    def move(self, cwd: str, branch: str) -> None:
        """The session goes on in another folder or on another branch ("": as before)."""
        self.header = self.header._replace(cwd=cwd or self.header.cwd, branch=branch or self.header.branch)

    def on_user(self, entry: Entry) -> None:
        if self.is_users(entry):
            self.begin(entry, words(entry.data.get("content")))

    def on_assistant(self, entry: Entry) -> None:
        turn = self.turn(entry)
        data = entry.data
        requests = data.get("toolRequests")
        asked = [each for each in requests if isinstance(each, dict)] if isinstance(requests, list) else []
        for each in asked:
            self.call(turn, each.get("toolCallId"), each.get("name"), each.get("arguments"), entry.at)
        if self.is_sessions(entry):
            self.say(turn, data, last=not asked)
        if "outputTokens" in data:
            self.estimate(turn, entry)

    def say(self, turn: OpenTurn, data: Mapping[str, Any], *, last: bool) -> None:
        """The session's agent said what an assistant.message holds; `last`: and asked for no tool."""
        turn.say(words(data.get("content")), last=last)

    def estimate(self, turn: OpenTurn, entry: Entry) -> None:
        """An assistant.message says what its model call took, where a format counts that."""

    def on_tool_start(self, entry: Entry) -> None:
        data = entry.data
        turn = self.current or self.turn(entry)
        call = self.call(turn, data.get("toolCallId"), data.get("toolName"), data.get("arguments"), entry.at)
        if call is not None:
            call.started, call.at = True, entry.at

    def on_tool_complete(self, entry: Entry) -> None:
        key = call_key(entry.data.get("toolCallId"))
        if self.prompts:
            self.prompts.pop(key, None)
        call = self.current.calls.get(key) if self.current is not None else None
        if call is None and self.previous is not None:
            call = self.previous.calls.get(key)
        if call is not None and call.work is None:
            self.answer(call, key, entry)

    def answer(self, call: Call, key: str, entry: Entry) -> None:
        """A call of that id is answered by a `tool.execution_complete`."""
        call.answer(key, entry.data)

    def begin(self, entry: Entry, user: str) -> OpenTurn:
        """Begins a turn; the one before the last can't change any more."""
        if self.previous is not None:
            self.turns.append(self.previous.close(ended=True))
        current = self.current
        if current is not None and current.offset == entry.offset:
            mark = current.mark  # one record holds both: they are read again together
        else:
            # What was used before any turn belongs to this one: it is read again from the file's beginning.
            mark = self.waiting or (entry.offset, self.counts())
        turn = OpenTurn(mark, entry.offset, entry.at, user)
        if self.waiting is not None:
            turn.usage, self.loose, self.waiting = self.loose, {}, None
        self.begun.append((entry.record.get("id"), mark))
        self.previous, self.current = current, turn
        self.latest = entry.at
        self.prompts = {}
        return turn

    def turn(self, entry: Entry) -> OpenTurn:
        """The turn in progress; one without a user's words where an agent runs without any."""
        return self.current or self.begin(entry, "")

    def used(self, row: Usage | None) -> None:
        """Model calls took this: in the turn in progress, else in the next one."""
        if row is None:
            return
        if self.current is None and self.waiting is None:
            self.waiting = _BEGINNING
        (self.loose if self.current is None else self.current.usage)[row.id, row.model] = row

    def withdraw(self, event: object) -> None:
        """Takes back what the last record of this id began, and all after it; not what it took. Where that record
        isn't of this reading, the whole file must be read."""
        offset = next((mark[0] for each, mark in reversed(self.begun) if each == event), None)
        index = next((i for i, (each, mark) in enumerate(self.begun) if (each, mark[0]) == (event, offset)), None)
        if index is None:
            self.withdraws = True
            return
        turns = Log.finish(self)
        self.loose.update(((row.id, row.model), row) for turn in turns[index:] for row in turn.usage)
        self.waiting = _BEGINNING
        self.rewound = True
        self.turns = turns[:index]
        del self.begun[index:]
        self.previous = self.current = None
        self.prompts = {}

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
                call.shell, call.running = "", False
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

    def restart(self, end: int) -> Mark:
        """Where the next reading must begin: a log with turns taken back is read as a whole each time."""
        if self.rewound:
            return _BEGINNING
        if self.current is None:
            return self.waiting or (end, self.counts())
        if self.previous is not None and self.previous.waits():
            return self.previous.mark
        return self.current.mark


def read_log(log: Log, path: Path, start: int, size_limit: int | None) -> Chunk:
    """Reads a file into a log. Raises OSError."""
    too_long = 0
    skip = log.skip
    with open_log(path) as file:
        lines = Lines(file, start, size_limit)
        for first, block in lines:
            offset = first
            log.bad += lines.too_long - too_long
            number = log.number + lines.too_long - too_long
            too_long = lines.too_long
            for at, line in enumerate(block, number):
                if len(line) < _SHORT or not line.startswith(skip):
                    record = parse(line)
                    if record is not None:
                        log.number = at
                        log.feed(record, offset)
                    elif is_blank(line):
                        log.blank += 1
                    else:
                        log.bad += 1
                offset += len(line) + 1
            log.number = number + len(block)
    log.bad += lines.too_long - too_long
    log.number += lines.too_long - too_long
    return _chunk(log, start, lines.end)


def _chunk(log: Log, start: int, end: int) -> Chunk:
    restart, before = log.restart(end)
    return Chunk(
        header=log.header,
        turns=tuple(log.finish()),
        restart=restart,
        end=end,
        updated=log.updated,
        tally=Tally(*log.counts()),
        settled=Tally(*before),
        shutdown=log.shutdown,
        files_modified=log.files_modified,
        compactions=tuple(log.compactions),
        withdraws=log.withdraws and start > 0,
    )
