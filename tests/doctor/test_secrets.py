"""Secrets in what we keep."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deja_hooks.doctor import secrets
from deja_hooks.doctor.secrets import check_secrets
from deja_hooks.history.calls import calls
from deja_hooks.memory.layout import Layout
from tests.support.built import Built

from .conftest import seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def test_only_the_newest_are_looked_at(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "password=" + "hunter2-and-more"
    built = Built(Path(layout.memory))
    built.session("old", {"user": f"use {secret}"})
    built.session("new", {"user": "hello", "assistant": "there"})
    built.close()
    (found,) = check_secrets(layout)
    assert found[:4] == (
        "secrets",
        "broken",
        layout.memory,
        # two titles and two folders, and of the older session the prompt
        "2 of its newest 7 texts hold what looks like a secret",
    )
    assert "hunter2" not in "".join(map(str, found))
    monkeypatch.setattr(secrets, "MOST", 1)
    assert seen(check_secrets(layout)) == [("ok", layout.cache, "0 in 4 texts, the newest of each kind")]
    monkeypatch.setattr(secrets, "MOST", 2)
    monkeypatch.setattr(secrets, "_MOST_CHARACTERS", 5)
    assert seen(check_secrets(layout)) == [("ok", layout.cache, "0 in 4 texts, the newest of each kind")]


def test_a_ring_that_was_turned(layout: Layout) -> None:
    line = {"t": 1, "e": "Stop", "r": "password=" + "hunter2-and-more"}
    Path(layout.ring + ".1").write_text(json.dumps(line) + "\n[1]\n{\n")
    Path(layout.ring).write_text(json.dumps({**line, "r": "fine"}) + "\n")
    assert seen(check_secrets(layout)) == [
        ("broken", layout.ring, "1 of its newest 4 texts hold what looks like a secret")
    ]
    assert len(calls(layout)) == 2


@pytest.mark.parametrize(
    "line",
    [
        json.dumps({"t": 1, "e": "Stop", "r": "failed: OSError: password=" + "hunter2-and-more"}),
        json.dumps({"t": 1, "e": "Stop", "c": 9, "p": "password=" + "hunter2-and-more"}),
        json.dumps({"t": 1, "e": "Stop", "more": "password=" + "hunter2-and-more"}),
        '{"t": 1, "e": "Stop", "r": "password=' + "hunter2-and-more",
        json.dumps(["password=" + "hunter2-and-more"]),
    ],
    ids=["reason", "packet", "another field", "cut off", "no call"],
)
def test_the_whole_ring_is_looked_at(layout: Layout, line: str) -> None:
    later = "".join(json.dumps({"t": at, "e": "Stop", "r": "not used"}) + "\n" for at in range(9_000))
    Path(layout.ring).write_text(f"{line}\n{later}")
    assert seen(check_secrets(layout)) == [
        ("broken", layout.ring, "1 of its newest 2 texts hold what looks like a secret")
    ]
