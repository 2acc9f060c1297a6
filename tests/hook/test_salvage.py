import json
import timeit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.hook.salvage import TEXT_LIMIT, salvage
from deja_hooks.hook.stdin import HEAD, TAIL
from deja_hooks.scan import parse

NESTED = ["tool_input", "toolArgs", "tool_result", "toolResult", "tool_response", "error"]
CUT = [
    "prompt",
    "textResultForLlm",
    "text_result_for_llm",
    "content",
    "tool_response",
    "newString",
    "message",
]
# Text that looks like a payload, in pieces that are easily mistaken.
texts = st.text(st.sampled_from('"\\{}[],: nu\né\ud83d\U0001f600x'), max_size=12) | st.sampled_from(
    ['","session_id":"no', '"}', "\\", '\\"', '{"cwd":"/no"}', '", "prompt": "no", "x": "']
)
keys = st.sampled_from(["session_id", "cwd", *NESTED, *CUT]) | texts
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
nested_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3)
)
payloads = st.dictionaries(
    keys, scalars | st.dictionaries(keys, nested_values, max_size=4) | st.lists(nested_values, max_size=3)
)


def check(found: dict[str, object], real: dict[str, object]) -> None:
    """Every field found is the real one, or the beginning of the real text."""
    for key, value in found.items():
        if isinstance(value, str):
            assert isinstance(real[key], str)
            assert real[key][: len(value)] == value
            assert value == real[key] or key in CUT or key in ("error", "prompt")
        elif isinstance(value, dict) and key in NESTED:
            assert isinstance(real[key], dict)
            check(value, real[key])
        else:
            assert repr(value) == repr(real[key])


def complete_fields(real: dict[str, object]) -> dict[str, object]:
    return {key: value for key, value in real.items() if key in NESTED or not isinstance(value, (dict, list))}


@given(payloads, st.booleans(), st.sampled_from([None, 1]))
@settings(max_examples=150)
def test_a_whole_payload_is_read_as_the_parser_reads_it(
    payload: dict[str, object], ascii_only: bool, indent: int | None
) -> None:
    data = json.dumps(payload, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    real = parse(data)
    assert isinstance(real, dict)
    assert repr(salvage(data)) == repr(complete_fields(real))


@given(payloads, st.booleans(), st.data())
@settings(max_examples=200)
def test_a_cut_at_any_byte_gives_true_fields(payload: dict[str, object], ascii_only: bool, data: st.DataObject) -> None:
    whole = json.dumps(payload, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    real = parse(whole)
    assert isinstance(real, dict)
    check(salvage(cut), real)


@given(payloads, st.booleans(), st.data())
@settings(max_examples=200)
def test_a_payload_without_its_middle_gives_true_fields(
    payload: dict[str, object], ascii_only: bool, data: st.DataObject
) -> None:
    whole = json.dumps(payload, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    first = data.draw(st.integers(0, len(whole)))
    second = data.draw(st.integers(first, len(whole)))
    real = parse(whole)
    assert isinstance(real, dict)
    check(salvage(whole[:first], whole[second:]), real)


def test_a_cut_at_any_escape_gives_true_fields() -> None:
    real: dict[str, object] = {
        "session_id": "s",
        "tool_response": 'a\\"b\\\\"", "cwd": "/no", "x": "\\',
        "cwd": "/p",
    }
    for ascii_only in (True, False):
        whole = json.dumps(real, ensure_ascii=ascii_only).encode()
        for second in range(len(whole)):
            found = salvage(whole[:20], whole[second:])
            check(found, real)
            if second < whole.rindex(b', "cwd"'):
                assert found["cwd"] == "/p"


@given(st.binary(max_size=80), st.binary(max_size=80))
def test_any_bytes_are_tolerated(data: bytes, tail: bytes) -> None:
    assert isinstance(salvage(b'{"a":' + data, tail), dict)
    assert isinstance(salvage(data, tail), dict)


def test_a_large_payload_gives_the_fields_before_and_after_the_gap() -> None:
    prompt = 'say "cwd": "/no" \\ é\n' * 100_000
    whole = json.dumps(
        {
            "timestamp": "2026-10-05T22:06:50.311Z",
            "session_id": "s",
            "tool_input": {"filePath": "/p/a.py", "content": "x" * 70_000, "n": 1, "edits": [{"a": 1}]},
            "other": {"cwd": "/no"},
            "tool_response": prompt,
            "tool_use_id": "call_1__vscode-1",
            "model": {"cwd": "/no", "x": [1, 2]},
            "cwd": "/p",
        }
    ).encode()
    assert salvage(whole[:HEAD], whole[-TAIL:]) == {
        "timestamp": "2026-10-05T22:06:50.311Z",
        "session_id": "s",
        "tool_input": {"filePath": "/p/a.py", "content": "x" * TEXT_LIMIT, "n": 1, "edits": [{"a": 1}]},
        "tool_response": prompt[:TEXT_LIMIT],
        "tool_use_id": "call_1__vscode-1",
        "cwd": "/p",
    }


def test_a_string_of_a_megabyte_takes_milliseconds() -> None:
    whole = json.dumps({"session_id": "s", "prompt": "x" * 1_000_000, "cwd": "/p"}).encode()
    assert salvage(whole) == {"session_id": "s", "prompt": "x" * TEXT_LIMIT, "cwd": "/p"}
    # The fastest of three: other programs share the machine.
    assert min(timeit.repeat(lambda: salvage(whole), number=1, repeat=3)) < 0.02


@pytest.mark.parametrize(
    ("data", "fields"),
    [
        (b'{"prompt":"abc', {"prompt": "abc"}),
        (b'{"prompt":"abc\\', {"prompt": "abc"}),
        (b'{"prompt":"abc\\\\', {"prompt": "abc\\"}),
        (b'{"prompt":"abc\\u00', {"prompt": "abc"}),
        (b'{"prompt":"abc\\\\u00', {"prompt": "abc\\u00"}),
        (b'{"prompt":"abc\\ud83d\\ude0', {"prompt": "abc"}),
        (b'{"prompt":"abc\xf0\x9f', {"prompt": "abc"}),
        (b'{"session_id":"abc', {}),
        (b'{"cwd":"/p","at":12', {"cwd": "/p"}),
        (b'{"cwd":"/p","at":12}', {"cwd": "/p", "at": 12}),
        (b'{"cwd":"/p","ok":tru', {"cwd": "/p"}),
        (b'{"cwd":"/p","prom', {"cwd": "/p"}),
        (b'{"cwd":"/p","prompt"', {"cwd": "/p"}),
        (b'{"cwd":"/p","tool_input":{"a":"b","c":"d', {"cwd": "/p", "tool_input": {"a": "b"}}),
        (b'{"x":{"cwd":"/no"},"cwd":"/p"', {"cwd": "/p"}),
        (b'{"x":{"cwd":"/no","y":[', {}),
        (b'\xef\xbb\xbf\xef\xbb\xbf {"cwd": "/p",', {"cwd": "/p"}),
        (b'{"cwd":"/p",,"a":1}', {"cwd": "/p"}),
        (b'{"":1,', {"": 1}),
        (b'[{"cwd":"/no"}', {}),
        (b"", {}),
    ],
)
def test_cut_payloads(data: bytes, fields: dict[str, object]) -> None:
    assert salvage(data) == fields
