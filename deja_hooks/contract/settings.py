"""The user's settings, `settings.json` in the config folder.

Every field may be left out. What isn't known is an error that names it: a misspelt exclusion would exclude nothing.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError

__all__ = ["Exclusions", "Settings", "problems_of"]


def _text(value: str) -> str:
    if not value.strip() or any(ord(letter) < 32 for letter in value):
        raise ValueError("is empty or has control characters")
    return value


def _folder(value: str) -> str:
    if not _is_absolute(_text(value)):
        raise ValueError(f"{value!r} is no absolute folder: begin it with / or ~/ (on Windows also C:\\)")
    return value


def _pattern(value: str) -> str:
    if not _is_absolute(_text(value)) and ("/" in value or "\\" in value):
        raise ValueError(
            f"{value!r} is neither absolute nor a single name: write /home/me/clients/*, ~/clients/* or secret-*"
        )
    if value.strip("*/\\~. ") == "":
        raise ValueError(f"{value!r} would exclude everything")
    return value


def _is_absolute(value: str) -> bool:
    return value[:1] in "/\\" or value == "~" or value[:2] in ("~/", "~\\") or value[1:3] in (":\\", ":/")


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Exclusions(_Part):
    """What isn't read, and not kept.

    Attributes:
        projects: folders (absolute, or beginning with ~/): their projects, and all that lies below them.
        paths: patterns (see `memory.kept_out.pattern_fits`) of folders: all that lies in or below one.
    """

    projects: list[Annotated[str, AfterValidator(_folder)]] = []
    paths: list[Annotated[str, AfterValidator(_pattern)]] = []


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
