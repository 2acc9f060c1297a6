"""A call of the tool as the recall modules know one: a hook's question that leaves no trace.

A hook tells nothing twice, and keeps what it told; what is asked for is told each time, so there is no state here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.hook.payload import Payload
from deja_hooks.memory.kept_out import why_kept_out
from deja_hooks.memory.marks_read import is_rejected
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.ask import Ask
from deja_hooks.recall.scope import Allowed
from deja_hooks.system import exists

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout
    from deja_hooks.memory.read import Memory, Session
    from deja_hooks.tool.project import Place

__all__ = ["Question"]


class Question(Ask):
    """A call of the tool.

    Args:
        place: the project.
        session_id: of the asking session; "" where the client doesn't say.
        prompt: what is asked.
        command: that has failed.
    """

    __slots__ = ("_allowed", "_kept_out", "known", "place")

    def __init__(
        self,
        place: Place,
        memory: Memory,
        layout: Layout,
        now_ms: int,
        *,
        session_id: str = "",
        prompt: str = "",
        command: str = "",
    ) -> None:
        fields = {"session_id": session_id, "cwd": place.folder, "prompt": prompt, "tool_input": {"command": command}}
        super().__init__(Payload({"hook_event_name": "UserPromptSubmit", **fields}, ""), layout, now_ms)
        self.place = place
        self.known = memory
        self._key = place.key
        self._memory, self._memory_open = memory, True
        self._state, self._state_open = None, True
        self._allowed = Allowed(self, memory)
        self._kept_out: dict[int, bool] = {}

    def visible(self, turn: int) -> bool:
        """Whether the turn of this row id may be quoted: as by a hook, and not of a session that is to be erased."""
        number = turn >> TURN_BITS
        if number not in self._kept_out:
            session = self.known.session(number)
            self._kept_out[number] = session is None or bool(self.why_hidden(session))
        return not self._kept_out[number] and self._allowed(turn)

    def why_hidden(self, session: Session) -> str:
        """Why nothing of a session may be told; "" where nothing stands against it."""
        if is_rejected(self.known, session.sid):
            return "rejected by the user"
        # What is excluded or forgotten is erased at once; a memory brought back from a backup may hold it still.
        return why_kept_out(self.layout, session.cwd, session.sid) if exists(self.layout.kept_out) else ""
