"""The log of marks: whole, private, and patient with what it doesn't know."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.marks.log import _line, _parsed, append, append_and_cut, locked, read_log
from deja_hooks.marks.model import KINDS, Forgotten, Mark, new_id
from deja_hooks.memory.layout import Layout

texts = st.text(max_size=20)
numbers = st.integers(0, 1 << 60)
marks = st.builds(
    Mark,
    id=texts,
    at=numbers,
    kind=st.sampled_from(KINDS),
    session=texts,
    projects=st.lists(texts, max_size=2).map(tuple),
    folder=texts,
    text=texts,
    sessions=st.just(()),
    since=st.none(),
    undoes=texts,
)
forgets = st.builds(
    Mark,
    id=texts,
    at=numbers,
    kind=st.just("forget"),
    projects=st.lists(texts, max_size=2).map(tuple),
    sessions=st.lists(st.builds(Forgotten, texts, numbers, st.binary(max_size=24)), max_size=3).map(tuple),
    since=st.none() | numbers,
    rule=st.booleans(),
)


@given(marks | forgets)
def test_a_line_gives_the_mark_back(mark: Mark) -> None:
    line = _line(mark)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert _parsed(line) == mark


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_other_line_is_none(line: bytes) -> None:
    assert _parsed(line) is None
    assert _parsed(b'{"id": "x", "at": "now", "kind": "promote"}') is None
    assert _parsed(b'{"id": "x", "at": 1, "kind": "adore"}') is None
    assert _parsed(b'{"id": "x", "at": 1, "kind": "forget", "sessions": [["s", 1, "!"]]}') is None


def test_what_is_not_known_stays_where_it_is(tmp_path: Path) -> None:
    layout = Layout(str(tmp_path / "cache"), str(tmp_path))
    Path(layout.marks).write_bytes(b'{"kind": "adore"}\n{"torn')
    note, undo = Mark("a", 1, "remember", text="secret"), Mark("b", 2, "undo", undoes="a")
    append(layout, note)
    assert read_log(layout) == [note]
    append_and_cut(layout, undo, lambda mark: mark.id == "a")
    assert read_log(layout) == [note._replace(text=""), undo]
    assert Path(layout.marks).read_bytes().startswith(b'{"kind": "adore"}\n{"torn\n')
    assert [path.name for path in tmp_path.iterdir()] == ["marks.jsonl"]


def test_many_at_once(tmp_path: Path) -> None:
    layout = Layout(str(tmp_path / "cache"), str(tmp_path / "config"))

    def add(number: int) -> None:
        with locked(layout):
            append(layout, Mark(f"m{number}", number, "promote", session="x" * 5_000))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(12)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(mark.at for mark in read_log(layout)) == list(range(12))


def test_ids_are_short_and_never_given_twice() -> None:
    taken: set[str] = set()
    for number in range(300):
        taken.add(new_id(1, f"words {number // 3}", taken))
    assert (len(taken), {len(each) for each in taken}) == (300, {3})


def test_bytes_that_are_no_text_are_marked(tmp_path: Path) -> None:
    """An argument or a folder's name of another encoding must not stop each later pass."""
    layout = Layout(str(tmp_path / "cache"), str(tmp_path / "config"))
    mark = Mark("a1b", 7, "remember", projects=("dir:/caf\udce9",), folder="/caf\udce9", text="caf\udce9")
    with locked(layout):
        append(layout, mark)
    assert read_log(layout) == [mark._replace(projects=("dir:/caf\ufffd",), folder="/caf\ufffd", text="caf\ufffd")]


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":"a","at":7,"kind":"remember","text":"\\ud800"}',
        b'{"id":"a","at":7,"kind":"promote","session":"\\ud800"}',
        b'{"id":"a","at":99999999999999999999999999,"kind":"remember","text":"x"}',
    ],
)
def test_what_no_database_holds_counts_for_nothing(line: bytes) -> None:
    assert _parsed(line) is None
