"""The made-up history of the arms: 20 uneven projects, sessions of both hosts, one decision planted in each session.

It was written from how people talk to Copilot and from the issue that asks for these figures, without a look at how
recall works; neither was fitted to the other. The same seed gives the same files.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from . import phrases
from .machine import NOW
from .told import CHAT, CLI, Edited, Ran, Told, Turn, identity
from .vocabulary import HEADS, PROJECTS, TAILS, Project

__all__ = ["Known", "Planted", "plant", "spelled"]

_DAY = 86_400_000
_SPAN_DAYS = 240
_CHATS = 0.4
_BY_USER = 0.25
_ASIDE = 0.12
_OVERTURNED = 0.05
_UNITS = {"ttl": "s", "window": "s", "period": "s", "delay": "ms", "interval": "s", "timeout": "ms", "time": "s"}


@dataclass(frozen=True)
class Known:
    """What one session settled.

    Attributes:
        session: its id.
        project: the project's name.
        head, name: the first word of the identifier, and the identifier.
        spoken: the identifier in words.
        value: what was settled, which must be in the packet.
        overturned: what a later session settled instead, "" for nothing.
    """

    session: str
    project: str
    head: str
    name: str
    spoken: str
    value: str
    overturned: str = ""


@dataclass(frozen=True)
class Planted:
    """The sessions, and what is to be known of them."""

    told: tuple[Told, ...]
    known: tuple[Known, ...]


def spelled(words: list[str], style: str) -> str:
    """An identifier as a project spells it: `snake`, `camel` or `pascal`."""
    if style == "snake":
        return "_".join(words)
    joined = "".join(word.capitalize() for word in words)
    return joined if style == "pascal" else joined[0].lower() + joined[1:]


def plant(folders: dict[str, Path], sessions: int = 1500, seed: int = 4) -> Planted:
    """So many sessions over all projects, each in its share.

    Args:
        folders: of all projects, by name.
        sessions: above 1,500 the same names come again (for measuring time, not for asking).
    """
    told: list[Told] = []
    known: list[Known] = []
    for project in PROJECTS:
        count = max(3, project.sessions * sessions // 1500)
        maker = _Maker(project, folders[project.name], random.Random(f"{seed}/{project.name}"))
        settled = []
        for number in range(count):
            each, found = maker.session(number, count)
            told.append(each)
            settled += [found] if found is not None else []
        known += [maker.later.get(each.session, each) for each in settled]
    return Planted(tuple(told), tuple(known))


class _Maker:
    """Makes the sessions of one project, in the order of time."""

    def __init__(self, project: Project, folder: Path, chance: random.Random) -> None:
        self.project = project
        self.folder = folder
        self.chance = chance
        self.heads = chance.sample(HEADS, len(HEADS))
        self.before: list[Known] = []
        self.later: dict[str, Known] = {}
        self.values: set[int] = set()

    def session(self, number: int, count: int) -> tuple[Told, Known | None]:
        """One session, and what it settled (None where it overturns an earlier one)."""
        chance = self.chance
        at = NOW - _SPAN_DAYS * _DAY + number * (_SPAN_DAYS - 3) * _DAY // count + chance.randrange(_DAY // 2)
        sid = identity("arms", self.project.name, number)
        old = self._overturn() if self.before and chance.random() < _OVERTURNED else None
        known = self._known(sid, self.heads[number % len(self.heads)]) if old is None else old
        turns = [*self._chatter(chance.randint(0, 2)), *self._matter(known, old), *self._chatter(chance.randint(0, 3))]
        told = Told(sid, self.folder, at, tuple(turns), CHAT if chance.random() < _CHATS else CLI)
        if old is not None:
            return told, None
        self.before.append(known)
        return told, known

    def _known(self, sid: str, head: str) -> Known:
        words = [head, *self.chance.choice(TAILS).split("_")]
        name = spelled(words, self.project.style)
        return Known(sid, self.project.name, head, name, " ".join(words), self._value(words[-1]))

    def _value(self, tail: str) -> str:
        number = self.chance.randint(110, 9900)
        while number in self.values:
            number += 1
        self.values.add(number)
        return f"{number} {_UNITS.get(tail, 'entries')}"

    def _overturn(self) -> Known:
        """An earlier decision with a new value; what was known of it is noted as overturned."""
        old = self.before.pop(self.chance.randrange(len(self.before)))
        new = self._value(old.spoken.split()[-1])
        self.later[old.session] = replace(old, overturned=new)
        return replace(old, value=new, overturned=old.value)

    def _fill(self, text: str, known: Known | None = None, **more: str) -> str:
        chance = self.chance
        part = chance.choice(self.project.parts)
        padding = " ".join(line.format(part=part) for line in chance.sample(phrases.LONG, 2))
        words = {"name": known.name, "value": known.value} if known else {}
        filled = text.format(part=part, long=padding, **words, **more)
        sentence = chance.random() < 0.5 and not text.startswith("{")  # an identifier is never capitalised
        return filled[0].upper() + filled[1:] if sentence else filled

    def _chatter(self, count: int) -> Iterator[Turn]:
        for user, assistant in self.chance.sample(phrases.CHATTER, count):
            aside = ""
            if self.before and self.chance.random() < _ASIDE:
                aside = ". " + self._fill(self.chance.choice(phrases.ASIDES), self.chance.choice(self.before))
            yield Turn(self._fill(user) + aside, self._fill(assistant), self._work())

    def _work(self) -> tuple[Ran | Edited, ...]:
        chance = self.chance
        part = chance.choice(self.project.parts).replace(" ", "_")
        path = f"src/{part}{self.project.suffix}"
        work: list[Ran | Edited] = []
        if chance.random() < 0.5:
            work.append(Ran(self.project.test, 0, f"{chance.randint(8, 300)} passed in {chance.randint(1, 90)}.2s"))
        if chance.random() < 0.3:
            work.append(Ran(f"grep -rn {part} src", 0, f"{path}:12: {part}\n{path}:40: {part}"))
        if chance.random() < 0.4:
            work.append(Edited(path, f"# {part} step {chance.randint(1, 9)}", f"# {part}: step {chance.randint(1, 9)}"))
        return tuple(work)

    def _matter(self, known: Known, overturned: Known | None) -> Iterator[Turn]:
        chance = self.chance
        old = overturned.overturned if overturned else str(chance.randint(2, 99))
        why = chance.choice(phrases.REASONS)
        about = self._fill(chance.choice(phrases.ABOUT), known, old=old)
        if chance.random() < _BY_USER:
            yield Turn(about, self._fill("I looked at {part}. There is no comment and no test that says why."))
            ordered = self._fill(chance.choice(phrases.BY_USER), known, old=old, why=why)
            yield Turn(ordered, self._fill("Done, and {part} has a test for it."), self._change(known, old))
            return
        settled = self._fill(chance.choice(phrases.BY_ASSISTANT), known, old=old, why=why)
        around = self._fill(chance.choice(phrases.LONG))
        yield Turn(about, f"{around} {settled}" if chance.random() < 0.5 else settled, self._change(known, old))

    def _change(self, known: Known, old: str) -> tuple[Ran | Edited, ...]:
        number = known.value.split()[0]
        part = self.chance.choice(self.project.parts).replace(" ", "_")
        edit = Edited(f"src/{part}{self.project.suffix}", f"{known.name} = {old}", f"{known.name} = {number}")
        return (Ran(f"grep -rn {known.name} .", 0, f"src/{part}: {known.name} = {old}"), edit, Ran(self.project.test))
