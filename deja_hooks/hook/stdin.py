"""Reading one payload from a pipe that may be slow, huge, cut off, or never closed.

The answer is due as soon as the value is whole: a host may keep the pipe open. A value over the limit is not
kept, but it is read to its end, since a host whose write fails may fail itself (VS Code: an uncaught EPIPE). For the
same reason `at_end` asks, after the answer, whether more may come behind the value.
"""

import sys
import time

from deja_hooks.scan import ValueEnd, parse
from deja_hooks.system import calls

__all__ = ["HEAD", "LIMIT", "TAIL", "WAIT_MS", "Received", "at_end", "read_value"]

#: Bytes of a payload that are parsed whole.
LIMIT = 1 << 20
#: Bytes kept from the beginning of a larger one: all small fields and 64 KB of each of two large ones.
HEAD = 192 * 1024
#: Bytes kept from its end: VS Code puts `tool_use_id` and `cwd` after the tool's result.
TAIL = 16 * 1024
#: Milliseconds that the rest of a payload is waited for (the whole hook has 1,200).
WAIT_MS = 1000

_CHUNK = 64 * 1024
#: Last bytes of a value without brackets that is known to be whole: a string, true, false, null.
_SCALAR_ENDS = (b'"', b"e", b"l")


class Received:
    """What came in.

    Attributes:
        data: the bytes; of an oversized payload the first `HEAD` bytes.
        tail: of an oversized payload that came whole, its last `TAIL` bytes; else empty.
        value: the parsed JSON value; None where it was oversized, cut off or malformed (or `null`).
        complete: whether one whole JSON value came in (an oversized one is known by its brackets).
        ended: whether the input is at its end (or can't be read); False: its writer may still be writing.
        oversized: whether there were more bytes than the limit.
    """

    __slots__ = ("complete", "data", "ended", "oversized", "tail", "value")

    def __init__(
        self, data: bytes, tail: bytes, value: object, *, complete: bool, ended: bool, oversized: bool
    ) -> None:
        self.data = data
        self.tail = tail
        self.value = value
        self.complete = complete
        self.ended = ended
        self.oversized = oversized


class _Collector:
    """The bytes so far, and whether they are a value yet."""

    __slots__ = ("_data", "_end", "_ended", "_limit", "_oversized", "_tail", "_tried", "complete", "value")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = b""
        self._tail = b""
        self._oversized = False
        self._end = ValueEnd()
        self._ended = False
        self._tried = 0
        self.complete = False
        self.value: object = None

    def add(self, chunk: bytes) -> None:
        """Takes what was read; once the value is complete, anything more is dropped."""
        if self.complete:
            return
        self._ended = self._end.feed(chunk)
        if self._oversized:
            self._tail = (self._tail + chunk)[-TAIL:]
        else:
            self._data += chunk
            if len(self._data) > self._limit:
                self._oversized = True
                self._tail = self._data[-TAIL:]
                self._data = self._data[:HEAD]
        if self._oversized:
            self.complete = self._ended
        elif not self._tried and self._may_be_whole():
            self._parse()

    def _may_be_whole(self) -> bool:
        return self._ended or (not self._end.opened and self._data.rstrip()[-1:] in _SCALAR_ENDS)

    def _parse(self) -> None:
        self._tried = len(self._data)
        try:
            self.value = parse(self._data)
            self.complete = True
        except ValueError:
            pass

    def finish(self, *, ended: bool) -> Received:
        """The result, with what a pipe without a recognised end gave."""
        if not self.complete and not self._oversized and self._tried != len(self._data):
            self._parse()
        tail = self._tail if self.complete else b""
        return Received(self._data, tail, self.value, complete=self.complete, ended=ended, oversized=self._oversized)


def read_value(descriptor: int, wait_ms: int = WAIT_MS, limit: int = LIMIT) -> Received:
    """Reads one JSON value: as soon as it is whole, at the end of the input, or after `wait_ms` in all.

    What is already in the pipe is drained; nothing is waited for after the value's end. An input that cannot
    be read (closed, a folder) is an empty one. On Windows a silent pipe blocks: there the watchdog holds.
    """
    collector = _Collector(limit)
    try:
        if sys.platform == "win32":
            ended = _read_blocking(descriptor, collector)
        else:
            ended = _read_waiting(descriptor, collector, time.monotonic() + wait_ms / 1000)
    except OSError:
        ended = True  # what came before the error is still worth an answer
    return collector.finish(ended=ended)


def at_end(descriptor: int) -> bool:
    """Whether the input has ended, or can't be read; False: its writer may still be writing. Waits for nothing.

    On Windows a read would wait: there a whole value counts as the end.
    """
    if sys.platform == "win32":
        return True
    try:
        return _read_now(descriptor) == b""
    except OSError:
        return True


def _read_blocking(descriptor: int, collector: _Collector) -> bool:
    """Reads to the value's end or the input's; whether it was the input's. Raises OSError."""
    while not collector.complete:
        chunk = calls.read(descriptor, _CHUNK)
        if not chunk:
            return True
        collector.add(chunk)
    return False


def _read_waiting(descriptor: int, collector: _Collector, deadline: float) -> bool:
    """The same, until the deadline; what is in the pipe behind the value is read too. Raises OSError."""
    while True:
        chunk = _read_now(descriptor)
        if chunk == b"":
            return True
        if chunk is not None:
            collector.add(chunk)
        left = deadline - time.monotonic()
        if left <= 0:
            return False
        if chunk is None and (collector.complete or not _readable(descriptor, left)):
            return False


def _read_now(descriptor: int) -> "bytes | None":
    """What is in the pipe; b"" at its end, None where nothing has come yet. Raises OSError.

    The flag belongs to the pipe, which the shell that started us shares: it is put back at once.
    """
    blocking = calls.get_blocking(descriptor)
    calls.set_blocking(descriptor, False)
    try:
        return calls.read(descriptor, _CHUNK)
    except BlockingIOError:
        return None
    finally:
        calls.set_blocking(descriptor, blocking)


def _readable(descriptor: int, seconds: float) -> bool:
    """Waits for bytes or the end of the input. Raises OSError."""
    import select  # a shared library of its own (0.3 ms): only where the payload is late

    return bool(select.select([descriptor], [], [], seconds)[0])
