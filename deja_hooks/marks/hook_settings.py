"""From `settings.json` to what hooks read of it (`memory.hook_settings`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.marks.log import write_private
from deja_hooks.marks.raw_settings import part_of, raw_settings
from deja_hooks.memory.hook_settings import PACKETS, HookSettings, read_hook_settings
from deja_hooks.recall.thresholds import BUDGET_BOUNDS

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["refresh_hook_settings", "wanted_hook_settings"]


def refresh_hook_settings(layout: Layout) -> None:
    """Makes the hooks' file anew from the settings, as far as they are sound. Raises OSError.

    Where all is as by default there is none.
    """
    made = wanted_hook_settings(layout)
    path = Path(layout.hook_settings)
    if made.lines() == "":
        path.unlink(missing_ok=True)
    elif made.lines() != read_hook_settings(layout).lines():
        write_private(path, made.lines().encode("ascii"))


def wanted_hook_settings(layout: Layout) -> HookSettings:
    """What hooks are to read, as the settings say; of a part that isn't sound, what they read now."""
    before, settings = read_hook_settings(layout), raw_settings(layout)
    silent, budgets = _silent(part_of(settings, "events", PACKETS)), _budgets(part_of(settings, "budgets", PACKETS))
    return HookSettings(before.silent if silent is None else silent, before.budgets if budgets is None else budgets)


def _silent(events: dict[str, object] | None) -> tuple[str, ...] | None:
    """The packets that are switched off; None where the part isn't sound."""
    if events is None or not all(isinstance(each, bool) for each in events.values()):
        return None
    return tuple(name for name in PACKETS if events.get(name) is False)


def _budgets(part: dict[str, object] | None) -> dict[str, int] | None:
    """The budgets that are given; None where the part isn't sound."""
    found = {}
    for name, value in (part or {}).items():
        least, most = BUDGET_BOUNDS[name]
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            return None
        found[name] = value
    return found if part is not None else None
