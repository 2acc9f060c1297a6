import pytest

from deja_hooks.cli.output import one_line, quoted_text


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
