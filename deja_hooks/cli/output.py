"""How commands print: JSON for programs, aligned text for pipes, a rich table on a terminal."""

import json
import sys
from collections.abc import Sequence
from datetime import datetime

import click

__all__ = ["local_time", "print_json", "print_table", "quoted_text"]


def print_json(value: object) -> None:
    """One JSON document, indented, ASCII (a lone surrogate from a broken transcript stays an escape)."""
    click.echo(json.dumps(value, indent=2))


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """The rows under their headings; cells are single lines."""
    if sys.stdout.isatty():
        _rich_table(headings, rows)
        return
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def quoted_text(text: str, indent: str = "    ") -> str:
    """The text, every line indented, without the control characters that could steer a terminal."""
    return "\n".join(indent + "".join(map(_visible, line)) for line in text.splitlines() or [""])


def local_time(epoch_ms: float) -> str:
    """`2026-03-01 14:02:09` in the machine's time zone."""
    return datetime.fromtimestamp(epoch_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _visible(letter: str) -> str:
    return letter if letter.isprintable() or letter == "\t" else "\ufffd"


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
