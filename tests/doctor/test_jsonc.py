"""Reading the hosts' JSON files, with comments and without."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.doctor.jsonc import JsoncError, read_jsonc

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_a_document_is_read_with_and_without_comments(value: dict[str, Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "settings.json")
        path.write_bytes(json.dumps(value).encode())
        assert read_jsonc(path) == value
        lines = json.dumps(value, indent=1, ensure_ascii=False)
        comma = "," if value else ""
        path.write_text(f"// one, {{\n/* two */ {lines[:-1].rstrip()}{comma}\n}} // end", encoding="utf-8")
        assert read_jsonc(path) == value


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"[1]", "it holds no JSON object"),
        (b"[1] // one", "it is not a JSON object with comments (line 1, column 1)"),
        (b"\xff\xfe", "it is not UTF-8 (invalid start byte)"),
        (b"{", "it is not a JSON object with comments (line 1, column "),
        (b'{"a": 1\n"b": 2}', "it is not a JSON object with comments (line "),
        (b"{'a': 1}", "it is not a JSON object with comments (line 1, column 2)"),
        (b'{"a": ' + b"[" * 100_000, "it is nested too deeply"),
        (b" " * (1 << 20) + b"{}", "it can't be read ("),
    ],
)
def test_what_is_no_document_is_said(tmp_path: Path, content: bytes, why: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    with pytest.raises(JsoncError) as error:
        read_jsonc(path)
    assert str(error.value).startswith(why)


def test_nothing_and_a_blank_file(tmp_path: Path) -> None:
    assert read_jsonc(tmp_path / "none.json") is None
    for text in ("", " \n", "\ufeff\n", "// nothing\n", "\ufeff{} // nothing"):
        (tmp_path / "blank.json").write_text(text)
        assert read_jsonc(tmp_path / "blank.json") == {}
