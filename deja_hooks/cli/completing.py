"""What a shell offers behind Tab: ids of sessions, projects, names of settings.

A shell asks at every Tab and shows what goes wrong in the midst of the line that is being typed: each answer is
bounded, needs nothing heavy, and any fault is an empty answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

    from deja_hooks.memory.read import Memory

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
    Row = tuple[str, str]

__all__ = ["project_folders", "projects", "session_ids", "setting_names", "setting_values"]

#: Most values that are offered.
_MOST = 50
#: Most letters of a title beside an id.
_LONGEST = 60


def session_ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The sessions whose id begins so, the latest first, with their titles."""
    found = _asked(
        "SELECT sid, title FROM session WHERE substr(sid, 1, ?)=? ORDER BY updated DESC, id DESC LIMIT ?", incomplete
    )
    return _items(found)


def projects(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Folders, and the projects whose name begins so."""
    names = _asked(
        "SELECT label, '' FROM project WHERE substr(label, 1, ?)=? AND label<>'' AND sessions>0 ORDER BY label LIMIT ?",
        incomplete,
    )
    return [*_directories(incomplete), *_items(list(dict.fromkeys(names)))]


def project_folders(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """Folders, and those of them that the memory knows as a project's."""
    folders = _asked(
        "SELECT cwd, label FROM session JOIN project ON project.id=project WHERE substr(cwd, 1, ?)=? AND cwd<>''"
        " GROUP BY cwd ORDER BY max(updated) DESC LIMIT ?",
        incomplete,
    )
    # (Behind nothing typed yet, the shell's own folders are nearer.)
    return [*_directories(incomplete), *(_items(folders) if incomplete else [])]


def setting_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """The settings whose name begins so."""
    from deja_hooks.cli.setting_names import NAMES

    return _items([(name, "") for name in NAMES if name.startswith(incomplete)])


def setting_values(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    """What the setting named before may be set to, where that can be listed."""
    name = str(ctx.params.get("name") or "")
    values = ("true", "false") if name.startswith("events.") else ()
    return _items([(value, "") for value in values if value.startswith(incomplete)])


def _asked(query: str, incomplete: str) -> list[Row]:
    """The rows of a query whose parameters are the length of what is typed, itself, and how many are wanted."""
    try:
        memory = _memory()
        if memory is None:
            return []
        try:
            return list(memory.db.execute(query, (len(incomplete), incomplete, _MOST)))
        finally:
            memory.close()
    except Exception:
        return []  # no memory, a broken one, a place that can't be known: a shell has nothing to do with it


def _memory() -> Memory | None:
    from deja_hooks.cli.context import layout_of
    from deja_hooks.memory.read import open_memory

    return open_memory(layout_of(os.environ).memory)


def _items(rows: list[Row]) -> list[CompletionItem]:
    """Values with what is said beside them; without those that a shell would have to quote, as bash doesn't."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(value, help=_beside(about)) for value, about in rows if _is_one_word(value)]


def _is_one_word(value: str) -> bool:
    return all(letter.isalnum() or letter in "-_./+@:," for letter in value)


def _beside(about: str) -> str | None:
    from deja_hooks.cli.output import one_line

    return one_line(about)[:_LONGEST] or None


def _directories(incomplete: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="dir")]
