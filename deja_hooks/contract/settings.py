"""The user's settings, `settings.json` in the config folder.

Every field may be left out. What isn't known is an error that names it: a misspelt exclusion would exclude nothing.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

from deja_hooks.marks.exclusions import folder, pattern

__all__ = ["Exclusions", "Settings", "problems_of"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Exclusions(_Part):
    """What isn't read, and not kept.

    Attributes:
        projects: folders (absolute, or beginning with ~/): their projects, and all that lies below them.
        paths: patterns (see `memory.kept_out.pattern_fits`) of folders: all that lies in or below one.
    """

    projects: list[Annotated[str, AfterValidator(folder)]] = []
    paths: list[Annotated[str, AfterValidator(pattern)]] = []


class Settings(_Part):
    """All settings."""

    exclude: Exclusions = Exclusions()


def problems_of(error: ValidationError) -> list[str]:
    """What is wrong, a sentence for each field: `exclude.paths.0: Value error, …`."""
    return [f"{'.'.join(map(str, each['loc'])) or 'the file'}: {_sentence(each['type'], each['msg'])}" for each in
            error.errors(include_url=False, include_context=False)]  # fmt: skip


def _sentence(kind: str, message: str) -> str:
    if kind == "extra_forbidden":
        return "there is no such setting"
    return message.removeprefix("Value error, ")
