"""A command line in the form in which it is compared with others.

Used by the hook before a command and by the indexer. No `re` (7 ms of a hook's start).
"""

__all__ = ["command_form", "proven_forms"]

_FORM = 300


def command_form(command: str) -> str:
    """The command as one line for comparison: blanks collapsed, leading `cd DIR &&` gone, at most 300 characters."""
    text = " ".join(command.split())
    while text.startswith(("cd ", "pushd ")):
        rest = _after_folder(text)
        if not rest:
            break
        text = rest
    return text[:_FORM].rstrip()


def _after_folder(text: str) -> str:
    """What follows `cd DIR &&` or `cd DIR ;`; "" where nothing does."""
    quote = ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == ";" or text.startswith("&&", index):
            return text[index:].lstrip("&; ")
        elif char in "|&":
            return ""
    return ""


def proven_forms(command: str) -> "list[str]":
    """The forms of the commands that must have worked where the whole line exited with 0.

    Those joined by `&&` in the last list of the line (`sleep 2; pytest && echo ok`: the last two). Nothing
    where the line has quotes, pipes, alternatives or jobs: there the exit status says less.
    """
    last = command.rpartition(";")[2].rpartition("\n")[2]
    if any(char in command for char in "'\"`") or any(mark in last.replace("&&", "") for mark in "|&(){}"):
        return []
    return [form for form in (command_form(part) for part in last.split("&&")) if form]
