"""What records say that model calls took, and what a session's rows come to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.sources.logs.cli_usage import (
    checkpoint_row,
    compaction_row,
    counted,
    message_row,
    record_row,
    total_rows,
    uncovered,
)
from deja_hooks.sources.model import Usage


def total(at: int, model: str, rounds: int, sent: int, known: float | None = None) -> Usage:
    return Usage("total", f"t{at}", at, model, rounds, sent, cached=sent // 2, output=sent * 2, credits=known)


def checkpoint(at: int, known: float) -> Usage:
    return Usage("total", f"c{at}", at, "", credits=known)


def call(at: int, sent: int | None = 1, known: float | None = None) -> Usage:
    return Usage("call", f"r{at}", at, "m", 1, sent, output=1, credits=known)


def test_record_of_a_call() -> None:
    usage = {
        "model": "acme/m",
        "inputTokens": 10,
        "outputTokens": 2.0,
        "cacheReadTokens": 4,
        "duration": 18.6,
        "timeToFirstTokenMs": 16.4,
        "aiCreditsStatus": "complete",
        "copilotUsage": {"totalNanoAiu": 272010000},
    }
    row = Usage("call", "i", 5, "m", 1, 10, True, 4, 2, 0.27201, 19, 16)
    assert record_row({"usage": usage}, "i", 5) == row
    assert record_row(usage, "i", 5) == row
    assert record_row({"usage": {"model": "m"}}, "i", 5) is None


@pytest.mark.parametrize(
    ("data", "known"),
    [
        ({"totalNanoAiu": 1_500_000_000}, 1.5),
        ({"totalNanoAiu": 0}, None),
        ({"totalNanoAiu": 0, "aiCreditsStatus": "complete"}, 0.0),
        ({"totalNanoAiu": 5, "aiCreditsStatus": "partial"}, None),
        ({"totalNanoAiu": 0.0, "aiCreditsStatus": "unavailable"}, None),
        ({"totalNanoAiu": "5"}, None),
        ({"totalNanoAiu": True}, None),
        ({"totalNanoAiu": float("nan")}, None),
        ({"totalNanoAiu": -1}, None),
        ({}, None),
    ],
)
def test_credits_where_they_are_known(data: dict[str, object], known: float | None) -> None:
    expected = None if known is None else Usage("total", "i", 5, "", credits=known)
    assert checkpoint_row(data, "i", 5) == expected


def test_totals_by_model_from_the_field_that_says_whether_credits_are_known() -> None:
    each = {"requests": {"count": 2}, "usage": {"inputTokens": 9, "cacheReadTokens": 3, "outputTokens": 1}}
    older = {"m": {**each, "totalNanoAiu": 5_000_000_000}, "odd": 1, "empty": {}}
    assert total_rows({"modelMetrics": older}, "i", 5) == [Usage("total", "i", 5, "m", 2, 9, True, 3, 1, 5.0)]
    newer = {"m": {**each, "totalNanoAiu": 0.0, "aiCreditsStatus": "unavailable"}}
    data = {"accountingSnapshot": {"modelMetrics": newer}, "modelMetrics": older}
    assert total_rows(data, "i", 5) == [Usage("total", "i", 5, "m", 2, 9, True, 3, 1)]
    assert total_rows({"modelMetrics": {}}, "i", 5) == []


def test_compactions_in_both_spellings() -> None:
    newer = {"requestCount": 2, "inputTokens": 9, "outputTokens": 1, "cacheReadTokens": 3, "model": "m", "duration": 7}
    expected = Usage("compaction", "i", 5, "m", 2, 9, True, 3, 1, elapsed=7)
    assert compaction_row({"compactionTokensUsed": newer}, "i", 5) == expected
    older = {"input": 9, "output": 1, "cachedInput": 3}
    assert compaction_row({"compactionTokensUsed": older}, "i", 5) == Usage("compaction", "i", 5, "", 1, 9, True, 3, 1)
    assert compaction_row({"success": False}, "i", 5) is None


def test_message_says_its_answers_length() -> None:
    assert message_row({"model": "m", "outputTokens": 3}, "i", 5) == Usage("call", "i", 5, "m", 1, output=3)
    assert message_row({"outputTokens": None}, "i", 5) is None


def test_totals_are_counted_by_what_they_add() -> None:
    first, second = total(1, "m", 1, 10, 0.5), total(2, "m", 3, 40, 0.75)
    other = total(2, "n", 1, 8)
    added = second._replace(rounds=2, input=30, cached=15, output=60, credits=0.25)
    assert counted([first, second, other]) == [first, added, other]


def test_total_without_anything_new_is_left_out() -> None:
    first = total(1, "m", 1, 10, 0.5)
    assert counted([first, first._replace(id="t2", at=2)]) == [first]


def test_smaller_total_counts_from_a_new_beginning() -> None:
    rows = [total(1, "m", 3, 40, 0.75), total(2, "m", 1, 10, 0.5)]
    assert counted(rows) == rows


def test_what_is_unknown_stays_unknown() -> None:
    first = total(1, "m", 1, 10)._replace(cached=None)
    (_, added) = counted([first, total(2, "m", 2, 20)])
    assert (added.cached, added.credits) == (10, None)
    (_, added) = counted([total(1, "m", 1, 10), first._replace(id="t2", rounds=2)])
    assert (added.rounds, added.cached) == (1, None)


def test_later_total_holds_calls_and_checkpoints() -> None:
    compaction = Usage("compaction", "x", 2, "m", 1, 5, output=1)
    rows = [call(1), checkpoint(1, 0.5), compaction, total(3, "m", 1, 10, 0.5), call(4), checkpoint(5, 0.75)]
    assert uncovered(rows) == rows[2:]
    assert counted(rows) == [*rows[2:5], checkpoint(5, 0.25)]


def test_checkpoints_add_what_no_call_accounts_for() -> None:
    rows = [call(1, None, 0.25), checkpoint(2, 0.75), call(3), checkpoint(4, 0.75), checkpoint(5, 1.0)]
    assert counted(rows) == [rows[0], checkpoint(2, 0.5), rows[2], checkpoint(5, 0.25)]


def test_checkpoint_of_a_counter_that_began_anew() -> None:
    assert counted([checkpoint(1, 1.0), checkpoint(2, 0.25)]) == [checkpoint(1, 1.0), checkpoint(2, 0.25)]


def test_rows_of_other_hosts_are_as_they_are() -> None:
    rows = [Usage("request", "q1", 1, "m", 2, 100, exact=False, output=5), Usage("request", "q2", 2, "m")]
    assert counted(rows) == rows


COUNTS = st.lists(st.integers(0, 50), min_size=1, max_size=8)


@given(COUNTS)
def test_growing_totals_add_up_to_the_last_one(steps: list[int]) -> None:
    sums = [sum(steps[: count + 1]) for count in range(len(steps))]
    rows = [total(at, "m", sent, sent, float(sent)) for at, sent in enumerate(sums)]
    amounts = counted(rows)
    assert sum(row.input or 0 for row in amounts) == sums[-1]
    assert sum(row.rounds or 0 for row in amounts) == sums[-1]
    assert sum(row.credits or 0 for row in amounts) == sums[-1]


@given(COUNTS)
def test_what_is_left_uncovered_stays_so(steps: list[int]) -> None:
    rows = [(call(at), total(at, "m", at, at), checkpoint(at, 1.0))[step % 3] for at, step in enumerate(steps)]
    assert uncovered(uncovered(rows)) == uncovered(rows)
