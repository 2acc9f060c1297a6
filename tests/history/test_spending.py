import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.history.spending import Line, session_spending, spending
from deja_hooks.history.spent import Spent
from tests.support.built import Built

#: 2026-03-01T12:00:00Z, and the day before.
NOON = 1_772_366_400_000
DAY = 86_400_000
NOTHING: dict[str, Any] = dict.fromkeys(("rounds", "input", "cached", "output", "credits", "elapsed"))
ALL = frozenset(NOTHING)


def _spent(latest: int, turns: int, bounds: "frozenset[str] | set[str]" = frozenset(), **numbers: Any) -> Spent:
    fields = {"requests": 0, "partial": 0, **NOTHING, **numbers}
    return Spent(latest=latest, turns=turns, bounds=frozenset(bounds), **fields)


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    made = Built(tmp_path / "memory.db")
    yield made
    made.close()


@pytest.fixture
def db(built: Built) -> sqlite3.Connection:
    """A chat of two requests, the second over two models; a CLI session with a total; one that says nothing."""
    one = {"model": "gpt-5", "rounds": 3, "input": 1000, "exact": 0, "output": 50, "elapsed": 4000}
    first = {"request": "r2", "rounds": 2, "credits": 1.5, "elapsed": 6000}
    two = [
        {**first, "model": "gpt-5", "input": 300, "cached": 100, "output": 30},
        {"request": "r2", "model": "haiku", "input": 200, "cached": 0, "output": 20},
    ]
    built.session(
        "chat",
        {"user": "a", "at": NOON - DAY, "usage": [one]},
        {"user": "b", "at": NOON, "usage": two},
        {"user": "", "at": NOON + 1},
        key="dir:/src/app",
    )
    total = {"kind": "total", "request": "t", "model": "claude"}
    built.session(
        "cli",
        {"user": "a", "at": NOON - DAY, "usage": [{**total, "rounds": 2, "input": 500, "cached": 400, "output": 10}]},
        {"user": "b", "at": NOON},
        {
            "user": "c",
            "at": NOON,
            "usage": [{**total, "request": "u", "rounds": 5, "input": 900, "cached": 600, "output": 40}],
        },
        key="dir:/src/api",
    )
    built.session("silent", {"user": "a", "at": NOON}, key="dir:/src/app", title="Silent")
    return built.db


def test_by_day(db: sqlite3.Connection) -> None:
    credits_and_time = {"credits": 1.5, "elapsed": 6000}
    lines, total = spending(db, "day")
    assert lines == [
        Line(
            "2026-03-01",
            "",
            _spent(
                NOON,
                4,
                ALL,
                requests=1,
                rounds=5,
                input=900,
                cached=300,
                output=80,
                **credits_and_time,
            ),
        ),
        Line(
            "2026-02-28",
            "",
            _spent(
                NOON - DAY,
                2,
                {"input", "cached", "elapsed"},
                requests=1,
                rounds=5,
                input=1500,
                cached=400,
                output=60,
                elapsed=4000,
            ),
        ),
    ]
    assert total == _spent(
        NOON, 6, ALL, requests=2, rounds=10, input=2400, cached=700, output=140, credits=1.5, elapsed=10_000
    )


def test_by_model_what_belongs_to_all_belongs_to_none(db: sqlite3.Connection) -> None:
    lines, total = spending(db, "model")
    assert lines == [
        Line(
            "gpt-5",
            "",
            _spent(
                NOON,
                2,
                {"rounds", "input", "cached", "elapsed"},
                requests=2,
                rounds=3,
                input=1300,
                cached=100,
                output=80,
                elapsed=4000,
            ),
        ),
        Line("claude", "", _spent(NOON, 3, rounds=5, input=900, cached=600, output=40)),
        Line("haiku", "", _spent(NOON, 1, requests=1, input=200, cached=0, output=20)),
        Line("", "", _spent(NOON, 1)),
    ]
    assert total == spending(db, "day")[1]


def test_by_project_and_session(db: sqlite3.Connection) -> None:
    app = {"requests": 2, "rounds": 5, "input": 1500, "cached": 100, "output": 100, "credits": 1.5, "elapsed": 10_000}
    api = _spent(NOON, 3, rounds=5, input=900, cached=600, output=40)
    assert spending(db, "project")[0] == [
        Line("src/app", "dir:/src/app", _spent(NOON, 3, ALL, **app)),
        Line("src/api", "dir:/src/api", api),
    ]
    assert spending(db, "session")[0] == [
        Line("chat", "a", _spent(NOON, 2, {"input", "cached", "credits"}, **app)),
        Line("cli", "a", api),
        Line("silent", "Silent", _spent(NOON, 1)),
    ]
    assert [session_spending(db, n) for n in (1, 2, 3)] == [line.spent for line in spending(db, "session")[0]]


def test_a_span_of_time(db: sqlite3.Connection) -> None:
    lines, total = spending(db, "day", NOON - DAY + 1, NOON + 1)
    assert [line.key for line in lines] == ["2026-03-01"]
    assert total == lines[0].spent
    assert spending(db, "day", NOON + 1) == ([], _spent(0, 0))
    assert spending(db, "day", until=NOON - DAY) == ([], _spent(0, 0))


def test_asking_changes_nothing(db: sqlite3.Connection) -> None:
    before = list(db.iterdump())
    assert spending(db, "day") == spending(db, "day")
    assert list(db.iterdump()) == before


def test_requests_in_progress_are_counted(built: Built) -> None:
    built.session("a", {"user": "x", "at": NOON, "usage": [{"model": "m", "final": 0}]})
    assert spending(built.db, "day")[1] == _spent(NOON, 1, requests=1, partial=1)


def test_a_summary_is_billed_in_the_total(built: Built) -> None:
    summary = {"kind": "compaction", "request": "c", "model": "m", "rounds": 1, "input": 5, "cached": 0, "output": 2}
    total = {"kind": "total", "request": "t", "model": "m", "rounds": 1, "input": 9, "cached": 0, "output": 3}
    built.session("a", {"user": "x", "at": NOON, "usage": [summary, {**total, "credits": 0.5}]})
    assert spending(built.db, "day")[1] == _spent(NOON, 1, rounds=2, input=14, cached=0, output=5, credits=0.5)


def test_a_session_of_several_models_doesnt_say_which_turn_used_which(built: Built) -> None:
    total = {"kind": "total", "request": "t", "rounds": 1, "input": 9, "cached": 0, "output": 3}
    usage = [{**total, "model": "m"}, {**total, "model": "n"}]
    built.session("a", {"user": "x", "at": NOON}, {"user": "y", "at": NOON, "usage": usage})
    lines, _ = spending(built.db, "model")
    assert [(line.key, line.spent.turns, line.spent.rounds) for line in lines] == [
        ("m", 0, 1),
        ("n", 0, 1),
        ("", 2, None),
    ]


def test_what_has_no_time_has_no_day(built: Built) -> None:
    built.session("a", {"user": "x", "usage": [{"model": "m", "input": 1}]})
    lines, _ = spending(built.db, "day")
    assert [(line.key, line.spent.input) for line in lines] == [("", 1)]
    assert spending(built.db, "day", since=1)[0] == []


def test_only_some_sessions(db: sqlite3.Connection) -> None:
    lines, total = spending(db, "session", among={2})
    assert [line.key for line in lines] == ["cli"]
    assert total == lines[0].spent
    assert spending(db, "model", among=set()) == ([], _spent(0, 0))
