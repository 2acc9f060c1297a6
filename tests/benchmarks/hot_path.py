"""What a hook costs, event by event, against an interpreter that does nothing.

All are run by `sh -c`, in turn within one run, so that a busy machine slows all of them.
"""

from __future__ import annotations

import json
import shlex
import statistics
import sys
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deja_hooks.memory.state import State

from .corpus import Corpus, Fact, long_session
from .installation import Installation
from .processes import run_in_shell

__all__ = ["Case", "Times", "cases", "distinct_projects", "long_transcript_case", "prompt_case", "run"]

#: Bytes of the transcript that a hook has read before, and of what is new in it.
LONG_BYTES, NEW_BYTES = 1_000_000, 20_000


@dataclass(frozen=True)
class Case:
    """One kind of call.

    Attributes:
        payload: makes the JSON of the n-th call; each call is of a session of its own.
        speaks: whether the call is to be answered with a packet.
        wakes: whether it starts the background indexer, whose end is then waited for.
    """

    name: str
    installation: Installation
    command: str
    folder: Path
    payload: Callable[[int], dict[str, object]]
    speaks: bool
    wakes: bool = False


@dataclass
class Times:
    """Wall times of one case in ms, and how many of its calls were answered with a packet."""

    name: str
    speaks: bool
    milliseconds: list[float] = field(default_factory=list)
    answered: int = 0

    @property
    def median(self) -> float:
        """In ms."""
        return statistics.median(self.milliseconds)


def run(cases: list[Case], rounds: int) -> list[Times]:
    """Runs each case once a round, a bare interpreter before each; the bare one is the first result."""
    bare = Times("bare interpreter", speaks=False)
    results = [Times(case.name, case.speaks) for case in cases]
    nothing = f"{shlex.quote(sys.executable)} -I -S -c pass"
    for number in range(-1, rounds):
        for place in range(len(cases)):
            # Each round begins elsewhere, so that no case always follows the same one.
            at = (place + number) % len(cases)
            case, times = cases[at], results[at]
            payload = json.dumps(case.payload(number + 1)).encode()
            environment = case.installation.environment()
            bare_taken, _ = run_in_shell(nothing, payload, case.folder, environment)
            taken, printed = run_in_shell(case.command, payload, case.folder, environment)
            if case.wakes:
                case.installation.wait_for_indexer()
            if number < 0:
                continue  # the first round warms the caches
            bare.milliseconds.append(bare_taken)
            times.milliseconds.append(taken)
            times.answered += bool(printed)
    return [bare, *results]


def prompt_case(installation: Installation, command: str, fact: Fact, name: str) -> Case:
    """A prompt that is about the fact's session."""

    def payload(_: int) -> dict[str, object]:
        return _payload("UserPromptSubmit", str(uuid.uuid4()), fact, prompt=_question(fact))

    return Case(name, installation, command, fact.project, payload, speaks=True)


def cases(installation: Installation, commands: dict[str, str], facts: Sequence[Fact]) -> list[Case]:
    """All cases but prompts, for five facts of different projects."""
    ignored, begun, edited, ordered, failed = facts

    def case(name: str, event: str, fact: Fact, fields: dict[str, object]) -> Case:
        def payload(_: int) -> dict[str, object]:
            return _payload(event, str(uuid.uuid4()), fact, **fields)

        return Case(name, installation, commands[event], fact.project, payload, speaks=True)

    read = _tool("Read", path="README.md")
    start: dict[str, object] = {"source": "new", "initial_prompt": "go on"}
    edit = _tool("Edit", path=str(edited.project / edited.file), old_str=edited.topic, new_str="x")
    result = {"result_type": "success", "text_result_for_llm": _failure(failed)}
    failure = {**_tool("Bash", command=failed.failing), "tool_result": result}
    return [
        replace(case("ignored tool call", "PreToolUse", ignored, read), speaks=False),
        replace(case("session start", "SessionStart", begun, start), wakes=True),
        case("before an edit", "PreToolUse", edited, edit),
        case("before a command", "PreToolUse", ordered, _tool("Bash", command=ordered.wrong)),
        case("after a failed command", "PostToolUse", failed, failure),
    ]


def long_transcript_case(
    installation: Installation, commands: dict[str, str], corpus: Corpus, fact: Fact, rounds: int
) -> Case:
    """A prompt of a session with a long transcript, of which a hook has read all but the last bit."""
    command = commands["UserPromptSubmit"]
    sessions = [long_session(corpus, fact.project, seed, LONG_BYTES) for seed in range(100, 101 + rounds)]
    for session in sessions:
        _read_on(installation, command, fact, session.id, session.path)
        session.grow(NEW_BYTES)

    def payload(number: int) -> dict[str, object]:
        return _payload("UserPromptSubmit", sessions[number].id, fact, prompt=_question(fact))

    name = f"prompt, {NEW_BYTES // 1000} KB new in a {LONG_BYTES // 1_000_000} MB transcript"
    return Case(name, installation, command, fact.project, payload, speaks=True)


def _question(fact: Fact) -> str:
    return f"why does {fact.topic} fail again?"


def _read_on(installation: Installation, command: str, fact: Fact, session: str, path: Path) -> None:
    """Calls the hook, which reads a bounded amount each time, until it is at the transcript's end."""
    payload = json.dumps(_payload("UserPromptSubmit", session, fact, prompt="go on")).encode()
    for _ in range(50):
        run_in_shell(command, payload, fact.project, installation.environment())
        if State(installation.layout.state).cursor(session).offset == path.stat().st_size:
            return
    raise RuntimeError(f"the hook did not read {path} to its end")


def _payload(event: str, session: str, fact: Fact, **more: object) -> dict[str, object]:
    stamp = "2026-09-01T09:00:00.000Z"
    base = {"hook_event_name": event, "session_id": session, "timestamp": stamp, "cwd": str(fact.project)}
    return {**base, **more}


def _tool(name: str, **arguments: str) -> dict[str, object]:
    return {"tool_name": name, "tool_input": arguments}


def _failure(fact: Fact) -> str:
    return f"starting\n{fact.error}\n<shellId: 3 completed with exit code 1>"


def distinct_projects(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The first fact of each project."""
    seen = set()
    for fact in facts:
        if fact.project not in seen:
            seen.add(fact.project)
            yield fact
