"""The content of `deja.json`: what is ours in it, what is the user's, and how the two are kept apart.

Format: `hosts/` notes in docs; `{"version": 1, "hooks": {EVENT: [ENTRY, …]}}`, an entry being flat
(`{"type": "command", "bash": …}`) or grouped (`{"matcher": …, "hooks": [ENTRY, …]}`).
"""

import json
import re
from pathlib import Path
from typing import Any, TypeAlias

from deja_hooks.hosts.command import Program, posix_command, powershell_command
from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.templates import template

__all__ = ["Document", "checked", "is_bare", "is_ours", "ours", "parse", "render", "with_ours", "without_ours"]

#: A parsed hook file: a JSON object.
Document: TypeAlias = dict[str, Any]

#: Our entry point, wherever an environment stands or stood, in either kind of path.
_ENTRY_POINT = re.compile(r"deja_hooks[/\\]+hook[/\\]+entry\.py")
_TEMPLATE = "deja.json"


def ours(program: Program) -> Document:
    """Our hook file for this program: the template with each event's commands filled in."""
    document: Document = json.loads(template(_TEMPLATE))
    for event, entries in document["hooks"].items():
        commands = {
            "@BASH@": posix_command(program, event),
            "@POWERSHELL@": powershell_command(program, event),
        }
        for entry in entries:
            entry.update({key: commands.get(value, value) for key, value in entry.items()})
    return document


def parse(path: Path, data: bytes) -> Document:
    """The file's content; {} for a blank one.

    Raises:
        HookFileError: it isn't JSON, or not of a hook file's shape; names the file and what to do.
    """
    if not data.strip():
        return {}
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        if _is_commented(path, data):
            raise HookFileError(
                f"{path} has comments or trailing commas, with which Copilot CLI (1.0.102) takes it for broken: "
                "take them out, or move it away, and try again."
            ) from error
        raise HookFileError(f"{path} is not valid JSON ({error}): mend it, or move it away, and try again.") from error
    return checked(path, document)


def checked(path: Path, document: object) -> Document:
    """The document, if it has a hook file's shape. Raises HookFileError."""
    hooks = document.get("hooks", {}) if isinstance(document, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(entries, list) for entries in hooks.values()):
        raise HookFileError(
            f'{path} is not a hook file ({{"version": 1, "hooks": {{EVENT: [...]}}}}): '
            "mend it, or move it away, and try again."
        )
    return document  # type: ignore[return-value]


def is_bare(document: Document) -> bool:
    """Whether a document says no more than an empty hook file does."""
    return not document.get("hooks") and set(document) <= {"version", "hooks"}


def _is_commented(path: Path, data: bytes) -> bool:
    """Whether a text that is no JSON is one with comments or trailing commas."""
    from deja_hooks.hosts import jsonc  # its parser is needed for a broken file only

    try:
        return jsonc.parse(path, data).root is not None
    except HookFileError:
        return False


def render(document: Document) -> bytes:
    """The document as it is written: UTF-8, two spaces, a newline at the end."""
    try:
        return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can only escape
        return (json.dumps(document, indent=2) + "\n").encode()


def is_ours(entry: object) -> bool:
    """Whether a flat entry runs our entry point (of this or of any other environment)."""
    return isinstance(entry, dict) and any(
        isinstance(value, str) and _ENTRY_POINT.search(value) for value in entry.values()
    )


def with_ours(document: Document, our_document: Document) -> Document:
    """The document with our entries, and no other entries of ours; the user's entries and keys stay."""
    rest = without_ours(document)
    hooks = dict(rest.get("hooks", {}))
    for event, entries in our_document["hooks"].items():
        hooks[event] = [*hooks.get(event, []), *entries]
    return {**rest, "version": our_document["version"], "hooks": hooks}


def without_ours(document: Document) -> Document:
    """The document less our entries, and less the events and groups that are empty without them."""
    hooks = {}
    for event, entries in document.get("hooks", {}).items():
        kept = _foreign(entries)
        if kept or not entries:
            hooks[event] = kept
    return {**document, "hooks": hooks} if "hooks" in document else document


def _foreign(entries: list[Any]) -> list[Any]:
    kept = []
    for entry in entries:
        group = entry.get("hooks") if isinstance(entry, dict) else None
        if isinstance(group, list):
            inner = _foreign(group)
            if inner or not group:
                kept.append({**entry, "hooks": inner})
        elif not is_ours(entry):
            kept.append(entry)
    return kept
