"""Formats that are understood, and those that are not."""

from __future__ import annotations

import json
import sys

import pytest

from deja_hooks.doctor.stores import check_stores
from deja_hooks.memory.source_rows import Source

from .conftest import seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def _source(path: str, version: str, understood: int, size: int = 9, remarks: str = "") -> Source:
    tally = json.dumps([9, 0, understood, 0, 0, []])
    return Source(path, "cli-events", 1, 0, 0, size, 0, 0, version=version, tally=tally, remarks=remarks)


def test_a_version_of_which_nothing_is_understood() -> None:
    sources = [
        _source("a", "1.0", 3),
        _source("b", "1.0", 0),
        _source("c", "2.0", 0),
        _source("d", "2.0", 0),
        _source("e", "", 5),
        _source("f", "3.0", 0, size=0),
        _source("g", "4.0", 0, remarks="not read: excluded"),
    ]
    assert seen(check_stores(sources)) == [
        ("ok", "cli-events", "1 file understood"),
        ("note", "cli-events 1.0", "1 of 2 files understood (not b)"),
        ("broken", "cli-events 2.0", "nothing in 2 files was understood (c)"),
    ]
    assert seen(check_stores([])) == [("note", "the hosts' sessions", "none has been read yet")]


def test_a_damaged_file_is_no_version() -> None:
    assert seen(check_stores([_source("a", "1.0", 3), _source("b", "", 0)])) == [
        ("note", "cli-events", "0 of 1 file understood (not b)"),
        ("ok", "cli-events 1.0", "1 file understood"),
    ]
    assert seen(check_stores([_source("b", "", 0)])) == [
        ("broken", "cli-events", "nothing in 1 file was understood (b)")
    ]


def test_a_format_that_no_longer_tells_its_version() -> None:
    lost = [_source(name, "", 0) for name in "bcd"]
    assert seen(check_stores([_source("a", "1.0", 3), *lost])) == [
        ("broken", "cli-events", "nothing in 3 files was understood (b)"),
        ("ok", "cli-events 1.0", "1 file understood"),
    ]
    assert seen(check_stores([_source("a", "1.0", 3), *lost[:2]]))[0] == (
        "note",
        "cli-events",
        "0 of 2 files understood (not b)",
    )


def test_a_version_of_which_only_the_first_line_is_understood() -> None:
    head = _source("a", "2.0", 1)
    unknown = head._replace(tally=json.dumps([9, 0, 1, 5, 0, ["x"]]))
    assert seen(check_stores([unknown])) == [("broken", "cli-events 2.0", "nothing in 1 file was understood (a)")]
    assert seen(check_stores([head])) == [("ok", "cli-events 2.0", "1 file understood")]


def test_files_that_could_not_be_read() -> None:
    closed = _source("a", "", 0, size=-1)._replace(problem="Permission denied")
    assert seen(check_stores([closed, _source("b", "1.0", 1)])) == [
        ("ok", "cli-events 1.0", "1 file understood"),
        ("note", "closed files", "1 file could not be read (a: Permission denied)"),
    ]
