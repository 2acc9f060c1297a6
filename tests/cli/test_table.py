import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.cli.table import Give, cut, fitted, padded, table_lines, width_of

TEXTS = st.text(st.sampled_from("ab 重\u0301😀"), max_size=12)


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("abcdef", 1, "…"),
        ("abcdef", 0, ""),
        ("重试预算", 8, "重试预算"),
        ("重试预算", 7, "重试预…"),
        ("重试预算", 6, "重试…"),
        ("cafe\u0301s", 5, "cafe\u0301s"),
    ],
)
def test_cut(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown


@given(TEXTS, st.integers(0, 15))
def test_a_padded_text_has_its_width(text: str, width: int) -> None:
    assert width_of(padded(text, width)) == width
    assert width_of(padded(text, width, right=True)) == width


@pytest.mark.parametrize(
    ("room", "widths"),
    [(100, [3, 10, 10]), (27, [3, 10, 10]), (26, [3, 10, 9]), (20, [3, 8, 5]), (14, [3, 2, 5]), (13, None)],
)
def test_columns_give_way_in_their_order(room: int, widths: "list[int] | None") -> None:
    assert fitted([("abc", "b" * 10, "c" * 10)], room, [Give(2, 5), Give(1, 2)]) == widths


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=4), st.integers(10, 60))
def test_no_line_is_wider_than_there_is_room(rows: "list[tuple[str, str, str]]", room: int) -> None:
    numbers = [(name, title, "7") for name, title, _ in rows]
    lines = table_lines(("n", "t", "x"), numbers, numbers=[2], gives=[Give(1, 2)], room=room)
    assert all(width_of(click.unstyle(line)) <= room for line in lines)


def test_without_room_each_row_is_a_block() -> None:
    lines = table_lines(("day", "a", "b"), [("Monday", "1,000", "2,000")], numbers=[1, 2], gives=(), room=12)
    assert list(map(click.unstyle, lines)) == ["Monday", "  a 1,000", "  b 2,000"]
