"""What the tool answers, for programs: the structured form, and its schema.

Every text in it that is from history is harmless (`recall.fence.harmless`), and no longer than in the fenced form:
hosts put both before the model (Copilot CLI 1.0.102 does).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from deja_hooks.tool.arguments import Mode

__all__ = ["Change", "Fix", "Hit", "Memory", "Reason", "Result", "Said", "Session", "Turn", "result_schema"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Reason(_Part):
    """A sentence of a session: how it is put (decided, found, asked, …), and its words."""

    kind: str
    text: str


class Said(_Part):
    """A sentence, how it is put, its day, and the session that it is quoted from."""

    session: str
    date: str
    kind: str
    text: str


class Memory(Said):
    """What stands about the thing that was asked for; the earlier word that it overturns; whether the user promoted
    its session."""

    overturns: Said | None = None
    promoted: bool = False


class Hit(_Part):
    """A session that a search found, with its most telling sentence and the turn (from 1) that it is from."""

    session: str
    host: str
    date: str
    title: str
    turn: int
    text: str
    confidence: float
    promoted: bool = False


class Session(_Part):
    """A session as a whole; `turns`: how many there are; `settled`: what it settled, the latest first."""

    session: str
    host: str
    project: str
    branch: str
    title: str
    date: str
    turns: int
    settled: list[Reason] = []


class Turn(_Part):
    """A turn: its number (from 1), what was asked, answered and done."""

    turn: int
    date: str
    asked: str = ""
    answered: str = ""
    did: str = ""


class Change(_Part):
    """A session that changed the file, in these turns (none: its host doesn't say which), and why.

    A session without an edit is one that decided something about the file.
    """

    session: str
    host: str
    date: str
    branch: str
    title: str
    edited: bool
    turns: list[int]
    reasons: list[Reason]


class Fix(_Part):
    """What made an error stay away: another `form` of the command, a `command`, or an `edit` of files."""

    session: str
    date: str
    failed: str
    failure: str
    how: Literal["form", "command", "edit"]
    what: str
    evidence: str
    another_project: bool = False
    reason: str = ""


class Result(_Part):
    """The answer to a call.

    Attributes:
        status: "found", "nothing" (see `note`), or "silent" (deja-hooks is switched off, or the folder excluded).
        note: what to make of it.
        left_off: how many more there are.
    """

    mode: Mode
    status: Literal["found", "nothing", "silent"]
    project: str
    note: str
    memories: list[Memory] = []
    hits: list[Hit] = []
    session: Session | None = None
    turns: list[Turn] = []
    changes: list[Change] = []
    fixes: list[Fix] = []
    left_off: int = 0


def result_schema() -> dict[str, Any]:
    """The JSON schema of the structured form."""
    return Result.model_json_schema()
