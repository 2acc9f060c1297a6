"""`deja-hooks sessions`: the list of sessions that the memory has."""

import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.moments import since_option, until_option
from deja_hooks.cli.output import iso_time, local_time, number_of, one_line, print_json
from deja_hooks.cli.wanted import Number, wanted_sessions

if TYPE_CHECKING:
    from collections.abc import Iterable

    from deja_hooks.history.listing import Listed

__all__ = ["sessions"]

_SHORT_ID = 8


@click.command()
@click.option(
    "--project", metavar="NAME|PATH", help="A part of the project's name (- for none), or a folder of it (., /..., ~)."
)
@click.option("--host", type=click.Choice(["cli", "vscode"]), help="Only this host's.")
@since_option("Active after this: 90m, 2h, 3d, 2w, or a date.")
@until_option("Begun before this; a day is included.")
@click.option("--text", metavar="WORDS", help="Each word occurs in the title or in what was said.")
@click.option("--file", metavar="PATH", help="This file was read, named or changed; the end of its path is enough.")
@click.option("--pr", type=Number(), metavar="N", help="This pull request is mentioned.")
@click.option("--issue", type=Number(), metavar="N", help="This issue is mentioned.")
@click.option("--archived/--no-archived", default=None, help="Only, or without, those that were put away.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Most sessions (default: all).")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
@click.pass_obj
def sessions(here: Here, /, limit: int | None, as_json: bool, **filters: object) -> None:
    """List the sessions, the last active first; filters add up.

    On a terminal they are grouped by day, and as much of each id is shown as `deja-hooks show` needs. In a pipe
    each is one line: id, time, host, turns, project, title. A plain #123 may be a pull request or an issue: both
    filters find it.

    \b
    Examples:
      deja-hooks sessions --since 2w --project .
      deja-hooks sessions --text "retry budget" --file src/login.py
      deja-hooks sessions --pr 123 --json
    """
    wanted = wanted_sessions(here, filters)
    with memory_of(here) as memory:
        from deja_hooks.history.listing import list_sessions

        found = list_sessions(memory.db, wanted, limit)
        ids = [row[0] for row in memory.db.execute("SELECT sid FROM session")] if sys.stdout.isatty() else []
    if as_json:
        print_json([_as_json(each) for each in found])
    elif not found:
        click.echo("No session fits." if any(value is not None for value in filters.values()) else "No sessions yet.")
    elif sys.stdout.isatty():
        _draw(found, _short_ids(ids), here.now_ms)
    else:
        _print_lines(found)


def _as_json(each: "Listed") -> dict[str, object]:
    return {
        "session_id": each.sid,
        "host": each.host,
        "store": each.store,
        "project": each.project_name,
        "title": each.title,
        "turns": each.turns,
        "started": iso_time(each.started),
        "updated": iso_time(each.updated),
        "archived": None if each.archived is None else bool(each.archived),
        "forked_from": each.forked_from or None,
    }


def _print_lines(found: "list[Listed]") -> None:
    rows = [
        (each.sid, _time(each), each.host, number_of(each.turns, "turn"), each.project_name, _title(each))
        for each in found
    ]
    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row, each in zip(cells, found, strict=True):
        line = "  ".join(cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False))
        click.echo(f"{line}  {row[-1]}{_marks(each)}")


def _draw(found: "list[Listed]", short: dict[str, str], now_ms: int) -> None:
    """The sessions below headings such as "Yesterday", as wide as the terminal."""
    from rich.console import Console  # only where a table is drawn
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    for justify in ("left", "left", "left", "left", "right"):
        table.add_column(no_wrap=True, justify=justify)
    table.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    group = ""
    for each in found:
        this = _group(each.latest, now_ms)
        if this != group:
            if group:
                table.add_row()
            table.add_row(Text(this, style="bold"))
            group = this
        at = _time(each)[11:16] if this in ("Today", "Yesterday") else _time(each)[:16]
        cells = (at, short[each.sid], each.host, each.project_name, str(each.turns))
        title = Text(one_line(_title(each)))
        title.append(_marks(each), style="dim")
        table.add_row(*(Text(one_line(cell)) for cell in cells), title)
    Console().print(table)


def _group(epoch_ms: int, now_ms: int) -> str:
    """Today, Yesterday, This week (from Monday on), This month or Earlier, by this machine's calendar."""
    try:
        day = datetime.fromtimestamp(epoch_ms / 1000).date()
    except (ValueError, OverflowError, OSError):
        return "Earlier"
    today = datetime.fromtimestamp(now_ms / 1000).date()
    if day >= today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    if day >= today - timedelta(days=today.weekday()):
        return "This week"
    return "This month" if (day.year, day.month) == (today.year, today.month) else "Earlier"


def _time(each: "Listed") -> str:
    return local_time(each.latest) if each.latest else "-"


def _title(each: "Listed") -> str:
    return each.title or "(untitled)"


def _marks(each: "Listed") -> str:
    marks = ["archived"] if each.archived else []
    marks += ["forked"] if each.forked_from else []
    marks += ["no longer on disk"] if each.gone else []
    return f"  ({', '.join(marks)})" if marks else ""


def _short_ids(ids: "Iterable[str]") -> dict[str, str]:
    """Id → the shortest beginning of it, of 8 characters at least, that no other id has."""
    ordered = sorted(ids)
    short = {}
    for before, each, after in zip(["", *ordered], ordered, [*ordered[1:], ""], strict=False):
        shared = max(_shared(each, before), _shared(each, after))
        short[each] = each[: max(_SHORT_ID, shared + 1)]
    return short


def _shared(one: str, other: str) -> int:
    """How many characters two ids begin with alike."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
