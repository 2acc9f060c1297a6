import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from .conftest import NOW_MS, Result, Run
from .sessions import login_session


class Hit(NamedTuple):
    """What the ranking gives (`recall.search.Hit`)."""

    session_id: str = "aaaa1111"
    host: str = "cli"
    project: str = "src/app"
    title: str = "Login times out"
    date: str = "2026-02-20"
    score: float = 7.123456
    text: str = "We decided to use RetryPolicy.\nThe pool was too small."
    confidence: float = 0.91
    reasons: tuple[str, ...] = ("login",)
    mark: str = ""
    note: str = ""


AS_JSON = {
    "session_id": "aaaa1111",
    "host": "cli",
    "project": "src/app",
    "title": "Login times out",
    "date": "2026-02-20",
    "score": 7.1235,
    "text": "We decided to use RetryPolicy.\nThe pool was too small.",
    "confidence": 0.91,
    "reasons": ["login"],
    "mark": None,
}


@pytest.fixture
def asked(deja: Run, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """An empty memory whose ranking finds one session for "login", and notes what it was asked."""
    questions: list[dict[str, Any]] = []

    def search(memory: object, query: str, **more: Any) -> list[Hit]:
        questions.append({"query": query, **more})
        return [Hit()] if "login" in query else []

    module = ModuleType("deja_hooks.recall.search")
    module.search = search  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "deja_hooks.recall.search", module)
    deja("index")
    return questions


def test_no_memory(deja: Run) -> None:
    assert deja("search", "x") == Result(1, "", "Error: There is no memory yet: run deja-hooks index.\n")


def test_this_project(deja: Run, home: Path, asked: list[dict[str, Any]]) -> None:
    assert deja("search", "login", "timeout", "--limit", "3") == Result(
        0,
        "Login times out\n"
        "2026-02-20  cli  aaaa1111  confidence 0.91 (login)\n"
        "    We decided to use RetryPolicy.\n"
        "    The pool was too small.\n"
        "\n",
    )
    key = f"dir:{home}/src/app"
    assert asked == [{"query": "login timeout", "project_key": key, "limit": 3, "now_ms": NOW_MS}]


def test_all_projects(deja: Run, asked: list[dict[str, Any]]) -> None:
    assert deja("search", "--all", "login").out.splitlines()[1] == (
        "2026-02-20  cli  src/app  aaaa1111  confidence 0.91 (login)"
    )
    assert asked[0]["project_key"] is None


def test_nothing_found(deja: Run, asked: list[dict[str, Any]]) -> None:
    said = "No session shares a term with that."
    assert deja("search", "x") == Result(
        0, "There is no session of this folder's project. (--all looks in all projects.)\n"
    )
    assert deja("search", "x", "--all") == Result(0, f"{said}\n")
    assert deja("search", "x", "--json") == Result(0, "[]\n")


def test_json(deja: Run, asked: list[dict[str, Any]]) -> None:
    assert json.loads(deja("search", "login", "--json").out) == [AS_JSON]


def test_queries_from_stdin(deja: Run, asked: list[dict[str, Any]]) -> None:
    result = deja("search", "-", stdin="login now\n\nother\n")
    assert [json.loads(line) for line in result.out.splitlines()] == [
        {"query": "login now", "hits": [AS_JSON]},
        {"query": "", "hits": []},
        {"query": "other", "hits": []},
    ]
    assert [question["query"] for question in asked] == ["login now", "other"]


def test_a_query_is_needed(deja: Run) -> None:
    assert deja("search").code == 2


def test_the_real_ranking(deja: Run, home: Path) -> None:
    login_session(home)
    deja("index")
    [hit] = json.loads(deja("search", "--json", "RetryPolicy").out)
    assert (hit.pop("score") > 0, hit) == (
        True,
        {
            "session_id": "aaaa1111-0000-4000-8000-000000000001",
            "host": "cli",
            "project": "src/app",
            "title": "Why does refresh_session time out?",
            "date": "2026-02-20",
            "text": "We decided to use `RetryPolicy` with 3 tries.",
            "confidence": 0.98,
            "reasons": ["RetryPolicy"],
            "mark": None,
        },
    )
    assert json.loads(deja("search", "--json", "kubernetes").out) == []
    [answer] = deja("search", "-", stdin="RetryPolicy\n").out.splitlines()
    assert [each["session_id"] for each in json.loads(answer)["hits"]] == [hit["session_id"]]


def test_what_the_user_decided_is_shown(deja: Run, home: Path) -> None:
    login_session(home)
    deja("index")
    assert deja("reject", "aaaa1111", "--note", "never shipped").code == 0
    deja("index")
    assert deja("search", "RetryPolicy").out.splitlines()[2] == "rejected: never shipped"
    [hit] = json.loads(deja("search", "--json", "RetryPolicy").out)
    assert hit["mark"] == {"kind": "reject", "note": "never shipped"}


def test_no_term_is_shared(deja: Run, home: Path) -> None:
    login_session(home)
    deja("index")
    assert deja("search", "zanzibar") == Result(
        0, "No session shares a term with that. (--all looks in all projects.)\n"
    )
