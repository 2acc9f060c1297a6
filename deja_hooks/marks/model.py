"""One action of the user's about sessions, as the log keeps it."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["KINDS", "NOTE", "Forgotten", "Mark", "new_id", "note_sid"]

KINDS = ("remember", "promote", "reject", "forget", "undo")
#: What a note's session id begins with.
NOTE = "note-"
_LETTERS = "0123456789abcdefghijklmnopqrstuvwxyz"
#: So a note's session id has eight letters, as many of an id as a packet shows.
_ID_LENGTH = 3


class Forgotten(NamedTuple):
    """A forgotten session: enough to know it, and the beginning that forks have copied of it, again.

    Attributes:
        sid: its id.
        started: epoch ms; 0 unknown.
        requests: `session.requests` (keys, no text); b"" where it had none.
    """

    sid: str
    started: int = 0
    requests: bytes = b""


class Mark(NamedTuple):
    """One action.

    Attributes:
        id: names it in the log, for `undo`.
        at: when, epoch ms.
        kind: one of `KINDS`.
        session: promote, reject: the session's id.
        projects: remember: the key of the note's project; forget: keys of the projects that it is about, if any.
        folder: remember: where it was said.
        text: remember: the note; reject: why. Redacted.
        sessions: forget: those that were known then.
        since: forget: only sessions that were active since (epoch ms); None: whenever they were.
        rule: forget: it is about all sessions up to `at` (of `projects`, active since `since`), not only `sessions`.
        undoes: undo: the id of the action taken back.
    """

    id: str
    at: int
    kind: str
    session: str = ""
    projects: tuple[str, ...] = ()
    folder: str = ""
    text: str = ""
    sessions: tuple[Forgotten, ...] = ()
    since: int | None = None
    rule: bool = False
    undoes: str = ""


def note_sid(mark: Mark) -> str:
    """The id of the session that a note is kept as."""
    return NOTE + mark.id


def new_id(at: int, what: str, taken: Collection[str]) -> str:
    """An id that none of the others has.

    Args:
        at: epoch ms.
        what: the action's words.
        taken: the ids that are in use.
    """
    length = _ID_LENGTH
    while True:
        for attempt in range(100):
            found = _letters(f"{at} {attempt} {what}", length)
            if found not in taken:
                return found
        length += 1


def _letters(text: str, length: int) -> str:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    number = int.from_bytes(digest, "big")
    return "".join(_LETTERS[number // 36**place % 36] for place in range(length))
