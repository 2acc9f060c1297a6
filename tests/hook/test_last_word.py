"""The record of a call that failed before, or in, what keeps records."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from deja_hooks.hook import last_word
from deja_hooks.hook.last_word import leave_word


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("DEJA_HOOKS_HOME", raising=False)
    return tmp_path


def test_is_a_line_of_the_ring(cache: Path) -> None:
    for error in (RuntimeError('a "quoted"\\ word\nand é' + "x" * 900), KeyboardInterrupt()):
        leave_word(error, "Stop", str(cache), 0.0)
    first, second = (json.loads(line) for line in (cache / "ring.jsonl").read_text().splitlines())
    assert {name: first[name] for name in "ehsc"} == {"e": "Stop", "h": "", "s": "", "c": 0}
    assert first["r"] == ("failed: RuntimeError: a ?quoted?? word?and ?" + "x" * 900)[:200]
    assert second["r"] == "failed: KeyboardInterrupt: "
    assert first["t"] > 1_700_000_000_000
    assert first["ms"] > 0
    assert oct((cache / "ring.jsonl").stat().st_mode & 0o777) == "0o600"


def test_does_not_grow_a_ring_that_nobody_turns(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(last_word, "_MOST", 300)
    for _ in range(9):
        leave_word(RuntimeError("x"), "Stop", str(cache), 0.0)
    assert (cache / "ring.jsonl").stat().st_size < 450


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")
def test_touches_nothing_of_anybody_and_waits_for_nobody(cache: Path) -> None:
    (cache / "victim").write_text("mine")
    (cache / "ring.jsonl").symlink_to(cache / "victim")
    with pytest.raises(OSError, match="symbolic link"):
        leave_word(RuntimeError("x"), "Stop", str(cache), 0.0)
    assert (cache / "victim").read_text() == "mine"
    (cache / "ring.jsonl").unlink()
    os.mkfifo(cache / "ring.jsonl")
    with pytest.raises(OSError, match="No such device"):
        leave_word(RuntimeError("x"), "Stop", str(cache), 0.0)
