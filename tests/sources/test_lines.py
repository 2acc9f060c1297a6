from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.sources.lines import Lines, is_blank, parse


def read(path: Path, start: int = 0, limit: int | None = None, **sizes: int) -> tuple[list[bytes], int, int]:
    """(lines, offset after the last complete one, how many were too long); checks the offsets on the way."""
    found: list[bytes] = []
    with path.open("rb", buffering=0) as file:
        lines = Lines(file, start, limit, **sizes)
        whole = path.read_bytes()
        for offset, block in lines:
            for line in block:
                assert whole[offset : offset + len(line) + 1] == line + b"\n"
                offset += len(line) + 1
                found.append(line)
    return found, lines.end, lines.too_long


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.lists(st.sampled_from([b"a", b"bb", b"\n", b"cccc", b"\r"]), max_size=40).map(b"".join),
    block=st.integers(1, 9),
    longest=st.integers(1, 12),
    start=st.integers(0, 5),
    limit=st.none() | st.integers(0, 60),
)
def test_lines_do_not_depend_on_blocks(
    tmp_path: Path, content: bytes, block: int, longest: int, start: int, limit: int | None
) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    part = content[start:limit]
    complete = part[: part.rfind(b"\n") + 1]
    lines = complete.split(b"\n")[:-1]
    short = [line for line in lines if len(line) <= max(longest, block - 1)]
    kept = [line for line in lines if len(line) <= longest]
    found, end, too_long = read(path, start, limit, block=block, longest=longest)
    assert end == start + len(complete)
    assert len(found) + too_long == len(lines)
    if block <= longest:
        assert found == kept
    else:
        assert len(kept) <= len(found) <= len(short)


def test_a_line_longer_than_memory_should_hold_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\n" + b"x" * 5_000_000 + b"\ntwo\ntorn")
    assert read(path, longest=3_000_000) == ([b"one", b"two"], 5_000_009, 1)


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (b'{"a": 1}\r', {"a": 1}),
        (b'\xef\xbb\xbf\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (rb'{"a": "\ud83d", "b": "\ud83d\ude00"}', {"a": "?", "b": "\U0001f600"}),
        (b'\0\0{"a": "x\0y"}', {"a": "xy"}),
        (b'{"a": "tab\there"}', {"a": "tab\there"}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b"[1]", None),
        (b"null", None),
        (b'{"a": ', None),
        (b"[" * 100_000, None),
        (b'{"a": ' + b"9" * 5000 + b"}", None),
    ],
)
def test_parse(line: bytes, record: dict[str, Any] | None) -> None:
    parsed = parse(line)
    if record is None and line.startswith(b'{"a": 9'):
        return  # whether so long a number is refused depends on the Python; it must not raise
    assert parsed == record


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.booleans()))
def test_parse_reads_what_json_writes(value: dict[str, Any]) -> None:
    text = json.dumps(value).encode()
    parsed = parse(text)
    assert parsed is not None
    assert parsed == value or rb"\ud" in text


def test_is_blank() -> None:
    assert [is_blank(line) for line in (b"", b" \t\r", b"\xef\xbb\xbf", b"\0", b"x")] == [
        True,
        True,
        True,
        False,
        False,
    ]
