"""Which chat is whose fork, whatever the order in which they came."""

from __future__ import annotations

import sqlite3
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.memory.forks import changed_forks, first_request, request_keys
from deja_hooks.memory.schema import SCHEMA


def memory(*sessions: tuple[str, int, str, str, int]) -> sqlite3.Connection:
    """A memory with these sessions: id, start, requests (a letter each), origin, skip."""
    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    db.execute("INSERT INTO project(id, key, label) VALUES (1, '', '')")
    for sid, started, requests, origin, skip in sessions:
        keys = request_keys([f"request_{letter}" for letter in requests])
        db.execute(
            "INSERT INTO session(sid, host, store, project, cwd, branch, title, started, updated, turns, places,"
            " requests, first_request, forked_from, skipped)"
            " VALUES (?, 'vscode', 'vscode-chat', 1, '', '', '', ?, 0, 0, 0, ?, ?, ?, ?)",
            (sid, started, keys, first_request(keys), origin, skip),
        )
    return db


def found(db: sqlite3.Connection, *letters: str) -> dict[str, tuple[str, int]]:
    firsts = [first_request(request_keys([f"request_{letter}"])) for letter in letters]
    names = dict(db.execute("SELECT id, sid FROM session"))
    forks = changed_forks(db, [first for first in firsts if first is not None])
    return {names[fork.session]: (fork.origin, fork.skip) for fork in forks}


def test_no_request_no_key() -> None:
    assert (request_keys([]), first_request(None)) == (None, None)


def test_the_younger_one_is_the_fork_whatever_the_order() -> None:
    chats = [("a", 10, "xyz", "", 0), ("b", 20, "xyq", "", 0), ("c", 30, "xyqr", "", 0), ("d", 40, "p", "", 0)]
    for order in permutations(chats):
        assert found(memory(*order), "x", "p") == {"b": ("a", 2), "c": ("b", 3)}


def test_what_is_stored_so_already_is_left_alone() -> None:
    assert found(memory(("a", 10, "xyz", "", 0), ("b", 20, "xyq", "a", 2)), "x") == {}


def test_a_fork_is_whole_again_without_its_origin() -> None:
    assert found(memory(("b", 20, "xyq", "a", 2)), "x") == {"b": ("", 0)}


def test_of_the_same_moment_the_name_decides() -> None:
    assert found(memory(("b", 10, "xy", "", 0), ("a", 10, "xy", "", 0)), "x") == {"b": ("a", 2)}


def test_only_those_that_were_asked_for() -> None:
    db = memory(("a", 10, "x", "", 0), ("b", 20, "x", "", 0))
    assert (found(db, "y"), changed_forks(db, [])) == ({}, [])


@given(st.lists(st.text("xy", min_size=1, max_size=4), min_size=1, max_size=5))
def test_every_request_is_stored_once(histories: list[str]) -> None:
    """Once the forks are set: the sessions' own requests are all different beginnings, and nothing more changes."""
    db = memory(*[(str(n), n, history, "", 0) for n, history in enumerate(histories)])
    firsts = [key for (key,) in db.execute("SELECT DISTINCT first_request FROM session")]
    for fork in changed_forks(db, firsts):
        db.execute("UPDATE session SET forked_from=?, skipped=? WHERE id=?", (fork.origin, fork.skip, fork.session))
    assert changed_forks(db, firsts) == []
    skips = dict(db.execute("SELECT sid, skipped FROM session"))
    own = [history[:end] for n, history in enumerate(histories) for end in range(skips[str(n)] + 1, len(history) + 1)]
    assert sorted(own) == sorted(set(own))
    assert set(own) == {history[:end] for history in histories for end in range(1, len(history) + 1)}
