"""Reading and changing `settings.json` (loads pydantic: for commands, not for the indexer)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from deja_hooks.contract.settings import Exclusions, Settings, problems_of
from deja_hooks.marks.log import write_private
from deja_hooks.marks.settings_error import SettingsError

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["checked", "read_settings", "write_settings"]


def read_settings(layout: Layout) -> Settings:
    """The settings; the defaults where there is no file.

    Raises:
        SettingsError: the file isn't what it should be.
        OSError: it can't be read.
    """
    try:
        content = Path(layout.settings).read_bytes()
    except FileNotFoundError:
        return Settings()
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{layout.settings} is not JSON ({error}): mend it, or delete it.") from error
    try:
        return Settings.model_validate(value)
    except ValidationError as error:
        why = "\n".join(f"  {each}" for each in problems_of(error))
        raise SettingsError(f"{layout.settings} can't be used:\n{why}") from error


def checked(exclude: Exclusions) -> Settings:
    """Settings with these exclusions. Raises SettingsError."""
    try:
        return Settings.model_validate({"exclude": exclude.model_dump()})
    except ValidationError as error:
        raise SettingsError("\n".join(each.partition(": ")[2] for each in problems_of(error))) from error


def write_settings(layout: Layout, settings: Settings) -> None:
    """Writes the settings, all or nothing; what is left at its default isn't written. Raises OSError."""
    text = json.dumps(settings.model_dump(exclude_defaults=True), indent=2, ensure_ascii=True)
    write_private(Path(layout.settings), text.encode("ascii") + b"\n")
