"""The ring: one line for each call, so that "empty", "late" and "failed" can be told apart afterwards.

A bounded append-only file, one `O_APPEND` write a call: never SQLite, which would make an ignored tool call
half as slow again.
"""

from deja_hooks.scan import encode_string
from deja_hooks.system import APPEND, CREATE_NEW, calls, file_stat, make_private_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["LIMIT", "note"]

#: Bytes after which the file becomes `ring.jsonl.1` and a new one begins.
LIMIT = 1 << 20
#: A pipe or a terminal in the ring's place must not make a hook wait, nor become its terminal.
_APPEND = APPEND | getattr(calls, "O_NONBLOCK", 0) | getattr(calls, "O_NOCTTY", 0)
#: A claim to turn the ring that is this much older than the last line was left by a hook that died.
_STALE_SECONDS = 10.0


def note(layout: "Layout", at_ms: int, event: str, host: str, session: str, ms: float, reason: str, text: str) -> None:
    """Appends a call's line. Raises OSError.

    Args:
        layout: of the installation.
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
        descriptor = calls.open(path, _APPEND, 0o600)
    except FileNotFoundError:
        make_private_dir(layout.cache)
        descriptor = calls.open(path, _APPEND, 0o600)
    try:
        status = calls.fstat(descriptor)
        if status.st_mode & 0o170000 != 0o100000:
            raise OSError(22, "Not a regular file", path)
        calls.write(descriptor, line.encode("ascii"))
        full = status.st_size + len(line) > LIMIT
        if full:
            status = calls.fstat(descriptor)
    finally:
        calls.close(descriptor)
    if full:
        _turn(path, status.st_ino, status.st_mtime)


def _turn(path: str, inode: int, written: float) -> None:
    """Puts the full file aside, unless another hook does or has done it. Raises OSError.

    Args:
        written: when our line was, epoch seconds by the file system's clock, which the claim's time is of too.
    """
    claim = path + ".turn"
    try:
        calls.close(calls.open(claim, CREATE_NEW, 0o600))
    except FileExistsError:
        held = file_stat(claim)
        if held is not None and abs(written - held.st_mtime) > _STALE_SECONDS:
            calls.unlink(claim)  # its hook died in between; the next call turns the ring
        return
    try:
        now = file_stat(path)
        if now is not None and now.st_ino == inode:
            calls.replace(path, path + ".1")
    finally:
        calls.unlink(claim)
