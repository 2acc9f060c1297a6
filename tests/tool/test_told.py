from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.tool.results import Reason
from deja_hooks.tool.told import Told, fitted


def told(lines: list[list[str]], budget: int, head: int = 0, more: int = 0) -> Told:
    items = [(each, Reason(kind=str(number), text="")) for number, each in enumerate(lines)]
    return Told("x", ["- head"] * head, items, budget, "{count} more.", more)


def test_all_that_fits() -> None:
    text, items, left_off = fitted(told([["- a", "- b"], ["- c"]], 500, head=1), "0")
    assert text.split("\n")[2:] == ["- head", "- a", "- b", "- c", "</deja-0>"]
    assert ([each.kind for each in items if isinstance(each, Reason)], left_off) == (["0", "1"], 0)


def test_what_does_not_fit_is_counted() -> None:
    text, items, left_off = fitted(told([["- " + "word " * 50]] * 5, 800), "0")
    assert (len(items), left_off) == (2, 3)
    assert text.endswith("</deja-0>\n3 more.")
    assert len(text) <= 800


def test_what_was_left_off_before() -> None:
    text, items, left_off = fitted(told([["- a"]], 500, more=7), "0")
    assert (len(items), left_off) == (1, 7)
    assert text.endswith("</deja-0>\n7 more.")


@given(
    st.lists(st.lists(st.text(min_size=1), min_size=1, max_size=3), min_size=1, max_size=8),
    st.integers(400, 3000),
    st.integers(0, 2),
)
def test_text_and_items_say_the_same(lines: list[list[str]], budget: int, head: int) -> None:
    lines = [[f"- {line}" for line in each] for each in lines]
    text, items, left_off = fitted(told(lines, budget, head), "0")
    assert len(text) <= budget
    assert len(items) + left_off == len(lines)
    assert ("more." in text.rpartition("</deja-0>")[2]) is bool(left_off)
    shown = text.split("\n")[2 + head : -1 - bool(left_off)]
    told_lines = sum(len(each) for each in lines[: len(items)])
    assert told_lines - 2 <= len(shown) <= told_lines
