"""Our entries in a host's hook file, which is ours where the user put nothing else into it."""

from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts.files import Change
from deja_hooks.hosts.hook_file import Document, parse, render, with_ours, without_ours
from deja_hooks.hosts.jsonc import BOM
from deja_hooks.hosts.ledger import Record
from deja_hooks.hosts.parts import MORE_THAN_OURS

__all__ = ["HookEntries", "has_ours"]


class HookEntries(NamedTuple):
    """The hooks of one file; the document is that of `hook_file.ours`, and not needed to take them out."""

    path: Path
    document: Document | None = None

    def put_in(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`. A file that says the same in the user's own layout is left as it is, but for a byte order
        mark: with it, Copilot CLI (1.0.102) takes the file for broken.
        """
        document = self.document or {"version": 1, "hooks": {}}
        if before is None:
            return Change(self.path, None, render(document), _kept(None))
        found = parse(self.path, before)
        wired = with_ours(found, document)
        after = before if wired == found and not before.startswith(BOM) else render(wired)
        if without_ours(found) == found:
            return Change(self.path, before, after, _kept(before.decode()))
        return Change(self.path, before, after, record or _kept(None))

    def take_out(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`. The user's own file stays, whatever is left in it."""
        after = None if before is None else self._without(before, record)
        return Change(self.path, before, after, note="" if after is None else MORE_THAN_OURS)

    def _without(self, before: bytes, record: Record | None) -> bytes | None:
        found = parse(self.path, before)
        rest = without_ours(found)
        if rest == found:
            return before
        first = record.get("first") if record else None
        if isinstance(first, str):
            return first.encode() if self._same(first, found) else render(rest)
        if not rest.get("hooks") and set(rest) <= {"version", "hooks"}:
            return None
        return render(rest)

    def _same(self, text: str, found: Document) -> bool:
        """Whether nothing but our entries came to the file since it was this text."""
        first, rest = parse(self.path, text.encode()), without_ours(found)
        emptied = set(found.get("hooks", {})) - set(rest.get("hooks", {}))
        # An event that was there without entries went with ours.
        hooks = {event: entries for event, entries in first.get("hooks", {}).items() if entries or event not in emptied}
        return {**first, "hooks": hooks, "version": rest.get("version")} == rest


def has_ours(path: Path, data: bytes | None) -> bool:
    """Whether a hook file runs us. Raises HookFileError."""
    if data is None:
        return False
    document = parse(path, data)
    return without_ours(document) != document


def _kept(first: str | None) -> Record:
    return {"kind": "hooks", "first": first}
