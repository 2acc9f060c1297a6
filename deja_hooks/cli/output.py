"""How commands print: JSON for programs, aligned text for pipes, a table as wide as the terminal."""

import json
import sys
import unicodedata
from collections.abc import Collection, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from deja_hooks.cli.table import Give

__all__ = ["iso_time", "local_time", "number_of", "one_line", "print_json", "print_table", "quoted_text"]

#: Letters that take no room, although Python calls them printable: fillers, and the combining grapheme joiner.
_UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


def print_json(value: object) -> None:
    """One JSON document, indented, ASCII (a lone surrogate from a broken transcript stays an escape)."""
    click.echo(json.dumps(value, indent=2))


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[int] = (),
    total: Sequence[str] | None = None,
    gives: "Sequence[Give] | None" = None,
    whole: Collection[int] = (),
) -> None:
    """The rows under their headings; cells are single lines.

    Args:
        headings: of the columns.
        rows: a cell for each column.
        numbers: the columns (from 0) that are aligned to the right.
        total: a last row that sums the others up.
        gives: the columns that are cut where a terminal is narrow (see `table.fitted`); None: their text is
            broken over lines.
        whole: columns that are never broken or cut.
    """
    rows = [[one_line(cell) for cell in row] for row in (*rows, *([total] if total else []))]
    if sys.stdout.isatty() and gives is not None:
        from deja_hooks.cli.table import table_lines, terminal_width

        summed = total is not None
        room = terminal_width()
        lines = table_lines(headings, rows, numbers=numbers, gives=gives, room=room, summed=summed)
        click.echo("\n".join(lines))
        return
    if sys.stdout.isatty():
        _rich_table(headings, rows, numbers, whole, total is not None)
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for place, row in enumerate((headings, *rows)):
        cells = enumerate(zip(row, widths, strict=True))
        line = "  ".join(c.rjust(w) if n in numbers else c.ljust(w) for n, (c, w) in cells).rstrip()
        # (`echo` takes the style out again, unless colours are forced.)
        click.echo(click.style(line, bold=True) if place == 0 or (total is not None and place == len(rows)) else line)


def quoted_text(text: str, indent: str = "    ") -> str:
    """The text, every line indented, with a mark for every letter that could steer a terminal or hide.

    These are control characters, those that turn the direction of writing, and those without a width.
    """
    return "\n".join(indent + _shown(line) for line in text.splitlines() or [""])


def one_line(text: str) -> str:
    """The text on one line, made visible as `quoted_text` does: for titles, names and other fields."""
    return quoted_text(" ".join(text.splitlines()).replace("\t", " "), "")


def local_time(epoch_ms: float) -> str:
    """`2026-03-01 14:02:09` in the machine's time zone; `?` for what is no time that a calendar has."""
    try:
        return datetime.fromtimestamp(epoch_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return "?"


def iso_time(epoch_ms: int) -> str | None:
    """`2026-03-01T13:02:09.000+00:00`, in UTC; None for 0 (unknown) and for what is no time."""
    if not epoch_ms:
        return None
    try:
        return datetime.fromtimestamp(epoch_ms / 1000, timezone.utc).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError, OSError):
        return None


def number_of(count: int, noun: str, plural: str = "") -> str:
    """`1 turn`, `1,200 turns`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {plural or noun + 's'}"


def _shown(line: str) -> str:
    if line.isascii() and line.isprintable():
        return line  # most are, and a list of sessions has thousands of them
    return "".join(map(_visible, line))


def _visible(letter: str) -> str:
    if letter == "\t" or (letter.isprintable() and letter not in _UNSEEN):
        return letter
    return " " if unicodedata.category(letter) == "Zs" else "\ufffd"


def _rich_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Collection[int],
    whole: Collection[int],
    summed: bool,
) -> None:
    from rich.table import Table  # only where one is drawn
    from rich.text import Text

    from deja_hooks.cli.colours import console

    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, heading in enumerate(headings):
        right = number in numbers
        table.add_column(heading, justify="right" if right else "left", no_wrap=right or number in whole)
    for number, row in enumerate(rows, 1):
        table.add_row(*map(Text, row), style="bold" if summed and number == len(rows) else None)
    console().print(table)
