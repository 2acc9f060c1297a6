"""The arms: 60 prompts of a kind each, asked of a history in which each session settled one thing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from . import phrases
from .figures import Figure, Miss, at_least, at_most
from .history import Known, Planted, plant, spelled
from .idle import FILLER, OFF_TOPIC
from .machine import Machine, lines_of, sessions_of
from .vocabulary import ABSENT, PROJECTS, TAILS, Project

__all__ = ["Asked", "chosen", "grown", "measure", "questions"]

_QUESTIONS = 60
#: Of 60; of the other arms none may be answered.
_TARGETS = {
    "own identifier": 60,
    "split into words": 55,
    "one word": 55,
    "neutral wording": 60,
    "late in a long prompt": 55,
}
_BY_NAME = {project.name: project for project in PROJECTS}


@dataclass(frozen=True)
class Asked:
    """One prompt: where it is asked, and the answer that its packet must hold (None: no packet is right)."""

    project: str
    text: str
    answer: Known | None
    session: str = ""


def grown(machine: Machine, sessions: int) -> Planted:
    """The history, written and indexed."""
    planted = plant({project.name: machine.project(project.name) for project in PROJECTS}, sessions)
    machine.remember(planted.told)
    return planted


def chosen(planted: Planted, count: int = _QUESTIONS) -> list[Known]:
    """What is asked about: the same number from each project, spread over its time, nothing that was overturned."""
    asked = []
    for project in PROJECTS:
        own = [known for known in planted.known if known.project == project.name and not known.overturned]
        share = count // len(PROJECTS)
        asked += [own[(2 * n + 1) * len(own) // (2 * share)] for n in range(share)]
    return asked


def questions(planted: Planted, seed: int = 40) -> Iterator[tuple[str, list[Asked]]]:
    """The prompts of each arm."""
    known = chosen(planted)
    chance = random.Random(seed)

    def each(texts: tuple[str, ...], put: Callable[[str, Known], str] = _named) -> list[Asked]:
        return [Asked(one.project, put(texts[n % len(texts)], one), one) for n, one in enumerate(known)]

    yield "own identifier", each(phrases.MEMORY)
    yield "split into words", each(phrases.MEMORY, lambda text, one: text.format(name=one.spoken))
    yield "one word", each(phrases.ONE, lambda text, one: text.format(head=one.head))
    yield "neutral wording", each(phrases.NEUTRAL)
    yield "late in a long prompt", each(phrases.LATE, lambda text, one: f"{_long(one, chance)} {_named(text, one)}")
    yield "another project's", [_foreign(one, planted, text, chance) for one, text in _with_texts(known)]
    yield "exists nowhere", [_absent(one, text, n, chance) for n, (one, text) in enumerate(_with_texts(known))]
    yield "filler", [Asked(one.project, text, None) for one, text in zip(known, FILLER, strict=True)]
    yield "off-topic", [Asked(one.project, text, None) for one, text in zip(known, OFF_TOPIC, strict=True)]
    yield "asking session", [Asked(one.project, _named(t, one), None, one.session) for one, t in _with_texts(known)]


def _with_texts(known: list[Known]) -> list[tuple[Known, str]]:
    return [(one, phrases.MEMORY[n % len(phrases.MEMORY)]) for n, one in enumerate(known)]


def _named(text: str, known: Known) -> str:
    return text.format(name=known.name)


def _long(known: Known, chance: random.Random) -> str:
    """Six to ten sentences of work on something else."""
    project: Project = _BY_NAME[known.project]
    lines = chance.sample(phrases.ELSEWHERE, chance.randint(6, len(phrases.ELSEWHERE)))
    part = chance.choice(project.parts)
    return f"Please rework {part} step by step. " + " ".join(line.format(part=part) for line in lines)


def _foreign(one: Known, planted: Planted, text: str, chance: random.Random) -> Asked:
    """The identifier of another project whose first word this project never used."""
    here = {known.head for known in planted.known if known.project == one.project}
    others = [known for known in planted.known if known.project != one.project and known.head not in here]
    return Asked(one.project, _named(text, chance.choice(others)), None)


def _absent(one: Known, text: str, number: int, chance: random.Random) -> Asked:
    words = [ABSENT[number % len(ABSENT)], *chance.choice(TAILS).split("_")]
    return Asked(one.project, text.format(name=spelled(words, _BY_NAME[one.project].style)), None)


def measure(machine: Machine, planted: Planted) -> Iterator[Figure]:
    """Asks all arms; each prompt is a session of its own."""
    for arm, asked in questions(planted):
        packets = [_ask(machine, arm, n, one) for n, one in enumerate(asked)]
        if asked[0].answer is not None:
            yield _answered(arm, asked, packets, _TARGETS[arm])
        else:
            yield _silent(arm, asked, packets)
    yield _overturned(machine, planted)
    yield at_least("arms", "said the same by a process", machine.alike, machine.processes, machine.processes)


def _ask(machine: Machine, arm: str, number: int, asked: Asked) -> str:
    folder: Path = machine.project(asked.project)
    if asked.session:
        return machine.call("UserPromptSubmit", asked.session, folder, prompt=asked.text)
    return machine.prompt(asked.text, f"{arm}-{number}", folder)


def _answered(arm: str, asked: list[Asked], packets: list[str], target: int) -> Figure:
    misses, right, fired, wrong = [], 0, 0, 0
    for one, packet in zip(asked, packets, strict=True):
        assert one.answer is not None
        told = one.answer.value in packet
        right += told
        fired += bool(packet)
        wrong += bool(packet) and not told
        if not told:
            misses.append(Miss(f"[{one.project}] {one.text}", one.answer.value, "\n".join(lines_of(packet))))
    figure = at_least("arms", arm, right, len(asked), target, misses)
    figure.values.update(fired=fired, wrong=wrong)
    return figure


def _silent(arm: str, asked: list[Asked], packets: list[str]) -> Figure:
    spoken = [(one, packet) for one, packet in zip(asked, packets, strict=True) if packet]
    fired = len(spoken)
    if asked[0].session:  # others may have spoken of it in passing: what may not come back are its own words
        spoken = [(one, packet) for one, packet in spoken if one.session[:8] in sessions_of(packet)]
    misses = [Miss(f"[{one.project}] {one.text}", "silence", "\n".join(lines_of(packet))) for one, packet in spoken]
    figure = at_most("arms", arm, len(spoken), len(asked), 0, misses)
    figure.values["fired"] = fired
    return figure


def _overturned(machine: Machine, planted: Planted) -> Figure:
    """Decisions that a later session changed: the packet must lead with the later one."""
    changed = [known for known in planted.known if known.overturned][:20]
    misses, right = [], 0
    for n, one in enumerate(changed):
        text = _named(phrases.MEMORY[n % len(phrases.MEMORY)], one)
        packet = machine.prompt(text, f"overturned-{n}", machine.project(one.project))
        if one.overturned in "".join(lines_of(packet)[:1]):
            right += 1
        else:
            misses.append(Miss(f"[{one.project}] {text}", one.overturned, "\n".join(lines_of(packet))))
    return at_least("arms", "overturned: the later one leads", right, len(changed), None, misses)
