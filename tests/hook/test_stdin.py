import json
import os
import pty
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deja_hooks.hook import stdin
from deja_hooks.hook.stdin import HEAD, TAIL, Received, at_end, read_value

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")

LIMIT = 1 << 20
Writer = Callable[[int], None]


@contextmanager
def pipe(write: Writer, *, close: bool = True) -> Iterator[int]:
    """A pipe that another thread writes to; with `close` false its writing end stays open."""
    reading, writing = os.pipe()

    def run() -> None:
        try:
            write(writing)
        except BrokenPipeError:
            pass
        if close:
            os.close(writing)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield reading
    finally:
        os.close(reading)
        thread.join()
        if not close:
            os.close(writing)


def pieces(*parts: bytes | float) -> Writer:
    """Writes the bytes and sleeps the seconds."""

    def write(descriptor: int) -> None:
        for part in parts:
            if isinstance(part, bytes):
                while part:
                    part = part[os.write(descriptor, part) :]
            else:
                time.sleep(part)

    return write


def timed(descriptor: int, wait_ms: int = 10_000) -> tuple[Received, float]:
    start = time.monotonic()
    received = read_value(descriptor, wait_ms, LIMIT)
    return received, time.monotonic() - start


def nothing_left(descriptor: int) -> bool:
    os.set_blocking(descriptor, False)
    try:
        return os.read(descriptor, 1) == b""
    except BlockingIOError:
        return True


def summary(received: Received) -> tuple[object, ...]:
    return received.data, received.tail, received.value, received.complete, received.oversized


@pytest.mark.parametrize("close", [True, False])
@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"a": "}"}', {"a": "}"}),
        (b'\xef\xbb\xbf\xef\xbb\xbf {"a": 1}\r\n', {"a": 1}),
        (b"[]", []),
        (b'"text"', "text"),
        (b"true", True),
    ],
)
def test_a_whole_value_is_answered_at_once(data: bytes, value: object, close: bool) -> None:
    with pipe(pieces(data), close=close) as descriptor:
        received, seconds = timed(descriptor)
    assert summary(received) == (data, b"", value, True, False)
    assert seconds < 5


def test_the_rest_of_a_late_value_is_waited_for() -> None:
    with pipe(pieces(b'{"a": "x', 0.05, b'}"', 0.05, b', "b": {}', 0.05, b"}"), close=False) as descriptor:
        received, seconds = timed(descriptor)
    assert summary(received) == (b'{"a": "x}", "b": {}}', b"", {"a": "x}", "b": {}}, True, False)
    assert seconds < 5


def test_a_late_first_byte_is_waited_for() -> None:
    with pipe(pieces(0.2, b"{}"), close=False) as descriptor:
        assert summary(read_value(descriptor, 10_000, LIMIT)) == (b"{}", b"", {}, True, False)


@pytest.mark.parametrize("data", [b"", b"{", b'{"a": 1', b"not json", b"\xff\xfe{"])
def test_what_never_ends_is_given_up_after_the_wait(data: bytes) -> None:
    with pipe(pieces(data), close=False) as descriptor:
        received, seconds = timed(descriptor, 150)
    assert summary(received) == (data, b"", None, False, False)
    assert not received.ended
    assert 0.14 <= seconds < 5


@pytest.mark.parametrize("data", [b"", b"{", b"{} x", b"12 x", b"{'a'}"])
def test_bad_input_with_an_end_is_not_waited_for(data: bytes) -> None:
    with pipe(pieces(data)) as descriptor:
        received, seconds = timed(descriptor)
    assert summary(received) == (data, b"", None, False, False)
    assert received.ended
    assert seconds < 5


def test_utf16_and_a_number_are_whole_at_the_end_of_the_input() -> None:
    data = '\ufeff{"a": "∀"}'.encode("utf-16-le")
    with pipe(pieces(data[:7], 0.02, data[7:])) as descriptor:
        assert summary(read_value(descriptor, 10_000, LIMIT)) == (data, b"", {"a": "∀"}, True, False)
    with pipe(pieces(b"12")) as descriptor:
        assert summary(read_value(descriptor, 10_000, LIMIT)) == (b"12", b"", 12, True, False)


@pytest.mark.parametrize("size", [60_000, 70_000, 500_000, LIMIT - 20])
def test_a_large_value_is_kept_whole_below_the_limit(size: int) -> None:
    data = json.dumps({"prompt": "x" * size}).encode()
    with pipe(pieces(data), close=False) as descriptor:
        received = read_value(descriptor, 10_000, LIMIT)
    assert summary(received) == (data, b"", {"prompt": "x" * size}, True, False)


