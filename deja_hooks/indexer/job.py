"""One file to read, and from where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deja_hooks.memory.rows import Outcome
    from deja_hooks.sources.model import Header
    from deja_hooks.sources.roots import SourceFile

__all__ = ["Job"]


class Job(NamedTuple):
    """A file to read on.

    Attributes:
        start: where to begin, bytes; place: of the turn that begins there; header: what is known of the session.
        outcomes: tool call id → how it ended, as hooks saw it.
    """

    file: SourceFile
    start: int
    place: int
    header: Header | None
    outcomes: dict[str, Outcome]
