import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.built import Built, command, edit, turns

from .conftest import Result, Run

ID = "aaaa1111-0000-4000-8000-000000000001"
#: 2026-02-20T10:00:00Z
TEN = 1_771_581_600_000
MINUTE = 60_000


@pytest.fixture
def built(home: Path) -> Built:
    return Built(home / "deja" / "cache" / "memory.db")


@pytest.fixture
def memory(built: Built, home: Path) -> None:
    """A session about a login that times out, and two with ids that begin alike."""
    built.session(
        ID,
        {
            "at": TEN + MINUTE,
            "user": "Why does refresh_session time out?",
            "assistant": "I will run the tests.\n\n"
            "We decided to use `RetryPolicy` with 3 tries.\nThe pool was too small.",
            "work": [command("pytest tests/test_login.py", 1, "ModuleNotFoundError: No module named 'redis'")],
            "files": ["src/pool.py", "tests/test_login.py"],
        },
        {"at": TEN + 6 * MINUTE, "user": "Do it", "assistant": "Done.", "work": [edit("login.py", "= 0", "= 3")]},
        key=f"dir:{home / 'src' / 'app'}",
        branch="main",
        version="1.0.102",
        started=TEN,
        updated=TEN + 9 * MINUTE,
    )
    for number in (1, 2):
        turn = {"at": TEN, "user": f"Question {number}", "assistant": "Answer \x1b[31m."}
        built.session(f"bbbb{number}000-0000-4000-8000-000000000000", turn)
    built.close()


def test_no_memory(deja: Run) -> None:
    assert deja("show", "a") == Result(1, "", "Error: There is no memory yet: run deja-hooks index.\n")


def test_a_session(deja: Run, memory: None) -> None:
    assert deja("show", "aaaa") == Result(
        0,
        "Why does refresh_session time out?\n"
        f"cli  src/app  main  2026-02-20 10:00:00  {ID}\n"
        "\n"
        "1. 2026-02-20 10:01:00\n"
        "  > Why does refresh_session time out?\n"
        "    I will run the tests.\n"
        "    \n"
        "    We decided to use `RetryPolicy` with 3 tries.\n"
        "    The pool was too small.\n"
        "  * command  pytest tests/test_login.py  exit 1  "
        "(ModuleNotFoundError: No module named 'redis')\n"
        "  * read  src/pool.py, tests/test_login.py\n"
        "\n"
        "2. 2026-02-20 10:06:00\n"
        "  > Do it\n"
        "    Done.\n"
        "  * edit  login.py\n",
    )


def test_json(deja: Run, home: Path, memory: None) -> None:
    session = json.loads(deja("show", ID, "--json").out)
    assert session == {
        "session_id": ID,
        "host": "cli",
        "store": "cli-events",
        "version": "1.0.102",
        "project": "src/app",
        "cwd": str(home / "src" / "app"),
        "branch": "main",
        "title": "Why does refresh_session time out?",
        "started": "2026-02-20T10:00:00.000+00:00",
        "updated": "2026-02-20T10:09:00.000+00:00",
        "archived": None,
        "nested": None,
        "side": None,
        "gone": False,
        "mark": None,
        "mark_note": "",
        "forked_from": None,
        "copied_requests": 0,
        "copied_from": [],
        "changed": [],
        "redacted": {},
        "turns": [
            {
                "number": 1,
                "ended": True,
                "at": "2026-02-20T10:01:00.000+00:00",
                "user": "Why does refresh_session time out?",
                "assistant": "I will run the tests.\n\n"
                "We decided to use `RetryPolicy` with 3 tries.\nThe pool was too small.",
                "work": [
                    {
                        "kind": "command",
                        "at": "2026-02-20T10:01:00.000+00:00",
                        "tool": "",
                        "path": "",
                        "command": "pytest tests/test_login.py",
                        "exit": 1,
                        "failure": "ModuleNotFoundError: No module named 'redis'",
                    }
                ],
                "files": ["src/pool.py", "tests/test_login.py"],
            },
            {
                "number": 2,
                "ended": True,
                "at": "2026-02-20T10:06:00.000+00:00",
                "user": "Do it",
                "assistant": "Done.",
                "work": [
                    {
                        "kind": "edit",
                        "at": "2026-02-20T10:06:00.000+00:00",
                        "tool": "",
                        "path": "login.py",
                        "command": "",
                        "exit": None,
                        "failure": "",
                    }
                ],
                "files": [],
            },
        ],
        "usage": {
            "turns": 2,
            "rounds": None,
            "input": None,
            "input_is_lower_bound": False,
            "cached": None,
            "output": None,
            "credits": None,
            "elapsed_ms": None,
            "requests": 0,
            "partial": 0,
            "lower_bounds": [],
        },
    }


