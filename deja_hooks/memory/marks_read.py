"""What the user decided about sessions, as the memory has it (see `schema`, table `mark`). Builtins only.

How the ranking is meant to use it: a promoted session stands above an equal one, a rejected one is never put before
the model by a hook, and `search` puts it last, marked, with its reason.
"""

from deja_hooks.memory.read import Memory, Session

__all__ = ["NOTES", "SessionMark", "is_rejected", "mark_of", "notes_of"]

#: The store of what the user asked to remember: a session of one turn each, its host is "you".
NOTES = "notes"


class SessionMark:
    """A promotion or a rejection.

    Attributes:
        kind: "promote" or "reject"; at: epoch ms; note: why, "" where the user gave no reason.
    """

    __slots__ = ("at", "kind", "note")

    def __init__(self, kind: str, at: int, note: str) -> None:
        self.kind = kind
        self.at = at
        self.note = note


def mark_of(memory: Memory, sid: str) -> "SessionMark | None":
    """What the user decided about a session, by the host's id; one lookup by the primary key."""
    row = memory.db.execute("SELECT kind, at, note FROM mark WHERE sid=?", (sid,)).fetchone()
    return SessionMark(row[0], row[1], row[2]) if row else None


def is_rejected(memory: Memory, sid: str) -> bool:
    """Whether no hook may put that session before the model."""
    return memory.db.execute("SELECT 1 FROM mark WHERE sid=? AND kind='reject'", (sid,)).fetchone() is not None


def notes_of(memory: Memory, project: int, limit: int) -> "list[Session]":
    """The sessions of what the user asked to remember in a project, the latest first."""
    rows = memory.db.execute(
        "SELECT id FROM session WHERE project=? AND store='notes' ORDER BY updated DESC, id DESC LIMIT ?",
        (project, limit),
    )
    found = [memory.session(row[0]) for row in rows.fetchall()]
    return [session for session in found if session is not None]
