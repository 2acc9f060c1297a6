"""The reply that both hosts read.

VS Code's Local harness reads the nested form, the CLI's runtime the top one (and the nested one for
PreToolUse under a PascalCase key): with both in one object the text reaches the model exactly once, so no
event needs to know its host. No other key is ever written: `permissionDecision`, `continue`, `decision`,
`systemMessage` and their like approve tools, stop turns or show warnings.
"""

from deja_hooks.hook.events import EVENTS, canonical_event
from deja_hooks.scan import encode_string

__all__ = ["reply"]


def reply(event: str, text: str) -> bytes:
    """The bytes to print for an event (any spelling) and a packet: one ASCII JSON object without a line end.

    b"" where there is nothing to say, and for every event where a host drops the output or takes it for more
    than a context (a Notification that speaks becomes a user turn): only those marked in `EVENTS` speak.
    """
    name = canonical_event(event)
    entry = EVENTS.get(name)
    if not text or entry is None or not entry.speaks:
        return b""
    packet = encode_string(text)
    nested = '{"hookEventName": ' + encode_string(name) + ', "additionalContext": ' + packet + "}"
    return ('{"additionalContext": ' + packet + ', "hookSpecificOutput": ' + nested + "}").encode("ascii")
