"""What an edit tool is about to do: the files, what goes out, what comes in, and where."""

__all__ = ["Edit", "edits_in"]

_PATH_NAMES = ("filePath", "path", "file_path")
_OLD_NAMES = ("oldString", "old_str", "old_string")
_NEW_NAMES = ("newString", "new_str", "new_string", "code", "newCode")
_MOST = 8


class Edit:
    """One place of a file that a call is about to change.

    Attributes:
        path: as the host gave it.
        old: the text that goes out; "" where the call doesn't say, or for a new file.
        new: the text that comes in; "" for a whole new file.
        near: where it stands, as a patch says it (`@@ class Pool`); lines.
    """

    __slots__ = ("near", "new", "old", "path")

    def __init__(self, path: str, old: str = "", new: str = "", near: str = "") -> None:
        self.path = path
        self.old = old
        self.new = new
        self.near = near


def edits_in(tool_input: "dict[str, object]", tool_text: str) -> "list[Edit]":
    """The edits of a call, at most eight.

    Args:
        tool_input: the tool's arguments, any host's names.
        tool_text: arguments that are bare text (a patch).
    """
    replacements = tool_input.get("replacements")
    if isinstance(replacements, list):
        found = [_edit(r) for r in replacements[:_MOST] if isinstance(r, dict)]
        whole = _text(tool_input, _PATH_NAMES)
        for edit in found:
            edit.path = edit.path or whole
        return [f for f in found if f.path]
    patch = tool_input.get("input", tool_input.get("patch", tool_text))
    if isinstance(patch, str) and "*** " in patch:
        return _patched(patch)
    edit = _edit(tool_input)
    return [edit] if edit.path else []


def _edit(values: "dict[str, object]") -> Edit:
    return Edit(_text(values, _PATH_NAMES), _text(values, _OLD_NAMES), _text(values, _NEW_NAMES))


def _text(values: "dict[str, object]", names: "tuple[str, ...]") -> str:
    for name in names:
        value = values.get(name)
        if isinstance(value, str):
            return value
    return ""


def _patched(patch: str) -> "list[Edit]":
    """The files of a V4A patch (`*** Update File: PATH`, hunks under `@@ class Pool`, `-` out, `+` in)."""
    found: list[Edit] = []
    for line in patch.split("\n"):
        if line.startswith(("*** Update File: ", "*** Add File: ", "*** Delete File: ")):
            found.append(Edit(line.partition(": ")[2].strip()))
        elif not found:
            continue
        elif line.startswith("@@"):
            found[-1].near += line.rpartition("@@")[2].strip() + "\n"
        elif line.startswith("-"):
            found[-1].old += line[1:] + "\n"
        elif line.startswith("+"):
            found[-1].new += line[1:] + "\n"
        elif line.startswith(" "):
            # What surrounds the change stands on both sides, as in the other tools' arguments.
            found[-1].old += line[1:] + "\n"
            found[-1].new += line[1:] + "\n"
    return found[:_MOST]
