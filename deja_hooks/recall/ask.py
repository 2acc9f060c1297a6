"""One question to the memory: what a packet is made from, and what comes of it."""

from deja_hooks.memory.read import open_memory
from deja_hooks.memory.scope import project_key
from deja_hooks.memory.sqlite import sqlite_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.hook.payload import Payload
    from deja_hooks.memory.hook_settings import HookSettings
    from deja_hooks.memory.layout import Layout
    from deja_hooks.memory.read import Memory
    from deja_hooks.memory.state import State

__all__ = ["Answer", "Ask", "silent"]


class Answer:
    """What a packet's module decided.

    Attributes:
        lines: what is to be said, one item a line; empty for silence.
        title: what the lines are about, for the fence.
        reason: why it speaks, or why not, in a few words.
        memories: names of what each line tells, for "never twice".
        kind: the packet's kind, as in `events.Event.packet`.
        budget: most characters of the packet.
    """

    __slots__ = ("budget", "kind", "lines", "memories", "reason", "title")

    def __init__(
        self, kind: str, title: str, lines: "list[str]", memories: "list[list[str]]", reason: str, budget: int
    ) -> None:
        self.kind = kind
        self.title = title
        self.lines = lines
        self.memories = memories
        self.reason = reason
        self.budget = budget


def silent(reason: str) -> Answer:
    """The answer that says nothing, and why."""
    return Answer("", "", [], [], reason, 0)


class Ask:
    """A call of a hook, with the stores it may look into. Each store is opened at its first use.

    Args:
        payload: of the call.
        layout: of the installation.
        now_ms: epoch ms.
        settings: what of them differs from the defaults; None: nothing.

    Attributes:
        prompts: how many prompts the session has had.
    """

    __slots__ = (
        "_copied", "_key", "_memory", "_memory_open", "_settings", "_state", "_state_open", "layout", "now_ms",
        "payload", "prompts",
    )  # fmt: skip

    def __init__(
        self, payload: "Payload", layout: "Layout", now_ms: int, settings: "HookSettings | None" = None
    ) -> None:
        self.payload = payload
        self.layout = layout
        self.now_ms = now_ms
        self.prompts = 0
        self._settings = settings
        self._copied: dict[str, int] | None = None
        self._key: str | None = None
        self._memory: Memory | None = None
        self._memory_open = False
        self._state: State | None = None
        self._state_open = False

    @property
    def project_key(self) -> str:
        """The project of the payload's folder; "" where it names none."""
        if self._key is None:
            self._key = project_key(self.payload.cwd)
        return self._key

    @property
    def memory(self) -> "Memory | None":
        """The memory, or None where there is none to read."""
        if not self._memory_open:
            self._memory_open = True
            self._memory = open_memory(self.layout.memory)
        return self._memory

    @property
    def state(self) -> "State | None":
        """What hooks remember, or None where it can't be had: then the hook does without."""
        if not self._state_open:
            self._state_open = True
            from deja_hooks.memory.state import State

            try:
                self._state = State(self.layout.state)
            except (sqlite_error(), OSError, ValueError):
                self._state = None
        return self._state

    def budget(self, packet: str, usual: int) -> int:
        """Most characters of a packet, as the settings name it; the usual ones where they don't."""
        return self._settings.budgets.get(packet, usual) if self._settings is not None else usual

    def why_silent(self, packet: str) -> str:
        """Why the settings let a packet not be made; "" where they do."""
        return self._settings.why_silent(packet) if self._settings is not None else ""

    def close(self) -> None:
        """Closes what was opened."""
        if self._memory is not None:
            self._memory.close()
        if self._state is not None:
            self._state.close()

    def own_sessions(self) -> "set[str]":
        """The ids of the asking session and of the one whose sub-agent it is."""
        payload = self.payload
        own = {payload.session_id, payload.agent_id, payload.parent_id}
        if self.state is not None and payload.session_id:
            own.add(self.state.parent(payload.session_id))
        own.discard("")
        return own

    def copied_turns(self) -> "dict[str, int]":
        """Session id → how many of its first turns stand in the asking session, which was forked from it."""
        if self._copied is None:
            self._copied = {}
            memory = self.memory
            own = memory.session_of(self.payload.session_id) if memory is not None else None
            origin, copied = (own.forked_from, own.skipped) if own is not None else ("", 0)
            while memory is not None and origin and origin not in self._copied:
                session = memory.session_of(origin)
                before = session.skipped if session is not None else 0
                self._copied[origin] = max(0, copied - before)
                copied = min(copied, before)
                origin = session.forked_from if session is not None else ""
        return self._copied

    def said(self, kind: str) -> "set[str]":
        """The memories that this kind of packet has already told this session."""
        state = self.state
        return state.said(self.payload.session_id, kind) if state is not None else set()
