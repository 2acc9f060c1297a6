import pytest

from deja_hooks.cli.output import iso_time, local_time, number_of, one_line, print_table, quoted_text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("Why does it time out? \u2713 \u00e9 \U0001f600", "Why does it time out? \u2713 \u00e9 \U0001f600"),
        ("\x1b]0;title\x07a\x1b[31m\x9b2J", "\ufffd]0;title\ufffda\ufffd[31m\ufffd2J"),
        ("a\nb\r\nc\u2028d\x0be\tf", "a b c d e f"),
        ("a\u202eb\u2066c\u200fd", "a\ufffdb\ufffdc\ufffdd"),
        ("a\u200bb\ufeffc\u2060d\u3164e", "a\ufffdb\ufffdc\ufffdd\ufffde"),
        ("a\u00a0b\u3000c", "a b c"),
        ("half \ud800", "half \ufffd"),
    ],
)
def test_one_line(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_quoted_text_keeps_lines_and_tabs() -> None:
    assert quoted_text("a\n\tb\u202e\n", "> ") == "> a\n> \tb\ufffd"


def test_a_table_with_numbers_and_a_total(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(
        ("day", "turns", "note"), [("Mon\n", "1,200", "a\x1b"), ("Tue", "7", "")], numbers=[1], total=("all", "1", "")
    )
    assert capsys.readouterr().out == "day  turns  note\nMon  1,200  a\ufffd\nTue      7\nall      1\n"


def test_times_that_no_calendar_has() -> None:
    assert (local_time(1 << 70), iso_time(1 << 70), iso_time(0)) == ("?", None, None)
    assert iso_time(1_772_366_400_123) == "2026-03-01T12:00:00.123+00:00"


def test_number_of() -> None:
    assert [number_of(0, "turn"), number_of(1, "turn"), number_of(1_200, "entry", "entries")] == [
        "0 turns",
        "1 turn",
        "1,200 entries",
    ]
