"""The ring: one line for each call, so that "empty", "late" and "failed" can be told apart afterwards.

A bounded append-only file, one `O_APPEND` write a call: never SQLite, which would make an ignored tool call
half as slow again.
"""

from deja_hooks.hook.scan import encode_string
from deja_hooks.system import APPEND, calls, make_private_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["LIMIT", "note"]

#: Bytes after which the file becomes `ring.jsonl.1` and a new one begins.
LIMIT = 1 << 20


def note(
    layout: "Layout", at_ms: int, event: str, host: str, session: str, ms: float, reason: str, text: str
) -> None:
    """Appends a call's line. Raises OSError.

    Args:
        layout: `memory.layout.Layout`.
        at_ms: when the call began, epoch ms.
        ms: how long it took inside this process.
        reason: why it spoke, or why not.
        text: the packet; "" for silence.
    """
    packet = f', "c": {len(text)}, "p": {encode_string(text)}' if text else ', "c": 0'
    line = (
        f'{{"t": {at_ms}, "e": {encode_string(event)}, "h": {encode_string(host)}, "s": {encode_string(session[:80])},'
        f' "ms": {ms:.1f}, "r": {encode_string(reason[:200])}{packet}}}\n'
    )
    path = layout.ring
    try:
        descriptor = calls.open(path, APPEND, 0o600)
    except FileNotFoundError:
        make_private_dir(layout.cache)
        descriptor = calls.open(path, APPEND, 0o600)
    try:
        calls.write(descriptor, line.encode("ascii"))
        full = calls.fstat(descriptor).st_size > LIMIT
    finally:
        calls.close(descriptor)
    if full:
        calls.replace(path, path + ".1")
