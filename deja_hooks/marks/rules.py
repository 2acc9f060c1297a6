"""From what the user decided to what hooks ask: the folder `kept-out` (see `memory.kept_out`).

A file that isn't what it should be changes nothing: the rules that were made from the last good one stay (see
`raw_settings`).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.marks.exclusions import folder, pattern
from deja_hooks.marks.log import write_private
from deja_hooks.marks.raw_settings import part_of, raw_settings
from deja_hooks.memory.kept_out import Rules, parse_rules
from deja_hooks.memory.scope import normal_path, project_key
from deja_hooks.system import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from deja_hooks.memory.layout import Layout

__all__ = ["keep_out_sessions", "make_rules", "refresh_rules", "stored_rules", "wanted_rules"]


def stored_rules(layout: Layout) -> Rules:
    """The rules as they were made last, whole. Raises OSError."""
    try:
        return parse_rules(Path(layout.kept_out_rules).read_text(encoding="utf-8", errors="surrogateescape"))
    except FileNotFoundError:
        return Rules((), (), ())


def refresh_rules(layout: Layout, home: Path) -> Rules:
    """Makes the rules anew from the settings, where they are sound; returns those in force. Raises OSError."""
    rules = wanted_rules(layout, home)
    if rules.lines() != stored_rules(layout).lines():
        write_private(Path(layout.kept_out_rules), rules.lines().encode("utf-8", "surrogateescape"))
    return rules


def wanted_rules(layout: Layout, home: Path) -> Rules:
    """The rules that the settings ask for; those in force where they aren't sound. Raises OSError."""
    exclusions = _exclusions(layout)
    return stored_rules(layout) if exclusions is None else make_rules(*exclusions, home)


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
    """The exclusions of the settings; None where they aren't what they should be."""
    exclude = part_of(raw_settings(layout), "exclude", ("projects", "paths"))
    if exclude is None:
        return None
    projects, paths = _sound(exclude.get("projects", []), folder), _sound(exclude.get("paths", []), pattern)
    return (projects, paths) if projects is not None and paths is not None else None


def _sound(values: object, check: Callable[[str], str]) -> list[str] | None:
    """The values, where they are a list of texts that pass the check."""
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        return None
    try:
        return [check(each) for each in values]
    except ValueError:
        return None


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
