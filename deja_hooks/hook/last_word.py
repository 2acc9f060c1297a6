"""The record of a call that failed where nothing of ours caught it: before the payload was read, or in the ring itself.

Any of our modules may be what is broken, so this one uses none of them; it is loaded by such a failure alone.
"""

import sys
import time

__all__ = ["leave_word"]

#: Bytes beyond which nothing is added: the ring turns at a megabyte, unless turning it is what fails.
_MOST = 2 << 20


def leave_word(error: BaseException, event: str, cache: str, started: float) -> None:
    """Appends the failure to the ring. Raises whatever goes wrong.

    Args:
        error: what ended the call.
        event: as on the command line.
        cache: the folder of the installation; `DEJA_HOOKS_HOME` wins.
        started: `time.monotonic()` at the process's start.
    """
    if sys.platform == "win32":
        import nt as calls

        home, flags = calls.environ.get("DEJA_HOOKS_HOME", ""), calls.O_BINARY | calls.O_NOINHERIT
    else:
        import posix as calls

        home = calls.environ.get(b"DEJA_HOOKS_HOME", b"").decode(sys.getfilesystemencoding(), "surrogateescape")
        flags = calls.O_NONBLOCK | calls.O_NOCTTY | calls.O_CLOEXEC | calls.O_NOFOLLOW
    separator = "\\" if sys.platform == "win32" else "/"
    folder = home + separator + "cache" if home[:1] == separator or home[1:2] == ":" else cache
    took = (time.monotonic() - started) * 1000
    why = _plain(f"failed: {type(error).__name__}: {error}")
    line = f'{{"t": {int(time.time() * 1000)}, "e": "{_plain(event)}", "h": "", "s": "", "ms": {took:.1f}, "r": "{why}"'
    descriptor = calls.open(
        folder + separator + "ring.jsonl", calls.O_WRONLY | calls.O_CREAT | calls.O_APPEND | flags, 0o600
    )
    try:
        status = calls.fstat(descriptor)
        if status.st_mode & 0o170000 == 0o100000 and status.st_size < _MOST:
            calls.write(descriptor, line.encode("ascii") + b', "c": 0}\n')
    finally:
        calls.close(descriptor)


def _plain(text: str) -> str:
    """The text's beginning as it may stand in a JSON string without any escape."""
    return "".join([letter if " " <= letter <= "~" and letter not in '"\\' else "?" for letter in text[:200]])
