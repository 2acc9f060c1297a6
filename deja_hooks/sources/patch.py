"""V4A patches: the text that `apply_patch` takes, in VS Code and in the CLI."""

from __future__ import annotations

__all__ = ["patch_spans"]

_FILE = ("*** Update File: ", "*** Add File: ", "*** Delete File: ")
_MOVE = "*** Move to: "


def patch_spans(patch: str) -> list[tuple[str, str, str]]:
    """(path, text taken out, text put in) for each hunk that changes something.

    Context lines are in neither text. A moved file goes by its new path, and its old one is given alone, like that
    of a deleted file, whose text the patch doesn't hold.
    """
    found: list[tuple[str, str, str]] = []
    path = ""
    old: list[str] = []
    new: list[str] = []
    for line in [*patch.replace("\r\n", "\n").split("\n"), "*** End Patch"]:
        if line[:1] == "-":
            old.append(line[1:])
        elif line[:1] == "+":
            new.append(line[1:])
        elif line.startswith(("*** ", "@@")):
            if path and (old or new):
                found.append((path, _joined(old), _joined(new)))
            old, new = [], []
            before, path = path, _path_after(line, path)
            if line.startswith(_MOVE) and path != before:
                found.append((before, "", ""))
            elif path and line.startswith("*** Delete File: "):
                found.append((path, "", ""))
    return found


def _path_after(line: str, path: str) -> str:
    for mark in _FILE:
        if line.startswith(mark):
            return line[len(mark) :].strip()
    if path and line.startswith(_MOVE):
        return line[len(_MOVE) :].strip() or path
    return path


def _joined(lines: list[str]) -> str:
    return "".join(line + "\n" for line in lines)
