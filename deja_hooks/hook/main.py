"""A call of the hook, from the payload's bytes to the reply's: the way in and out of an event.

`run` is the program (stdin, stdout, ring); `handle` is its middle, which `deja-hooks replay` calls with a fixed
clock and nonce. What may fail is caught in one place, `handle`: a hook that fails is silent.
"""

import sys
import time

from deja_hooks.hook.events import EVENTS, packet_name
from deja_hooks.hook.payload import Payload, read_payload
from deja_hooks.hook.reply import reply
from deja_hooks.hook.switch import silenced
from deja_hooks.system import calls, exists
from deja_hooks.tools import AGENT_TOOLS, COMMAND_TOOLS, EDIT_TOOLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.hook.stdin import Received
    from deja_hooks.memory.hook_settings import HookSettings
    from deja_hooks.memory.layout import Layout

__all__ = ["Outcome", "handle", "run"]

_SPEAKING_TOOLS = EDIT_TOOLS | COMMAND_TOOLS


class Outcome:
    """What a call came to.

    Attributes:
        event, host, session_id, cwd: from the payload; "" where it could not be read.
        reply: the bytes for stdout; b"" for nothing.
        text: the packet in the reply; "" for none.
        reason: why it speaks, or why not.
    """

    __slots__ = ("cwd", "event", "host", "reason", "reply", "session_id", "text")

    def __init__(self, payload: "Payload | None", event: str, text: str, reason: str) -> None:
        self.event = payload.event if payload is not None else event
        self.host = payload.host if payload is not None else ""
        self.session_id = payload.session_id if payload is not None else ""
        self.cwd = payload.cwd if payload is not None else ""
        self.reply = reply(self.event, text)
        self.text = text if self.reply else ""
        self.reason = reason


def run(event: str, received: "Received", layout: "Layout", started: float) -> None:
    """The program: prints the reply by one write, leaves a line in the ring.

    Args:
        event: as on the command line.
        received: from stdin.
        layout: of the installation.
        started: `time.monotonic()` at the process's start.
    """
    value = received.value
    if value is None and received.data:
        from deja_hooks.hook.salvage import salvage

        value = salvage(received.data, received.tail) or None
    now_ms = int(time.time() * 1000)
    outcome = handle(value, event, layout, now_ms=now_ms, nonce=_nonce(), live=True)
    if outcome.reply:
        calls.write(1, outcome.reply)
    from deja_hooks.hook.ring import note

    took = (time.monotonic() - started) * 1000
    try:
        note(layout, now_ms, outcome.event, outcome.host, outcome.session_id, took, outcome.reason, outcome.text)
    except OSError:
        pass  # a cache that can't be written silences nothing
    if exists(layout.record) and value is not None and not _kept_out(layout, outcome.cwd, outcome.session_id):
        from deja_hooks.hook.record import record

        record(layout, outcome.event, value, now_ms)


def _nonce() -> str:
    """Eight hex digits that no recalled text can know."""
    if sys.platform == "win32":
        return f"{time.perf_counter_ns() * 2654435761 & 0xFFFFFFFF:08x}"
    descriptor = calls.open("/dev/urandom", calls.O_RDONLY)
    try:
        return calls.read(descriptor, 4).hex()
    finally:
        calls.close(descriptor)


def handle(value: object, event: str, layout: "Layout", *, now_ms: int, nonce: str, live: bool) -> Outcome:
    """Decides one call. Never raises.

    Args:
        value: the parsed payload (see `scan.parse`).
        event: the event on the command line; the payload's own name wins.
        layout: of the installation.
        now_ms: epoch ms.
        nonce: of the reply's fence.
        live: whether a host is waiting: the background indexer may be started, a log that lags be waited for.
    """
    payload: Payload | None = None
    try:
        payload = read_payload(value, event)
        if payload is None:
            return Outcome(None, event, "", "no payload that can be read")
        spec = EVENTS.get(payload.event)
        if spec is None:
            return Outcome(payload, event, "", "an event that is not used")
        text, reason = _decide(payload, layout, now_ms, nonce, live)
        if spec.wakes_indexer and live:
            _wake(layout, now_ms, later=payload.event == "SessionStart")
        return Outcome(payload, event, text, reason)
    except Exception as error:
        # The failure boundary of the hot program: whatever is broken (payload, disk, database, our own code), the
        # user's turn goes on, and the ring says what it was.
        return Outcome(payload, event, "", f"failed: {type(error).__name__}: {error}")


