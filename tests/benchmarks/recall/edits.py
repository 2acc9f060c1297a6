"""200 edits in projects where something was decided about other files, this file, its directory or its symbol."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .figures import Figure, Miss, at_least, at_most
from .machine import NOW, Machine, lines_of
from .told import CHAT, CLI, Edited, Ran, Told, Turn, identity

__all__ = ["Edit", "edits", "measure", "names", "sessions"]

_DAY = 86_400_000
_AREAS = ("api", "billing", "search", "mail", "sync")
_FILES = ("client", "cache", "models", "worker", "routes", "format")
_PROJECTS = ("storefront", "tracker", "atelier", "harbour")
_FILE = (
    "Decision: {path} stays synchronous, because the report runner imports it from a thread.",
    "We decided that {path} must not log request bodies, since they hold addresses.",
    "{path} keeps its own retry loop on purpose: the shared one swallows timeouts.",
    "We agreed to leave the odd import order in {path}, because the plugin loader needs it.",
    "Settled: {path} reads its limits from the environment only, never from the database.",
)
_DIRECTORY = (
    "We decided that nothing in {directory}/ may import the web layer, because the batch jobs load it alone.",
    "Decision: everything below {directory}/ uses decimal and never float, since auditors compare the sums.",
)
_SYMBOL = (
    "Decision: {symbol} never retries, because its callers already do.",
    "We decided to keep {symbol} case-insensitive; old clients send upper case.",
    "{symbol} returns an empty list instead of None on purpose, since templates iterate over it.",
)
_VERBS = ("load", "merge", "send", "resolve", "pack", "expire")
_NOUNS = ("invoice", "draft", "voucher", "contact", "digest", "parcel", "quote", "badge")
_TALK = (
    ("run the tests", "All tests pass."),
    ("the cache feels slow, why?", "The cache is cold after each deploy; the worker fills it within a minute."),
    ("what do the models look like?", "Plain classes; the client and the routes build them, the worker stores them."),
    ("clean up the imports", "Sorted, and two unused ones are gone."),
    ("rename things in the mail area", "The format helpers have clearer names now."),
)


@dataclass(frozen=True)
class Edit:
    """One edit, and the decision that a line about it must quote ("" where there is none).

    Attributes:
        path: below the project.
        symbol: the function whose lines are replaced.
    """

    project: str
    path: str
    symbol: str
    decision: str

    @property
    def old(self) -> str:
        """What is replaced."""
        return f"def {self.symbol}(items):\n    return list(items)\n"


@dataclass(frozen=True)
class _Decided:
    kind: str
    what: str
    sentence: str


def _decisions() -> dict[str, list[_Decided]]:
    """Of each project: ten files, two directories, eight symbols that something was decided about."""
    chance = random.Random(3)
    found = {}
    for project in _PROJECTS:
        paths = [f"src/{area}/{name}.py" for area in _AREAS[:3] for name in _FILES]
        files = [_Decided("file", path, chance.choice(_FILE).format(path=path)) for path in chance.sample(paths, 10)]
        directories = [
            _Decided("directory", f"lib/{area}", chance.choice(_DIRECTORY).format(directory=f"lib/{area}"))
            for area in chance.sample(_AREAS, 2)
        ]
        names = [f"{verb}_{noun}" for verb in _VERBS for noun in _NOUNS]
        symbols = [_Decided("symbol", n, chance.choice(_SYMBOL).format(symbol=n)) for n in chance.sample(names, 8)]
        found[project] = [*files, *directories, *symbols]
    return found


def sessions(machine: Machine) -> list[Told]:
    """A session for each decision, with work and talk around it."""
    chance = random.Random(5)
    told = []
    for project, decided in _decisions().items():
        folder = machine.project(project)
        for number, one in enumerate(decided):
            user, assistant = chance.choice(_TALK)
            work = (
                Ran("pytest -q", 0, "12 passed"),
                Edited(f"src/sync/{chance.choice(_FILES)}.py", "limit = 4", "limit = 5"),
            )
            turns = (
                Turn(user, assistant, work),
                Turn("and what about the point from the review?", f"I went through it. {one.sentence} The tests pass."),
            )
            at = NOW - (90 - number) * _DAY
            told.append(Told(identity("edits", project, number), folder, at, turns, (CLI, CHAT)[number % 2]))
    return told


def edits() -> list[Edit]:
    """50 of each project: 20 that something was decided about, 30 near misses."""
    chance = random.Random(7)
    found = []
    for project, decided in _decisions().items():
        taken = {one.what for one in decided}
        free = [name for verb in _VERBS for noun in _NOUNS if (name := f"{verb}_{noun}") not in taken]
        for one in decided:
            symbol = one.what if one.kind == "symbol" else chance.choice(free)
            path = {"file": one.what, "directory": f"{one.what}/{chance.choice(_FILES)}.py"}.get(
                one.kind, f"src/mail/{chance.choice(_FILES)}.py"
            )
            found.append(Edit(project, path, symbol, one.sentence))
        found += [Edit(project, path, symbol, "") for path, symbol in _near_misses(taken, free, chance)]
    return found


def _near_misses(taken: set[str], free: list[str], chance: random.Random) -> list[tuple[str, str]]:
    """Same name elsewhere, words of a decision as a file's name, longer symbols, neighbouring directories."""
    files = sorted(path for path in taken if path.endswith(".py"))
    symbols = sorted(name for name in taken if "/" not in name)
    elsewhere = [(path.replace("src/", "tools/"), chance.choice(free)) for path in files]
    longer = [(f"src/mail/{chance.choice(_FILES)}.py", f"{symbol}_batch") for symbol in symbols]
    words = ("timeouts", "decimal", "retry", "templates", "database", "review", "limits")
    by_word = [(f"src/mail/{word}.py", chance.choice(free)) for word in words]
    beside = [(f"library/{area}/{chance.choice(_FILES)}.py", chance.choice(free)) for area in _AREAS]
    return [*elsewhere, *longer, *by_word, *beside]


