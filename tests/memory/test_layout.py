"""Where everything lies."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.failures.keys import signature_key
from deja_hooks.memory.layout import Layout, file_name
from deja_hooks.system import calls


def test_every_path() -> None:
    layout = Layout("/c/", "/f")
    assert {
        name: getattr(layout, name)
        for name in (
            "memory",
            "state",
            "ring",
            "recordings",
            "index_wanted",
            "index_claim",
            "index_lock",
            "index_report",
            "off",
            "record",
            "marks",
            "marks_lock",
            "settings",
            "kept_out",
            "kept_out_rules",
        )
    } == {
        "memory": "/c/memory.db",
        "state": "/c/state.db",
        "ring": "/c/ring.jsonl",
        "recordings": "/c/recordings",
        "index_wanted": "/c/index.wanted",
        "index_claim": "/c/index.claim",
        "index_lock": "/c/index.lock",
        "index_report": "/c/index.json",
        "off": "/f/off",
        "record": "/f/record",
        "marks": "/f/marks.jsonl",
        "marks_lock": "/f/marks.lock",
        "settings": "/f/settings.json",
        "kept_out": "/f/kept-out",
        "kept_out_rules": "/f/kept-out/rules",
    }
    assert (layout.pending("s1"), layout.live("s1")) == ("/c/pending/s1", "/c/live/s1")
    assert layout.off_project("p") == "/f/off.d/p"


def test_the_variable_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(calls.environ, b"DEJA_HOOKS_HOME", raising=False)
    named = Layout.from_environment("/c", "/f")
    assert (named.cache, named.config) == ("/c", "/f")
    monkeypatch.setitem(calls.environ, b"DEJA_HOOKS_HOME", b"/h")
    moved = Layout.from_environment("/c", "/f")
    assert (moved.cache, moved.config) == ("/h/cache", "/h/config")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_a_plain_file_name_of_its_own(one: str, other: str) -> None:
    names = file_name(one), file_name(other)
    for name in names:
        assert 0 < len(name) <= 64
        assert all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    assert (names[0] == names[1]) == (one == other)


@pytest.mark.parametrize("text", ["", ".", "..", "a/b", "a\\b", "a\0b", "x" * 65, "\ud800", "CON."])
def test_a_hostile_text_is_a_digest(text: str) -> None:
    assert file_name(text) != text
    assert file_name(text).startswith("x")


def test_a_short_id_is_itself() -> None:
    assert file_name("11111111-aaaa-4000-8000-000000000001") == "11111111-aaaa-4000-8000-000000000001"


def test_signature_keys() -> None:
    assert signature_key("") == ""
    assert len({signature_key(text) for text in ("a", "b", "a ", "\u65e5", "\ud800")}) == 5
    assert all(len(signature_key(text)) == 16 for text in ("a", "x" * 10_000, "\ud800"))
