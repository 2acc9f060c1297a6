"""A whole file of ours beside the user's: instructions, a prompt, a skill.

It is ours as long as it says what we wrote. Once the user has changed it, it is the user's, and stays.
"""

import hashlib
import re
from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts.files import Change
from deja_hooks.hosts.ledger import Record, possible
from deja_hooks.hosts.templates import template

__all__ = ["OwnText"]

_PROGRAM = "@DEJA@"
_CHANGED = "it is not what deja-hooks wrote there"


class OwnText(NamedTuple):
    """A file made from a template.

    Attributes:
        path: where it lies.
        template: its name in `install/templates/`.
        program: how a terminal calls `deja-hooks`; not needed to take it out.
    """

    path: Path
    template: str
    program: str = ""

    def put_in(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`."""
        text = template(self.template).replace(_PROGRAM, self.program).encode()
        kept = {"kind": "text", "template": self.template, "sum": _sum(text)}
        if before is None or _sum(before) == kept["sum"]:
            return Change(self.path, before, text if before is None else before, kept)
        if self._ours(before, record):
            return Change(self.path, before, text, kept)
        return Change(self.path, before, before, note=_CHANGED)

    def take_out(self, before: bytes | None, record: Record | None) -> Change:
        """See `parts.Part`."""
        if before is None or self._ours(before, record):
            return Change(self.path, before, None)
        return Change(self.path, before, before, note=_CHANGED)

    def _ours(self, data: bytes, record: Record | None) -> bool:
        if any(state.get("sum") == _sum(data) for state in possible(record)):
            return True
        # Without a record (it was lost) it is known by its words.
        try:
            words = map(re.escape, template(self.template).split(_PROGRAM))
        except FileNotFoundError:  # a template that another version had
            return False
        return re.fullmatch(r"[^\n]+?".join(words), _plain(data).decode("utf-8", "replace")) is not None


def _sum(data: bytes) -> str:
    return hashlib.sha256(_plain(data)).hexdigest()


def _plain(data: bytes) -> bytes:
    """An editor's line ends don't make it another text."""
    return data.replace(b"\r\n", b"\n")
