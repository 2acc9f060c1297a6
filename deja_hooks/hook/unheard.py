"""What an older Copilot CLI doesn't hear is kept for the session's next call that it does hear.

See `host.hears`. Each version that was tried raises SessionStart after the first prompt, and hears it and every
PreToolUse.
"""

from deja_hooks.memory.sqlite import sqlite_error
from deja_hooks.system import REPLACE, calls, make_private_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.recall.ask import Ask

__all__ = ["hand_on", "hold"]


def hold(ask: "Ask", text: str) -> str:
    """Keeps the event's packet for the next call that is heard; says so, or why not."""
    if ask.state is None or not ask.payload.session_id:
        return "not heard by this version of the host"
    try:
        ask.state.hold(ask.payload.session_id, text, ask.now_ms)
        make_private_dir(ask.layout.in_cache("pending"))
        calls.close(calls.open(ask.layout.pending(ask.payload.session_id), REPLACE, 0o600))
    except (OSError, sqlite_error()):
        return "not heard by this version of the host"
    return "kept until this version of the host hears it"


def hand_on(ask: "Ask") -> str:
    """What was kept, once; "" where nothing was."""
    if ask.state is None or ask.payload.host != "cli":
        return ""
    try:
        return ask.state.take_held(ask.payload.session_id)
    except sqlite_error():
        return ""
