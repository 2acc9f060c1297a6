"""The user's settings, `settings.json` in the config folder.

Every field may be left out. What isn't known is an error that names it: a misspelt exclusion would exclude nothing.
Hooks never load this: what they need is made from it (`marks.rules`, `marks.hook_settings`).
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from deja_hooks.marks.exclusions import folder, pattern
from deja_hooks.recall.thresholds import (
    BUDGET_BOUNDS,
    COMPACTION_BUDGET,
    PROMPT_BUDGET,
    SESSION_START_BUDGET,
    TOOL_BUDGET,
)

__all__ = ["Budgets", "Events", "Exclusions", "Settings", "problems_of"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


def _characters(packet: str, usual: int, about: str) -> Any:
    least, most = BUDGET_BOUNDS[packet]
    return Field(default=usual, ge=least, le=most, description=about)


class Exclusions(_Part):
    """What isn't read, and not kept."""

    projects: list[Annotated[str, AfterValidator(folder)]] = Field(
        default=[], description="Folders (absolute, or beginning with ~/): their projects, and all that lies below."
    )
    paths: list[Annotated[str, AfterValidator(pattern)]] = Field(
        default=[], description="Patterns of folders, such as ~/clients/* or *-private: all that lies in or below one."
    )


class Events(_Part):
    """Which packets are made. A session is followed all the same."""

    session_start: bool = Field(default=True, description="Speak at a session's start.")
    prompt: bool = Field(default=True, description="Speak before a prompt.")
    before_edit: bool = Field(default=True, description="Speak before a file is edited.")
    before_command: bool = Field(default=True, description="Speak before a command is run.")
    after_failure: bool = Field(default=True, description="Speak after a command or a tool has failed.")
    after_compaction: bool = Field(default=True, description="Hand back what a compaction's summary dropped.")


class Budgets(_Part):
    """Most characters of each packet, its fence included. A reply never has more than 9,000 in all."""

    session_start: int = _characters(
        "session_start", SESSION_START_BUDGET, "Most characters of what is said at a session's start."
    )
    prompt: int = _characters("prompt", PROMPT_BUDGET, "Most characters of what is said before a prompt.")
    before_edit: int = _characters("before_edit", TOOL_BUDGET, "Most characters of what is said before an edit.")
    before_command: int = _characters(
        "before_command", TOOL_BUDGET, "Most characters of what is said before a command."
    )
    after_failure: int = _characters("after_failure", TOOL_BUDGET, "Most characters of what is said after a failure.")
    after_compaction: int = _characters(
        "after_compaction", COMPACTION_BUDGET, "Most characters of what is handed back after a compaction."
    )


class Settings(_Part):
    """The settings of deja-hooks."""

    model_config = ConfigDict(title="deja-hooks settings")

    schema_of_file: str | None = Field(
        default=None, alias="$schema", description="Where an editor finds this schema (deja-hooks config schema)."
    )
    exclude: Exclusions = Exclusions()
    events: Events = Events()
    budgets: Budgets = Budgets()


def problems_of(error: ValidationError) -> list[str]:
    """What is wrong, a sentence for each field: `exclude.paths.0: write a text`."""
    return [f"{'.'.join(map(str, each['loc'])) or 'the file'}: {_sentence(each)}" for each in
            error.errors(include_url=False)]  # fmt: skip


_WANTED = {
    "bool_type": "write true or false",
    "list_type": 'write a list of texts, such as ["~/clients/*"]',
    "string_type": "write a text between quotation marks",
    "model_type": "write an object, such as {}",
    "extra_forbidden": "there is no such setting",
}


def _sentence(problem: Any) -> str:
    kind, place = problem["type"], problem["loc"]
    if place[:1] == ("budgets",) and place[-1] in BUDGET_BOUNDS and kind != "extra_forbidden":
        least, most = BUDGET_BOUNDS[place[-1]]
        return f"write a whole number from {least} to {most}"
    return _WANTED.get(kind) or str(problem["msg"]).removeprefix("Value error, ")
