"""Changing the settings: written under the lock, made ready for the hooks, and followed by the memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import agreed, changing, follow, full_pass, on_terminal
from deja_hooks.cli.output import number_of
from deja_hooks.memory.kept_out import Rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.cli.context import Here
    from deja_hooks.cli.setting_names import Setting, Value
    from deja_hooks.contract.settings import Settings

__all__ = ["Change", "change"]


class Change(NamedTuple):
    """What a change came to.

    Attributes:
        before, after: the settings.
        erased: how many sessions it erased from the memory, or would.
        read: how many were read again.
        rules: what is excluded now.
    """

    before: Settings
    after: Settings
    erased: int
    read: int
    rules: Rules


def change(
    here: Here, setting: Setting, revised: Callable[[Settings], Value], *, yes: bool, dry_run: bool = False
) -> Change:
    """Gives a setting another value; asks first where that erases something.

    Args:
        revised: the value, from the settings as they are.
        yes: don't ask.
        dry_run: change nothing, and only find out what would be erased.

    Raises:
        DejaError: it can't have that value, the file is broken or can't be written, or the answer is no.
    """
    from deja_hooks.marks.refresh import refresh
    from deja_hooks.marks.rules import make_rules
    from deja_hooks.marks.settings import changed, read_settings, write_settings

    with changing(here):
        before = read_settings(here.layout)
        value = revised(before)
        after = changed(before, setting.part, setting.field, None if value == setting.default else value)
        rules = make_rules(after.exclude.projects, after.exclude.paths, here.home)
        erased = _kept(here, rules) if setting.part == "exclude" else 0
        if dry_run:
            return Change(before, after, erased, 0, rules)
        if erased and not yes:
            question = f"Erase {number_of(erased, 'session')} from the memory? (The hosts' files stay.)"
            agreed(question, "Nothing was changed.", asking=on_terminal())
        write_settings(here.layout, after)
        refresh(here.layout, here.home)
    read = 0
    if _are_fewer(before, after):
        read = full_pass(here).sessions
    elif setting.part == "exclude":
        follow(here)
    return Change(before, after, erased, read, rules)


def _are_fewer(before: Settings, after: Settings) -> bool:
    """Whether something isn't excluded any more, and may be read again."""
    gone = {*before.exclude.projects, *before.exclude.paths} - {*after.exclude.projects, *after.exclude.paths}
    return bool(gone)


def _kept(here: Here, rules: Rules) -> int:
    """How many sessions of the memory these rules fit. Raises DejaError."""
    from deja_hooks.memory.read import open_memory
    from deja_hooks.memory.sqlite import sqlite_error

    memory = open_memory(here.layout.memory) if rules else None
    if memory is None:
        return 0
    try:
        rows = memory.db.execute("SELECT cwd, key FROM session JOIN project ON project.id=project").fetchall()
    except sqlite_error() as error:
        raise DejaError(f"{here.layout.memory} is broken ({error}): delete it and run deja-hooks index.") from error
    finally:
        memory.close()
    return sum(rules.fit(cwd, key) for cwd, key in rows)
