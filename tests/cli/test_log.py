import json
import os
from pathlib import Path
from typing import Any

import click
import pytest

from deja_hooks.indexer.report import Report, keep_fault, keep_report
from deja_hooks.memory.layout import Layout

from .conftest import NOW_MS, Result, Run

FIRST = {"t": NOW_MS - 2500, "e": "SessionStart", "h": "cli", "s": "a1", "ms": 21.5, "r": "no history"}
SECOND = {"t": NOW_MS - 1000, "e": "PreToolUse", "h": "", "s": "", "ms": 4, "r": "ignored tool", "c": 0}
SAID = "<deja-1>\n- line ✓\n</deja-1>"
THIRD = {
    "t": NOW_MS,
    "e": "UserPromptSubmit",
    "h": "vscode",
    "s": "b2",
    "ms": 30.04,
    "r": "recalled",
    "c": len(SAID),
    "p": SAID,
}


@pytest.fixture
def ring(home: Path) -> Path:
    path = home / "deja" / "cache" / "ring.jsonl"
    path.parent.mkdir(parents=True)
    path.with_name("ring.jsonl.1").write_text(json.dumps(FIRST) + "\n")
    torn = '{"t": 17, "e": "Stop"\n{"e": "no time"}\n[1]\n\xff\n'
    path.write_text(torn + "".join(json.dumps(each) + "\n" for each in (SECOND, THIRD)), encoding="latin-1")
    return path


def test_nothing_yet(deja: Run) -> None:
    assert deja("log") == Result(0, "No hook has been called yet.\n")
    assert deja("log", "--json") == Result(0, "[]\n")
    assert deja("log", "--show", "1") == Result(
        1, "", "Error: The log has 0 calls: there is no call 1. deja-hooks log lists them.\n"
    )


def test_the_newest_first(deja: Run, ring: Path) -> None:
    assert deja("log") == Result(
        0,
        "#  time                 event             host    ms    answer    why\n"
        "1  2026-03-01 12:00:00  UserPromptSubmit  vscode  30.0  27 chars  recalled\n"
        "2  2026-03-01 11:59:59  PreToolUse                4.0   -         ignored tool\n"
        "3  2026-03-01 11:59:57  SessionStart      cli     21.5  -         no history\n",
    )


def test_limit(deja: Run, ring: Path) -> None:
    assert deja("log", "--limit", "1").out.splitlines()[1:] == [
        "1  2026-03-01 12:00:00  UserPromptSubmit  vscode  30.0  27 chars  recalled"
    ]


def test_json(deja: Run, ring: Path) -> None:
    calls: list[dict[str, Any]] = json.loads(deja("log", "--json").out)
    assert [call["n"] for call in calls] == [1, 2, 3]
    assert calls[0] == {
        "n": 1,
        "time": "2026-03-01T12:00:00.000+00:00",
        "event": "UserPromptSubmit",
        "host": "vscode",
        "session_id": "b2",
        "ms": 30.04,
        "reason": "recalled",
        "characters": 27,
        "packet": SAID,
    }
    assert calls[1]["packet"] is None


def test_show(deja: Run, ring: Path) -> None:
    assert deja("log", "--show", "1") == Result(0, SAID + "\n")
    assert deja("log", "--show", "3") == Result(0, "Nothing (no history).\n")
    assert json.loads(deja("log", "--show", "3", "--json").out)["event"] == "SessionStart"


@pytest.mark.parametrize("time", ["1" + "0" * 18, "1" + "0" * 400, "-1", "1e999", "-Infinity", "NaN", '"noon"', "null"])
def test_a_time_that_no_calendar_holds_is_unknown(deja: Run, home: Path, time: str) -> None:
    path = home / "deja" / "cache" / "ring.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(f'{{"t": {time}, "e": "Stop", "h": "cli", "s": "s", "ms": 2, "r": "noted", "c": 0}}\n')
    assert deja("log") == Result(
        0, "#  time     event  host  ms   answer  why\n1  unknown  Stop   cli   2.0  -       noted\n"
    )
    (call,) = json.loads(deja("log", "--json").out)
    assert (call["time"], call["event"]) == (None, "Stop")


@pytest.mark.parametrize("number", ["1" + "0" * 400, "1e999", "-Infinity", "NaN", '"x"', "null", "[]"])
def test_numbers_that_are_none_count_as_zero(deja: Run, home: Path, number: str) -> None:
    path = home / "deja" / "cache" / "ring.jsonl"
    path.parent.mkdir(parents=True)
    deep = "[" * 100_000
    path.write_text(f'{deep}\n{{"t": {NOW_MS}, "e": "Stop", "ms": {number}, "c": {number}}}\n')
    (call,) = json.loads(deja("log", "--json").out)
    assert (call["ms"], call["characters"]) == (0.0, 0)


def test_a_pipe_in_the_rings_place_is_not_read(deja: Run, home: Path) -> None:
    path = home / "deja" / "cache" / "ring.jsonl"
    path.parent.mkdir(parents=True)
    os.mkfifo(path)
    assert deja("log") == Result(0, "No hook has been called yet.\n")


def test_on_a_terminal_a_table_is_drawn(deja: Run, ring: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("deja_hooks.cli.output.sys.stdout.isatty", lambda: True, raising=False)
    drawn = click.unstyle(deja("log", "--limit", "1").out)
    lines = [line.rstrip() for line in drawn.splitlines()]
    assert lines == [
        "#  time                 event             host    ms    answer    why",
        "1  2026-03-01 12:00:00  UserPromptSubmit  vscode  30.0  27 chars  recalled",
    ]


def test_the_indexers_last_fault_is_shown(deja: Run, home: Path) -> None:
    layout = Layout(str(home / "deja" / "cache"), str(home / "deja" / "config"))
    Path(layout.cache).mkdir(parents=True)
    keep_fault(layout, OSError("disk full"))
    fault = "The background indexer failed: OSError: disk full\n`deja-hooks index` tries again, and says why.\n"
    assert deja("log") == Result(0, "No hook has been called yet.\n", fault)
    assert deja("log", "--json") == Result(0, "[]\n")
    keep_report(layout, Report(0, 0, 0, 0, 0, 0, (), 0.0, False))
    assert deja("log") == Result(0, "No hook has been called yet.\n")


def test_a_packet_that_was_erased(deja: Run, home: Path) -> None:
    """As `forget` leaves a call that cited the session."""
    path = home / "deja" / "cache" / "ring.jsonl"
    path.parent.mkdir(parents=True)
    told = {**THIRD, "r": "told of a session that is forgotten or excluded"}
    del told["p"]
    path.write_text(json.dumps(told) + "\n")
    assert deja("log", "--show", "1") == Result(
        0, "Its text was erased (told of a session that is forgotten or excluded).\n"
    )
