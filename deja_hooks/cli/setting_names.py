"""The settings by name: `budgets.prompt`, `events.before_edit`, `exclude.paths`; their values as words and back."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line
from deja_hooks.memory.hook_settings import PACKETS
from deja_hooks.recall.thresholds import BUDGET_BOUNDS

if TYPE_CHECKING:
    from deja_hooks.contract.settings import Settings

__all__ = ["NAMES", "Setting", "setting_of", "shown", "value_from"]

Value = bool | int | list[str]

#: All names, in the order in which they are listed. (Apart from the model, so that completing them stays quick.)
NAMES = (
    "exclude.projects",
    "exclude.paths",
    *(f"events.{packet}" for packet in PACKETS),
    *(f"budgets.{packet}" for packet in PACKETS),
)
_SWITCH = {"true": True, "on": True, "false": False, "off": False}


class Setting(NamedTuple):
    """One setting.

    Attributes:
        name: dotted.
        default: its value where the file says nothing.
        about: what it is for, a sentence.
    """

    name: str
    default: Value
    about: str

    @property
    def part(self) -> str:
        """The object of the file that it stands in."""
        return self.name.partition(".")[0]

    @property
    def field(self) -> str:
        """Its name there."""
        return self.name.partition(".")[2]

    @property
    def allowed(self) -> str:
        """What it may be set to."""
        if isinstance(self.default, bool):
            return "true or false"
        if isinstance(self.default, int):
            least, most = BUDGET_BOUNDS[self.field]
            return f"a whole number from {least} to {most}"
        return "one or more values, or a JSON array of texts"

    def value(self, settings: Settings) -> Value:
        """Its value in these settings."""
        found: Value = getattr(getattr(settings, self.part), self.field)
        return found


def setting_of(name: str) -> Setting:
    """The setting of that name. Raises DejaError, which names one that is meant perhaps."""
    if name not in NAMES:
        raise DejaError(_unknown(name))
    from deja_hooks.contract.settings import Settings

    part, _, field = name.partition(".")
    defaults = getattr(Settings(), part)
    about = type(defaults).model_fields[field].description or ""
    return Setting(name, getattr(defaults, field), about)


def value_from(setting: Setting, words: Sequence[str]) -> Value:
    """The value that words of the command line stand for. Raises DejaError."""
    if isinstance(setting.default, list):
        return _list_from(setting, words)
    word = words[0].strip().lower() if len(words) == 1 else ""
    if isinstance(setting.default, bool) and word in _SWITCH:
        return _SWITCH[word]
    if not isinstance(setting.default, bool) and word.isdecimal() and word.isascii():
        least, most = BUDGET_BOUNDS[setting.field]
        if len(word) <= len(str(most)) and least <= int(word) <= most:
            return int(word)
    raise _not_allowed(setting, " ".join(words))


def shown(value: Value) -> str:
    """A value as the file writes it, on one line."""
    return json.dumps(value, ensure_ascii=False)


def _list_from(setting: Setting, words: Sequence[str]) -> list[str]:
    if len(words) != 1 or not words[0].lstrip().startswith("["):
        return list(dict.fromkeys(words))
    try:
        value = json.loads(words[0])
    except (ValueError, RecursionError) as error:
        raise _not_allowed(setting, words[0]) from error
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _not_allowed(setting, words[0])
    return list(dict.fromkeys(value))


def _not_allowed(setting: Setting, given: str) -> DejaError:
    example = shown(setting.default) if not isinstance(setting.default, list) else '"~/clients/*"'
    return DejaError(
        f"{setting.name} takes {setting.allowed}, not {one_line(given)!r}:"
        f" deja-hooks config set {setting.name} {example}"
    )


def _unknown(name: str) -> str:
    within = [each for each in NAMES if each.startswith(f"{name}.")]
    if within:
        return f"{name} is a group of settings: name one of it, such as {within[0]} (deja-hooks config list)."
    near = difflib.get_close_matches(name, NAMES, 1) or [each for each in NAMES if each.endswith(f".{name}")]
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"There is no setting {one_line(name)!r}.{meant} deja-hooks config list names all."
