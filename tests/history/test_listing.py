from collections.abc import Iterator
from pathlib import Path

import pytest

from deja_hooks.history.listing import Wanted, list_sessions, project_name
from deja_hooks.history.mentions import Mention
from deja_hooks.memory.scope import project_key
from tests.support.built import Built, edit, turns


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    made = Built(tmp_path / "memory.db")
    yield made
    made.close()


def _found(built: Built, limit: "int | None" = None, **wanted: object) -> list[str]:
    return [each.sid for each in list_sessions(built.db, Wanted(**wanted), limit)]  # type: ignore[arg-type]


def test_the_last_active_first_and_of_one_moment_the_last_stored(built: Built) -> None:
    for sid, at in (("a", 5), ("b", 9), ("c", 5), ("d", 0)):
        built.session(sid, *turns("x", at=at))
    built.session("e", started=7)
    assert _found(built) == ["b", "e", "c", "a", "d"]
    assert _found(built, 2) == ["b", "e"]


def test_a_session_counts_for_all_of_its_time(built: Built) -> None:
    built.session("a", *turns("x"), started=10, updated=20)
    built.session("b", *turns("x"))
    assert _found(built, since=20) == ["a"]
    assert _found(built, since=21) == []
    assert _found(built, until=11) == ["a"]
    assert _found(built, until=10) == []
    assert _found(built, since=15, until=16) == ["a"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Größe", "GRÖSSE"),
        ("cafe\u0301", "CAFÉ"),
        ("\uff32\uff25\uff34\uff32\uff39", "retry"),
        ("Привет", "привет"),
        ("重试预算", "预算"),
        ("retry_budget", "Budget"),
    ],
)
def test_words_in_any_script_and_case(built: Built, text: str, word: str) -> None:
    built.session("a", {"user": "x", "assistant": f"The {text} is 3."}, title="t")
    assert _found(built, words=(word,)) == ["a"]
    assert _found(built, words=(word, "absent")) == []


def test_words_of_work_are_not_said(built: Built) -> None:
    built.session("a", {"user": "x", "work": [edit("secret_name.py", "", "hidden")]})
    assert _found(built, words=("secret_name",)) == []
    assert _found(built, words=("hidden",)) == []


def test_a_file_by_its_path_on_windows(built: Built) -> None:
    built.session("a", {"user": "x", "files": ["c:\\other\\pool.py"]}, key="dir:c:\\dev\\app")
    assert _found(built, file="pool.py") == ["a"]
    assert _found(built, file="other/pool.py") == ["a"]
    assert _found(built, file="C:\\Other\\pool.py") == ["a"]
    assert _found(built, file="C:\\pool.py") == []


def test_a_file_by_its_whole_path_below_each_folder_of_the_project(built: Built, tmp_path: Path) -> None:
    main = tmp_path / "main"
    (main / ".git").mkdir(parents=True)
    key = project_key(str(main))
    built.session("a", {"user": "x", "work": [edit("src/a.py", "", "b")]}, key=key, cwd=str(main / "src"))
    built.session("b", {"user": "x", "files": ["src/a.py"]}, key="dir:/other", cwd="/other")
    assert _found(built, file=str(main / "src" / "a.py")) == ["a"]
    assert _found(built, file="/other/src/a.py") == ["b"]
    assert _found(built, file="src/a.py") == ["b", "a"]


def test_all_that_is_wanted_holds(built: Built) -> None:
    built.session("a", *turns("See #1 and PR 2"), archived=1)
    built.session("b", *turns("See #1"), archived=0)
    both = (Mention("issue", 1), Mention("pull", 2))
    assert _found(built, mentioned=both) == ["a"]
    assert _found(built, mentioned=both[:1], archived=False) == ["b"]
    assert _found(built, mentioned=both, words=("absent",)) == []


def test_project_name() -> None:
    assert [project_name("", ""), project_name("dir:/", ""), project_name("dir:/a/b", "a/b")] == ["-", "/", "a/b"]
