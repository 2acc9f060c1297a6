"""The payloads that a replay answers: which files, which event, which expected reply."""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deja_hooks.hook.events import EVENTS, canonical_event
from deja_hooks.hook.instant import epoch_ms
from deja_hooks.hook.payload import Payload

__all__ = ["Case", "find_files", "read_cases", "sample_home_of"]

_EXPECTED = ".expected.json"
_EVENT_KEYS = ("hook_event_name", "hookEventName")
#: How far above a given path a sample home may lie, in folders.
_MOST_PARENTS = 3
#: Arguments that say what a tool call is about, the first that is there.
_TELLING_ARGUMENTS = ("command", "filePath", "path", "prompt", "query")
_GIST = 100


@dataclass(frozen=True)
class Case:
    """One payload.

    Attributes:
        name: its file, with the line's number where the file holds several.
        file: the file itself.
        event: canonical name, from the payload, else from the words of its path; "" where neither tells.
        payload: as it came.
        expected: the file of the reply expected; it need not be there.
    """

    name: str
    file: Path
    event: str
    payload: dict[str, Any]
    expected: Path

    @property
    def at_ms(self) -> int:
        """The payload's own time stamp, epoch milliseconds; 0 without one."""
        return epoch_ms(self.payload.get("timestamp"))

    @property
    def gist(self) -> str:
        """What the payload is about, on one line: a prompt, a tool with its command or file; "" for others."""
        payload = Payload(self.payload, self.event)
        if payload.prompt or payload.initial_prompt:
            return f'"{_short(payload.prompt or payload.initial_prompt)}"'
        if payload.tool_name:
            given = (payload.tool_input.get(name) for name in _TELLING_ARGUMENTS)
            about = next((text for text in given if isinstance(text, str)), payload.tool_text)
            return f"{payload.tool_name}: {_short(about)}" if about else payload.tool_name
        return payload.source or payload.trigger or payload.reason


def find_files(paths: Iterable[Path]) -> list[Path]:
    """The payload files among the files and below the folders, sorted by path, without sample homes."""
    found: set[Path] = set()
    for path in paths:
        if path.is_dir():
            found.update(_below(path))
        else:
            found.add(path)
    return sorted(found)


def _below(folder: Path) -> Iterator[Path]:
    for root, folders, names in os.walk(folder):
        if "home" in folders:
            folders.remove("home")
        for name in names:
            if name.endswith((".json", ".jsonl")) and not name.endswith(_EXPECTED):
                yield Path(root, name)


def read_cases(file: Path) -> list[Case]:
    """The payloads of a file: one document (`.json`), or one a line (`.jsonl`).

    Raises:
        ValueError: it isn't JSON, or not an object; says which line.
        OSError: it can't be read.
    """
    text = file.read_text(encoding="utf-8-sig")
    if file.suffix != ".jsonl":
        payload = _object(text)
        expected = file.with_name(file.stem + _EXPECTED)
        return [Case(str(file), file, _event(payload, file), payload, expected)]
    cases = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            expected = file.with_name(f"{file.stem}.{number}{_EXPECTED}")
            payload = _object(line, f"line {number}: ")
            cases.append(Case(f"{file}:{number}", file, _event(payload, file), payload, expected))
    return cases


def sample_home_of(file: Path, given: Iterable[Path]) -> Path | None:
    """The folder `home/` beside the file, or beside one of its parents up to the path that was given.

    A few folders above a given path count too, if a host's folder is in that `home/`: so that one payload of
    a collection can be replayed by itself.
    """
    file = file.resolve()
    roots = [path.resolve() for path in given if file.is_relative_to(path.resolve())]
    above = 0
    for folder in file.parents:
        home = folder / "home"
        inside = any(folder.is_relative_to(root) for root in roots)
        if home.is_dir() and (inside or (folder.parent != folder and (home / ".copilot").is_dir())):
            return home
        above += not inside
        if above > _MOST_PARENTS:
            break
    return None


def _event(payload: dict[str, Any], file: Path) -> str:
    for key in _EVENT_KEYS:
        if isinstance(payload.get(key), str):
            return canonical_event(payload[key])
    for part in (file.stem, *file.parts[-3:-1][::-1]):
        plain = part.lower().replace("-", "").replace("_", "")
        for event in sorted(EVENTS, key=len, reverse=True):
            if event.lower() in plain:
                return event
    return ""


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _GIST else text[: _GIST - 1] + "\u2026"


def _object(text: str, where: str = "") -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{where}not JSON ({error})") from error
    if not isinstance(value, dict):
        raise ValueError(f"{where}not a JSON object")  # noqa: TRY004
    return value
