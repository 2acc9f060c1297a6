"""The tools of both hosts that matter here, by the names that models call them."""

__all__ = ["AGENT_TOOLS", "COMMAND_TOOLS", "EDIT_TOOLS"]

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
