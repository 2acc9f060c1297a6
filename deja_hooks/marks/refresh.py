"""Making anew all that hooks read of the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.marks.hook_settings import refresh_hook_settings, wanted_hook_settings
from deja_hooks.marks.raw_settings import settings_content
from deja_hooks.marks.rules import refresh_rules, stored_rules, wanted_rules
from deja_hooks.memory.hook_settings import read_hook_settings

if TYPE_CHECKING:
    from pathlib import Path

    from deja_hooks.memory.layout import Layout

__all__ = ["is_followed", "refresh"]


def refresh(layout: Layout, home: Path) -> None:
    """Follows `settings.json`, as far as it is sound. Raises OSError.

    The indexer does so without the lock of the settings. A command that changes them meanwhile writes them first and
    the hooks' files then: where they are still the same after ours were written, ours can't have replaced newer ones.
    """
    followed, now = None, _content(layout)
    while now != followed:
        refresh_rules(layout, home)
        refresh_hook_settings(layout)
        followed, now = now, _content(layout)


def is_followed(layout: Layout, home: Path) -> bool:
    """Whether hooks read by now what the settings say, as far as they are sound. Raises OSError."""
    return (
        wanted_hook_settings(layout).lines() == read_hook_settings(layout).lines()
        and wanted_rules(layout, home).lines() == stored_rules(layout).lines()
    )


def _content(layout: Layout) -> bytes | None:
    try:
        return settings_content(layout)
    except FileNotFoundError:
        return b""
    except OSError:
        return None
