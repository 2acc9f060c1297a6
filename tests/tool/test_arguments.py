from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.tool.arguments import MODES, Arguments, Unusable, arguments_schema, read_arguments

NAMES = ("mode", "question", "query", "session", "turn", "file", "error", "command", "project")


def test_the_schema_is_one_flat_object() -> None:
    schema = arguments_schema()
    assert list(schema) == ["type", "properties", "required", "additionalProperties"]
    assert (schema["type"], schema["required"], schema["additionalProperties"]) == ("object", ["mode"], False)
    assert tuple(schema["properties"]) == NAMES
    assert schema["properties"]["mode"]["enum"] == list(MODES) == ["recall", "search", "session", "file", "fix"]
    assert schema["properties"]["turn"] == {
        "default": 0,
        "description": "For session, optional: a turn's number; gives that one and its neighbours.",
        "minimum": 0,
        "type": "integer",
    }
    assert "$ref" not in json.dumps(schema)
    assert all(each["description"] for each in schema["properties"].values())


@pytest.mark.parametrize(
    ("values", "fields"),
    [
        ({"mode": "recall", "question": " why? "}, {"question": "why?"}),
        ({"mode": "session", "session": "5eed", "turn": "3"}, {"session": "5eed", "turn": 3}),
        ({"mode": "session", "session": "5eed", "turn": None}, {"session": "5eed"}),
        ({"mode": "fix", "error": "E: x", "command": "make"}, {"error": "E: x", "command": "make"}),
        ({"mode": "search", "query": "x", "question": "", "turn": 0, "project": "/p"}, {"query": "x", "project": "/p"}),
        ({"mode": "file", "file": "a\ud800b"}, {"file": "a?b"}),
    ],
)
def test_what_is_given(values: dict[str, Any], fields: dict[str, Any]) -> None:
    assert read_arguments(values) == Arguments(mode=values["mode"], **fields)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (None, "`mode` is missing: give one of recall, search, session, file, fix."),
        ({"mode": "dream"}, "`mode` is none that there is: give one of recall, search, session, file, fix."),
        ({"mode": "recall"}, "`question` is missing: mode recall needs it."),
        ({"mode": "search", "query": "  "}, "`query` is missing: mode search needs it."),
        (
            {"mode": "search", "query": "x", "question": "y"},
            "`question` is of no use to mode search, which takes `query`, `mode`, `project`.",
        ),
        (
            {"mode": "file", "file": "x", "turn": 2},
            "`turn` is of no use to mode file, which takes `file`, `mode`, `project`.",
        ),
        (
            {"mode": "session", "session": "x", "turn": -1},
            "`turn` is not a turn's number: give a whole number from 1 on.",
        ),
        (
            {"mode": "session", "session": "x", "turn": "last"},
            "`turn` is not a turn's number: give a whole number from 1 on.",
        ),
        (
            {"mode": "file", "file": "/a" * 3_000},
            "`file` is too long: give at most 4096 characters.",
        ),
        (
            {"mode": "session", "session": "5" * 201},
            "`session` is too long: give at most 200 characters.",
        ),
        ({"mode": "recall", "question": ["why"]}, "`question` is not a text: give a string."),
        (
            {"mode": "recall", "question": "x", "password=hunter2secret": 1},
            "There is no such argument as the one given: the arguments are"
            " `mode`, `question`, `query`, `session`, `turn`, `file`, `error`, `command`, `project`.",
        ),
        (
            {"mode": "recall", "question": "x", "\ud800": 1},
            "There is no such argument as the one given: the arguments are"
            " `mode`, `question`, `query`, `session`, `turn`, `file`, `error`, `command`, `project`.",
        ),
    ],
)
def test_what_cannot_be_used_is_named_with_the_fix(values: dict[str, Any] | None, message: str) -> None:
    with pytest.raises(Unusable) as raised:
        read_arguments(values)
    assert str(raised.value) == message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from(NAMES) | st.text(), JSON | st.sampled_from(MODES)))
def test_any_object_is_read_or_refused(values: dict[str, Any]) -> None:
    try:
        arguments = read_arguments(values)
    except Unusable:
        return
    assert arguments.mode in MODES
