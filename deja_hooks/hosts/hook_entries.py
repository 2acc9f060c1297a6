"""Our entries in a host's hook file, which is ours where the user put nothing else into it."""

from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts import jsonc
from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import Change
from deja_hooks.hosts.hook_file import Document, is_bare, parse, render, with_ours, without_ours
from deja_hooks.hosts.hook_text import text_with_ours, text_without_ours
from deja_hooks.hosts.ledger import Record
from deja_hooks.hosts.parts import MORE_THAN_OURS, NOTHING_OF_OURS, WAS_THERE

__all__ = ["HookEntries", "has_ours"]

_NO_MARK = "its byte order mark goes as long as our entries are in it, since Copilot CLI takes it for a broken file"


class HookEntries(NamedTuple):
    """The hooks of one file; the document is that of `hook_file.ours`, and not needed to take them out."""

    path: Path
    document: Document | None = None

    def put_in(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`. A user's file is edited in place, but for a byte order mark: with it, Copilot CLI (1.0.102)
        takes the file for broken.
        """
        document = self.document or {"version": 1, "hooks": {}}
        if before is None:
            return Change(self.path, None, render(document), _kept(None))
        found = parse(self.path, before)
        wired = with_ours(found, document)
        after = before.removeprefix(jsonc.BOM)
        if wired != found:
            plain = is_bare(without_ours(found)) and record is not None and record.get("first") is None
            after = render(wired) if plain or not found else text_with_ours(self.path, after, document)
        kept = _kept(before.decode()) if without_ours(found) == found else record or _kept(None)
        return Change(self.path, before, after, kept, remark=_NO_MARK if before.startswith(jsonc.BOM) else "")

    def take_out(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`. The user's own file stays, whatever is left in it."""
        after = None if before is None else self._without(before, record)
        return Change(self.path, before, after, note="" if after is None else self._why(before, after))

    def _without(self, before: bytes, record: Record | None) -> bytes | None:
        try:
            found = parse(self.path, before)
        except HookFileError as error:
            return self._out_of_text(before, record, error)
        rest = without_ours(found)
        if rest == found:
            return before
        first = record.get("first") if record else None
        if isinstance(first, str):
            return first.encode() if self._same(first, found) else self._edited(before, rest)
        if is_bare(rest):
            return None
        return self._edited(before, rest)

    def _edited(self, before: bytes, rest: Document) -> bytes:
        try:
            return text_without_ours(self.path, before)
        except HookFileError:  # it says things twice: then what it says stays, not how
            return render(rest)

    def _out_of_text(self, before: bytes, record: Record | None, error: HookFileError) -> bytes | None:
        """What is no strict JSON, less our entries. Raises HookFileError, the first one, where that can't be done."""
        try:
            after = text_without_ours(self.path, before)
            text = jsonc.parse(self.path, after)
        except HookFileError:
            raise error from None
        users = record is not None and record.get("first") is not None
        empty = text.root is not None and is_bare(text.root.value) and not text.comments
        return None if empty and not users and after != before else after

    def _why(self, before: bytes | None, after: bytes) -> str:
        """Why the file stays."""
        if before == after:
            return NOTHING_OF_OURS
        text = jsonc.parse(self.path, after)
        return WAS_THERE if not text.comments and (text.root is None or is_bare(text.root.value)) else MORE_THAN_OURS

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
