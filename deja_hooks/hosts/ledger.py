"""What installing found and made, so that uninstalling can give it back: `installed.json`."""

import json
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from deja_hooks.hosts.errors import HookFileError, HostsError
from deja_hooks.hosts.files import make_folders, read, replace
from deja_hooks.memory.layout import Layout

__all__ = ["VERSION", "Ledger", "Record", "ledger_path", "possible", "read_ledger", "understood", "write_ledger"]

#: Of the file's format. 1 had no number, and only the text of hook files.
VERSION = 2

#: What the kind of a file needs to take ours out again; `kind` names it (see `hosts.kinds`).
Record: TypeAlias = dict[str, Any]


class Ledger(NamedTuple):
    """The record of an installation.

    Attributes:
        files: file → what its kind keeps of it.
        folders: the folders that installing made.
    """

    files: dict[str, Record]
    folders: list[str]


def read_ledger(layout: Layout) -> Ledger:
    """The record, or an empty one where there is none or it can't be understood (then less is given back).

    Raises:
        HostsError: a newer deja-hooks wrote it; to go on would lose what it knows.
    """
    try:
        return _read(layout)
    except (HookFileError, ValueError, KeyError, TypeError, AttributeError):
        return Ledger({}, [])


def understood(layout: Layout) -> bool:
    """Whether the record can be understood, or there is none.

    Raises:
        HostsError: a newer deja-hooks wrote it.
    """
    try:
        _read(layout)
    except (HookFileError, ValueError, KeyError, TypeError, AttributeError):
        return False
    return True


def _read(layout: Layout) -> Ledger:
    path = ledger_path(layout)
    written = read(path)
    if written is None:
        return Ledger({}, [])
    data = json.loads(written)
    version = int(data.get("version", 1))
    if version > VERSION:
        raise HostsError(f"{path} was written by a newer deja-hooks: use that one, or upgrade this one.")
    files = {str(file): _record(version, kept) for file, kept in data["files"].items()}
    return Ledger(files, [str(folder) for folder in data["folders"]])


def write_ledger(layout: Layout, ledger: Ledger) -> None:
    """Keeps the record; an empty one is removed. Raises OSError."""
    path = ledger_path(layout)
    if not ledger.files and not ledger.folders:
        path.unlink(missing_ok=True)
        return
    make_folders(path.parent)
    replace(path, (json.dumps({"version": VERSION, **ledger._asdict()}, indent=2) + "\n").encode())


def possible(record: Record | None) -> list[Record]:
    """What a file may be by its record: the last state, and the earlier ones that a killed process may have left."""
    states = []
    while record is not None:
        states.append(record)
        record = record.get("earlier")
    return states


def ledger_path(layout: Layout) -> Path:
    """Where the record lies."""
    return Path(layout.in_config("installed.json"))


def _record(version: int, kept: Any) -> Record:
    if version == 1:
        return {"kind": "hooks", "first": None if kept is None else str(kept)}
    return {**kept, "kind": str(kept["kind"])}
