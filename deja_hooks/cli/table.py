"""Tables on a terminal: as wide as it is, each row on a line of its own, and no id or number ever cut."""

import shutil
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import click

__all__ = ["Give", "cut", "fitted", "padded", "table_lines", "terminal_width", "width_of"]

_GAP = 2


class Give(NamedTuple):
    """A column that gives way where the terminal is narrow.

    Attributes:
        column: from 0.
        least: cells that are left of it at least.
    """

    column: int
    least: int


def terminal_width() -> int:
    """Columns of the terminal that we print to; `COLUMNS` overrides."""
    return shutil.get_terminal_size().columns


def width_of(text: str) -> int:
    """Columns that the text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def cut(text: str, width: int) -> str:
    """The text in at most so many columns; what is cut ends with an ellipsis."""
    if width_of(text) <= width:
        return text
    taken = 0
    for place, letter in enumerate(text):
        taken += _cells(letter)
        if taken > width - 1:
            return text[:place] + "…" if width > 0 else ""
    return text


def padded(text: str, width: int, *, right: bool = False) -> str:
    """The text in exactly so many columns, cut where it is longer."""
    shown = cut(text, width)
    blank = " " * (width - width_of(shown))
    return blank + shown if right else shown + blank


def fitted(rows: Iterable[Sequence[str]], room: int, gives: Sequence[Give]) -> list[int] | None:
    """The width of each column, or None where they have no room beside each other.

    Args:
        rows: cells; at least one row.
        room: columns of the terminal.
        gives: the columns that give way, the first of them as far as it can before the second does.
    """
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    over = sum(widths) + _GAP * (len(widths) - 1) - room
    for column, least in gives:
        given = max(0, min(over, widths[column] - least))
        widths[column] -= given
        over -= given
    return widths if over <= 0 else None


def table_lines(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    numbers: Collection[int],
    gives: Sequence[Give],
    room: int,
    summed: bool = False,
) -> list[str]:
    """The rows under their headings; where they have no room, each row as a block that names its numbers.

    Args:
        headings, rows: of single lines.
        numbers: the columns that are aligned to the right.
        gives: see `fitted`.
        room: columns of the terminal.
        summed: the last row sums the others up.
    """
    widths = fitted([headings, *rows], room, gives)
    if widths is None:
        return [line for row in rows for line in _block(headings, row, numbers, room)]
    lines = []
    for place, row in enumerate([headings, *rows]):
        cells = enumerate(zip(row, widths, strict=True))
        line = (" " * _GAP).join(padded(cell, width, right=n in numbers) for n, (cell, width) in cells).rstrip()
        lines.append(click.style(line, bold=True) if place == 0 or (summed and place == len(rows)) else line)
    return lines


def _block(headings: Sequence[str], row: Sequence[str], numbers: Collection[int], room: int) -> list[str]:
    """What names the row, then its numbers, each with its heading."""
    names = (" " * _GAP).join(cell for n, cell in enumerate(row) if n not in numbers and cell)
    lines = [click.style(cut(names, room), bold=True)]
    line = ""
    for n in sorted(numbers):
        part = f"{headings[n]} {row[n]}"
        if line and width_of(line) + _GAP + width_of(part) > room:
            lines.append(line)
            line = ""
        line = f"{line}  {part}" if line else f"  {part}"
    return [*lines, line] if line else lines


def _cells(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
