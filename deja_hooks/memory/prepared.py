"""What reading a session's files came to, on its way from a reading process to the one that writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.sources.model import Tally

if TYPE_CHECKING:
    from deja_hooks.failures.fixes import Fix
    from deja_hooks.memory.rows import TurnRow
    from deja_hooks.sources.model import Header
    from deja_hooks.sources.places.roots import SourceFile

__all__ = ["Prepared", "Reading"]


class Reading(NamedTuple):
    """What one reading of one file came to (see `source_rows.Source`).

    Attributes:
        place: of the session's turn that begins at `restart`.
        tally, settled: of this reading, not of the whole file.
        problem: why nothing of the file was understood; "" where something was.
    """

    file: SourceFile
    restart: int = 0
    end: int = 0
    place: int = 0
    fingerprint: int = 0
    prefix: int = 0
    bytes_read: int = 0
    version: str = ""
    problem: str = ""
    remarks: tuple[str, ...] = ()
    tally: Tally = Tally()
    settled: Tally = Tally()


class Prepared(NamedTuple):
    """What the files of a session gave, ready to be written.

    Attributes:
        readings: of each file.
        header: of the session; None where no file was understood.
        whole: the reading began at the files' start.
        place: of the first row in the session.
        rows, terms: the turns from there on, and their index terms (`rows.terms_of`).
        fixes: of the whole session, turns numbered from 0; None where the reading began later than its start.
        updated: epoch ms of the last record.
        changed: paths of `changed`.
        requests: `session.requests`.
        origin, skip: `session.forked_from`, `session.skipped`.
    """

    readings: tuple[Reading, ...]
    header: Header | None = None
    whole: bool = True
    place: int = 0
    rows: list[TurnRow] = []  # noqa: RUF012 (never changed)
    terms: list[tuple[str, str, str]] = []  # noqa: RUF012
    fixes: list[Fix] | None = None
    updated: int = 0
    changed: tuple[str, ...] = ()
    requests: bytes | None = None
    origin: str = ""
    skip: int = 0
