"""What was done in a request of a chat: commands, edits, tools that failed.

A tool call is in two places: `result.metadata.toolCallRounds[].toolCalls[]` has the model's arguments (and
`toolCallResults` what it was told), the answer's `toolInvocationSerialized` parts have what was run. In 0.67 both
have the same id, with a suffix in the rounds; in files of 0.37 and before the ids differ. Rounds are written when the
request ends; the calls of sub-agents are in no round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from deja_hooks.sources.chats.results import has_failed, result_text
from deja_hooks.sources.chats.terminal import Terminal, edited_command, terminal_of
from deja_hooks.sources.chats.values import mapping, mappings, metadata
from deja_hooks.sources.edits import command_of, named_paths, spans
from deja_hooks.sources.logs.log import call_key
from deja_hooks.sources.logs.turns import as_arguments
from deja_hooks.sources.model import Work
from deja_hooks.sources.text import clip, epoch_ms, split_exit
from deja_hooks.tools import COMMAND_TOOLS, EDIT_TOOLS

__all__ = ["Done", "done_in"]


class Done(NamedTuple):
    """The work of a request.

    Attributes:
        work: in the order of the rounds; a sub-agent's commands after the call that started it.
        calls: the ids of the calls that this accounts for: those of the rounds and those with a terminal. (What
            other calls did, a sub-agent's edits say, isn't told here.)
    """

    work: tuple[Work, ...]
    calls: frozenset[str]


class _Call(NamedTuple):
    key: str
    name: str
    arguments: Any
    at: int


def done_in(request: dict[str, Any], shown: Iterable[Any], withdrawn: Iterable[Any], at: int) -> Done:
    """The work of a request that began `at`; nothing of what lies in the withdrawn parts of its answer."""
    return _Calls(request, shown, withdrawn, at).done()


class _Calls:
    """A request's calls while they are joined."""

    def __init__(self, request: dict[str, Any], shown: Iterable[Any], withdrawn: Iterable[Any], at: int) -> None:
        data = metadata(request)
        self.at = at
        self.calls = list(_calls(data, at))
        self.results = {call_key(key): value for key, value in mapping(data.get("toolCallResults")).items()}
        invocations = _invocations(shown)
        self.gone = {call_key(part.get("toolCallId")) for part in _invocations(withdrawn)}
        if self.gone and invocations and invocations[-1].get("presentation") == "hidden":
            # An edit is announced, hidden, before the undo stop that takes it back.
            self.gone.add(call_key(invocations[-1].get("toolCallId")))
        known = {call.key for call in self.calls}
        self.terminals = _Terminals([found for part in invocations if (found := terminal_of(part))], known)
        self.ids = frozenset(known | self.terminals.by_key.keys())

    def done(self) -> Done:
        work: list[Work] = []
        for call in {call.key or str(place): call for place, call in enumerate(self.calls)}.values():
            if call.key not in self.gone:
                work.extend(self._work(call))
                work.extend(self._unasked(self.terminals.of_agent(call.key)))
        work.extend(self._unasked(self.terminals.rest()))
        return Done(tuple(work), self.ids)

    def _work(self, call: _Call) -> Iterator[Work]:
        """What became of a call. One without a result and a terminal was cancelled before it ran."""
        name, arguments = call.name, as_arguments(call.arguments)
        told = result_text(self.results.get(call.key))
        failed = has_failed(name, told)
        command = command_of(arguments).strip() if name in COMMAND_TOOLS else ""
        terminal = self.terminals.take(call.key, command) if name in COMMAND_TOOLS else None
        if terminal is not None and (terminal.seen or not failed):
            if terminal.ran:
                yield terminal.work(name, call.at, call.key, told)
        elif call.key not in self.results:
            return
        elif failed:
            for path in named_paths(name, arguments) or ("",):
                yield Work("failure", call.at, name, path, "", "", command, None, clip(told), call.key)
        elif name in COMMAND_TOOLS:
            command, told = edited_command(told, command)
            output, status = split_exit(told)
            yield Work("command", call.at, name, "", "", "", command, status, clip(output), call.key)
        elif name in EDIT_TOOLS:
            for path, old, new in spans(name, arguments):
                yield Work("edit", call.at, name, path, old, new, "", None, "", call.key)

    def _unasked(self, terminals: Iterable[Terminal]) -> Iterator[Work]:
        """Commands that no round asked for: a sub-agent's, and all while the request is in progress."""
        for terminal in terminals:
            if terminal.ran and not (terminal.key and terminal.key in self.gone):
                told = result_text(self.results.get(terminal.key))
                yield terminal.work(terminal.tool, terminal.at or self.at, terminal.key, told)


class _Terminals:
    """The terminals of a request, each to be taken once."""

    def __init__(self, terminals: list[Terminal], known: set[str]) -> None:
        self.all = dict(enumerate(terminals))
        self.by_key = {each.key: place for place, each in self.all.items() if each.key}
        self.by_parent: dict[str, list[int]] = {}
        self.by_command: dict[str, list[int]] = {}
        for place, each in reversed(self.all.items()):
            if each.parent:
                self.by_parent.setdefault(each.parent, []).append(place)
            elif each.key not in known:
                self.by_command.setdefault(each.asked, []).append(place)

    def take(self, key: str, command: str) -> Terminal | None:
        """The terminal of a call: that of its id, else (in older files) the next one of its command."""
        place = self.by_key.get(key)
        if place is not None:
            return self.all.pop(place, None)
        others = self.by_command.get(command)
        return self.all.pop(others.pop(), None) if others else None

    def of_agent(self, key: str) -> list[Terminal]:
        """Those of the sub-agent that a call started."""
        return [self.all.pop(place) for place in reversed(self.by_parent.pop(key, [])) if place in self.all]

    def rest(self) -> list[Terminal]:
        """Those that nobody took."""
        return list(self.all.values())


def _calls(data: dict[str, Any], at: int) -> Iterator[_Call]:
    for each in mappings(data.get("toolCallRounds")):
        moment = epoch_ms(each.get("timestamp")) or at
        for call in mappings(each.get("toolCalls")):
            key, name = call_key(call.get("id")), call.get("name")
            if key and isinstance(name, str):
                yield _Call(key, name, call.get("arguments"), moment)


def _invocations(parts: Iterable[Any]) -> list[dict[str, Any]]:
    return [part for part in parts if isinstance(part, dict) and part.get("kind") == "toolInvocationSerialized"]
