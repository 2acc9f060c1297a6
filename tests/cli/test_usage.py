import io
import json
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from deja_hooks.cli.main import main
from tests.support.built import Built

from .conftest import NOW_MS, Result, Run

DAY = 86_400_000


@pytest.fixture
def built(home: Path) -> Built:
    return Built(home / "deja" / "cache" / "memory.db")


@pytest.fixture
def memory(built: Built) -> None:
    """A chat of two days, whose input is a lower bound, and a session of the CLI that says nothing."""
    chat: dict[str, Any] = {
        "model": "gpt-5",
        "rounds": 3,
        "input": 18_821,
        "exact": 0,
        "output": 402,
        "elapsed": 61_000,
    }
    built.session(
        "aaaa1111",
        {"user": "Mend it", "at": NOW_MS - DAY, "usage": [chat]},
        {"user": "More", "at": NOW_MS, "usage": [{**chat, "input": 1_000, "credits": 1.25, "final": 0}]},
        host="vscode",
    )
    built.session("bbbb1111", {"user": "Hello", "at": NOW_MS}, key="dir:/srv/api", title="A title " * 8)
    built.close()


def test_no_memory(deja: Run) -> None:
    assert deja("usage") == Result(1, "", "Error: There is no memory yet: run deja-hooks index.\n")


def test_by_day(deja: Run, memory: None) -> None:
    assert deja("usage") == Result(
        0,
        "day         turns  rounds  tokens in  cached    out  credits       time\n"
        "2026-03-01      2     ≥ 3    ≥ 1,000       ?  ≥ 402   ≥ 1.25  ≥ 0:01:01\n"
        "2026-02-28      1       3   ≥ 18,821       ?    402        ?    0:01:01\n"
        "total           3     ≥ 6   ≥ 19,821       ?  ≥ 804   ≥ 1.25  ≥ 0:02:02\n"
        "Of 2 requests that VS Code recorded, 1 was in progress, or waiting, when last written.\n",
    )


@pytest.mark.parametrize(
    ("by", "lines"),
    [
        ("model", ["gpt-5        2", "unknown      1", "total        3"]),
        ("project", ["src/app      2", "srv/api      1", "total        3"]),
        (
            "session",
            [
                "aaaa1111  Mend it                                       2",
                "bbbb1111  A title A title A title A title A title…      1",
                "total                                                   3",
            ],
        ),
    ],
)
def test_by_other_things(deja: Run, memory: None, by: str, lines: list[str]) -> None:
    _, *rows, _ = deja("usage", "--by", by).out.splitlines()
    assert [row[: len(line)] for row, line in zip(rows, lines, strict=True)] == lines


def test_json(deja: Run, memory: None) -> None:
    numbers = {
        "turns": 2,
        "rounds": 6,
        "input": 19_821,
        "input_is_lower_bound": True,
        "cached": None,
        "output": 804,
        "credits": 1.25,
        "elapsed_ms": 122_000,
        "requests": 2,
        "partial": 1,
        "lower_bounds": ["input", "credits"],
    }
    nothing: dict[str, Any] = {
        **dict.fromkeys(numbers),
        "turns": 1,
        "input_is_lower_bound": False,
        "requests": 0,
        "partial": 0,
        "lower_bounds": [],
    }
    total = {**numbers, "turns": 3, "lower_bounds": ["rounds", "input", "output", "credits", "elapsed"]}
    assert json.loads(deja("usage", "--by", "session", "--json").out) == {
        "by": "session",
        "rows": [
            {"key": "aaaa1111", "title": "Mend it", **numbers},
            {"key": "bbbb1111", "title": "A title " * 8, **nothing},
        ],
        "total": total,
    }
    assert json.loads(deja("usage", "--by", "project", "--json").out)["rows"][1] == {
        "key": "srv/api",
        "project_key": "dir:/srv/api",
        **nothing,
    }
    assert [row["key"] for row in json.loads(deja("usage", "--by", "model", "--json").out)["rows"]] == [
        "gpt-5",
        "unknown",
    ]


def test_a_span_of_time(deja: Run, memory: None) -> None:
    one_day = json.loads(deja("usage", "--json", "--since", "2h").out)
    assert [row["key"] for row in one_day["rows"]] == ["2026-03-01"]
    assert json.loads(deja("usage", "--json", "--until", "2026-02-28").out)["total"]["input"] == 18_821
    assert deja("usage", "--until", "2026-02-01") == Result(0, "Nothing to sum up in that time.\n")


def test_an_empty_memory(deja: Run, built: Built) -> None:
    built.close()
    assert deja("usage") == Result(0, "Nothing to sum up yet.\n")
    assert json.loads(deja("usage", "--json").out)["total"]["input"] is None


