"""The wire from us to the hosts: what a reply may be, and nothing else.

A key that is not here would approve a tool, stop a turn or show a warning, so none is allowed.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

__all__ = ["HookSpecificOutput", "Reply"]

_EXACT = ConfigDict(extra="forbid", frozen=True, strict=True, alias_generator=to_camel)


class HookSpecificOutput(BaseModel):
    """The form that VS Code's Local harness reads."""

    model_config = _EXACT

    hook_event_name: Literal["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"]
    additional_context: str = Field(min_length=1)


class Reply(BaseModel):
    """Both forms of one packet; the top one is what the CLI's runtime reads."""

    model_config = _EXACT

    additional_context: str = Field(min_length=1)
    hook_specific_output: HookSpecificOutput

    @model_validator(mode="after")
    def _one_packet(self) -> "Reply":
        if self.additional_context != self.hook_specific_output.additional_context:
            raise ValueError("additionalContext differs between the two forms")
        return self
