"""What silences the hooks of Copilot CLI by its settings: `disableAllHooks`.

Tried with 1.0.102: in the settings of a project that is trusted it silences every hook, the user's own hook file too.
In the user's settings it ought to (says `copilot help config`), yet there it silenced only the hooks of those settings.
(In a hook file it silences that file alone: see `wiring`.)
"""

from collections.abc import Iterator
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc

__all__ = ["check_copilot_settings"]

_CHECK = "cli-hooks"
_IN_PROJECTS = (
    ".github/copilot/settings.json",
    ".github/copilot/settings.local.json",
    ".claude/settings.json",
    ".claude/settings.local.json",
)


def check_copilot_settings(copilot_home: Path, projects: list[Path]) -> Iterator[Finding]:
    """The user's settings, and those of projects.

    Args:
        copilot_home: the CLI's folder.
        projects: the top folders of projects.
    """
    found: list[Finding] = []
    for name in ("settings.json", "config.json"):
        seen = "disableAllHooks is true: Copilot CLI may call no hook (1.0.102 skips those of its settings alone)"
        found += _check(copilot_home / name, seen)
    for project in projects:
        for place in _IN_PROJECTS:
            seen = "disableAllHooks is true: Copilot CLI calls no hook in this project, once it is trusted"
            found += _check(project / place, seen)
    yield from found or [ok(_CHECK, "Copilot CLI's settings", "hooks are not disabled")]


def _check(path: Path, seen: str) -> Iterator[Finding]:
    try:
        settings = read_jsonc(path)
    except JsoncError as error:
        yield note(_CHECK, path, f"not looked into: {error}", "mend it")
        return
    if settings and settings.get("disableAllHooks") is True:
        yield broken(_CHECK, path, seen, "set it to false, or take it out")
