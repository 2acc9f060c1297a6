"""What may not be read, kept or told: forgotten sessions, and those of excluded projects and folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.marks.decisions import Decisions
from deja_hooks.memory.kept_out import EXCLUDED, FORGOTTEN, Rules
from deja_hooks.memory.scope import project_key
from deja_hooks.memory.written import KEY_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["NOTHING", "NOT_READ", "Barred"]

#: How the remark on a file begins that isn't read (`source.remarks`); the reason follows.
NOT_READ = "not read: "


class Barred(NamedTuple):
    """The user's decisions, and the rules made from the settings."""

    decisions: Decisions
    rules: Rules

    def why(self, sid: str, cwd: str, key: str | None, started: int, times: Sequence[int]) -> str:
        """Why a session is kept out; "" where it isn't.

        Args:
            key: of its project; None: it is looked up, where that matters.
            started, times: see `decisions.Span.holds`.
        """
        if sid in self.decisions.forgotten:
            return FORGOTTEN
        if not self.rules and not self.decisions.spans:
            return ""
        key = project_key(cwd) if key is None else key
        if self.rules.fit(cwd, key):
            return EXCLUDED
        return FORGOTTEN if self.decisions.forgets(sid, key, started, times) else ""

    def beginning(self, sid: str, started: int, requests: bytes | None) -> int:
        """How many requests a session has copied from one that is forgotten: they are forgotten with it.

        Of two sessions that begin alike the older one is the other's origin (as in `memory.forks`).

        Args:
            started: epoch ms; requests: `session.requests`.
        """
        if not requests:
            return 0
        older = (f.requests for f in self.decisions.forgotten.values() if (f.started, f.sid) < (started, sid))
        return max((_shared(requests, each) for each in older if each), default=0)


def _shared(one: bytes, other: bytes) -> int:
    most = min(len(one), len(other)) // KEY_BYTES
    for place in range(most):
        part = slice(place * KEY_BYTES, (place + 1) * KEY_BYTES)
        if one[part] != other[part]:
            return place
    return most


NOTHING = Barred(Decisions((), {}, {}, ()), Rules((), (), ()))
