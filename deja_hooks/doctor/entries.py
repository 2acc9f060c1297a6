"""What stands in a hook file: our entries in it, what each of them runs, and which command a host takes.

Where several commands stand in an entry, the hosts choose so (VS Code 1.139, Copilot CLI 1.0.102): the platform's
own word before `bash` or `powershell`, that before `command`.
"""

import re
import shlex
from collections.abc import Iterator
from typing import Any, NamedTuple

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.hook_file import is_ours

__all__ = ["Entry", "command_of", "entries_by_hand", "our_entries", "program_of"]

_FIELDS = {
    "linux": ("linux", "bash", "command"),
    "darwin": ("osx", "bash", "command"),
    "win32": ("windows", "powershell", "command"),
}
#: Our words in the PowerShell command, each in single quotes, in which a quote is doubled.
_WORD = r"'((?:[^']|'')+)'"
_POWERSHELL = re.compile(rf"& {_WORD} -I -S {_WORD} {_WORD} {_WORD} {_WORD}")
#: Our command as a person writes it into a hook file: `deja-hooks hook Stop`, `/bin/python -m deja_hooks hook Stop`.
_BY_HAND = re.compile(r"""(?:^|[\s"'`/\\;&|(])(?:deja-hooks(?:\.exe)?|-m\s+deja_hooks)["'`]?\s+hook(?![\w-])""")


class Entry(NamedTuple):
    """One of our entries in a hook file.

    Attributes:
        event: the key that it stands under.
        value: the entry itself.
        grouped: whether it stands in a group with a matcher, which `install` never writes.
    """

    event: str
    value: dict[str, Any]
    grouped: bool


def our_entries(document: dict[str, Any]) -> list[Entry]:
    """Our entries in a hook file, or in the `hooks` of a settings file, in their order."""
    return [entry for entry in _all(document) if is_ours(entry.value)]


def entries_by_hand(document: dict[str, Any]) -> list[Entry]:
    """The entries that call us by our own command: `install` writes none and takes none out, yet each is an answer."""
    return [entry for entry in _all(document) if not is_ours(entry.value) and _calls_us(entry.value)]


def _calls_us(entry: dict[str, Any]) -> bool:
    return any(isinstance(value, str) and _BY_HAND.search(value) for value in entry.values())


def _all(document: dict[str, Any]) -> list[Entry]:
    hooks = document.get("hooks")
    found: list[Entry] = []
    for event, entries in hooks.items() if isinstance(hooks, dict) else ():
        if isinstance(entries, list):
            found += (Entry(event, value, grouped) for value, grouped in _flat(entries))
    return found


def command_of(entry: dict[str, Any], platform: str) -> str:
    """The command line that a host takes on this platform; "" where there is none."""
    fields = _FIELDS.get(platform, _FIELDS["linux"])
    return next((value for name in fields if isinstance(value := entry.get(name), str) and value), "")


def program_of(command: str) -> Program | None:
    """What one of our commands runs; None where it isn't of the form that `install` writes."""
    found = _POWERSHELL.search(command)
    if found is not None:
        python, script, _, cache, config = (word.replace("''", "'") for word in found.groups())
        return Program(python, script, cache, config)
    try:
        words = shlex.split(command)
    except ValueError:
        return None
    for at in range(1, len(words) - 5):
        if words[at : at + 2] == ["-I", "-S"]:
            return Program(words[at - 1], words[at + 2], words[at + 4], words[at + 5])
    return None


def _flat(entries: list[Any], grouped: bool = False) -> Iterator[tuple[dict[str, Any], bool]]:
    for entry in entries:
        if isinstance(entry, dict):
            inner = entry.get("hooks")
            if isinstance(inner, list) and not grouped:
                yield from _flat(inner, True)
            else:
                yield entry, grouped
