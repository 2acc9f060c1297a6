"""Which kinds of files there are, by the names that the ledger gives them."""

from pathlib import Path

from deja_hooks.hosts.hook_entries import HookEntries
from deja_hooks.hosts.ledger import Record
from deja_hooks.hosts.own_text import OwnText
from deja_hooks.hosts.parts import Part
from deja_hooks.hosts.server_entry import ServerEntry

__all__ = ["recorded_part"]


def recorded_part(path: Path, record: Record) -> Part | None:
    """What the ledger says is in the file, to be taken out; None for a kind that isn't known."""
    kind = record["kind"]
    if kind == "hooks":
        return HookEntries(path)
    if kind == "server":
        return ServerEntry(path, str(record.get("section")))
    return OwnText(path, str(record.get("template"))) if kind == "text" else None
