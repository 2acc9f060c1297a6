"""`settings.json` as it stands, read without the settings' model: a pass with nothing new must not load pydantic.

What hooks need is made from it part by part (`exclude`, `events`, `budgets`). A part that isn't wholly what it should
be (a misspelt name, a value out of bounds, a newer version's setting) changes nothing: what was made from its last
sound form stays, and the other parts are followed.
"""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from deja_hooks.memory.layout import Layout

__all__ = ["part_of", "raw_settings", "settings_content"]


def settings_content(layout: Layout) -> bytes:
    """The file's bytes. Raises FileNotFoundError, and OSError where it is no file or can't be read."""
    path = Path(layout.settings)
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise OSError(errno.EINVAL, "It is not a file", layout.settings)
    return path.read_bytes()


def raw_settings(layout: Layout) -> dict[str, object] | None:
    """The file's object; an empty one where there is no file, None where it holds none or can't be read."""
    try:
        value = json.loads(settings_content(layout))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def part_of(settings: dict[str, object] | None, name: str, known: Collection[str]) -> dict[str, object] | None:
    """One part of the settings; None where it can't be followed.

    Args:
        settings: see `raw_settings`.
        name: of the part.
        known: the names that it may hold.
    """
    part = settings.get(name, {}) if settings is not None else None
    return part if isinstance(part, dict) and set(part) <= set(known) else None
