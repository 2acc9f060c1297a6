"""What a host says in one call: both dialects, read into one shape.

Field names and host marks are those seen from Copilot CLI 1.0.24 to 1.0.102 and VS Code Copilot Chat 0.42 to
0.67. A value of the wrong type counts as absent: a hook never fails over what a host sends.
"""

from deja_hooks.hook.events import canonical_event
from deja_hooks.hook.host import host_of
from deja_hooks.scan import parse_text, storable

__all__ = ["Payload", "read_payload"]

_FAILED = frozenset(("failure", "error"))


class _Fields:
    """A payload's fields under either spelling; that of the payload's own dialect first."""

    __slots__ = ("_camel_first", "_value")

    def __init__(self, value: "dict[str, object]") -> None:
        self._value = value
        self._camel_first = "hook_event_name" not in value

    def all(self, snake: "tuple[str, ...]", camel: "tuple[str, ...]") -> "list[object]":
        names = camel + snake if self._camel_first else snake + camel
        return [self._value[name] for name in names if name in self._value]

    def text(self, snake: str, *camel: str) -> str:
        """The first spelling that holds a string, or ""."""
        for found in self.all((snake,), camel):
            if isinstance(found, str):
                return found if found.isascii() else storable(found)
        return ""

    def first(self, snake: "tuple[str, ...]", camel: "tuple[str, ...]") -> object:
        """The first spelling that holds anything, or None."""
        for found in self.all(snake, camel):
            if found is not None:
                return found
        return None


class Payload:
    """One call of a hook. Strings are "" and dicts {} where the host said nothing usable.

    Attributes:
        event: the hook point as `events.EVENTS` spells it; a name unknown there is kept as it came.
        host: "vscode", "cli" (also the runtime behind VS Code's Copilot harness), or "" where nothing tells.
        session_id: the session; in the CLI a sub-agent's events carry the sub-agent's id instead.
        cwd: the folder that the host works in.
        transcript_path: the session's log, where the host names it.
        source: SessionStart's "new" or "resume".
        prompt: UserPromptSubmit's text.
        initial_prompt: the CLI's SessionStart text.
        tool_name: the tool, as this host calls it.
        tool_input: the tool's arguments, also where they came as a JSON string.
        tool_text: arguments that came as a string which is no JSON object.
        tool_use_id: the call's id as the transcript has it (VS Code adds `__vscode-<digits>`).
        result_failed: whether the host says that the tool failed; a command's exit status is not known to it.
        error: the text of a tool failure.
        agent_id, agent_type, parent_id: of a sub-agent.
        trigger, custom_instructions: of a compaction.
        reason: why a session ended, or a turn stopped.
        stop_hook_active: whether a Stop hook has already made this turn go on.
    """

    __slots__ = (
        "_result",
        "_timestamp",
        "agent_id",
        "agent_type",
        "custom_instructions",
        "cwd",
        "error",
        "event",
        "host",
        "initial_prompt",
        "parent_id",
        "prompt",
        "reason",
        "result_failed",
        "session_id",
        "source",
        "stop_hook_active",
        "tool_input",
        "tool_name",
        "tool_text",
        "tool_use_id",
        "transcript_path",
        "trigger",
    )

    def __init__(self, value: "dict[str, object]", event_argument: str) -> None:
        fields = _Fields(value)
        text = fields.text
        self.event = canonical_event(text("hook_event_name", "hookEventName") or event_argument)
        self.session_id = text("session_id", "sessionId")
        self.cwd = text("cwd")
        self.transcript_path = text("transcript_path", "transcriptPath")
        self._timestamp = value.get("timestamp")
        self.source = text("source")
        self.prompt = text("prompt")
        self.initial_prompt = text("initial_prompt", "initialPrompt")
        self.agent_id = text("agent_id", "agentId")
        self.agent_type = text("agent_type", "agentType")
        self.parent_id = text("parent_agent_id", "parentAgentId")
        self.trigger = text("trigger")
        self.custom_instructions = text("custom_instructions", "customInstructions")
        self.reason = text("reason") or text("stop_reason", "stopReason")
        self.stop_hook_active = fields.first(("stop_hook_active",), ("stopHookActive",)) is True
        self.tool_name = text("tool_name", "toolName")
        self.tool_use_id = _call_id(text("tool_use_id", "toolUseId", "toolCallId"))
        arguments = fields.first(("tool_input", "tool_args"), ("toolArgs", "toolInput"))
        self.tool_input, self.tool_text = _arguments(arguments)
        result = fields.first(("tool_response", "tool_result"), ("toolResult", "toolResponse"))
        self._result = result
        self.result_failed = _says_failed(result)
        self.error = _error_text(value.get("error"))
        self.host = host_of(value, self.event, self.transcript_path, self.tool_name)

    @property
    def at_ms(self) -> int:
        """When the host sent this, in ms since 1970 (UTC); 0 where unknown."""
        from deja_hooks.hook.instant import epoch_ms  # most calls are over before they need it

        return epoch_ms(self._timestamp)

    @property
    def result(self) -> str:
        """The text that the tool gave, without what hooks (we) have added to it."""
        from deja_hooks.hook.result import result_text  # most calls are over before they need it

        return result_text(self._result)

    @property
    def is_subagent(self) -> bool:
        """Whether the host says that a sub-agent is at work (VS Code and the CLI to 1.0.92 often don't)."""
        return bool(self.agent_id or self.parent_id)


def read_payload(value: object, event_argument: str) -> "Payload | None":
    """A parsed payload, or None where it is not an object. Never raises.

    Args:
        value: what `scan.parse` (or `salvage.salvage`) gave.
        event_argument: the event on the command line, any spelling; the payload's own name wins over it.
    """
    return Payload(value, event_argument) if isinstance(value, dict) else None


def _call_id(text: str) -> str:
    head, mark, digits = text.rpartition("__vscode-")
    return head if mark and digits.isascii() and digits.isdigit() else text


def _arguments(value: object) -> "tuple[dict[str, object], str]":
    """The arguments as an object, or their text where they are a string that is not one."""
    if isinstance(value, dict):
        return value, ""
    if not isinstance(value, str):
        return {}, ""
    try:
        parsed = parse_text(value)
    except ValueError:
        return {}, value
    return (parsed, "") if isinstance(parsed, dict) else ({}, value)


def _says_failed(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    kind = value.get("result_type", value.get("resultType"))
    return isinstance(kind, str) and kind in _FAILED


def _error_text(value: object) -> str:
    if isinstance(value, dict):
        value = value.get("message")
    return value if isinstance(value, str) else ""
