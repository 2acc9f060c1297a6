"""What both hosts call things: the tools that matter here, the prompts that they make themselves."""

__all__ = ["AGENT_TOOLS", "COMMAND_TOOLS", "EDIT_TOOLS", "HOST_MADE"]

#: Tools that change files (VS Code's names, the CLI's, and the CLI's under PascalCase keys).
EDIT_TOOLS = frozenset(
    (
        "replace_string_in_file",
        "multi_replace_string_in_file",
        "create_file",
        "insert_edit_into_file",
        "edit_notebook_file",
        "apply_patch",
        "edit",
        "create",
        "Edit",
        "Write",
    )
)
#: Tools that run a command line.
COMMAND_TOOLS = frozenset(("run_in_terminal", "bash", "powershell", "Bash", "PowerShell"))
#: Tools that start a sub-agent, whose prompt then comes as a prompt of its own.
AGENT_TOOLS = frozenset(("runSubagent", "task", "Agent", "Task"))

#: How the prompts begin that hosts make themselves, out of a notification (VS Code, the CLI).
HOST_MADE = ("[Terminal ", "<system_reminder>", "<system_notification>")
