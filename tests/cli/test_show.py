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
