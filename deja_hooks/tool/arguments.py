"""What the tool is called with, and what is wrong with it.

One flat object: models fill in flat arguments most reliably, and hosts show them as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from deja_hooks.scan import storable

__all__ = ["MODES", "Arguments", "Mode", "Unusable", "arguments_schema", "read_arguments"]

Mode = Literal["recall", "search", "session", "file", "fix"]
MODES: tuple[Mode, ...] = get_args(Mode)

#: The argument that a mode can't do without, and those that it also takes.
_NEEDED: dict[Mode, str] = {
    "recall": "question",
    "search": "query",
    "session": "session",
    "file": "file",
    "fix": "error",
}
_ALSO: dict[Mode, tuple[str, ...]] = {"session": ("turn",), "fix": ("command",)}
_FOR_ALL = ("mode", "project")
#: Most characters of an id and of a path: no machine has longer ones, and each folder of a path is looked at.
_LONGEST_ID, _LONGEST_PATH = 200, 4_096


class Unusable(Exception):  # noqa: N818 - it is what the model is told, not a fault of ours
    """The call can't be answered; the message names the argument and the fix."""


class Arguments(BaseModel):
    """A call's arguments; what was not given is "" or 0."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: Mode = Field(
        description=(
            "recall: what was settled about the thing that a question names, or nothing; search: earlier sessions by"
            " words, ranked; session: one session, or the turns around one of them; file: who changed a file, and why;"
            " fix: what made an error stay away."
        )
    )
    question: str = Field("", description="For recall: the question, with the names of what it is about.")
    query: str = Field("", description="For search: words, names or a date; the rarer the better.")
    session: str = Field(
        "",
        max_length=_LONGEST_ID,
        description="For session: an id, or its beginning, as in [deja-hooks show ID].",
    )
    turn: int = Field(0, ge=0, description="For session, optional: a turn's number; gives that one and its neighbours.")
    file: str = Field(
        "",
        max_length=_LONGEST_PATH,
        description="For file: its path, absolute, below the project's folder, or the end of it.",
    )
    error: str = Field("", description="For fix: the error's text as it was printed.")
    command: str = Field("", description="For fix, optional: the command that failed; finds more, and more surely.")
    project: str = Field(
        "",
        max_length=_LONGEST_PATH,
        description="Optional: another project's folder (absolute), or its name as answered.",
    )

    @field_validator("*", mode="before")
    @classmethod
    def _given(cls, value: object) -> object:
        """A text as the file system takes it (models send lone surrogates, too)."""
        return storable(value).strip() if isinstance(value, str) else value


def arguments_schema() -> dict[str, Any]:
    """The JSON schema of the arguments, without the titles that pydantic makes of their names."""
    schema = Arguments.model_json_schema()
    for field in schema["properties"].values():
        del field["title"]
    return {name: schema[name] for name in ("type", "properties", "required", "additionalProperties")}


def read_arguments(values: Mapping[str, Any] | None) -> Arguments:
    """The arguments of a call.

    Raises:
        Unusable: one is unknown, missing, of another type, or of no use to the mode.
    """
    # (Some models fill in every argument: null and "" stand for what is left out.)
    given = {name: value for name, value in (values or {}).items() if value is not None}
    try:
        arguments = Arguments.model_validate(given)
    except ValidationError as error:
        # (A name that is no text, half of a surrogate pair, has no place.)
        places = [(str(*each["loc"][:1]), each["type"]) for each in error.errors()]
        raise Unusable(" ".join(_problem(name, kind) for name, kind in places)) from None
    needed = _NEEDED[arguments.mode]
    used = (needed, *_ALSO.get(arguments.mode, ()), *_FOR_ALL)
    useless = [name for name in Arguments.model_fields if name not in used and getattr(arguments, name)]
    if useless:
        raise Unusable(f"`{useless[0]}` is of no use to mode {arguments.mode}, which takes {_listed(used)}.")
    if not getattr(arguments, needed):
        raise Unusable(f"`{needed}` is missing: mode {arguments.mode} needs it.")
    return arguments


def _problem(name: str, kind: str) -> str:
    """What is wrong, without the value: nobody knows what is in it."""
    if name == "mode":
        return f"`mode` is {'missing' if kind == 'missing' else 'none that there is'}: give one of {', '.join(MODES)}."
    if name == "turn":
        return "`turn` is not a turn's number: give a whole number from 1 on."
    if kind == "string_too_long":
        return f"`{name}` is too long: give at most {_LONGEST_ID if name == 'session' else _LONGEST_PATH} characters."
    if name in Arguments.model_fields:
        return f"`{name}` is not a text: give a string."
    return f"There is no such argument as the one given: the arguments are {_listed(tuple(Arguments.model_fields))}."


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)
