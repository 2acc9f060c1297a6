import json
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from deja_hooks.memory.state import State
from tests.support.built import Built

from .conftest import NOW_MS, Result, Run

DAY = 86_400_000


def ring(home: Path, *lines: dict[str, Any]) -> None:
    path = home / "deja" / "cache" / "ring.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def call(at: int, event: str, sid: str, ms: float, reason: str, characters: int = 0) -> dict[str, Any]:
    packet = {"p": "x" * characters} if characters else {}
    return {"t": at, "e": event, "h": "cli", "s": sid, "ms": ms, "r": reason, "c": characters, **packet}


@pytest.fixture
def used(home: Path) -> None:
    """Four calls that are still in the log, and three packets, one of them older; two sessions are read."""
    ring(
        home,
        call(NOW_MS - DAY, "UserPromptSubmit", "a", 31.5, "recalled: pool", 400),
        call(NOW_MS - 5, "UserPromptSubmit", "a", 22.0, "only 12% of the prompt is covered"),
        call(NOW_MS - 4, "UserPromptSubmit", "a", 24.0, "only 9% of the prompt is covered"),
        call(NOW_MS - 3, "PreToolUse", "b", 41.25, "a working form is known", 360),
        call(NOW_MS - 2, "PostToolUse", "b", 9.0, "it worked"),
    )
    with closing(State(str(home / "deja" / "cache" / "state.db"))) as state:
        state.enter("a", "cli", "dir:/src/app", NOW_MS, prompt=True)
        state.tell("a", "session_start", (NOW_MS - 40 * DAY, "SessionStart", "cli", 1_200, "s1 n1"))
        state.tell("a", "prompt", (NOW_MS - DAY, "UserPromptSubmit", "cli", 400, "s1 n1"))
        state.tell("b", "before_tool", (NOW_MS - 3, "PreToolUse", "cli", 360, "s1 n1"))
    built = Built(home / "deja" / "cache" / "memory.db")
    built.session("a", {"user": "x", "at": NOW_MS - DAY})
    built.session("b", {"user": "x", "at": NOW_MS - 5}, key="dir:/srv/api")
    rows = [
        ("a", NOW_MS - 40 * DAY, "session_start", 0, "left", 0, 0, 0, 0, None, None),
        ("a", NOW_MS - DAY, "prompt", 0, "taken", 2, 0, 1, 0, 3, 40_000),
    ]
    built.db.executemany(f"INSERT INTO uptake VALUES ({', '.join('?' * 11)})", rows)
    built.close()


def test_nothing_yet(deja: Run) -> None:
    hint = "No hook has been called yet: run deja-hooks install, use Copilot, then look again.\n"
    assert deja("stats") == Result(0, hint)
    assert deja("stats", "--since", "30d") == Result(0, "No hook was called in that time.\n")
    empty = json.loads(deja("stats", "--json").out)
    assert (empty["calls"]["rows"], empty["packets"]["rows"]) == ([], [])
    assert empty["calls"]["total"] == {"calls": 0, "spoke": 0, "silent": 0, "ms_median": None, "ms_p95": None}


def test_by_event(deja: Run, used: None) -> None:
    assert deja("stats") == Result(
        0,
        "Hook calls since 2026-02-28 12:00:00 (the log has no older ones):\n"
        "event             calls  spoke  silent  ms median  ms p95\n"
        "UserPromptSubmit      3      1       2       24.0    31.5\n"
        "PostToolUse           1      0       1        9.0     9.0\n"
        "PreToolUse            1      1       0       41.2    41.2\n"
        "total                 5      2       3       24.0    41.2\n"
        "\n"
        "Silent most often because:\n"
        "calls  why\n"
        "    2  only N% of the prompt is covered\n"
        "    1  it worked\n"
        "\n"
        "What was put before the model since 2026-01-20 12:00:00:\n"
        "event             packets  taken up  not  not known yet  untellable  characters  ~tokens\n"
        "PreToolUse              1         0    0              1           0         360       90\n"
        "SessionStart            1         0    1              0           0       1,200      300\n"
        "UserPromptSubmit        1         1    0              0           0         400      100\n"
        "total                   3         1    1              1           0       1,960      490\n"
        "At most 0.75% of the input of their requests, as far as these say what they took (1 packet of 3).\n"
        "What is not known yet shows once the sessions have been read on: deja-hooks index.\n",
    )


