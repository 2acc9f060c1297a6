"""How commands print: JSON for programs, aligned text for pipes, a rich table on a terminal."""

import json
import sys
import unicodedata
from collections.abc import Sequence
from datetime import datetime

import click

__all__ = ["local_time", "one_line", "print_json", "print_table", "quoted_text"]

#: Letters that take no room, although Python calls them printable: fillers, and the combining grapheme joiner.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def print_json(value: object) -> None:
    """One JSON document, indented, ASCII (a lone surrogate from a broken transcript stays an escape)."""
    click.echo(json.dumps(value, indent=2))


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """The rows under their headings; cells are single lines."""
    rows = [[one_line(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _rich_table(headings, rows)
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def quoted_text(text: str, indent: str = "    ") -> str:
    """The text, every line indented, with a mark for every letter that could steer a terminal or hide.

    These are control characters, those that turn the direction of writing, and those without a width.
    """
    return "\n".join(indent + "".join(map(_visible, line)) for line in text.splitlines() or [""])


def one_line(text: str) -> str:
    """The text on one line, made visible as `quoted_text` does: for titles, names and other fields."""
    return quoted_text(" ".join(text.splitlines()).replace("\t", " "), "")


def local_time(epoch_ms: float) -> str:
    """`2026-03-01 14:02:09` in the machine's time zone."""
    return datetime.fromtimestamp(epoch_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _visible(letter: str) -> str:
    if letter == "\t" or (letter.isprintable() and letter not in _UNSEEN):
        return letter
    return " " if unicodedata.category(letter) == "Zs" else "\ufffd"


def _rich_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.console import Console  # only where a table is drawn
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)
