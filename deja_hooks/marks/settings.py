"""Reading and changing `settings.json` (loads pydantic: for commands, not for the indexer)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from deja_hooks.contract.settings import Settings, problems_of
from deja_hooks.marks.log import write_private
from deja_hooks.marks.raw_settings import settings_content
from deja_hooks.marks.settings_error import SettingsError

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["changed", "read_settings", "write_settings"]


def read_settings(layout: Layout) -> Settings:
    """The settings; the defaults where there is no file.

    Raises:
        SettingsError: the file isn't what it should be, or can't be read.
    """
    try:
        content = settings_content(layout)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise SettingsError(f"{layout.settings} can't be read ({error.strerror}): mend it, or delete it.") from error
    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{layout.settings} is not JSON ({error}): mend it, or delete it.") from error
    try:
        return Settings.model_validate(value)
    except ValidationError as error:
        why = "\n".join(f"  {each}" for each in problems_of(error))
        hint = "Mend it there; deja-hooks config schema prints all that it may hold."
        raise SettingsError(f"{layout.settings} can't be used:\n{why}\n{hint}") from error


def changed(settings: Settings, part: str, name: str, value: object) -> Settings:
    """Settings with one of them changed; None puts its default back. Raises SettingsError."""
    whole = settings.model_dump(by_alias=True, exclude_defaults=True)
    fields = {key: each for key, each in whole.get(part, {}).items() if key != name}
    if value is not None:
        fields[name] = value
    try:
        return Settings.model_validate({**whole, part: fields})
    except ValidationError as error:
        raise SettingsError("\n".join(problems_of(error))) from error


def write_settings(layout: Layout, settings: Settings) -> None:
    """Writes the settings, all or nothing; what is left at its default isn't written. Raises OSError.

    A link stays one: what it leads to is written.
    """
    text = json.dumps(settings.model_dump(by_alias=True, exclude_defaults=True), indent=2, ensure_ascii=True)
    write_private(Path(layout.settings).resolve(), text.encode("ascii") + b"\n")