def names(line: str, edit: Edit) -> bool:
    """Whether a line names the edit's file, a directory that it lies in, or its symbol."""
    words = set(re.findall(r"[\w./-]+", line))
    words |= {word.rstrip("./") for word in words}
    path = Path(edit.path)
    spellings = {edit.path, *map(str, list(path.parents)[:-1])}
    if not any(word.endswith("/" + path.name) and word != edit.path for word in words):
        spellings.add(path.name)
    return bool(words & spellings) or edit.symbol in words


def measure(machine: Machine) -> Iterator[Figure]:
    """All edits, each in a session of its own; then those with a decision twice in one session."""
    machine.remember(sessions(machine))
    strangers, missed, right, wanted = [], [], 0, 0
    asked = edits()
    for number, edit in enumerate(asked):
        packet = _before(machine, edit, f"edit-{number}", number)
        lines = lines_of(packet)
        shown = f"{edit.path} {edit.symbol}"
        strangers += [Miss(shown, edit.decision or "silence", line) for line in lines if not names(line, edit)]
        if edit.decision:
            wanted += 1
            right += edit.decision in packet
            if edit.decision not in packet:
                missed.append(Miss(shown, edit.decision, "\n".join(lines)))
    yield at_most("before an edit", "a line that names none of its things", len(strangers), len(asked), 0, strangers)
    yield at_least("before an edit", "decisions about it that were shown", right, wanted, None, missed)
    said: list[str] = []
    for edit in [each for each in asked if each.decision and each.project == _PROJECTS[0]] * 2:
        said += lines_of(_before(machine, edit, "edit-again", 0))
    yield at_most("before an edit", "said twice in a session", len(said) - len(set(said)), len(said))


def _before(machine: Machine, edit: Edit, session: str, number: int) -> str:
    """PreToolUse in the words of the CLI and of VS Code in turn."""
    folder = machine.project(edit.project)
    path, new = str(folder / edit.path), edit.old.replace("list(items)", "sorted(items)")
    fields: dict[str, Any]
    if number % 2:
        arguments = {"filePath": path, "oldString": edit.old, "newString": new}
        fields = {"tool_name": "replace_string_in_file", "tool_input": arguments, "tool_use_id": f"c{number}__vscode-1"}
    else:
        fields = {"tool_name": "Edit", "tool_input": {"path": path, "old_str": edit.old, "new_str": new}}
    return machine.call("PreToolUse", session, folder, **fields)
