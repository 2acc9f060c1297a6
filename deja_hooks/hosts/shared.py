"""Files that serve both hosts: where one host is unwired, what the other one still needs stays.

The hook file says nothing of the host that it was written for. That the other host is wired shows in its own files:
its server, its texts, or a hook file that it alone reads.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import read
from deja_hooks.hosts.ledger import Record
from deja_hooks.hosts.parts import Part
from deja_hooks.hosts.places import HOSTS, TITLES, hook_files
from deja_hooks.hosts.wanted import removable_parts, removable_workspace_parts, workspace_hooks

__all__ = ["needed_by_others", "needed_by_others_in_workspace"]


def needed_by_others(
    hosts: tuple[str, ...], files: Mapping[str, Record], environment: Mapping[str, str], home: Path, platform: str
) -> dict[Path, str]:
    """The hook files that a wired host which is not among these reads too, each with why it stays.

    Args:
        hosts: those that are unwired.
        files: of the ledger.
        environment: environment variables.
        home: the user's home folder.
        platform: as `sys.platform`.
    """
    ours = [file.resolve() for file in hook_files(hosts, environment, home)]
    kept = {}
    for other in (host for host in HOSTS if host not in hosts):
        shared = [file for file in hook_files((other,), environment, home) if file.resolve() in ours]
        own = [
            part for part in removable_parts((other,), environment, home, platform) if part.path.resolve() not in ours
        ]
        if _wired(own, files):
            kept.update(dict.fromkeys(shared, _why(other)))
    return kept


def needed_by_others_in_workspace(hosts: tuple[str, ...], files: Mapping[str, Record], folder: Path) -> dict[Path, str]:
    """The same for a work tree. Arguments as for `needed_by_others`."""
    shared = workspace_hooks(folder)
    kept = {}
    for other in (host for host in HOSTS if host not in hosts):
        if _wired([part for part in removable_workspace_parts((other,), folder) if part.path != shared], files):
            kept[shared] = _why(other)
    return kept


def _why(host: str) -> str:
    return f"{TITLES[host]}, which is still wired, reads it too"


def _wired(parts: Sequence[Part], files: Mapping[str, Record]) -> bool:
    return any(_is_there(part, files.get(str(part.path))) for part in parts)


def _is_there(part: Part, record: Record | None) -> bool:
    try:
        before = read(part.path)
        change = None if before is None else part.take_out(before, record)
    except HookFileError:
        return record is not None
    # A text that the user has changed is none of ours any more, but tells that the host was wired.
    return change is not None and (change.verb != "unchanged" or record is not None)
