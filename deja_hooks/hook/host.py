"""Which host is calling, told from the payload alone.

One hook file serves both hosts, and the CLI's runtime answers PascalCase keys with snake_case fields that
look like VS Code's: the event's name proves nothing. The marks are from payloads of VS Code Copilot Chat 0.42
and 0.67 and of Copilot CLI 1.0.102.
"""

from deja_hooks.system import environment

__all__ = ["hears", "host_of"]

#: The CLI's version from which it hears what these events' hooks say (1.0.24, .48, .49, .64 and .65 were tried).
_HEARD_SINCE = {"UserPromptSubmit": (1, 0, 65), "PostToolUse": (1, 0, 49)}

#: Fields that only the CLI sends.
_CLI_FIELDS = [
    "sessionId",
    "tool_result",
    "toolResult",
    "toolArgs",
    "initial_prompt",
    "initialPrompt",
    "stop_reason",
    "stopReason",
    "custom_instructions",
    "customInstructions",
    "parent_agent_id",
    "parentAgentId",
    "hookName",
    "notification_type",
]
#: Events that only the CLI's runtime raises.
_CLI_EVENTS = ["SessionEnd", "PostToolUseFailure", "Notification", "PermissionRequest", "ErrorOccurred"]
_CLI_TOOLS = [
    "bash",
    "powershell",
    "view",
    "create",
    "edit",
    "task",
    "read_bash",
    "write_bash",
    "stop_bash",
    "Bash",
    "PowerShell",
    "Read",
    "Write",
    "Edit",
    "Agent",
]
_VSCODE_TOOLS = [
    "run_in_terminal",
    "get_terminal_output",
    "replace_string_in_file",
    "multi_replace_string_in_file",
    "create_file",
    "insert_edit_into_file",
    "edit_notebook_file",
    "read_file",
    "list_dir",
    "file_search",
    "grep_search",
    "semantic_search",
    "create_directory",
    "get_errors",
    "fetch_webpage",
    "runSubagent",
    "manage_todo_list",
    "runTests",
]


def host_of(value: "dict[str, object]", event: str, transcript_path: str, tool_name: str) -> str:
    """ "vscode", "cli", or "" where nothing tells. The surest marks come first, the order of fields last."""
    path = transcript_path.replace("\\", "/").lower()
    call_id = value.get("tool_use_id")
    if "github.copilot-chat/" in path or (isinstance(call_id, str) and "__vscode-" in call_id):
        return "vscode"
    if "/session-state/" in path:
        return "cli"
    if isinstance(value.get("tool_response"), str) or "hookEventName" in value or tool_name in _VSCODE_TOOLS:
        return "vscode"
    if tool_name in _CLI_TOOLS or event in _CLI_EVENTS or [name for name in _CLI_FIELDS if name in value]:
        return "cli"
    # With some events both send the same fields; VS Code begins with the time, the CLI with the event's name.
    first = next(iter(value), "")
    return {"timestamp": "vscode", "hook_event_name": "cli"}.get(first, "")


def hears(event: str, host: str) -> bool:
    """Whether the host that started this process hears what the event's hook says; True where nothing tells.

    An older CLI runs the hook and drops its output. Its version is in the environment alone.
    """
    since = _HEARD_SINCE.get(event)
    if since is None or host != "cli":
        return True
    version = environment("COPILOT_CLI_BINARY_VERSION").partition("-")[0]
    try:
        return tuple([int(number) for number in version.split(".")]) >= since
    except ValueError:
        return True
