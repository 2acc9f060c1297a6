"""The hook file that installing writes, which VS Code and Copilot CLI both read.

Only what both understand alike: PascalCase keys, `bash` and `powershell` (a `command` beside them is read by
one host and not by the other), `timeoutSec`; no `matcher` (VS Code drops it, the CLI drops an entry with an
empty one).
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

__all__ = ["HookEntry", "HookFile"]

EventName = Literal[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "Stop",
    "SessionEnd",
]

_EXACT = ConfigDict(extra="forbid", frozen=True, strict=True, alias_generator=to_camel)


class HookEntry(BaseModel):
    """One command."""

    model_config = _EXACT

    type: Literal["command"]
    bash: str = Field(min_length=1, description="run by `sh -c` (VS Code) or `bash -c` (CLI)")
    powershell: str = Field(min_length=1, description="run on Windows")
    timeout_sec: Annotated[int, Field(gt=0, le=30)] = Field(description="seconds; after it the host kills")


class HookFile(BaseModel):
    """The whole file."""

    model_config = _EXACT

    version: Literal[1]
    hooks: dict[EventName, Annotated[list[HookEntry], Field(min_length=1)]] = Field(min_length=1)
