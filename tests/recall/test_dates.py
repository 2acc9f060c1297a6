"""The dates that a text asks about: as days, and the text without them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.recall.dates import spans, without_dates

EPOCH = date(1970, 1, 1)
#: A Monday.
TODAY = date(2026, 11, 30)


def number(day: date) -> int:
    return (day - EPOCH).days


def asked(text: str, today: date = TODAY) -> list[str]:
    """Each span as `first` or `first..last`."""
    found = []
    for span in spans(text, number(today)):
        first, last = (EPOCH + timedelta(days=each) for each in (span.first, span.last))
        found.append(f"{first}" if first == last else f"{first}..{last}")
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what did we do on 8 May, 2023?", ["2023-05-08"]),
        ("on May 8th, 2023", ["2023-05-08"]),
        ("the 8th of May 2023 it was", ["2023-05-08"]),
        ("May 8", ["2026-05-08"]),
        ("12 December", ["2025-12-12"]),  # the last one there was
        ("since 2023-05-08?", ["2023-05-08"]),
        ("in 2023-05", ["2023-05-01..2023-05-31"]),
        ("in February 2024", ["2024-02-01..2024-02-29"]),
        ("in December", ["2025-12-01..2025-12-31"]),
        ("last March", ["2026-03-01..2026-03-31"]),
        ("last month", ["2026-10-01..2026-10-31"]),
        ("last week", ["2026-11-17..2026-11-29"]),
        ("last year", ["2025-01-01..2025-12-31"]),
        ("in 2024", ["2024-01-01..2024-12-31"]),
        ("yesterday", ["2026-11-29"]),
        ("today", ["2026-11-30"]),
        ("last monday", ["2026-11-23"]),
        ("since Friday,", ["2026-11-27"]),
        ("on Sunday", ["2026-11-29"]),
        ("the Monday release", []),
        ("3 days ago", ["2026-11-27"]),
        ("two weeks ago", ["2026-11-13..2026-11-19"]),
        ("a couple of weeks ago", ["2026-11-13..2026-11-19"]),
        ("from 1 May to 3 May", ["2026-05-01", "2026-05-03"]),
        ("it may fail", []),
        ("march on", []),
        ("in march", ["2026-03-01..2026-03-31"]),
        ("port 8080 of 2 workers", []),
        ("retry 3 times", []),
        ("2023-13-45", []),
        ("31 31 2023x", []),
        ("", []),
    ],
)
def test_days(text: str, expected: list[str]) -> None:
    assert asked(text) == expected


@pytest.mark.parametrize(
    ("text", "expected", "count"),
    [
        ("what did we settle on 8 May, 2023 about jitter?", "what did we settle on about jitter?", 1),
        ("jitter in 2024", "jitter in 2024", 0),  # a year tells no sessions apart
        ("one\n2023-05-08 two\nthree yesterday", "one\ntwo\nthree", 2),
        ("2023-05-01 a\n2023-05-02 b\n2023-05-03 c\n2023-05-04 d", None, 0),  # a log
        ("no date", None, 0),
    ],
)
def test_the_text_without_them(text: str, expected: str | None, count: int) -> None:
    rest, found = without_dates(text, number(TODAY))
    assert (rest, len(found)) == (text if expected is None else expected, count)


@given(st.dates(min_value=date(1970, 1, 1), max_value=date(2199, 12, 31)))
def test_any_day_is_read_back(day: date) -> None:
    assert asked(f"at {day.isoformat()}.") == [f"{day}"]
    assert asked(f"on {day.day} {day:%B} {day.year}") == [f"{day}"]


@given(st.dates(min_value=date(1971, 1, 1), max_value=date(2199, 12, 31)))
def test_a_month_that_was_lies_behind(today: date) -> None:
    (span,) = spans("last month", number(today))
    assert span.last < number(today) <= span.last + 31


@given(
    st.lists(st.sampled_from("may 8 8th of 2023 last week march ago a couple 3 days , 2023-05-08 31 february".split())),
    st.integers(min_value=0, max_value=60_000),
)
def test_any_words_are_read(words: list[str], today: int) -> None:
    text = " ".join(words)
    for span in spans(text, today):
        assert span.first <= span.last
        assert 0 <= span.words.start < span.words.stop <= len(words)
    rest, _ = without_dates(text, today)
    assert len(rest.split()) <= len(words)
