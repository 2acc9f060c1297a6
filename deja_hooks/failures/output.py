"""A tool's output as hosts hand it over, and what they and others write around it: the exit status, the context that
hooks add, the terminal's escape sequences.

Used by the hook after a tool and by the indexer. No `re` (7 ms of a hook's start).
"""

__all__ = ["exit_code", "split_status", "without_ansi", "without_contexts"]

#: The line with which the CLI begins what hooks add at a result's end: `Tool "bash" succeeded. Additional guidance …`.
_GUIDED, _GUIDANCE = '\nTool "', ". Additional guidance from postToolUse"
_CONTEXT_TAGS = ("PreToolUse-context", "PostToolUse-context")
#: What stands before and after the shell's name in Copilot CLI's status line (the second: to 1.0.48).
_NAMED_SHELL = (("<shellId: ", " completed with exit code "), ("<command with id: ", " exited with exit code "))
#: The same where the line names no shell (to 1.0.48).
_SHELL = "<exited with exit code "
_VSCODE_PREFIX = "Command exited with code "


def exit_code(result: str) -> "int | None":
    """The exit status that a host wrote at the end of a command's result, or None where it wrote none."""
    return split_status(result)[1]


def split_status(result: str) -> "tuple[str, int | None]":
    """What the command itself printed, and the exit status that the host wrote behind it (None: it wrote none).

    `<shellId: N completed with exit code C>` is Copilot CLI's last line (to 1.0.48 `<exited with exit code C>`, and
    `<command with id: N exited with exit code C>` where a shell was asked later), `Command exited with code N`
    VS Code's; the context that hooks add behind it is passed over.
    """
    text = without_contexts(result).rstrip()
    start = text.rfind("\n") + 1
    status = _status(text[start:].strip())
    return (text, None) if status is None else (text[:start].rstrip(), status)


def _status(line: str) -> "int | None":
    """The exit status that a line of a host gives; None for a line that is not a host's."""
    if line.startswith("<") and line.endswith(">"):
        if line.startswith(_SHELL):
            return _integer(line[len(_SHELL) : -1])
        for prefix, infix in _NAMED_SHELL:
            shell, found, code = line[len(prefix) : -1].rpartition(infix)
            if line.startswith(prefix) and found and shell and " " not in shell:
                return _integer(code)
        return None
    if line.startswith(_VSCODE_PREFIX):
        return _integer(line[len(_VSCODE_PREFIX) :])
    return None


def _integer(text: str) -> "int | None":
    digits = text[1:] if text[:1] == "-" else text
    return int(text) if 0 < len(digits) < 12 and digits.isascii() and digits.isdigit() else None


def without_contexts(text: str) -> str:
    """The result without what hooks had appended to it (VS Code shows it to the next hook, the CLI's log keeps it)."""
    for tag in _CONTEXT_TAGS:
        start = text.find("<" + tag + ">")
        while start >= 0:
            end = text.find("</" + tag + ">", start)
            text = text[:start] + (text[end + len(tag) + 3 :] if end >= 0 else "")
            start = text.find("<" + tag + ">", start)
    end = text.find(_GUIDANCE)
    start = text.rfind(_GUIDED, 0, end) if end >= 0 else -1
    return text[:start].rstrip("\n") if start >= 0 and "\n" not in text[start + 1 : end] else text


def without_ansi(text: str) -> str:
    """The text without terminal escape sequences (colours, titles, cursor moves)."""
    if "\x1b" not in text:
        return text
    parts = text.split("\x1b")
    kept = [parts[0]]
    for part in parts[1:]:
        if part[:1] == "[":
            end = 1
            while end < len(part) and not "@" <= part[end] <= "~":
                end += 1
            kept.append(part[end + 1 :])
        elif part[:1] == "]":
            kept.append(part.partition("\x07")[2])
        else:
            kept.append(part[1:])
    return "".join(kept)