def test_projects_of_one_name_go_by_their_folder(deja: Run, built: Built) -> None:
    for key in ("dir:/a/src/app", "dir:/b/src/app"):
        built.session(key, {"user": "x", "at": NOW_MS}, key=key)
    built.close()
    assert [line.split()[0] for line in deja("usage", "--by", "project").out.splitlines()[1:3]] == [
        "/a/src/app",
        "/b/src/app",
    ]


def test_the_sign_where_the_encoding_has_none(home: Path, memory: None, monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["usage", "--until", "2026-02-28"]) == 0
    out.seek(0)
    assert ">= 18,821" in out.read()


def test_asking_twice_gives_the_same(deja: Run, memory: None) -> None:
    assert deja("usage", "--by", "model") == deja("usage", "--by", "model")


@pytest.mark.parametrize(
    ("options", "turns"),
    [
        ("--host vscode", 2),
        ("--host CLI", 1),
        ("--project app", 2),
        ("--project /srv/api", 1),
        ("--project app --since 2h", 1),
    ],
)
def test_filters(deja: Run, memory: None, options: str, turns: int) -> None:
    assert json.loads(deja("usage", "--json", *options.split()).out)["total"]["turns"] == turns


def test_filters_that_nothing_fits(deja: Run, memory: None) -> None:
    said = "Nothing to sum up: no session fits, or none did anything in that time.\n"
    assert deja("usage", "--project", "other") == Result(0, said)
    assert json.loads(deja("usage", "--project", "other", "--json").out)["rows"] == []


def test_less_than_a_second(deja: Run, built: Built) -> None:
    turn = {"user": "x", "at": NOW_MS, "usage": [{"model": "m", "rounds": 1, "input": 5, "output": 1, "elapsed": 120}]}
    built.session("a", turn, {"user": "y", "at": NOW_MS})
    built.close()
    assert deja("usage").out == (
        "day         turns  rounds  tokens in  cached  out  credits      time\n"
        "2026-03-01      2     ≥ 1        ≥ 5       ?  ≥ 1        ?  ≥ 120 ms\n"
        "total           2     ≥ 1        ≥ 5       ?  ≥ 1        ?  ≥ 120 ms\n"
    )


def test_a_turn_of_several_models_is_said_to_count_in_each(deja: Run, built: Built) -> None:
    numbers = {"request": "r", "rounds": 1, "input": 5, "cached": 0, "output": 1, "credits": 0.5, "elapsed": 2000}
    built.session("a", {"user": "x", "at": NOW_MS, "usage": [{**numbers, "model": m} for m in ("m", "n")]})
    built.close()
    note = "A turn that used several models counts in the line of each, and once in the total.\n"
    assert deja("usage", "--by", "model").out == (
        "model  turns  rounds  tokens in  cached  out  credits     time\n"
        "m          1       1          5       0    1     0.50  0:00:02\n"
        "n          1       1          5       0    1     0.50  0:00:02\n"
        "total      1       2         10       0    2     1.00  0:00:04\n" + note
    )
    assert note not in deja("usage").out


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_on_a_terminal_no_id_or_number_is_cut(
    deja: Run, memory: None, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = click.unstyle(deja("usage", "--by", "session").out).splitlines()
    assert [line.rstrip() for line in lines[:-1]] == {
        60: [
            "aaaa1111  Mend it",
            "  turns 2  rounds 6  tokens in ≥ 19,821  cached ?  out 804",
            "  credits ≥ 1.25  time 0:02:02",
            "bbbb1111  A title A title A title A title A title…",
            "  turns 1  rounds ?  tokens in ?  cached ?  out ?  credits ?",
            "  time ?",
            "total",
            "  turns 3  rounds ≥ 6  tokens in ≥ 19,821  cached ?",
            "  out ≥ 804  credits ≥ 1.25  time ≥ 0:02:02",
        ],
        80: [
            "session   title      turns  rounds  tokens in  cached    out  credits       time",
            "aaaa1111  Mend it        2       6   ≥ 19,821       ?    804   ≥ 1.25    0:02:02",
            "bbbb1111  A title …      1       ?          ?       ?      ?        ?          ?",
            "total                    3     ≥ 6   ≥ 19,821       ?  ≥ 804   ≥ 1.25  ≥ 0:02:02",
        ],
        120: [
            "session   title                                     turns  rounds  tokens in  cached    out  credits"
            "       time",
            "aaaa1111  Mend it                                       2       6   ≥ 19,821       ?    804   ≥ 1.25"
            "    0:02:02",
            "bbbb1111  A title A title A title A title A title…      1       ?          ?       ?      ?        ?"
            "          ?",
            "total                                                   3     ≥ 6   ≥ 19,821       ?  ≥ 804   ≥ 1.25"
            "  ≥ 0:02:02",
        ],
    }[columns]
