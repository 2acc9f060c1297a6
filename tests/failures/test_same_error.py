"""The same error on another day, machine or line has the same key; another error has another."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.failures.line import failure_key, named_failure
from deja_hooks.failures.signature import signature
from tests.failures.errors import ERRORS, VARIED


def filled(error: str, data: st.DataObject) -> str:
    """The failure as it may be printed one day."""
    pieces = []
    for text, name, _, _ in string.Formatter().parse(error):
        pieces.append(text)
        if name:
            pieces.append(data.draw(VARIED[name]))
    return "".join(pieces)


def key(output: str) -> str:
    return failure_key(named_failure(output, failed=True))


def named(output: str) -> str:
    return signature(named_failure(output, failed=True))


@pytest.mark.parametrize("error", ERRORS, ids=lambda e: e[:40])
def test_the_same_error_has_the_same_key(error: str) -> None:
    @settings(max_examples=25, deadline=None)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        one, other = filled(error, data), filled(error, data)
        assert named(one) == named(other)
        assert key(one) == key(other) != ""

    check()


@settings(max_examples=3, deadline=None)
@given(st.data())
def test_different_errors_have_different_keys(data: st.DataObject) -> None:
    keys: dict[str, str] = {}
    for error in ERRORS:
        output = filled(error, data)
        assert keys.setdefault(key(output), output) == output