def _decide(payload: Payload, layout: "Layout", now_ms: int, nonce: str, live: bool) -> "tuple[str, str]":
    """The packet (or "") and the reason."""
    spec = EVENTS[payload.event]
    off = silenced(layout, payload.cwd, now_ms)
    tool_event = spec.packet in ("before_tool", "after_tool")
    waiting = not off and spec.speaks and bool(payload.session_id) and exists(layout.pending(payload.session_id))
    if tool_event:
        _still_alive(layout, payload.session_id)
        needless = "" if waiting else _needless(payload)
        if needless:
            return "", off or needless
    kept = _kept_out(layout, payload.cwd, payload.session_id)
    if kept:
        if payload.event == "PreToolUse" and payload.tool_name in AGENT_TOOLS:
            _announce(payload, layout, now_ms)
        return "", kept
    followed = _followed_in_silence(payload)
    if off and not followed:
        return "", off
    settings = _settings(layout)
    if settings is not None and tool_event and not waiting and not followed:
        why_silent = settings.why_silent(packet_name(payload.event, payload.tool_name))
        if why_silent:
            return "", why_silent  # before any database is opened: there is nothing to note
    from deja_hooks.hook.session import decide

    return decide(payload, layout, settings, now_ms, nonce, off, waiting, live)


def _settings(layout: "Layout") -> "HookSettings | None":
    """What of the user's settings differs from the defaults; None where nothing does."""
    if not exists(layout.hook_settings):
        return None
    from deja_hooks.memory.hook_settings import read_hook_settings

    return read_hook_settings(layout)


def _kept_out(layout: "Layout", cwd: str, session_id: str) -> str:
    """Why nothing may be known of the session at all (excluded, forgotten); "" where nothing stands against it."""
    if not exists(layout.kept_out):
        return ""
    from deja_hooks.memory.kept_out import why_kept_out

    why = why_kept_out(layout, cwd, session_id)
    return f"kept out: {why}" if why else ""


def _announce(payload: Payload, layout: "Layout", now_ms: int) -> None:
    """A sub-agent of a session that is kept out begins: its prompt, which comes under an id of its own, is not the
    user's. Nothing of the session itself is noted."""
    from deja_hooks.memory.state import State

    prompt = payload.tool_input.get("prompt")
    if isinstance(prompt, str):
        state = State(layout.state)
        try:
            state.expect_agent("-", prompt, now_ms)
        finally:
            state.close()


def _followed_in_silence(payload: Payload) -> bool:
    """Whether an event is noted although nothing may be said: the history goes on being kept."""
    spec = EVENTS[payload.event]
    ended = payload.event == "PostToolUse" and payload.tool_name in COMMAND_TOOLS
    return spec.packet == "prompt" or spec.reads_transcript or payload.event == "SessionEnd" or ended


def _needless(payload: Payload) -> str:
    """Why a tool call needs no memory, "" where it may: the cheap exit of most, before any database is opened."""
    name = payload.tool_name
    if payload.event == "PreToolUse":
        matters = name in _SPEAKING_TOOLS or name in AGENT_TOOLS
    elif payload.event == "PostToolUseFailure":
        matters = bool(payload.error)
    elif name in COMMAND_TOOLS and not payload.tool_use_id and not payload.result_failed:
        # The CLI gives no id, so there is nothing to note the end under (its log tells it).
        return _worked(payload)
    else:
        matters = name in COMMAND_TOOLS or payload.result_failed
    return "" if matters else "a tool that needs no memory"


def _worked(payload: Payload) -> str:
    from deja_hooks.failures.output import exit_code

    return "it worked" if exit_code(payload.result) == 0 else ""


def _still_alive(layout: "Layout", session_id: str) -> None:
    """Renews the stamp of a turn in progress, where there is one."""
    try:
        calls.utime(layout.live(session_id))
    except (OSError, ValueError):
        pass


def _wake(layout: "Layout", now_ms: int, *, later: bool) -> None:
    from deja_hooks.hook.wake import wake

    try:
        wake(layout, sys.executable, now_ms, later=later)
    except (OSError, ValueError):
        pass  # the next event asks again