def test_text_cannot_steer_the_terminal(deja: Run, memory: None) -> None:
    assert deja("show", "bbbb1").out.endswith("  > Question 1\n    Answer \ufffd[31m.\n")


HOSTILE = "\x1b]0;pwn\x07Tune\u202e\nretry"


@pytest.fixture
def hostile(built: Built) -> None:
    """Two sessions whose ids, title, branch and project would steer the terminal."""
    for number in (1, 2):
        turn = {"at": TEN, "user": HOSTILE, "assistant": "Yes.", "files": ["a\x1b[1m"]}
        built.session(
            f"e{number}\x1b[2J",
            turn,
            key="dir:/src/\x1b[41mapp",
            branch="x\x1b[7m",
            title=" ".join(HOSTILE.split()),
            forked_from="f\x1b[1m",
        )
    built.close()


@pytest.mark.parametrize(
    "arguments",
    [("show", "e1"), ("show", "e"), ("show", "\x1b"), ("show", "e1", "--turns"), ("sessions",), ("export", "e1")],
)
def test_no_field_can_steer_the_terminal(deja: Run, hostile: None, arguments: tuple[str, ...]) -> None:
    result = deja(*arguments)
    text = result.out + result.err
    assert [letter for letter in text if not letter.isprintable() and letter != "\n"] == []


def test_a_hostile_title_stays_on_its_line(deja: Run, hostile: None) -> None:
    title, about, *_ = deja("show", "e1").out.splitlines()
    assert title == "\ufffd]0;pwn\ufffdTune\ufffd retry"
    assert about == "cli  src/\ufffd[41mapp  x\ufffd[7m  2026-02-20 10:00:00  e1\ufffd[2J"
    heading, *names = deja("show", "e").err.splitlines()
    assert heading == "Error: Several sessions have an id that begins with 'e', give more of it:"
    assert sorted(names) == [f"  e{n}\ufffd[2J  \ufffd]0;pwn\ufffdTune\ufffd retry" for n in (1, 2)]


def test_an_id_that_is_not_utf8(deja: Run, memory: None) -> None:
    assert deja("show", "\udcff") == Result(
        1, "", "Error: '\\udcff' is not valid UTF-8, as ids are: deja-hooks sessions lists ids.\n"
    )


def test_an_ambiguous_id_names_the_sessions(deja: Run, memory: None) -> None:
    result = deja("show", "bbbb")
    assert (result.code, result.out) == (1, "")
    heading, *names = result.err.splitlines()
    assert heading == "Error: Several sessions have an id that begins with 'bbbb', give more of it:"
    assert sorted(names) == [
        "  bbbb1000-0000-4000-8000-000000000000  Question 1",
        "  bbbb2000-0000-4000-8000-000000000000  Question 2",
    ]


@pytest.mark.parametrize("prefix", ["cccc", "", "%"])
def test_an_unknown_id(deja: Run, memory: None, prefix: str) -> None:
    said = f"Error: No session has an id that begins with {prefix!r}: deja-hooks sessions lists ids.\n"
    assert deja("show", prefix) == Result(1, "", said)


def test_a_broken_memory(deja: Run, home: Path, memory: None) -> None:
    path = home / "deja" / "cache" / "memory.db"
    path.write_bytes(b"not a database" * 1000)
    said = f"Error: {path} can't be read, or is of another version: run deja-hooks index.\n"
    assert deja("show", "aaaa") == Result(1, "", said)


def test_the_turns_alone(deja: Run, memory: None) -> None:
    assert deja("show", "aaaa", "--turns") == Result(
        0,
        "Why does refresh_session time out?\n"
        f"cli  src/app  main  2026-02-20 10:00:00  {ID}\n"
        "\n"
        "1. 2026-02-20 10:01:00  Why does refresh_session time out?  [1 command, 2 files]\n"
        "2. 2026-02-20 10:06:00  Do it  [1 edit]\n",
    )
    assert deja("show", "aaaa", "--turns", "--json") == deja("show", "aaaa", "--json")


def test_a_long_prompt_is_cut_and_a_missing_one_named(deja: Run, built: Built) -> None:
    built.session("a", *turns("word " * 40, at=TEN), {"at": TEN, "assistant": "By myself."}, title="Long")
    built.session("b")
    built.close()
    assert deja("show", "a", "--turns").out.splitlines()[3:] == [
        "1. 2026-02-20 10:00:00  " + ("word " * 20)[:99] + "…",
        "2. 2026-02-20 10:00:00  (no prompt)",
    ]
    assert deja("show", "b", "--turns").out.splitlines()[2:] == ["", "No turns."]


