"""The rows of a turn, and the terms under which the full-text table finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.memory.schema import DOCUMENT_PREFIXES
from deja_hooks.memory.terms import TermCache, index_terms

if TYPE_CHECKING:
    from deja_hooks.sources.model import Usage

__all__ = ["Note", "Outcome", "TurnRow", "WorkRow", "document", "terms_of"]


class Note(NamedTuple):
    """One sentence worth recalling, and what kind of thing it says (`notes.KINDS`)."""

    kind: str
    text: str


class Outcome(NamedTuple):
    """How a command ended as a hook saw it (VS Code's transcript doesn't tell)."""

    failed: bool
    signature: str


class WorkRow(NamedTuple):
    """One row of `work`."""

    kind: str
    at: int
    path: str
    command: str
    exit: int | None
    failure: str
    signature: str
    old: str
    new: str
    tool: str = ""

    @property
    def failed(self) -> bool:
        """Whether it is known to have failed."""
        return self.kind == "failure" or bool(self.exit) or bool(self.signature)


class TurnRow(NamedTuple):
    """One row of `turn`, with what hangs on it.

    Attributes:
        files: paths of `file`, each once.
        written: path and line keys (`written.line_keys`) of `written`, each path once.
        usage: rows of `usage`, in order.
    """

    at: int
    ended: bool
    user: str
    assistant: str
    notes: tuple[Note, ...]
    work: tuple[WorkRow, ...]
    files: tuple[str, ...] = ()
    written: tuple[tuple[str, bytes], ...] = ()
    usage: tuple[Usage, ...] = ()


def terms_of(row: TurnRow, cache: TermCache) -> tuple[str, str, str]:
    """The turn's terms, joined by spaces: spoken, in its work, in its notes (see `schema.DOCUMENT_PREFIXES`).

    The same row gives the same terms: deleting from the full-text table needs them.
    """
    spoken = index_terms(f"{row.user}\n{row.assistant}", cache)
    worked = index_terms("\n".join([f"{w.path} {w.command} {w.failure}" for w in row.work]), cache) if row.work else ()
    noted = index_terms("\n".join([note.text for note in row.notes]), cache) if row.notes else ()
    return " ".join(spoken), " ".join(worked), " ".join(noted)


def document(project: int, terms: tuple[str, str, str]) -> str:
    """The turn's line in the full-text table: each term with its role and project in front."""
    parts = []
    for prefix, joined in zip(DOCUMENT_PREFIXES, terms, strict=True):
        if joined:
            mark = f"{prefix}{project}_"
            parts.append(mark + joined.replace(" ", f" {mark}"))
    return " ".join(parts)
