"""Our entries in other files than the one that `install` writes: hosts run each of them, so we would answer twice.

An entry in a project that nothing else answers is none: that project may be wired alone.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from deja_hooks.doctor.entries import entries_by_hand, our_entries
from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc

__all__ = ["Place", "check_copies", "places_of_hooks", "wired_projects"]

_CHECK = "hook-copies"
#: Below a project, files that hold hooks; VS Code reads `.claude` where `chat.useClaudeHooks` is on, the CLI always.
_IN_PROJECTS = (
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
)


class Place(NamedTuple):
    """A file from which a host takes hooks.

    Attributes:
        path: the file.
        project: the folder that it counts in; None where it counts everywhere.
    """

    path: Path
    project: Path | None


class _Copy(NamedTuple):
    """A place with entries of ours, and the events that they are for."""

    place: Place
    events: list[str]


def places_of_hooks(home: Path, copilot_home: Path, projects: list[Path]) -> list[Place]:
    """The files that are there from which a host takes hooks, each once.

    Args:
        home: the user's home folder.
        copilot_home: the CLI's folder.
        projects: the top folders of projects.
    """
    found: list[Place] = []
    for folder in dict.fromkeys((copilot_home, home / ".copilot")):
        files = [*sorted((folder / "hooks").glob("*.json")), folder / "settings.json", folder / "config.json"]
        found += (Place(path, None) for path in files)
    found += (Place(home / ".claude" / name, None) for name in ("settings.json", "settings.local.json"))
    for project in projects:
        files = [*sorted((project / ".github" / "hooks").glob("*.json")), *(project / name for name in _IN_PROJECTS)]
        found += (Place(path, project) for path in files)
    there = {place.path.resolve(): place for place in reversed(found) if place.path.is_file()}
    return list(there.values())[::-1]


def wired_projects(places: Iterable[Place]) -> list[Path]:
    """The hook files of projects that are wired alone (`.github/hooks/deja.json`)."""
    return [
        place.path
        for place in places
        if place.project is not None and place.path.name == "deja.json" and _installed(place)
    ]


def check_copies(places: list[Place], own: list[Path]) -> Iterator[Finding]:
    """Looks for our entries in these files.

    Args:
        places: see `places_of_hooks`.
        own: the hook files that `install` writes for the user; one that isn't among the places is not there.
    """
    written = {path.resolve() for path in own}
    others = [place for place in places if place.path.resolve() not in written]
    copies: list[_Copy] = []
    for place in places:
        try:
            events = _events_of(place) if place in others else _events_by_hand(place)
        except JsoncError as error:
            if place in others:  # `wiring` looks into our own
                yield note(_CHECK, place.path, f"not looked into: {error}", "mend it, or its hooks may not run either")
            continue
        if events:
            copies.append(_Copy(place, events))
    answered = [_Copy(place, _installed(place)) for place in places if place not in others]
    for copy in copies:
        yield _judged(copy, [other for other in (*answered, *copies) if other is not copy])
    if not copies:
        number = f"{len(others)} other {'file' if len(others) == 1 else 'files'} with hooks or settings"
        yield ok(
            _CHECK, "other hook files", f"deja-hooks is called from none of {number}" if others else "there are none"
        )


def _judged(copy: _Copy, others: list[_Copy]) -> Finding:
    path, project = copy.place
    beside = [each for each in others if project is None or each.place.project in (None, project)]
    twice = [event for event in copy.events if any(event in each.events for each in beside)]
    if twice:
        seen = f"deja-hooks is called from here too, at {', '.join(twice)}: these are answered twice"
        return broken(_CHECK, path, seen, "take the entries that call deja-hooks out of it")
    where = "in this project" if project is not None else "by Copilot CLI"
    return note(_CHECK, path, f"deja-hooks is called from here, {where}", "see deja-hooks install for all projects")


def _events(place: Place) -> list[str]:
    try:
        return _events_of(place)
    except JsoncError:
        return []


def _events_of(place: Place) -> list[str]:
    """The events for which a file has an entry that calls us, in the file's spelling. Raises JsoncError."""
    document = read_jsonc(place.path) or {}
    ours = {entry.event for entry in (*our_entries(document), *entries_by_hand(document))}
    hooks = document.get("hooks")
    return [event for event in hooks if event in ours] if isinstance(hooks, dict) else []


def _events_by_hand(place: Place) -> list[str]:
    """Those for which it has one that `install` has not written. Raises JsoncError."""
    return list(dict.fromkeys(entry.event for entry in entries_by_hand(read_jsonc(place.path) or {})))


def _installed(place: Place) -> list[str]:
    try:
        return list(dict.fromkeys(entry.event for entry in our_entries(read_jsonc(place.path) or {})))
    except JsoncError:
        return []
