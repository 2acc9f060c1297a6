"""A chat's log of changes: each kind, against a plain model; what is broken; what would blow memory."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.sources.chats.mutation_log import Replayed, replay
from deja_hooks.sources.model import Tally

START = {"kind": 0, "v": {"a": [1, 2], "b": {"c": "x"}}}


def write(folder: Path, *records: Any, name: str = "s.jsonl") -> Path:
    path = folder / name
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def state_of(folder: Path, *records: Any) -> Any:
    return replay(write(folder, *records), None).state


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"kind": 1, "k": ["b", "c"], "v": "y"}, {"a": [1, 2], "b": {"c": "y"}}),
        ({"kind": 1, "k": ["b", "d"], "v": None}, {"a": [1, 2], "b": {"c": "x", "d": None}}),
        ({"kind": 1, "k": ["b", "c"]}, {"a": [1, 2], "b": {}}),
        ({"kind": 1, "k": ["a", 0], "v": [3]}, {"a": [[3], 2], "b": {"c": "x"}}),
        ({"kind": 1, "k": ["a", "1"], "v": 3}, {"a": [1, 3], "b": {"c": "x"}}),
        ({"kind": 1, "k": ["a", 4], "v": 5}, {"a": [1, 2, None, None, 5], "b": {"c": "x"}}),
        ({"kind": 1, "k": ["a", 0]}, {"a": [None, 2], "b": {"c": "x"}}),
        ({"kind": 1, "k": ["b", 7], "v": 1}, {"a": [1, 2], "b": {"c": "x", "7": 1}}),
        ({"kind": 1, "k": ["b", "__proto__"], "v": 1}, {"a": [1, 2], "b": {"c": "x", "__proto__": 1}}),
        ({"kind": 2, "k": ["a"], "v": [3, 4]}, {"a": [1, 2, 3, 4], "b": {"c": "x"}}),
        ({"kind": 2, "k": ["a"], "v": [3], "i": 1}, {"a": [1, 3], "b": {"c": "x"}}),
        ({"kind": 2, "k": ["a"], "i": 0}, {"a": [], "b": {"c": "x"}}),
        ({"kind": 2, "k": ["a"], "v": [3], "i": 4}, {"a": [1, 2, None, None, 3], "b": {"c": "x"}}),
        ({"kind": 2, "k": ["new"], "v": [3]}, {"a": [1, 2], "b": {"c": "x"}, "new": [3]}),
        ({"kind": 2, "k": ["new"]}, {"a": [1, 2], "b": {"c": "x"}, "new": []}),
        ({"kind": 3, "k": ["b", "c"]}, {"a": [1, 2], "b": {}}),
        ({"kind": 3, "k": ["b", "none"]}, {"a": [1, 2], "b": {"c": "x"}}),
        ({"kind": 3, "k": ["a", 0]}, {"a": [None, 2], "b": {"c": "x"}}),
        ({"kind": 0, "v": {"z": 1}}, {"z": 1}),
    ],
)
def test_one_change(tmp_path: Path, change: Any, expected: Any) -> None:
    replayed = replay(write(tmp_path, START, change), None)
    assert (replayed.state, replayed.tally, replayed.remarks) == (expected, Tally(lines=2, understood=2), ())


@pytest.mark.parametrize(
    "change",
    [
        {"kind": 1, "k": ["a", -1], "v": 1},
        {"kind": 1, "k": ["a", 1_000_000_000], "v": 1},
        {"kind": 1, "k": ["a", 10_003], "v": 1},
        {"kind": 1, "k": ["a", 1.5], "v": 1},
        {"kind": 1, "k": ["a", True], "v": 1},
        {"kind": 1, "k": ["b", None], "v": 1},
        {"kind": 1, "k": ["b", ["c"]], "v": 1},
        {"kind": 1, "k": ["a", "length"], "v": 0},
        {"kind": 1, "k": ["b", "c", "d"], "v": 1},
        {"kind": 1, "k": ["none", "c"], "v": 1},
        {"kind": 1, "k": ["a", 7, "c"], "v": 1},
        {"kind": 1, "k": [], "v": 1},
        {"kind": 1, "k": "b", "v": 1},
        {"kind": 1, "v": 1},
        {"kind": 2, "k": ["b"], "v": [1]},
        {"kind": 2, "k": ["b", "c"], "v": [1]},
        {"kind": 2, "k": ["a"], "v": "text"},
        {"kind": 2, "k": ["a"], "i": -1},
        {"kind": 2, "k": ["a"], "i": 1_000_000_000},
        {"kind": 2, "k": ["a"], "i": None},
        {"kind": 2, "k": ["new"], "i": 1_000_000_000},
        {"kind": 3, "k": ["none", "c"]},
        {"kind": 0, "v": [1]},
        {"kind": 0},
    ],
)
def test_a_change_that_cannot_be_made_changes_nothing_and_is_told(tmp_path: Path, change: Any) -> None:
    path = write(tmp_path, START, change, {"kind": 1, "k": ["b", "c"], "v": "z"})
    assert replay(path, None) == Replayed(
        {"a": [1, 2], "b": {"c": "z"}},
        Tally(lines=3, bad=1, understood=2),
        ("line 2 can't be applied",),
        path.stat().st_size,
    )


def test_a_bad_line_costs_itself_only(tmp_path: Path) -> None:
    path = write(
        tmp_path, {"kind": 1, "k": ["a"], "v": 1}, b"", START, b"{not json", b"[1]", {"kind": 2, "k": ["a"], "v": [3]}
    )
    assert replay(path, None) == Replayed(
        {"a": [1, 2, 3], "b": {"c": "x"}},
        Tally(lines=5, bad=3, understood=2),
        ("line 1 can't be applied", "line 4 is no JSON object", "line 5 is no JSON object"),
        path.stat().st_size,
    )


def test_remarks_are_few(tmp_path: Path) -> None:
    remarks = replay(write(tmp_path, START, *[b"x"] * 20), None).remarks
    assert remarks == (
        *(f"line {number} is no JSON object" for number in range(2, 10)),
        "12 more lines can't be read or applied",
    )


def test_unknown_kinds_are_named(tmp_path: Path) -> None:
    odd = [{"kind": 9}, {"kind": "new"}, {"kind": True}, {"kind": 1.0}, {"v": 1}, {"kind": 9}]
    assert replay(write(tmp_path, START, *odd), None).tally == Tally(
        lines=7, understood=1, unknown=6, names=("kind 9", "kind new", "kind True", "no kind")
    )


def test_the_draft_is_never_looked_into(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {"kind": 0, "v": {"inputState": {"label": "me"}, "a": 1}},
        {"kind": 1, "k": ["inputState", "inputText"], "v": "dear"},
        {"kind": 1, "k": ["inputState"], "v": {"label": "me"}},
        {"kind": 2, "k": ["inputState", "selections"], "v": [1]},
    )
    replayed = replay(path, None)
    assert (replayed.state, replayed.tally) == ({"a": 1}, Tally(lines=4, understood=4))
    flat = write(tmp_path, {"inputState": {"label": "me"}, "a": 1}, name="s.json")
    assert replay(flat, None).state == {"a": 1}


@pytest.mark.parametrize("torn", [b"", b'{"kind":1,"k":["b","c"', b"\0\0\0", b"[", b"{"])
def test_a_torn_last_line_is_forgiven(tmp_path: Path, torn: bytes) -> None:
    path = write(tmp_path, START)
    path.write_bytes(path.read_bytes() + torn)
    assert replay(path, None) == Replayed(START["v"], Tally(lines=1, understood=1), (), path.stat().st_size)


def test_a_last_line_that_is_whole_counts(tmp_path: Path) -> None:
    path = write(tmp_path, START, {"kind": 1, "k": ["b"], "v": 1})
    path.write_bytes(path.read_bytes()[:-1])
    assert replay(path, None).state == {"a": [1, 2], "b": 1}


def test_only_the_bytes_that_exist_for_this_reading(tmp_path: Path) -> None:
    path = write(tmp_path, START, {"kind": 1, "k": ["b"], "v": 1})
    limit = len(json.dumps(START)) + 5
    assert replay(path, limit) == Replayed(START["v"], Tally(lines=1, understood=1), (), limit)


def test_holes_are_bounded_in_all(tmp_path: Path) -> None:
    growing = [{"kind": 1, "k": ["a", 9_000 * (n + 1)], "v": 1} for n in range(200)]
    replayed = replay(write(tmp_path, START, *growing), None)
    assert (len(replayed.state["a"]), replayed.tally.bad) == (999_001, 89)


def test_a_line_too_long(tmp_path: Path) -> None:
    mebi = 1 << 20
    big = {"kind": 1, "k": ["b"], "v": "y" * 3 * mebi}
    path = write(tmp_path, START, big, {"kind": 2, "k": ["a"], "v": [3]})
    assert replay(path, None, longest=mebi) == Replayed(
        {"a": [1, 2, 3], "b": {"c": "x"}},
        Tally(lines=3, bad=1, understood=2),
        ("line 2 is longer than 1 MiB",),
        path.stat().st_size,
    )
    unfinished = write(tmp_path, START, big)
    unfinished.write_bytes(unfinished.read_bytes()[:-1])
    assert replay(unfinished, None, longest=mebi).remarks == ("line 2 is longer than 1 MiB",)


BIG = {"kind": 0, "v": {"a": "x" * 300}}


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("s.jsonl", b"", "the file is empty"),
        ("s.json", b"", "the file is empty"),
        ("s.jsonl", bytes(100), "no line gives the chat's state (kind 0)"),
        ("s.json", bytes(4096), "the document is longer than 200 bytes: it can't be read"),
        ("s.json", bytes(100), "the file is no JSON object"),
        ("s.json", b'{"requests": [', "the file is no JSON object"),
        ("s.json", b"[1]", "the file is no JSON object"),
        ("s.jsonl", b"\n\n", "no line gives the chat's state (kind 0)"),
        ("s.jsonl", b'{"kind":1,"k":["a"],"v":1}\n', "no line gives the chat's state (kind 0)"),
        ("s.jsonl", b'{"kind":0,"v":{"a', "no line gives the chat's state (kind 0)"),
        (
            "s.jsonl",
            json.dumps(BIG).encode() + b'\n{"kind":1,"k":["a"],"v":1}\n',
            "line 1 is longer than 200 bytes: the chat can't be read without it",
        ),
        (
            "s.jsonl",
            b"\n" + json.dumps(BIG).encode(),
            "line 2 is longer than 200 bytes: the chat can't be read without it",
        ),
    ],
)
def test_a_file_without_any_state(tmp_path: Path, name: str, content: bytes, sentence: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r".") as raised:
        replay(path, None, longest=200)
    assert str(raised.value) == sentence


@pytest.mark.parametrize("beginning", [b"", b"\xef\xbb\xbf"])
def test_a_document_is_the_state(tmp_path: Path, beginning: bytes) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(beginning + json.dumps({"requests": [{"a": "é"}]}, indent=2).encode())
    assert replay(path, None) == Replayed(
        {"requests": [{"a": "é"}]}, Tally(lines=1, understood=1), (), path.stat().st_size
    )


# The plain model: JavaScript's own semantics over copies, one rule after the other.


class RefusedError(Exception):
    """A change that JavaScript would throw at, or that asks for too many holes."""


def _at(holder: Any, key: Any) -> Any:
    if isinstance(holder, dict) and isinstance(key, (str, int)) and not isinstance(key, bool):
        return holder.get(str(key))
    if isinstance(holder, list) and isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(holder):
        return holder[key]
    return None


def _assign(holder: Any, key: Any, value: Any, *, undefined: bool) -> None:
    if isinstance(key, bool) or not isinstance(key, (str, int)):
        raise RefusedError
    if isinstance(holder, dict):
        holder[str(key)] = value
        if undefined:
            del holder[str(key)]
    elif isinstance(holder, list) and isinstance(key, int) and 0 <= key <= len(holder) + 9_999:
        while len(holder) <= key:
            holder.append(None)
        holder[key] = None if undefined else value
    else:
        raise RefusedError


def _changed(state: Any, record: dict[str, Any]) -> Any:
    state = copy.deepcopy(state)
    path, kind = record["k"], record["kind"]
    if state is None or not path:
        raise RefusedError
    holder = state
    for key in path[:-1]:
        holder = _at(holder, key)
    if kind != 2:
        _assign(holder, path[-1], record.get("v"), undefined=kind == 3 or "v" not in record)
        return state
    array = _at(holder, path[-1])
    if not isinstance(array, list):
        if array or isinstance(array, dict):
            raise RefusedError
        array = []
    if "i" in record:
        if not 0 <= record["i"] <= len(array) + 10_000:
            raise RefusedError
        while len(array) < record["i"]:
            array.append(None)
        del array[record["i"] :]
    _assign(holder, path[-1], array + record.get("v", []), undefined=False)
    return state


def modelled(content: bytes) -> Any:
    state = None
    *lines, tail = content.split(b"\n")
    for line in [*lines, tail]:
        try:
            record = json.loads(line)
            state = copy.deepcopy(record["v"]) if record["kind"] == 0 else _changed(state, record)
        except (ValueError, RefusedError):
            continue
    return state


KEYS = st.sampled_from(["a", "b", "c", 0, 1, 2, 5, -1, 20_000, True])
VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, "", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
STATES = st.dictionaries(st.sampled_from("abc"), VALUES, max_size=3)
PATHS = st.lists(KEYS, max_size=3)
RECORDS = st.one_of(
    st.fixed_dictionaries({"kind": st.just(0), "v": STATES}),
    st.fixed_dictionaries({"kind": st.just(1), "k": PATHS}, optional={"v": VALUES}),
    st.fixed_dictionaries(
        {"kind": st.just(2), "k": PATHS},
        optional={"v": st.lists(VALUES, max_size=3), "i": st.sampled_from([-1, 0, 1, 2, 4, 99_999])},
    ),
    st.fixed_dictionaries({"kind": st.just(3), "k": PATHS}),
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=STATES, records=st.lists(RECORDS, max_size=12), cut=st.integers(0, 400), end=st.sampled_from([b"", b"\n"]))
def test_any_log_cut_anywhere_gives_what_the_model_gives(
    tmp_path: Path, first: Any, records: list[Any], cut: int, end: bytes
) -> None:
    content = b"\n".join(json.dumps(record).encode() for record in [{"kind": 0, "v": first}, *records]) + end
    content = content[: max(0, len(content) - cut)]
    path = tmp_path / "s.jsonl"
    path.write_bytes(content)
    expected = modelled(content)
    if expected is None:
        with pytest.raises(ValueError, match=r"."):
            replay(path, None)
    else:
        assert replay(path, None).state == expected


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.lists(st.binary(max_size=60) | RECORDS.map(lambda each: json.dumps(each).encode()), max_size=6))
def test_nothing_that_a_file_holds_is_raised_but_as_a_sentence(tmp_path: Path, content: list[bytes]) -> None:
    for name in ("s.jsonl", "s.json"):
        (tmp_path / name).write_bytes(b"\n".join(content))
        try:
            tally = replay(tmp_path / name, None).tally
        except ValueError:
            continue
        assert tally.lines == tally.bad + tally.understood + tally.unknown
