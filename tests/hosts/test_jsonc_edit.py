"""One member in, one member out: the neighbours' bytes stay."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.hosts.jsonc import parse
from deja_hooks.hosts.jsonc_edit import Piece, put_in, take_back, with_member, without_members
from tests.hosts.jsonc_texts import texts

FILE = Path("/h/mcp.json")
VALUE = {"command": "é", "args": ["x"]}


def _put(text: str) -> str:
    return put_in(text.encode(), with_member(parse(FILE, text.encode()), "servers", "deja", VALUE)).decode()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "",
            '{\n  "servers": {\n    "deja": {\n      "command": "é",\n      "args": [\n        "x"\n      ]\n'
            "    }\n  }\n}\n",
        ),
        ('{"a": 1}', '{"a": 1, "servers": {"deja": {"command": "é", "args": ["x"]}}}'),
        ('{"servers":{}}', '{"servers":{"deja": {"command": "é", "args": ["x"]}}}'),
        ('{"servers": {"a": 1, },}', '{"servers": {"a": 1, "deja": {"command": "é", "args": ["x"]}, },}'),
        (
            '{\r\n\t"servers": {\r\n\t\t"a": {} // why\r\n\t}\r\n}\r\n',
            '{\r\n\t"servers": {\r\n\t\t"a": {}, // why\r\n\t\t"deja": {\r\n\t\t\t"command": "é",\r\n'
            '\t\t\t"args": [\r\n\t\t\t\t"x"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n',
        ),
        (
            '{\n "servers": {\n  "a": {}, // why\n },\n}',
            '{\n "servers": {\n  "a": {}, // why\n  "deja": {\n   "command": "é",\n   "args": [\n    "x"\n   ]\n'
            "  },\n },\n}",
        ),
        (
            '{\n  "servers": {\n  }\n}',
            '{\n  "servers": {\n    "deja": {\n      "command": "é",\n      "args": [\n        "x"\n      ]\n'
            "    }\n  }\n}",
        ),
        (
            "// mine",
            '// mine\n{\n  "servers": {\n    "deja": {\n      "command": "é",\n      "args": [\n        "x"\n      ]\n'
            "    }\n  }\n}\n",
        ),
    ],
)
def test_it_is_written_as_its_neighbours_are(before: str, after: str) -> None:
    assert _put(before) == after


@given(texts(ours=False))
def test_in_and_out_gives_the_same_bytes(text: str) -> None:
    data = text.encode()
    read = parse(FILE, data)
    sections = [each.element for each in (read.root.members if read.root else ()) if each.key == "servers"]
    pieces = with_member(read, "servers", "deja", VALUE)
    after = put_in(data, pieces)
    was = read.root.value if read.root else {}
    now = parse(FILE, after).root
    assert now is not None
    assert now.value == {**was, "servers": {**(sections[-1].value if sections else {}), "deja": VALUE}}
    assert list(now.value) == list(dict.fromkeys([*was, "servers"]))
    assert take_back(after, pieces) == data


def test_what_stands_elsewhere_is_not_taken_back() -> None:
    assert take_back(b'{"b": 1}', [Piece(1, '"a": 1')]) is None


def test_neighbours_that_go_leave_a_comment_its_line() -> None:
    text = parse(FILE, b'{"servers": {\n"a": 1,\n// c\n"b": 2,\n"d": 3/* e */\n}}')
    section = text.root.members[0].element if text.root else None
    assert section is not None
    assert without_members(text, section.members[1:], section) == b'{"servers": {\n"a": 1\n// c\n/* e */\n}}'


@given(texts(), st.data())
def test_members_go_without_a_trace_in_the_rest(text: str, data: st.DataObject) -> None:
    read = parse(FILE, text.encode())
    for section in [each.element for each in (read.root.members if read.root else ()) if each.key == "servers"]:
        doomed = [member for member in section.members if data.draw(st.booleans())]
        after = without_members(read, doomed, section)
        again = parse(FILE, after)
        names = [member.key for member in doomed]
        left = [[member.key, member.element.value] for member in section.members if member.key not in names]
        place = [each.element.start for each in read.root.members].index(section.start) if read.root else 0
        assert again.root is not None
        found = again.root.members[place].element
        assert [[member.key, member.element.value] for member in found.members] == left
        assert _comments(again) == _comments(read)


def _comments(text: Any) -> list[bytes]:
    return [text.data[comment.start : comment.end] for comment in text.comments]


@pytest.mark.parametrize(
    ("before", "name", "after"),
    [
        ('{"servers": {"a": 1}}', "a", '{"servers": {}}'),
        ('{"servers": {"a": 1, "b": 2}}', "a", '{"servers": { "b": 2}}'),
        ('{"servers": {"a": 1, "b": 2}}', "b", '{"servers": {"a": 1}}'),
        ('{"servers": {"a": 1, "b": 2,}}', "b", '{"servers": {"a": 1,}}'),
        ('{"servers": {\n  "a": 1, // one\n  "b": 2\n}}', "b", '{"servers": {\n  "a": 1 // one\n}}'),
        ('{"servers": {\n  "a": 1,\n  "b": 2\n}}', "a", '{"servers": {\n  "b": 2\n}}'),
        ('{"servers": { // all\n  "b": 2 }}', "b", '{"servers": { // all\n   }}'),
    ],
)
def test_commas_and_blanks_go_with_it(before: str, name: str, after: str) -> None:
    read = parse(FILE, before.encode())
    assert read.root is not None
    section = read.root.members[0].element
    doomed = [member for member in section.members if member.key == name]
    assert without_members(read, doomed, section).decode() == after
    json.dumps(parse(FILE, after.encode()).root)
