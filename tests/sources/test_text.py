from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.sources.text import clip, epoch_ms, is_host_made, split_exit, without_injected, words


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-11-30T22:25:00.257Z", 1796077500257),
        ("2026-11-30T22:25:00Z", 1796077500000),
        ("2026-11-30T23:25:00.257+01:00", 1796077500257),
        ("2026-11-30T22:25:00.257", 1796077500257),
        (1796077500257, 1796077500257),
        (1796077500257.9, 1796077500257),
        ("yesterday", 0),
        ("", 0),
        ("1901-01-01T00:00:00.000Z", 0),
        (None, 0),
        (-1, 0),
        (float("nan"), 0),
        (float("inf"), 0),
        ({}, 0),
    ],
)
def test_epoch_ms(value: Any, expected: int) -> None:
    assert epoch_ms(value) == expected


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("made\n<shellId: 0 completed with exit code 2>", ("made", 2)),
        ("\n<shellId: build completed with exit code 0>", ("", 0)),
        ("made\n<exited with exit code 2>", ("made", 2)),
        ("made\n<command with id: build exited with exit code -9>", ("made", -9)),
        ("<command with id: build stopped>", None),
        ("with <exited with exit code 2> in it", None),
        ("out\n\nCommand exited with code -1\n", ("out", -1)),
        ("<command started in background with shellId: build>", None),
        ("it said <shellId: 0 completed with exit code 2> and went on", None),
        ("", None),
    ],
)
def test_split_exit(output: str, expected: tuple[str, int] | None) -> None:
    assert split_exit(output) == (expected or (output, None))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\n<PreToolUse-context>\nx\n</PreToolUse-context>", "a"),
        ("a\n<PostToolUse-context>\nx\n</PostToolUse-context>\nb", "a\nb"),
        ("a\n<PostToolUse-context>\nwas cut", "a"),
        ("a <deja-n1 x>y</deja-n1> b", "a  b"),
        ("<deja-n1>y</deja-n2> b", "<deja-n1>y</deja-n2> b"),
        ("<deja-n1><deja-n2>y</deja-n2></deja-n1>z", "z"),
        ("see <deja-", "see <deja-"),
        (
            'a\n\nTool "view" failed. Additional guidance from postToolUseFailure hooks:\n<deja-n>x</deja-n>',
            "a",
        ),
    ],
)
def test_without_injected(text: str, expected: str) -> None:
    assert without_injected(text) == expected


@given(st.text(alphabet="<>/deja-n \n"))
def test_without_injected_never_raises_and_adds_nothing(text: str) -> None:
    assert len(without_injected(text)) <= len(text)


def test_hostile_fences_cost_little() -> None:
    begin = time.perf_counter()
    without_injected("<deja-a " * 200_000)
    assert time.perf_counter() - begin < 2


@pytest.mark.parametrize(
    ("prompt", "host_made"),
    [
        ("[Terminal 5e1-b notification: command completed with exit code 1. Look.]\nTerminal output:", True),
        ("\n<system_notification>\nShell done", True),
        ("<system_reminder>\nDo it\n</system_reminder>\n", True),
        ("<system_reminder>\nDo it\n</system_reminder>\nwhat is this?", False),
        ("<system_reminder>a</system_reminder> b <system_reminder>c</system_reminder>", False),
        ("[Terminal] is broken, notification: none", False),
        ("what does [Terminal 1 notification: x] mean", False),
        ("", False),
    ],
)
def test_is_host_made(prompt: str, host_made: bool) -> None:
    assert is_host_made(prompt) is host_made


def test_words() -> None:
    assert words(" hi\0 ") == "hi"
    assert words([{"type": "text", "text": "a"}, {"type": "image"}, "b"]) == "a\nb"
    assert [words(value) for value in (None, 3, {"text": "x"})] == ["", "", ""]


def test_clip_keeps_head_and_tail() -> None:
    assert clip("x" * 8000) == "x" * 8000
    assert clip("a" * 5000 + "b" * 5000) == "a" * 3999 + "\n" + "b" * 4000
