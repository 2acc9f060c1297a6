"""A program on a terminal of its own: what the CLI needs to run interactively."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

__all__ = ["Terminal", "on_terminal"]

#: Seconds for anything to happen; the CLI's first start on a machine unpacks 235 MB.
LIMIT = 120
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07")


class Terminal:
    """The terminal of a running program.

    Attributes:
        shown: all that it has shown, without the sequences that place and colour it.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._raw = b""
        self.shown = ""

    def until(self, done: Callable[[], bool], what: str) -> None:
        """Reads on until something is done. Raises AssertionError where it isn't in time, or the program ends."""
        end = time.monotonic() + LIMIT
        while not done():
            assert time.monotonic() < end, f"{what} didn't happen: {self.shown[-3_000:]}"
            if select.select([self._descriptor], [], [], 0.1)[0]:
                piece = self._read()
                assert piece, f"it ended before {what}: {self.shown[-3_000:]}"
                self._raw += piece
                self.shown = _CONTROL.sub("", self._raw.decode("utf-8", "replace"))

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, 65_536)
        except OSError:  # so says Linux of a terminal that nobody has any more
            return b""

    def shows(self, text: str) -> None:
        """Waits for a text. Raises AssertionError."""
        self.until(lambda: text in self.shown, f"{text!r} shown")

    def type(self, keys: str) -> None:
        """Types on it."""
        os.write(self._descriptor, keys.encode())


@contextmanager
def on_terminal(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[Terminal]:
    """Runs a program on a terminal for as long as the block lasts."""
    import fcntl
    import termios

    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    try:
        yield Terminal(ours)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # the CLI is a child of its loader
        process.wait()
        os.close(ours)
