import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.scan import ValueEnd, decode, encode_string, parse, parse_text

ROOT = Path(__file__).parents[2]
texts = st.text(st.characters(codec=None), max_size=30)
numbers = st.integers() | st.floats(allow_nan=False)
values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=20,
)


def _json(text: str) -> object:
    try:
        return ("value", repr(json.loads(text, strict=False)))
    except (ValueError, RecursionError):
        return "error"


def _ours(text: str) -> object:
    try:
        return ("value", repr(parse_text(text)))
    except ValueError:
        return "error"


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_what_json_writes_is_read_back(value: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert repr(parse(text.encode("utf-8", "surrogatepass"))) == repr(
        json.loads(text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape"))
    )


@given(st.text(st.sampled_from('{}[]",:\\ \n\t0123456789.eE+-truefalsnN\ud83dé\x00\x01'), max_size=25))
@settings(max_examples=400)
def test_agrees_with_json_on_any_text(text: str) -> None:
    assert _ours(text) == _json(text.strip(" \t\r\n\ufeff"))


@given(values, st.data())
def test_agrees_with_json_on_a_cut_text(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    text = text[: data.draw(st.integers(0, len(text)))]
    assert _ours(text) == _json(text)


@given(st.binary(max_size=60))
def test_bytes_give_a_value_or_a_value_error(data: bytes) -> None:
    try:
        parse(data)
    except ValueError:
        pass


@given(texts)
def test_encodes_as_json_does(text: str) -> None:
    assert encode_string(text) == json.dumps(text)


BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"a":1}', {"a": 1}),
        (BOM + b'{"a":1}', {"a": 1}),
        (BOM + BOM + b' \r\n\t{"a":1}\n\n ', {"a": 1}),
        (b" " + BOM + b" " + BOM + b"[]", []),
        ('\ufeff{"a":"é"}'.encode("utf-16-le"), {"a": "é"}),
        ('\ufeff{"a":"é"}'.encode("utf-16-be"), {"a": "é"}),
        ('\ufeff\ufeff{"a":"é"}'.encode("utf-16-le"), {"a": "é"}),
        (b'{"a":"\xff"}', {"a": "\udcff"}),
        (b'{"a":"\\ud83d"}', {"a": "\ud83d"}),
        (b'{"a":"\x00\x01\n"}', {"a": "\x00\x01\n"}),
        (b'{"a":"\\u0000"}', {"a": "\x00"}),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b"[1e400,-1e400,Infinity,-Infinity]", [float("inf"), -float("inf"), float("inf"), -float("inf")]),
        (b"[" + b"9" * 5000 + b"]", [float("inf")]),
        (b"[" + b"9" * 4300 + b"]", [int("9" * 4300)]),
        (b"null", None),
        (b'"x"', "x"),
        (b"12", 12),
    ],
)
def test_parses(data: bytes, value: object) -> None:
    assert parse(data) == value


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        BOM,
        b"{",
        b'{"a"',
        b'{"a":',
        b'{"a":1',
        b'{"a":1,}',
        b'"',
        b'"\\',
        b'{"a":1} x',
        b"{}{}",
        b"nul",
        b"\x00",
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"{'a':1}",
        b"[,]",
    ],
)
def test_refuses(data: bytes) -> None:
    with pytest.raises(ValueError, match="JSON value"):
        parse(data)


def test_nan_is_a_number() -> None:
    assert repr(parse(b"[NaN]")) == "[nan]"


@given(st.binary(max_size=30))
def test_decodes_anything(data: bytes) -> None:
    decode(data)


def test_reads_without_the_c_accelerator() -> None:
    program = (
        "import sys; sys.modules['_json'] = None\n"
        "from deja_hooks.scan import encode_string, parse\n"
        'print(parse(b\'  {"a":["\\\\u00e9",1.5,null]} \'), encode_string("\\u20ac"))\n'
        "try: parse(b'{')\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "{'a': ['é', 1.5, None]} \"\\u20ac\"\nnot a JSON value\n"


@given(st.dictionaries(texts, values, max_size=4) | st.lists(values, max_size=4), st.data())
def test_the_end_is_seen_at_the_last_byte_and_not_before(value: object, data: st.DataObject) -> None:
    text = json.dumps(value).encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    end = ValueEnd()
    seen = 0
    for piece in pieces:
        seen += len(piece)
        assert end.feed(piece) == (seen == len(text))


@pytest.mark.parametrize(
    ("pieces", "ended"),
    [
        ([b'{"a":"\\', b'"}', b'"}'], [False, False, True]),
        ([b'{"a":"\\\\', b'"}'], [False, True]),
        ([b'{"a":"\\', b"\\", b'"}'], [False, False, True]),
        ([b'{"}', b'":1', b"}"], [False, False, True]),
        ([b"  ", b"[", b"]"], [False, False, True]),
        ([b'"{}"'], [False]),
        ([b"12", b"true"], [False, False]),
    ],
)
def test_brackets_in_strings_do_not_end_a_value(pieces: list[bytes], ended: list[bool]) -> None:
    end = ValueEnd()
    assert [end.feed(piece) for piece in pieces] == ended
