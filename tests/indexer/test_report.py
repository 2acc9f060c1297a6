"""What the background indexer leaves behind."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from deja_hooks.indexer.report import Report, keep_fault, keep_report, last_fault
from tests.support.world import World


@pytest.fixture
def cache(world: World) -> Path:
    folder = Path(world.layout.cache)
    folder.mkdir(parents=True)
    return folder


def test_a_fault_is_kept_until_a_pass_ends_well(world: World, cache: Path) -> None:
    assert last_fault(world.layout) == ""
    keep_fault(world.layout, ValueError("what it was"))
    assert last_fault(world.layout) == "ValueError: what it was"
    problems = tuple((f"/{i}", "why") for i in range(30))
    keep_report(world.layout, Report(9, 8, 7, 6, 5, 4, problems, 1.5, True))
    assert last_fault(world.layout) == ""
    kept = json.loads((cache / "index.json").read_bytes())
    assert abs(kept.pop("at") - time.time() * 1000) < 60_000
    assert kept == {
        "error": None, "files": 9, "changed": 8, "sessions": 7, "turns": 6, "bytes_read": 5, "bad_lines": 4,
        "problems": [list(each) for each in problems[:20]], "seconds": 1.5, "waited": True, "dropped": 0,
        "trimmed": 0,
    }  # fmt: skip
    assert [each.name for each in cache.iterdir()] == ["index.json"]
    assert oct((cache / "index.json").stat().st_mode & 0o777) == "0o600"


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"error": 7}', b"\xff"])
def test_a_broken_report_is_none(world: World, cache: Path, content: bytes) -> None:
    Path(world.layout.index_report).write_bytes(content)
    assert last_fault(world.layout) == ""


def test_nothing_is_raised_without_a_folder(world: World) -> None:
    keep_fault(world.layout, ValueError("\ud800"))
    assert last_fault(world.layout) == ""
