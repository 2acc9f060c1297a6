"""What to read for one session: its files, and from where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.marks.barred import NOTHING, Barred

if TYPE_CHECKING:
    from deja_hooks.memory.rows import Outcome
    from deja_hooks.sources.model import Header
    from deja_hooks.sources.places.roots import SourceFile

__all__ = ["Job"]


class Job(NamedTuple):
    """The files of one session to read: one, from a place on; or several, each as a whole.

    Attributes:
        start: where to begin, bytes; place: of the turn that begins there; header: what is known of the session.
        outcomes: tool call id → how it ended, as hooks saw it.
        barred: what may not be read or kept.
        goes_on: the file is longer than what is to be read of it now (see `pieces`).
        skip: requests at the chat's beginning that are stored with `origin`, the session that it was forked from.
    """

    files: tuple[SourceFile, ...]
    outcomes: dict[str, Outcome]
    start: int = 0
    place: int = 0
    header: Header | None = None
    skip: int = 0
    origin: str = ""
    barred: Barred = NOTHING
    goes_on: bool = False

    @property
    def size(self) -> int:
        """Bytes to read, of all files."""
        return sum(file.size for file in self.files) - self.start
