"""100 failures, of which 40 have a known fix: what is said after each."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .failure_samples import EVERYDAY, IRREVERSIBLE, KINDS, NAMES, Kind
from .figures import Figure, Miss, at_least, at_most
from .machine import NOW, Machine, lines_of
from .told import CHAT, CLI, Edited, Ran, Told, Turn, identity

__all__ = ["Met", "cases", "measure", "sessions"]

_DAY = 86_400_000
_PROJECTS = ("orders", "console", "platform", "reports", "edge")


@dataclass(frozen=True)
class Met:
    """A failure met now.

    Attributes:
        group: what is known of it.
        fix: what the packet must name, "" where silence is right.
    """

    group: str
    project: str
    command: str
    output: str
    fix: str


@dataclass(frozen=True)
class _Story:
    """A session to tell: its project, what was done in it, and the assistant's last words."""

    project: str
    work: tuple[Ran | Edited, ...]
    said: str


def _filled(text: str, name: str, chance: random.Random) -> str:
    """A sample with its name, and with the numbers, paths and hashes of this time."""
    return (
        text.replace("{a}", name)
        .replace("{n}", str(chance.randint(12, 990)))
        .replace("{ver}", f"{chance.randint(1, 22)}.{chance.randint(0, 19)}.{chance.randint(0, 9)}")
        .replace("{hash}", f"{chance.getrandbits(256):064x}")
        .replace("{ms}", str(chance.randint(300, 99_000)))
        .replace("{root}", chance.choice(("/home/ana/code/app", "/home/ana/work/app-2", "/builds/ana/app")))
    )


def _project(place: int) -> str:
    return _PROJECTS[place % len(_PROJECTS)]


def _fix(kind: Kind, name: str) -> str:
    return kind.fix.replace("{a}", name)


def _made(fix: str) -> Ran | Edited:
    path = fix.removeprefix("edit ")
    return Edited(path, "# before", "# after") if path != fix else Ran(fix, 0, "ok")


def sessions(machine: Machine) -> Iterator[Told]:
    """The history: each known failure met and fixed, and the distractors, in an order by chance."""
    chance = random.Random(13)
    stories = [*_solved(chance), *_unsolved(chance), *_everyday()]
    chance.shuffle(stories)
    for number, story in enumerate(stories):
        turns = (Turn("let's see whether this works", story.said, story.work), Turn("fine, commit it", "Committed."))
        at = NOW - (120 - number) * _DAY
        host = CHAT if number % 3 == 0 else CLI
        yield Told(identity("failures", number), machine.project(story.project), at, turns, host)


def _solved(chance: random.Random) -> Iterator[_Story]:
    """Two of each kind; a quarter were solved after a try that changed nothing."""
    for place, (kind, names) in enumerate(zip(KINDS, NAMES, strict=True)):
        for variant, name in enumerate(names[:2]):
            first, second = _failed(kind, name, chance), _failed(kind, name, chance)
            in_vain = (Edited("docs/notes.md", "old", "new"), second) if variant and place % 2 else ()
            again = Ran(first.command, 0, "ok")
            yield _Story(_project(place + variant), (first, *in_vain, _made(_fix(kind, name)), again), kind.said)


def _unsolved(chance: random.Random) -> Iterator[_Story]:
    """Gone after what can't be undone, or not gone after what helped with another name."""
    for place, (kind, gone) in enumerate(zip(KINDS, IRREVERSIBLE, strict=False)):
        legacy = _failed(kind, f"legacy_{NAMES[place][2]}", chance)
        fresh = (legacy, Ran(gone), Ran(legacy.command, 0, "ok"))
        yield _Story(_project(place), fresh, "It works after a fresh start.")
        name = f"draft_{NAMES[place][2]}"
        vain = (_failed(kind, name, chance), _made(_fix(kind, name)), _failed(kind, name, chance))
        yield _Story(_project(place + 1), vain, "That did not help; I leave it for now.")


def _everyday() -> Iterator[_Story]:
    for place, (command, output) in enumerate(EVERYDAY):
        for again, name in enumerate(("totals", "letters")):
            then = command.replace("{x}", name)
            failed = Ran(then, 1, output.replace("{x}", name))
            work = (failed, Edited("src/main.py", "a", "b"), Ran(then, 0, "ok"))
            yield _Story(_project(place + again), work, "That is done.")


def _failed(kind: Kind, name: str, chance: random.Random) -> Ran:
    return Ran(kind.command.replace("{a}", name), 1, _filled(kind.output, name, chance))


def cases() -> list[Met]:
    """What is met now: 40 known, 20 similar, 10 never solved, 10 solved irreversibly, 20 of everyday."""
    chance = random.Random(17)
    met = []
    for place, (kind, names) in enumerate(zip(KINDS, NAMES, strict=True)):

        def case(group: str, project: str, name: str, fix: str, kind: Kind = kind) -> Met:
            return Met(group, project, kind.command.replace("{a}", name), _filled(kind.output, name, chance), fix)

        for variant, name in enumerate(names[:2]):
            met.append(case("known", _project(place + variant), name, _fix(kind, name).removeprefix("edit ")))
        met.append(case("similar", _project(place), names[2], ""))
        if place < len(IRREVERSIBLE):
            met.append(case("irreversible", _project(place), f"legacy_{names[2]}", ""))
            met.append(case("never solved", _project(place + 1), f"draft_{names[2]}", ""))
    for place, (command, output) in enumerate(EVERYDAY):
        met.append(
            Met("everyday", _project(place), command.replace("{x}", "badges"), output.replace("{x}", "badges"), "")
        )
    return met


def measure(machine: Machine) -> Iterator[Figure]:
    """Plays all failures, each in a session of its own, the CLI's and VS Code's in turn."""
    machine.remember(sessions(machine))
    right, of, wrong, dangerous, missed = 0, 0, [], [], []
    met = cases()
    for number, one in enumerate(met):
        packet = _after(machine, one, number)
        shown = "\n".join(lines_of(packet))
        miss = Miss(f"{one.group}: {one.command}: {one.output[-90:]}", one.fix or "silence", shown)
        of += bool(one.fix)
        if one.fix and one.fix in packet:
            right += 1
        elif packet:
            wrong.append(miss)
        elif one.fix:
            missed.append(miss)
        if any(command in packet for command in IRREVERSIBLE):
            dangerous.append(miss)
    yield at_least("after a failure", "known fixes shown", right, of, 36, missed)
    yield at_most("after a failure", "wrong", len(wrong), len(met), 0, wrong)
    yield at_most("after a failure", "irreversible", len(dangerous), len(met), 0, dangerous)


def _after(machine: Machine, one: Met, number: int) -> str:
    folder = machine.project(one.project)
    given = {"command": one.command}
    more: dict[str, Any]
    if number % 2:
        text = f"{one.output}\n\nCommand exited with code 1"
        more = {"tool_name": "run_in_terminal", "tool_response": text, "tool_use_id": f"f{number}__vscode-1"}
        return machine.call("PostToolUse", f"failure-{number}", folder, tool_input=given, **more)
    result = {
        "result_type": "success",
        "text_result_for_llm": f"{one.output}\n<shellId: 0 completed with exit code 1>",
    }
    return machine.call(
        "PostToolUse", f"failure-{number}", folder, tool_name="Bash", tool_input=given, tool_result=result
    )
