"""JSON with comments: every part at its place, and nothing else let through."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.jsonc import BOM, Comment, Element, Member, Text, parse
from tests.hosts.jsonc_texts import texts

FILE = Path("/h/mcp.json")


def test_parts_and_places() -> None:
    data = BOM + '{ /* é */ "a": {"b": [1, -2.5e1,],},\r\n// end\r\n}'.encode()
    numbers = [Element(1, 26, 27), Element(-25.0, 29, 35)]
    items = tuple(Member("", number, number.start, number.end + 1) for number in numbers)
    inner = Element([1, -25.0], data.index(b"["), data.index(b"]") + 1, items=items)
    member = Member("b", inner, data.index(b'"b"'), inner.end + 1)
    middle = Element({"b": [1, -25.0]}, data.index(b'{"b"'), inner.end + 2, (member,))
    outer = Member("a", middle, data.index(b'"a"'), middle.end + 1)
    comments = (Comment(5, 13, False), Comment(data.index(b"//"), data.index(b"// end") + 6, True))
    assert parse(FILE, data) == Text(data, Element({"a": {"b": [1, -25.0]}}, 3, len(data), (outer,)), comments)


@pytest.mark.parametrize("data", [b"", b" \r\n", BOM, b"// nothing\n/* at all */"])
def test_a_text_without_a_value_is_no_error(data: bytes) -> None:
    assert parse(FILE, data).root is None


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("{", 1, 2),
        ("[]", 1, 1),
        ("null", 1, 1),
        ("{}{", 1, 3),
        ("{} ) (", 1, 1),
        ("{,}", 1, 2),
        ('{"a": 1,, "b": 2}', 1, 9),
        ('{"a" 1}', 1, 2),
        ('{"é": 1,\n  a: 1}', 2, 3),
        ("{'a': 1}", 1, 2),
        ('{"a": 0x1}', 1, 7),
        ('{"a": +1}', 1, 7),
        ('{"a": [1,,2]}', 1, 10),
        ('{"a": `x`}', 1, 7),
        ('{"a": undefined}', 1, 7),
        ('{"a": {...b}}', 1, 8),
        ("{get x() { return 1 }}", 1, 2),
        ("<!-- no", 1, 1),
        ('{"a": "\\x41"}', 1, 7),
    ],
)
def test_what_is_no_json_is_named(text: str, line: int, column: int) -> None:
    with pytest.raises(HookFileError) as caught:
        parse(FILE, text.encode())
    assert str(caught.value) == (
        f"{FILE} is not a JSON object with comments (line {line}, column {column}): "
        "mend it, or move it away, and try again."
    )


def test_other_bytes_and_depths_are_named() -> None:
    with pytest.raises(HookFileError, match=r"mcp\.json is not UTF-8 \(invalid start byte\): save it as such"):
        parse(FILE, b"\xff\xfe{}")
    with pytest.raises(HookFileError, match=r"mcp\.json is nested too deeply: mend it"):
        parse(FILE, b'{"a":' + b"[" * 3000 + b"]" * 3000 + b"}")


_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), _values, max_size=4), st.booleans(), st.sampled_from([None, 1, "\t"]))
def test_json_reads_as_json_does(value: dict[str, Any], plain: bool, indent: int | str | None) -> None:
    written = json.dumps(value, ensure_ascii=plain, indent=indent)
    if plain or written.encode(errors="replace").decode() == written:
        root = parse(FILE, written.encode()).root
        assert root is not None
        assert root.value == json.loads(written)


@given(texts())
def test_each_place_holds_what_it_says(text: str) -> None:
    read = parse(FILE, text.encode())
    todo = list(read.root.members) if read.root else []
    while todo:
        member = todo.pop()
        start = read.data[member.start : member.end].partition(b":")[0]
        assert json.loads(start[: start.rindex(b'"') + 1]) == member.key
        assert member.comma is None or read.data[member.comma - 1 : member.comma] == b","
        assert read.data[member.element.start : member.end].strip() == read.data[member.element.start : member.end]
        todo += member.element.members
    for comment in read.comments:
        assert read.data[comment.start : comment.start + 2] == (b"//" if comment.to_line_end else b"/*")
