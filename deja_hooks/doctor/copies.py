"""Our entries in other files than the one that `install` writes: hosts run each of them, so we would answer twice."""

from collections.abc import Iterator
from pathlib import Path

from deja_hooks.doctor.entries import our_entries
from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc

__all__ = ["check_copies", "places_of_hooks"]

_CHECK = "hook-copies"
#: Below a project, files that hold hooks; VS Code reads `.claude` where `chat.useClaudeHooks` is on, the CLI always.
_IN_PROJECTS = (
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
)


def places_of_hooks(home: Path, copilot_home: Path, projects: list[Path]) -> list[Path]:
    """The files that are there from which a host takes hooks, each once.

    Args:
        home: the user's home folder.
        copilot_home: the CLI's folder.
        projects: the top folders of projects.
    """
    found: list[Path] = []
    for folder in dict.fromkeys((copilot_home, home / ".copilot")):
        found += [*sorted((folder / "hooks").glob("*.json")), folder / "settings.json", folder / "config.json"]
    found += [home / ".claude" / "settings.json", home / ".claude" / "settings.local.json"]
    for project in projects:
        found += sorted((project / ".github" / "hooks").glob("*.json"))
        found += [project / name for name in _IN_PROJECTS]
    return list({path.resolve(): path for path in reversed(found) if path.is_file()}.values())[::-1]


def check_copies(files: list[Path], own: list[Path]) -> Iterator[Finding]:
    """Looks for our entries in these files.

    Args:
        files: see `places_of_hooks`.
        own: the hook files that `install` writes.
    """
    written = {path.resolve() for path in own}
    others = [path for path in files if path.resolve() not in written]
    copies = 0
    for path in others:
        try:
            events = dict.fromkeys(entry.event for entry in our_entries(read_jsonc(path) or {}))
        except JsoncError as error:
            yield note(_CHECK, path, f"not looked into: {error}", "mend it, or its hooks may not run either")
            continue
        if events:
            copies += 1
            seen = f"deja-hooks is called from here too, at {', '.join(events)}: these are answered twice"
            yield broken(_CHECK, path, seen, "take the entries that name deja_hooks out of it")
    if not copies:
        number = f"{len(others)} other {'file' if len(others) == 1 else 'files'} with hooks or settings"
        yield ok(
            _CHECK, "other hook files", f"deja-hooks is called from none of {number}" if others else "there are none"
        )
