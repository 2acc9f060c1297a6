"""The wire from the hosts to us: one model for each event that we read.

Every model takes both dialects: snake_case (VS Code; Copilot CLI under PascalCase keys of the hook file) and
camelCase (Copilot CLI under camelCase keys), mixed as the hosts themselves mix them; not both spellings of
one field. Unknown fields are allowed, since hosts add some with most releases; a known field has its type.
Text with a lone surrogate is refused (pydantic's strings are Unicode); hosts send it, and the hook takes it.
"""

import re
from datetime import datetime, timedelta
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

from deja_hooks.hook.events import canonical_event

__all__ = [
    "PAYLOADS",
    "ErrorDetail",
    "OtherEvent",
    "Payload",
    "PayloadError",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PreToolUse",
    "SessionEnd",
    "SessionStart",
    "Stop",
    "ToolCall",
    "ToolResult",
    "UserPromptSubmit",
    "iso_to_ms",
    "parse_payload",
]

#: The end of the year 9999, in ms since 1970.
_LAST_MS = 253_402_300_799_999
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))", re.ASCII)


class PayloadError(ValueError):
    """A payload that is not what hosts send; the message names the event and each field."""


def iso_to_ms(text: str) -> int:
    """Milliseconds since 1970 of an ISO-8601 time with a zone. Raises ValueError."""
    match = _ISO.fullmatch(text)
    if not match:
        raise ValueError("not an ISO-8601 time with a zone, like 2026-10-05T22:06:50.311Z")
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, sign, zone_hours, zone_minutes = match.groups()[6:]
    east = timedelta(hours=int(zone_hours or 0), minutes=int(zone_minutes or 0)) * (-1 if sign == "-" else 1)
    since = datetime(year, month, day, hour, minute, second) - datetime(1970, 1, 1) - east
    at_ms = since // timedelta(milliseconds=1) + int((fraction or "0").ljust(3, "0")[:3])
    if not 0 <= at_ms <= _LAST_MS:
        raise ValueError("a time before 1970 or after 9999")
    return at_ms


def _checked_time(text: str) -> str:
    iso_to_ms(text)
    return text


EpochMs = Annotated[int, Field(ge=0, le=_LAST_MS, description="ms since 1970-01-01, UTC")]
IsoTime = Annotated[str, AfterValidator(_checked_time), Field(json_schema_extra={"format": "date-time"})]


def _spelled(snake: str, *others: str) -> AliasChoices:
    """The spellings of a field; the camelCase one comes first, since the camelCase schema takes the first."""
    return AliasChoices(*dict.fromkeys((*others, to_camel(snake), snake)))


def _text(snake: str, *others: str, description: str = "") -> Any:
    """An optional string field."""
    return Field(default="", validation_alias=_spelled(snake, *others), description=description or None)


class _Wire(BaseModel):
    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    @model_validator(mode="before")
    @classmethod
    def _one_spelling(cls, value: object) -> object:
        if not isinstance(value, dict):
            return value
        for field in cls.model_fields.values():
            if isinstance(field.validation_alias, AliasChoices):
                present = [name for name in field.validation_alias.choices if name in value]
                if len(present) > 1:
                    raise ValueError(f"two spellings of one field: {present[0]}, {present[1]}")
        return value


class Payload(_Wire):
    """What all events have in common."""

    hook_event_name: str = _text("hook_event_name", description="absent in the CLI's camelCase dialect")
    session_id: str = _text("session_id", description="of the sub-agent where the CLI calls from inside one")
    timestamp: EpochMs | IsoTime | None = None
    cwd: str = Field(default="", description="absent in a VS Code window without a folder")
    transcript_path: str = _text("transcript_path", description="CLI: at Stop and PreCompact only")
    agent_id: str = _text("agent_id", description="of a sub-agent")
    agent_type: str = _text("agent_type")
    parent_agent_id: str = _text("parent_agent_id")


