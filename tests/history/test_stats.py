"""Sums of hook calls and of packets."""

from __future__ import annotations

import time
from typing import NamedTuple

import pytest

from deja_hooks.feedback.judge import Verdict
from deja_hooks.feedback.told import Told
from deja_hooks.history.stats import Calls, Packets, Share, call_lines, packet_lines, reasons, share_of_input

#: 2026-03-01T12:00:00Z
NOON = 1_772_366_400_000
DAY = 86_400_000


class Call(NamedTuple):
    at_ms: float | None
    event: str
    session_id: str
    ms: float
    reason: str
    characters: int


CALLS = [
    Call(NOON, "UserPromptSubmit", "a", 30.0, "recalled: pool", 400),
    Call(NOON - DAY, "UserPromptSubmit", "b", 20.0, "only 12% of the prompt is covered", 0),
    Call(NOON - DAY, "UserPromptSubmit", "a", 10.0, "only 7% of the prompt is covered", 0),
    Call(None, "PreToolUse", "c", 5.0, "a tool that needs no memory", 0),
]


def told(sid: str, at: int, characters: int, event: str = "UserPromptSubmit", kind: str = "prompt") -> Told:
    return Told(sid, at, kind, event, "cli", "", characters, "")


PACKETS = [
    told("a", NOON - DAY, 400),
    told("a", NOON - DAY + 1, 200),
    told("b", NOON, 300, "SessionStart", "session_start"),
    told("c", NOON, 101),
]
VERDICTS = {
    PACKETS[0].name: Verdict("taken", 1, 0, 0, 0, 3, 10_000),
    PACKETS[1].name: Verdict("left", 0, 0, 0, 0, 3, 10_000),
    PACKETS[2].name: Verdict("none", 0, 0, 0, 0, None, None),
}


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()


def project(sid: str) -> str:
    return {"a": "src/app", "b": "src/app"}.get(sid, "")


class TestCalls:
    TOTAL = Calls(4, 1, 10.0, 30.0)

    @pytest.mark.parametrize(
        ("by", "rows"),
        [
            ("event", [("UserPromptSubmit", Calls(3, 1, 20.0, 30.0)), ("PreToolUse", Calls(1, 0, 5.0, 5.0))]),
            ("project", [("src/app", Calls(3, 1, 20.0, 30.0)), ("", Calls(1, 0, 5.0, 5.0))]),
            (
                "day",
                [
                    ("2026-03-01", Calls(1, 1, 30.0, 30.0)),
                    ("2026-02-28", Calls(2, 0, 10.0, 20.0)),
                    ("", Calls(1, 0, 5.0, 5.0)),
                ],
            ),
        ],
    )
    def test_by(self, by: str, rows: list[tuple[str, Calls]]) -> None:
        assert call_lines(CALLS, by, project) == (rows, self.TOTAL, NOON - DAY)

    def test_none(self) -> None:
        assert call_lines([], "event", project) == ([], Calls(0, 0, None, None), 0)

    def test_percentiles_are_values_that_were(self) -> None:
        calls = [CALLS[0]._replace(ms=float(ms)) for ms in range(1, 101)]
        assert call_lines(calls, "event", project)[1] == Calls(100, 100, 50.0, 95.0)

    def test_reasons_of_little_confidence_are_one(self) -> None:
        calls = [CALLS[0]._replace(characters=0, reason=f"confidence {n} is too low") for n in ("0.31", "0.05")]
        assert reasons(calls) == [("too little confidence", 2)]

    def test_reasons_of_silence_without_their_numbers(self) -> None:
        assert reasons(CALLS) == [("only N% of the prompt is covered", 2), ("a tool that needs no memory", 1)]


class TestPackets:
    TOTAL = Packets(4, 1, 1, 1, 1, 1001)

    @pytest.mark.parametrize(
        ("by", "rows"),
        [
            (
                "event",
                [("UserPromptSubmit", Packets(3, 1, 1, 1, 0, 701)), ("SessionStart", Packets(1, 0, 0, 0, 1, 300))],
            ),
            ("project", [("src/app", Packets(3, 1, 1, 0, 1, 900)), ("", Packets(1, 0, 0, 1, 0, 101))]),
            ("day", [("2026-03-01", Packets(2, 0, 0, 1, 1, 401)), ("2026-02-28", Packets(2, 1, 1, 0, 0, 600))]),
        ],
    )
    def test_by(self, by: str, rows: list[tuple[str, Packets]]) -> None:
        assert packet_lines(PACKETS, VERDICTS, by, project) == (rows, self.TOTAL, NOON - DAY)

    def test_none(self) -> None:
        assert packet_lines([], {}, "event", project) == ([], Packets(0, 0, 0, 0, 0, 0), 0)

    def test_tokens_are_a_quarter_of_the_characters(self) -> None:
        assert self.TOTAL.tokens == 250

    def test_a_request_is_counted_once_however_many_packets_it_had(self) -> None:
        # (400 + 200) characters, 150 tokens, in each of three model calls.
        assert share_of_input(PACKETS, VERDICTS) == Share(2, 450, 10_000)
        assert share_of_input(PACKETS, {}) == Share(0, 0, 0)
