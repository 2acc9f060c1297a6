"""The ledger: every version of it is read, and none that is newer is overwritten."""

import json
import stat
import sys
from pathlib import Path

import pytest

from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.ledger import (
    VERSION,
    Ledger,
    broken_ledger,
    ledger_path,
    possible,
    put_ledger_aside,
    read_ledger,
    write_ledger,
)
from deja_hooks.memory.layout import Layout


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    (tmp_path / "config").mkdir()
    return Layout(str(tmp_path / "cache"), str(tmp_path / "config"))


def test_it_is_read_as_it_was_written(layout: Layout) -> None:
    ledger = Ledger({"/a": {"kind": "text", "sum": "x", "earlier": {"kind": "text"}}}, ["/f"])
    write_ledger(layout, ledger)
    assert read_ledger(layout) == ledger
    assert json.loads(ledger_path(layout).read_bytes())["version"] == VERSION
    assert sys.platform == "win32" or stat.S_IMODE(ledger_path(layout).stat().st_mode) == 0o600
    write_ledger(layout, Ledger({}, []))
    assert not ledger_path(layout).exists()


def test_the_first_version_is_read(layout: Layout) -> None:
    ledger_path(layout).write_text('{"files": {"/a": null, "/b": "{}"}, "folders": ["/f"]}')
    assert read_ledger(layout) == Ledger(
        {"/a": {"kind": "hooks", "first": None}, "/b": {"kind": "hooks", "first": "{}"}}, ["/f"]
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        "{",
        "[]",
        "{}",
        '{"files": []}',
        '{"version": 2, "files": {"/a": {}}, "folders": []}',
        '{"version": 2, "files": {"/a": 1}, "folders": []}',
        '{"version": "x", "files": {}, "folders": []}',
    ],
)
def test_what_makes_no_sense_is_as_none(layout: Layout, text: str) -> None:
    ledger_path(layout).write_text(text)
    assert read_ledger(layout) == Ledger({}, [])
    path = ledger_path(layout)
    assert broken_ledger(layout) == path
    aside = put_ledger_aside(path)
    assert (aside, aside.read_text(), path.exists()) == (path.with_name("installed.json.broken"), text, False)
    assert broken_ledger(layout) is None


def test_a_newer_one_is_refused(layout: Layout) -> None:
    ledger_path(layout).write_text('{"version": 3, "files": {"/a": "as it may be then"}, "folders": []}')
    with pytest.raises(HostsError, match="was written by a newer deja-hooks: use that one, or upgrade this one"):
        read_ledger(layout)


def test_what_a_file_may_be() -> None:
    last = {"kind": "text", "earlier": {"kind": "text", "sum": "2", "earlier": {"kind": "text", "sum": "3"}}}
    assert [state.get("sum") for state in possible(last)] == [None, "2", "3"]
    assert possible(None) == []
