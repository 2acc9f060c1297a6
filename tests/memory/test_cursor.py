"""The fingerprint of what lies before an offset."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.cursor import HEAD_BYTES, TAIL_BYTES, fingerprint, fingerprint_of


def of(path: Path, offset: int) -> int:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return fingerprint(descriptor, offset)
    finally:
        os.close(descriptor)


def test_of_nothing_is_the_same_everywhere(tmp_path: Path) -> None:
    one, other = tmp_path / "1", tmp_path / "2"
    one.write_bytes(b"abc")
    other.write_bytes(b"")
    assert of(one, 0) == of(other, 0) == fingerprint_of(str(one), 0)


def test_of_no_file(tmp_path: Path) -> None:
    assert [fingerprint_of(each, 5) for each in (str(tmp_path / "no"), str(tmp_path), "a\0b", "")] == [-1] * 4


def test_what_comes_after_the_offset_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * 5_000)
    before = [of(path, offset) for offset in (1, 255, 256, 257, 1_023, 1_024, 1_025, 4_999, 5_000)]
    with path.open("ab") as log:
        log.write(b"more\n")
    assert [of(path, offset) for offset in (1, 255, 256, 257, 1_023, 1_024, 1_025, 4_999, 5_000)] == before
    assert len(set(before[:4])) == 4


@settings(max_examples=60, deadline=None)
@given(content=st.binary(min_size=1, max_size=4_000), data=st.data())
def test_a_change_in_the_head_or_just_before_the_offset_is_seen(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "cursor.log"
    path.write_bytes(content)
    size = len(content)
    seen = sorted({*range(min(HEAD_BYTES, size)), *range(max(0, size - TAIL_BYTES), size)})
    place = data.draw(st.sampled_from(seen))
    before = of(path, size)
    assert 0 <= before < 1 << 63
    path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
    assert of(path, size) != before


def test_reads_a_bounded_amount(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("wb") as log:
        log.truncate(1 << 40)  # sparse: reading it whole would take minutes
    assert of(path, 1 << 40) >= 0
