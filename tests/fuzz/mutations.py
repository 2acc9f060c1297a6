"""Inputs that are nearly right: real ones, with something done to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

__all__ = ["documents", "mutated", "recorded", "texts"]

_PAYLOADS = Path(__file__).parents[2] / "hook_payloads"
_FIXTURES = Path(__file__).parents[1] / "sources" / "fixtures"
#: What breaks readers: ends of numbers and of nesting, halves of pairs, signs of other languages.
_ODD = (
    b"\0", b"\n", b"\r\n", b"\\", b'"', b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"-0", b"1e999", b"NaN",
    b"9" * 40, b"-9223372036854775809", b"1.5", b"\xff\xfe", b"\xed\xa0\x80", b"\xc3", b"\\ud800", b"\\u0000", b"{}",
    b"[]", b'""', b"[" * 200, b"{\"a\":" * 100, b"\xef\xbb\xbf", b" " * 100, b"A" * 3000, b'{"kind":1,"k":[],"v":0}',
    b'"__proto__"', b"</deja-0>", b"\xe2\x80\xae", b"*** End Patch\n", b"@@", b"' OR 1=1 --", b'"a" NEAR (b',
)  # fmt: skip
texts = st.text(st.characters(codec=None), max_size=60)
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    texts,
    st.sampled_from(["", "requests", "content", "\ud800", "../..", "a\0b", 2**63, -(2**64), 1e308, float("nan")]),
)
documents = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)


def recorded(*suffixes: str, below: str = "") -> list[bytes]:
    """The contents of recorded files with these ends, small ones first; long ones are cut."""
    folders = (_PAYLOADS, _FIXTURES)
    paths = [p for folder in folders for p in sorted(folder.rglob("*")) if p.is_file() and str(p).endswith(suffixes)]
    return sorted({p.read_bytes()[:20_000] for p in paths if below in str(p)}, key=lambda data: (len(data), data))


@st.composite
def mutated(draw: st.DrawFn, seeds: list[bytes], most: int = 6) -> bytes:
    """One of the seeds, after up to so many changes of its bytes, its lines, or a value in one of its JSON lines."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(0, most))):
        data = _changed(draw, data, seeds)
    return data


def _changed(draw: st.DrawFn, data: bytes, seeds: list[bytes]) -> bytes:
    what = draw(st.sampled_from(["put", "cut", "flip", "double", "lines", "splice", "value", "value"]))
    at = draw(st.integers(0, len(data)))
    end = min(len(data), at + draw(st.integers(0, 200)))
    if what == "put":
        return data[:at] + draw(st.one_of(st.sampled_from(_ODD), st.binary(max_size=20))) + data[at:]
    if what == "cut":
        return data[:at] + data[end:]
    if what == "flip" and at < len(data):
        return data[:at] + bytes([data[at] ^ draw(st.integers(1, 255))]) + data[at + 1 :]
    if what == "double":
        return data[:end] + data[at:end] * draw(st.integers(0, 3)) + data[end:]
    if what == "splice":
        other = draw(st.sampled_from(seeds))
        return data[:at] + other[draw(st.integers(0, len(other))) :]
    lines = data.split(b"\n")
    place = draw(st.integers(0, len(lines) - 1))
    if what == "lines":
        other_place = draw(st.integers(0, len(lines) - 1))
        lines[place], lines[other_place] = lines[other_place], lines[place]
        return b"\n".join(lines)
    try:
        value = json.loads(lines[place])
    except (ValueError, RecursionError):
        return data
    lines[place] = json.dumps(_with_another(draw, value)).encode()
    return b"\n".join(lines)


def _with_another(draw: st.DrawFn, value: Any, depth: int = 0) -> Any:
    """The value with something else in the place of one of its parts."""
    if depth > 6 or not isinstance(value, (dict, list)) or not value or draw(st.integers(0, 4)) == 0:
        return draw(documents)
    if isinstance(value, dict):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: _with_another(draw, value[key], depth + 1)}
    place = draw(st.integers(0, len(value) - 1))
    return [*value[:place], _with_another(draw, value[place], depth + 1), *value[place + 1 :]]
