import json
from pathlib import Path

import pytest

from .conftest import Result, Run
from .sessions import answered, login_session, said, write_session

ID = "aaaa1111-0000-4000-8000-000000000001"


@pytest.fixture
def memory(deja: Run, home: Path) -> None:
    login_session(home)
    for number in (1, 2):
        name = f"bbbb{number}000-0000-4000-8000-000000000000"
        write_session(home, name, home / "src" / "app", said(f"Question {number}"), answered("Answer \x1b[31m."))
    deja("index")


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
        "project": "src/app",
        "cwd": str(home / "src" / "app"),
        "branch": "main",
        "title": "Why does refresh_session time out?",
        "started": "2026-02-20T10:00:00.000+00:00",
        "updated": "2026-02-20T10:09:00.000+00:00",
        "turns": [
            {
                "at": "2026-02-20T10:01:00.000+00:00",
                "user": "Why does refresh_session time out?",
                "assistant": "I will run the tests.\n\n"
                "We decided to use `RetryPolicy` with 3 tries.\nThe pool was too small.",
                "work": [
                    {
                        "kind": "command",
                        "path": "",
                        "command": "pytest tests/test_login.py",
                        "exit": 1,
                        "failure": "ModuleNotFoundError: No module named 'redis'",
                    }
                ],
            },
            {
                "at": "2026-02-20T10:06:00.000+00:00",
                "user": "Do it",
                "assistant": "Done.",
                "work": [{"kind": "edit", "path": "login.py", "command": "", "exit": None, "failure": ""}],
            },
        ],
    }


def test_text_cannot_steer_the_terminal(deja: Run, memory: None) -> None:
    assert deja("show", "bbbb1").out.endswith("  > Question 1\n    Answer \ufffd[31m.\n")


HOSTILE = "\x1b]0;pwn\x07Tune\u202e\nretry"


@pytest.fixture
def hostile(deja: Run, home: Path) -> None:
    """Two sessions whose ids, title, branch and project would steer the terminal."""
    for number in (1, 2):
        path = write_session(home, f"e{number}\x1b[2J", home / "src" / "\x1b[41mapp", said(HOSTILE), answered("Yes."))
        path.write_text(path.read_text().replace('"branch": "main"', '"branch": "x\\u001b[7m"'))
    deja("index")


@pytest.mark.parametrize(
    "arguments",
    [("show", "e1"), ("show", "e"), ("show", "\x1b"), ("search", "--all", "retry"), ("search", "--all", "tune")],
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
    assert heading == "Error: Several sessions have an id that begins with 'e':"
    assert sorted(names) == [f"  e{n}\ufffd[2J  \ufffd]0;pwn\ufffdTune\ufffd retry" for n in (1, 2)]


def test_an_id_that_is_not_utf8(deja: Run, memory: None) -> None:
    assert deja("show", "\udcff") == Result(
        1, "", "Error: '\\udcff' is not valid UTF-8, as ids are: deja-hooks search finds ids.\n"
    )


def test_an_ambiguous_id_names_the_sessions(deja: Run, memory: None) -> None:
    result = deja("show", "bbbb")
    assert (result.code, result.out) == (1, "")
    heading, *names = result.err.splitlines()
    assert heading == "Error: Several sessions have an id that begins with 'bbbb':"
    assert sorted(names) == [
        "  bbbb1000-0000-4000-8000-000000000000  Question 1",
        "  bbbb2000-0000-4000-8000-000000000000  Question 2",
    ]


@pytest.mark.parametrize("prefix", ["cccc", "", "%"])
def test_an_unknown_id(deja: Run, memory: None, prefix: str) -> None:
    said = f"Error: No session has an id that begins with {prefix!r}: deja-hooks search finds ids.\n"
    assert deja("show", prefix) == Result(1, "", said)


def test_a_broken_memory(deja: Run, home: Path, memory: None) -> None:
    path = home / "deja" / "cache" / "memory.db"
    path.write_bytes(b"not a database" * 1000)
    said = f"Error: {path} can't be read, or is of another version: run deja-hooks index.\n"
    assert deja("show", "aaaa") == Result(1, "", said)
