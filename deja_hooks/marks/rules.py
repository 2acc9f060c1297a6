"""From what the user decided to what hooks ask: the folder `kept-out` (see `memory.kept_out`).

`settings.json` is read here without pydantic (a pass with nothing new must not load it); a file that isn't what it
should be changes nothing: the rules that were made from the last good one stay.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.marks.exclusions import folder, pattern
from deja_hooks.marks.log import write_private
from deja_hooks.memory.kept_out import Rules, parse_rules
from deja_hooks.memory.scope import normal_path, project_key
from deja_hooks.system import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from deja_hooks.memory.layout import Layout

__all__ = ["keep_out_sessions", "make_rules", "refresh_rules", "stored_rules"]


def stored_rules(layout: Layout) -> Rules:
    """The rules as they were made last, whole. Raises OSError."""
    try:
        return parse_rules(Path(layout.kept_out_rules).read_text(encoding="utf-8", errors="surrogateescape"))
    except FileNotFoundError:
        return Rules((), (), ())


def refresh_rules(layout: Layout, home: Path) -> Rules:
    """Makes the rules anew from the settings, where they are sound; returns those in force. Raises OSError."""
    before = stored_rules(layout)
    exclusions = _exclusions(layout)
    if exclusions is None:
        return before
    rules = make_rules(*exclusions, home)
    if rules.lines() != before.lines():
        write_private(Path(layout.kept_out_rules), rules.lines().encode("utf-8", "surrogateescape"))
    return rules


def keep_out_sessions(layout: Layout, sids: Iterable[str]) -> None:
    """Leaves a marker for each forgotten session. Raises OSError."""
    for sid in sids:
        path = Path(layout.forgotten(sid))
        if not path.exists():
            make_private_dir(str(path.parent))
            path.touch(mode=0o600)


def make_rules(projects: Sequence[str], paths: Sequence[str], home: Path) -> Rules:
    """The rules for these exclusions (see `contract.settings.Exclusions`)."""
    folders = [name for each in projects for name in _names(each, home)]
    keys = {key for each in folders for key in (project_key(each), f"git:{each}/.git", f"dir:{each}")}
    patterns = [name for each in paths for name in _pattern_names(each, home)]
    return Rules(tuple(sorted(keys)), tuple(dict.fromkeys(folders)), tuple(dict.fromkeys(patterns)))


def _exclusions(layout: Layout) -> tuple[list[str], list[str]] | None:
    """The exclusions of the settings; None where the file isn't what it should be."""
    try:
        value = json.loads(Path(layout.settings).read_bytes())
    except FileNotFoundError:
        return [], []
    except (OSError, ValueError, RecursionError):
        return None
    exclude = value.get("exclude", {}) if isinstance(value, dict) else None
    if not isinstance(exclude, dict):
        return None
    projects, paths = exclude.get("projects", []), exclude.get("paths", [])
    return (projects, paths) if _are_sound(projects, folder) and _are_sound(paths, pattern) else None


def _are_sound(values: object, check: Callable[[str], str]) -> bool:
    try:
        return isinstance(values, list) and all(isinstance(each, str) and check(each) for each in values)
    except ValueError:
        return False


def _names(top: str, home: Path) -> list[str]:
    """The folder by every path that a host may name: as written, and with its links resolved."""
    path = normal_path(_at_home(top, home))
    return list(dict.fromkeys((path, normal_path(os.path.realpath(path)))))


def _pattern_names(wanted: str, home: Path) -> list[str]:
    """The same of a pattern: of its names before the first with a sign in it, the links are resolved."""
    path = _at_home(wanted, home).replace("\\", "/")
    if "/" not in path:
        return [path]
    names = path.split("/")
    plain = next((i for i, name in enumerate(names) if "*" in name or "?" in name), len(names))
    real = os.path.realpath("/".join(names[:plain]) or "/").replace("\\", "/").rstrip("/")
    return list(dict.fromkeys((path, "/".join((real, *names[plain:])))))


def _at_home(path: str, home: Path) -> str:
    return str(home) + path[1:] if path == "~" or path[:2] in ("~/", "~\\") else path
