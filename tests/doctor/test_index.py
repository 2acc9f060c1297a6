"""What waits to be read, and when that is a fault."""

from __future__ import annotations

import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from deja_hooks.doctor.index import Held, check_claim, check_fault, check_index, held
from deja_hooks.indexer.report import Report, keep_report
from deja_hooks.memory.layout import Layout
from deja_hooks.sources.places.roots import find_roots
from tests.support.world import World, asked

from .conftest import Deja, seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def test_what_waits_to_be_read(healthy: World) -> None:
    roots = find_roots({}, healthy.home, "linux")
    found = held(healthy.layout, roots)
    assert found is not None
    assert (found.sessions, len(found.sources), found.waiting) == (2, 2, {})
    path = healthy.cli_session("c2", asked("New?"))
    found = held(healthy.layout, roots)
    assert found is not None
    assert found.waiting == {str(path): path.stat().st_mtime_ns // 1_000_000}
    ((state, _, what),) = seen(check_index(healthy.layout, found, int(time.time() * 1000)))
    assert (state, what.partition("; ")[2]) == ("note", "1 file waits to be read")


def test_what_could_not_be_read_is_not_late(healthy: World) -> None:
    with closing(sqlite3.connect(healthy.layout.memory)) as db:
        db.execute("UPDATE source SET size=-1, problem='Permission denied' WHERE store='cli-events'")
        db.commit()
    found = held(healthy.layout, find_roots({}, healthy.home, "linux"))
    assert found is not None
    assert found.waiting == {}


def test_what_was_asked_for_just_now_is_not_late(healthy: World) -> None:
    Path(healthy.layout.index_wanted).touch()
    asked_ms = int(Path(healthy.layout.index_wanted).stat().st_mtime * 1000)
    found = Held(2, 1, [], {"a": asked_ms - 1000, "b": asked_ms + 1000})
    states = [
        [state for state, _, _ in seen(check_index(healthy.layout, found, asked_ms + later))]
        for later in (0, 600_000, 600_001)
    ]
    assert states == [["note"], ["note"], ["broken"]]
    # Nor where an indexer is at work on it.
    claim = Path(healthy.layout.index_claim)
    claim.touch()
    assert [state for state, _, _ in seen(check_index(healthy.layout, found, asked_ms + 1))] == ["note"]
    assert seen(check_claim(healthy.layout, asked_ms)) == [("ok", "the indexer", "at work")]


def test_no_memory(layout: Layout) -> None:
    assert held(layout, []) is None
    assert seen(check_index(layout, None, 0)) == [("note", layout.memory, "there is no memory yet")]
    Path(layout.memory).write_text("broken")
    assert held(layout, []) is None
    assert seen(check_index(layout, None, 0)) == []  # the database's own check says it


def test_a_pass_that_went_well(layout: Layout) -> None:
    keep_report(layout, Report(0, 0, 0, 0, 0, 0, (), 0.1, False))
    assert seen(check_fault(layout, None)) == [("ok", "the indexer", "its last pass went well")]


@pytest.mark.parametrize("content", [None, b""], ids=["no file yet", "nothing in it yet"])
def test_a_first_pass_that_is_under_way(healthy: World, deja: Deja, content: bytes | None) -> None:
    for path in Path(healthy.layout.cache).glob("memory.db*"):
        path.unlink()
    if content is not None:
        Path(healthy.layout.memory).touch(0o600)
        Path(healthy.layout.memory).write_bytes(content)
    Path(healthy.layout.index_claim).touch(0o600)
    status = deja("status")
    assert status.code == 0
    assert "\nmemory                an indexer is at work on it: it can't be read yet\n" in status.out
    assert "\nfaults                none that looking finds\n" in status.out
