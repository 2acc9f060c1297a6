"""What installing found and made, so that uninstalling can give it back: `installed.json`."""

import json
from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import make_folders, read, replace
from deja_hooks.memory.layout import Layout

__all__ = ["Ledger", "read_ledger", "write_ledger"]


class Ledger(NamedTuple):
    """The record of an installation.

    Attributes:
        files: hook file → its text before we first wrote to it; None where there was no file.
        folders: the folders that installing made.
    """

    files: dict[str, str | None]
    folders: list[str]


def read_ledger(layout: Layout) -> Ledger:
    """The record, or an empty one where there is none or it can't be understood (then less is given back)."""
    try:
        data = json.loads(read(_path(layout)) or b"{}")
        files = {str(path): None if text is None else str(text) for path, text in data["files"].items()}
        return Ledger(files, [str(folder) for folder in data["folders"]])
    except (HookFileError, ValueError, KeyError, TypeError, AttributeError):
        return Ledger({}, [])


def write_ledger(layout: Layout, ledger: Ledger) -> None:
    """Keeps the record; an empty one is removed. Raises OSError."""
    path = _path(layout)
    if not ledger.files and not ledger.folders:
        path.unlink(missing_ok=True)
        return
    make_folders(path.parent)
    replace(path, (json.dumps(ledger._asdict(), indent=2) + "\n").encode())


def _path(layout: Layout) -> Path:
    return Path(layout.in_config("installed.json"))
