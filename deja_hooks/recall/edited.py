"""What an edit tool is about to touch: the files, and the text that it takes out."""

__all__ = ["edits_in"]

_PATH_NAMES = ("filePath", "path", "file_path")
_OLD_NAMES = ("oldString", "old_str", "old_string")
_MOST = 8


def edits_in(tool_input: "dict[str, object]", tool_text: str) -> "list[tuple[str, str]]":
    """(path, text taken out) for each file of the call, at most eight; "" for text unknown or a new file.

    Args:
        tool_input: the tool's arguments, any host's names.
        tool_text: arguments that are bare text (a patch).
    """
    replacements = tool_input.get("replacements")
    if isinstance(replacements, list):
        found = [_edit(r) for r in replacements[:_MOST] if isinstance(r, dict)]
        return [f for f in found if f[0]]
    patch = tool_input.get("input", tool_input.get("patch", tool_text))
    if isinstance(patch, str) and "*** " in patch:
        return _patched(patch)
    edit = _edit(tool_input)
    return [edit] if edit[0] else []


def _edit(values: "dict[str, object]") -> "tuple[str, str]":
    return _text(values, _PATH_NAMES), _text(values, _OLD_NAMES)


def _text(values: "dict[str, object]", names: "tuple[str, ...]") -> str:
    for name in names:
        value = values.get(name)
        if isinstance(value, str):
            return value
    return ""


def _patched(patch: str) -> "list[tuple[str, str]]":
    """The files of a V4A patch (`*** Update File: PATH`) and the lines it takes out of each."""
    found: list[tuple[str, str]] = []
    for line in patch.split("\n"):
        for mark in ("*** Update File: ", "*** Add File: ", "*** Delete File: "):
            if line.startswith(mark):
                found.append((line[len(mark) :].strip(), ""))
        if line.startswith("-") and found:
            found[-1] = (found[-1][0], found[-1][1] + line[1:] + "\n")
    return found[:_MOST]