def test_what_is_to_be_known_of_a_session(deja: Run, built: Built) -> None:
    marks: dict[str, Any] = {"archived": 1, "nested": 1, "side": 1, "gone": 1, "forked_from": "0000", "skipped": 3}
    built.session("a", *turns("Go on", at=TEN), host="vscode", **marks)
    built.close()
    assert deja("show", "a").out == (
        "Go on\n"
        "vscode  src/app  2026-02-20 10:00:00  a\n"
        "Archived.\n"
        "Begun by another session.\n"
        "A side chat.\n"
        "No longer on disk: the host has deleted its file.\n"
        "Forked from 0000, where its first 3 requests can be read.\n"
        "\n"
        "1. 2026-02-20 10:00:00\n"
        "  > Go on\n"
    )


def test_a_turn_without_a_prompt_and_one_that_goes_on(deja: Run, built: Built) -> None:
    work = [{"kind": "failure", "tool": "view", "path": "gone.py", "failure": "No such file"}]
    error = {"kind": "error", "failure": "400 no such model"}
    built.session(
        "a",
        {"at": TEN, "assistant": "By myself.", "work": [*work, error]},
        {"at": TEN, "user": "Go on", "ended": 0},
        title="t",
    )
    built.close()
    assert deja("show", "a").out.splitlines()[2:] == [
        "",
        "1. 2026-02-20 10:00:00",
        "  (no prompt: the agent ran by itself)",
        "    By myself.",
        "  * failure  view  gone.py  (No such file)",
        "  * error  (400 no such model)",
        "",
        "2. 2026-02-20 10:00:00",
        "  > Go on",
        "  (in progress, or never answered, when it was last read)",
    ]
    assert deja("show", "a", "--turns").out.splitlines()[3:] == [
        "1. 2026-02-20 10:00:00  (no prompt)  [1 failure, 1 error]",
        "2. 2026-02-20 10:00:00  Go on  (in progress, or never answered, when it was last read)",
    ]


def test_secrets_are_counted_and_open_turns_marked_for_programs(deja: Run, built: Built) -> None:
    built.session("a", {"at": TEN, "user": "[redacted:token]", "ended": 0})
    built.close()
    session = json.loads(deja("show", "a", "--json").out)
    assert session["redacted"] == {"token": 1}
    assert [(turn["number"], turn["ended"]) for turn in session["turns"]] == [(1, False)]


def test_an_id_in_any_case(deja: Run, built: Built) -> None:
    for sid in ("6b4b0000", "6B4B0000", "Cafe0000"):
        built.session(sid, *turns(sid, at=TEN))
    built.close()
    assert [deja("show", given).out.splitlines()[0] for given in ("6b4b", "6B4B", "cafe", "CAFE0000")] == [
        "6b4b0000",
        "6B4B0000",
        "Cafe0000",
        "Cafe0000",
    ]
    assert deja("show", "6b4B").err.startswith(
        "Error: Several sessions have an id that begins with '6b4B', give more of it:\n"
    )


def test_a_fork_of_a_fork_names_where_each_part_is(deja: Run, built: Built) -> None:
    built.session("a", *turns("1", "2", at=TEN))
    built.session("b", *turns("3", at=TEN), forked_from="a", skipped=2)
    built.session("c", *turns("4", at=TEN), forked_from="b", skipped=3)
    built.session("d", *turns("4", at=TEN), forked_from="b", skipped=1)
    built.close()
    assert deja("show", "c").out.splitlines()[2] == (
        "Forked from b; its first 2 requests can be read in a, request 3 in b."
    )
    assert deja("show", "d").out.splitlines()[2] == "Forked from b; its first request can be read in a."
    assert json.loads(deja("show", "c", "--json").out)["copied_from"] == [
        {"session_id": "a", "first": 1, "last": 2},
        {"session_id": "b", "first": 3, "last": 3},
    ]


def test_a_file_that_is_not_there_now(deja: Run, built: Built, home: Path) -> None:
    there = home / "events.jsonl"
    there.touch()
    for sid, paths in (("a", [home / "gone"]), ("b", [home / "gone2", there])):
        session = built.session(sid, *turns("x", at=TEN))
        for path in paths:
            built.source(str(path), [], session)
    built.close()
    assert deja("show", "a").out.splitlines()[2] == ("No longer on disk: its file isn't where it was when it was read.")
    assert deja("show", "b").out.splitlines()[2] == ""
    assert [json.loads(deja("show", sid, "--json").out)["gone"] for sid in "ab"] == [True, False]
    assert "\n- Status: no longer on disk\n" in deja("export", "a").out
    assert deja("sessions").out == (
        "b  2026-02-20 10:00:00  cli  1 turn  src/app  x\n"
        "a  2026-02-20 10:00:00  cli  1 turn  src/app  x  (no longer on disk)\n"
    )
