"""What silences every hook of Copilot CLI: `disableAllHooks` (seen in the help and in a run of 1.0.102)."""

from collections.abc import Iterator
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.jsonc import JsoncError, read_jsonc

__all__ = ["check_copilot_settings"]

_CHECK = "cli-hooks"


def check_copilot_settings(copilot_home: Path, projects: list[Path]) -> Iterator[Finding]:
    """The user's settings, and those of projects.

    Args:
        copilot_home: the CLI's folder.
        projects: the top folders of projects.
    """
    files = [copilot_home / "settings.json", copilot_home / "config.json"]
    for project in projects:
        files += [project / ".github" / "copilot" / name for name in ("settings.json", "settings.local.json")]
        files += [project / ".claude" / name for name in ("settings.json", "settings.local.json")]
    found = [finding for path in files for finding in _check(path)]
    yield from found or [ok(_CHECK, "Copilot CLI's settings", "hooks are not disabled")]


def _check(path: Path) -> Iterator[Finding]:
    try:
        settings = read_jsonc(path)
    except JsoncError as error:
        yield note(_CHECK, path, f"not looked into: {error}", "mend it")
        return
    if settings and settings.get("disableAllHooks") is True:
        yield broken(
            _CHECK, path, "disableAllHooks is true: Copilot CLI calls no hook", "set it to false, or take it out"
        )