class SessionStart(Payload):
    """The first prompt of a chat (VS Code) or of a process (CLI; again at a resume)."""

    source: str = Field(description='"new" or "resume"')
    initial_prompt: str = _text("initial_prompt", description="CLI only")


class UserPromptSubmit(Payload):
    """A prompt: the user's, a sub-agent's task, or a turn that the host made."""

    prompt: str


class ToolCall(Payload):
    """What the tool events have in common."""

    tool_name: str = Field(min_length=1, validation_alias=_spelled("tool_name"))
    tool_input: JsonValue = Field(
        default=None,
        validation_alias=_spelled("tool_input", "toolArgs", "tool_args"),
        description="an object, its JSON text, or whatever the model wrote instead",
    )
    tool_use_id: str = Field(
        default="",
        validation_alias=AliasChoices("toolUseId", "toolCallId", "tool_use_id"),
        description="VS Code only; ends in __vscode-<digits>",
    )


class PreToolUse(ToolCall):
    """Before a tool runs."""


class ToolResult(_Wire):
    """The CLI's result: a failing command is a "success" too."""

    result_type: str = _text("result_type")
    text_result_for_llm: str = Field(validation_alias=_spelled("text_result_for_llm"))


class PostToolUse(ToolCall):
    """After a tool that did not throw."""

    tool_response: str | None = Field(
        default=None,
        validation_alias=_spelled("tool_response"),
        description="VS Code: the result's plain text",
    )
    tool_result: ToolResult | None = Field(default=None, validation_alias=_spelled("tool_result"))

    @model_validator(mode="after")
    def _one_result(self) -> "PostToolUse":
        if self.tool_response is not None and self.tool_result is not None:
            raise ValueError("tool_response and tool_result in one payload")
        return self


class ErrorDetail(_Wire):
    """An error as an object."""

    message: str


class PostToolUseFailure(ToolCall):
    """After a tool that threw (CLI only)."""

    error: str | ErrorDetail


class PreCompact(Payload):
    """Before the conversation is summarised."""

    trigger: str = Field(description='"auto" or "manual"')
    custom_instructions: str = _text("custom_instructions", description="CLI: what follows /compact")


class Stop(Payload):
    """The end of a turn."""

    stop_reason: str = Field(
        default="",
        validation_alias=AliasChoices("stopReason", "stop_reason", "reason"),
        description="CLI only",
    )
    stop_hook_active: bool = Field(default=False, validation_alias=AliasChoices("stop_hook_active", "stopHookActive"))


class SessionEnd(Payload):
    """The end of a process (CLI), or of a turn (the runtime behind VS Code's Copilot harness)."""

    reason: str = Field(
        validation_alias=AliasChoices("reason", "stopReason", "stop_reason"),
        description='"complete", "error" or "user_exit"',
    )


class OtherEvent(Payload):
    """An event that we don't read: only what all have in common is stated."""


#: The model of each event in `hook.events.EVENTS`.
PAYLOADS: dict[str, type[Payload]] = {
    model.__name__: model
    for model in (
        SessionStart,
        UserPromptSubmit,
        PreToolUse,
        PostToolUse,
        PostToolUseFailure,
        PreCompact,
        Stop,
        SessionEnd,
    )
}


def parse_payload(value: object, event: str) -> Payload:
    """The payload as the model of its event; the payload's own event name wins over `event` (any spelling).

    Raises:
        PayloadError: it is not what a host sends; every field that is wrong is named.
    """
    own = (value.get("hook_event_name") or value.get("hookEventName")) if isinstance(value, dict) else None
    name = canonical_event(own if isinstance(own, str) else event)
    try:
        return PAYLOADS.get(name, OtherEvent).model_validate(value)
    except ValidationError as error:
        faults = [(".".join(map(str, fault["loc"])) or "payload", fault["msg"]) for fault in error.errors()]
        lines = [f"{field}: {message}" for field, message in faults]
        raise PayloadError(f"{name or 'payload'}: " + "; ".join(lines)) from error