def test_by_project_in_a_span_of_time(deja: Run, used: None) -> None:
    assert deja("stats", "--by", "project", "--since", "2h").out.splitlines()[:5] == [
        "Hook calls since 2026-03-01 10:00:00:",
        "project  calls  spoke  silent  ms median  ms p95",
        "src/app      2      0       2       22.0    24.0",
        "srv/api      2      1       1        9.0    41.2",
        "total        4      1       3       22.0    41.2",
    ]
    lines = deja("stats", "--since", "30d").out.splitlines()
    assert lines[0] == "Hook calls since 2026-02-28 12:00:00 (the log has no older ones):"


def test_by_day(deja: Run, used: None) -> None:
    lines = deja("stats", "--by", "day").out.splitlines()
    assert [line.split()[0] for line in lines if line.startswith("2026")] == [
        "2026-03-01", "2026-02-28", "2026-03-01", "2026-02-28", "2026-01-20",
    ]  # fmt: skip


def test_json(deja: Run, used: None) -> None:
    found = json.loads(deja("stats", "--json", "--since", "2d").out)
    total = {"packets": 2, "taken_up": 1, "not_taken_up": 0, "not_known_yet": 1, "untellable": 0}
    assert found["packets"]["total"] == {**total, "characters": 760, "estimated_tokens": 190}
    assert found["packets"]["share_of_input"] == {
        "packets": 1, "estimated_tokens": 300, "input": 40_000, "at_most": 0.0075,
    }  # fmt: skip
    assert found["packets"]["first"] == "2026-02-28T12:00:00.000+00:00"
    assert found["since"] == "2026-02-27T12:00:00.000+00:00"
    assert found["calls"] == {
        "reach_back_to": "2026-02-28T12:00:00.000+00:00",
        "rows": [
            {"key": "UserPromptSubmit", "calls": 3, "spoke": 1, "silent": 2, "ms_median": 24.0, "ms_p95": 31.5},
            {"key": "PostToolUse", "calls": 1, "spoke": 0, "silent": 1, "ms_median": 9.0, "ms_p95": 9.0},
            {"key": "PreToolUse", "calls": 1, "spoke": 1, "silent": 0, "ms_median": 41.25, "ms_p95": 41.25},
        ],
        "total": {"calls": 5, "spoke": 2, "silent": 3, "ms_median": 24.0, "ms_p95": 41.25},
        "silent": [
            {"reason": "only N% of the prompt is covered", "calls": 2},
            {"reason": "it worked", "calls": 1},
        ],
    }


def test_calls_alone(deja: Run, home: Path) -> None:
    ring(home, call(NOW_MS, "Stop", "a", 8.0, "noted"))
    assert deja("stats") == Result(
        0,
        "Hook calls since 2026-03-01 12:00:00 (the log has no older ones):\n"
        "event  calls  spoke  silent  ms median  ms p95\n"
        "Stop       1      0       1        8.0     8.0\n"
        "\n"
        "Silent most often because:\n"
        "calls  why\n"
        "    1  noted\n"
        "\n"
        "Nothing has been put before the model.\n",
    )


@pytest.mark.parametrize("name", ["memory.db", "state.db"])
def test_a_broken_database_counts_as_empty(deja: Run, used: None, home: Path, name: str) -> None:
    (home / "deja" / "cache" / name).write_bytes(b"no database" * 100)
    done = deja("stats")
    assert (done.code, done.err) == (0, "")
    assert "PreToolUse" in done.out


def test_on_a_terminal_tables_are_drawn(deja: Run, used: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr("deja_hooks.cli.output.sys.stdout.isatty", lambda: True, raising=False)
    drawn = [line.rstrip() for line in click.unstyle(deja("stats").out).splitlines()]
    assert drawn[1] == "event             calls  spoke  silent  ms median  ms p95"
    assert drawn[2] == "UserPromptSubmit      3      1       2       24.0    31.5"