@pytest.mark.parametrize("close", [True, False])
def test_an_oversized_value_is_read_to_its_end_and_kept_in_part(close: bool) -> None:
    data = json.dumps({"prompt": 'é"}' * 700_000, "cwd": "/p"}).encode()
    with pipe(pieces(data), close=close) as descriptor:
        received, seconds = timed(descriptor)
        assert nothing_left(descriptor)
    assert summary(received) == (data[:HEAD], data[-TAIL:], None, True, True)
    assert seconds < 5


def test_an_oversized_value_without_an_end_has_no_tail() -> None:
    data = b'{"prompt": "' + b"x" * 1_100_000
    with pipe(pieces(data)) as descriptor:
        received = read_value(descriptor, 10_000, LIMIT)
    assert summary(received) == (data[:HEAD], b"", None, False, True)


def test_an_endless_writer_is_left_after_the_wait() -> None:
    def write(descriptor: int) -> None:
        while True:
            os.write(descriptor, b"x" * 4096)

    with pipe(write) as descriptor:
        received, seconds = timed(descriptor, 200)
    assert (len(received.data), received.complete, received.oversized) == (HEAD, False, True)
    assert not received.ended
    assert seconds < 5


def test_what_is_already_in_the_pipe_is_drained() -> None:
    with pipe(pieces(b"{}" + b" " * 40_000 + b"\n"), close=False) as descriptor:
        time.sleep(0.05)
        assert read_value(descriptor, 10_000, LIMIT).value == {}
        assert nothing_left(descriptor)


@pytest.mark.parametrize("blocking", [True, False])
def test_the_flag_of_the_shared_pipe_is_put_back(blocking: bool) -> None:
    with pipe(pieces(b'{"a"', 0.02, b":1}"), close=False) as descriptor:
        os.set_blocking(descriptor, blocking)
        assert read_value(descriptor, 10_000, LIMIT).value == {"a": 1}
        assert os.get_blocking(descriptor) is blocking


def test_whether_more_may_come() -> None:
    reading, writing = os.pipe()
    assert not at_end(reading)
    os.write(writing, b" ")
    os.close(writing)
    assert [at_end(reading), at_end(reading)] == [False, True]
    os.close(reading)
    assert at_end(reading)


def test_without_timed_reads_a_whole_value_counts_as_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdin.sys, "platform", "win32")
    with pipe(pieces(b"{}"), close=False) as descriptor:
        assert at_end(descriptor)


def test_a_closed_descriptor_is_an_empty_input() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    os.close(writing)
    received = read_value(reading, 10_000, LIMIT)
    assert summary(received) == (b"", b"", None, False, False)
    assert received.ended


@pytest.mark.parametrize(
    ("name", "data", "value"), [("file", b'{"a": 1}', {"a": 1}), ("null", b"", None), ("folder", b"", None)]
)
def test_other_kinds_of_input(tmp_path: Path, name: str, data: bytes, value: object) -> None:
    (tmp_path / "file").write_bytes(b'{"a": 1}')
    path = {"file": tmp_path / "file", "null": Path(os.devnull), "folder": tmp_path}[name]
    descriptor = os.open(path, os.O_RDONLY)
    try:
        received, seconds = timed(descriptor)
    finally:
        os.close(descriptor)
    assert summary(received) == (data, b"", value, value is not None, False)
    assert received.complete or received.ended
    assert seconds < 5


def test_a_terminal_is_given_up_after_the_wait() -> None:
    control, terminal = pty.openpty()
    try:
        received, seconds = timed(terminal, 100)
    finally:
        os.close(control)
        os.close(terminal)
    assert summary(received) == (b"", b"", None, False, False)
    assert seconds < 5


def test_without_timed_reads_the_end_of_the_value_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdin.sys, "platform", "win32")
    with pipe(pieces(b'{"a":', 0.02, b" 1}"), close=False) as descriptor:
        assert summary(read_value(descriptor, 10_000, LIMIT)) == (b'{"a": 1}', b"", {"a": 1}, True, False)
    with pipe(pieces(b'{"a":')) as descriptor:
        assert summary(read_value(descriptor, 10_000, LIMIT)) == (b'{"a":', b"", None, False, False)
