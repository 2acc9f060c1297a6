"""What a payload means, said a second time: the hot reader is held against this.

Written with what the hot path may not load (`re`, `json`, `datetime`), straight from the models.
"""

import json
import re

from pydantic import JsonValue

from deja_hooks.contract.payloads import (
    Payload,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    SessionEnd,
    SessionStart,
    Stop,
    ToolCall,
    ToolResult,
    UserPromptSubmit,
    iso_to_ms,
)
from deja_hooks.hook.events import canonical_event

__all__ = ["canonical"]

_CALL_SUFFIX = re.compile(r"__vscode-[0-9]+\Z")
_BLOCKS = [
    re.compile(rf"\n{{0,2}}(?<![^\n])<{name}>(?=\n).*?(?:\n</{name}>|\Z)", re.DOTALL)
    for name in ("PreToolUse-context", "PostToolUse-context")
]


def canonical(model: Payload, event_argument: str = "") -> dict[str, object]:
    """The attributes of `hook.payload.Payload` that this event's model states, with their values."""
    at = model.timestamp
    fields: dict[str, object] = {
        "event": canonical_event(model.hook_event_name or event_argument),
        "session_id": model.session_id,
        "at_ms": iso_to_ms(at) if isinstance(at, str) else at or 0,
        "cwd": model.cwd,
        "transcript_path": model.transcript_path,
        "agent_id": model.agent_id,
        "agent_type": model.agent_type,
        "parent_id": model.parent_agent_id,
        "is_subagent": model.agent_id != "" or model.parent_agent_id != "",
    }
    if isinstance(model, ToolCall):
        return fields | _tool(model)
    if isinstance(model, SessionStart):
        return fields | {"source": model.source, "initial_prompt": model.initial_prompt}
    if isinstance(model, UserPromptSubmit):
        return fields | {"prompt": model.prompt}
    if isinstance(model, PreCompact):
        return fields | {"trigger": model.trigger, "custom_instructions": model.custom_instructions}
    if isinstance(model, Stop):
        return fields | {"reason": model.stop_reason, "stop_hook_active": model.stop_hook_active}
    if isinstance(model, SessionEnd):
        return fields | {"reason": model.reason}
    return fields


def _tool(model: ToolCall) -> dict[str, object]:
    arguments, text = _arguments(model.tool_input)
    fields: dict[str, object] = {
        "tool_name": model.tool_name,
        "tool_input": arguments,
        "tool_text": text,
        "tool_use_id": _CALL_SUFFIX.sub("", model.tool_use_id),
    }
    if isinstance(model, PostToolUse):
        result = model.tool_result
        fields["result"] = _without_blocks(result.text_result_for_llm if result else model.tool_response or "")
        fields["result_failed"] = _failed(result)
    if isinstance(model, PostToolUseFailure):
        fields["error"] = model.error if isinstance(model.error, str) else model.error.message
    return fields


def _arguments(value: JsonValue) -> tuple[dict[str, JsonValue], str]:
    if isinstance(value, dict):
        return value, ""
    if not isinstance(value, str):
        return {}, ""
    try:
        parsed = json.loads(value.strip(" \t\r\n\ufeff"), strict=False)
    except (ValueError, RecursionError):
        return {}, value
    return (parsed, "") if isinstance(parsed, dict) else ({}, value)


def _without_blocks(text: str) -> str:
    for block in _BLOCKS:
        text = block.sub("", text)
    return text


def _failed(result: ToolResult | None) -> bool:
    return result is not None and result.result_type in {"failure", "error"}
