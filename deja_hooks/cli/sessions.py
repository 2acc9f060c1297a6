"""`deja-hooks sessions`: the list of sessions that the memory has."""

import sys
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.chosen import GONE
from deja_hooks.cli.context import Here
from deja_hooks.cli.ids import short_ids
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.moments import since_option, until_option
from deja_hooks.cli.output import iso_time, local_time, number_of, one_line, print_json
from deja_hooks.cli.table import Give, cut, fitted, padded, terminal_width, width_of
from deja_hooks.cli.wanted import Number, host_option, project_option, wanted_sessions

if TYPE_CHECKING:
    from deja_hooks.history.listing import Listed

__all__ = ["sessions"]

#: Columns on a terminal: which is the number of turns; which of them (project, title) give way, and how far.
_TURNS = 4
_GIVES = (Give(5, 24), Give(3, 8), Give(5, 6))
_LEAST_TITLE = 3
_NONE_FITS = "No session fits. Without options, deja-hooks sessions lists all."
_DECIDED = {"promote": "promoted", "reject": "rejected"}


@click.command()
@project_option("A part of the project's name (- for none), or a folder of it (., /..., ~).")
@host_option()
@since_option("Active after this: 90m, 2h, 3d, 2w, or a date.")
@until_option("Begun before this; a day is included.")
@click.option("--text", metavar="WORDS", help="Each word occurs in the title or in what was said.")
@click.option("--file", metavar="PATH", help="This file was read, named or changed; the end of its path is enough.")
@click.option("--pr", type=Number(), metavar="N", help="This pull request is mentioned.")
@click.option("--issue", type=Number(), metavar="N", help="This issue is mentioned.")
@click.option("--archived/--no-archived", default=None, help="Only, or without, those that were put away.")
@click.option("--marked", type=click.Choice(["promoted", "rejected"]), help="Only those that you have marked so.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Most sessions (default: all).")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array.")
@click.pass_obj
def sessions(here: Here, /, limit: int | None, as_json: bool, **filters: object) -> None:
    """List the sessions, the last active first; filters add up.

    On a terminal they are grouped by day (time, id, host, project, turns, title), and as much of each id is shown
    as `deja-hooks show` needs. In a pipe each is one line: id, time, host, turns, project, title. A plain #123 may
    be a pull request or an issue: both filters find it.

    Forked: it began as a copy of another session, which holds that beginning. No longer on disk: the host has
    deleted its file, or the folder of it isn't there; what had been read stays. Promoted, rejected: so you marked it.

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
        filtered = any(value is not None for value in filters.values())
        click.echo(_NONE_FITS if filtered else "No sessions yet: deja-hooks sources says where they are looked for.")
    elif sys.stdout.isatty():
        _draw(found, short_ids(ids), here.now_ms)
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
    groups = [_group(each.latest, now_ms) for each in found]
    rows = [_row(each, short[each.sid], group) for each, group in zip(found, groups, strict=True)]
    room = terminal_width()
    widths = fitted([[*cells, title + mark] for *cells, title, mark in rows], room, _GIVES)
    for place, row in enumerate(rows):
        if place == 0 or groups[place] != groups[place - 1]:
            click.echo(("\n" if place else "") + click.style(groups[place], bold=True))
        click.echo(_in_columns(row, widths) if widths else _on_two_lines(row, room))


def _row(each: "Listed", short_id: str, group: str) -> list[str]:
    """Time, id, host, project, turns, title, marks."""
    at = _time(each)[11:16] if group in ("Today", "Yesterday") else _time(each)[:16]
    cells = (at, short_id, each.host, each.project_name, f"{each.turns:,}", _title(each), _marks(each))
    return [*map(one_line, cells[:-1]), cells[-1]]


def _in_columns(row: list[str], widths: list[int]) -> str:
    *cells, title, mark = row
    shown = [padded(cell, width, right=n == _TURNS) for n, (cell, width) in enumerate(zip(cells, widths, strict=False))]
    return "  ".join([*shown, _titled(title, mark, widths[-1])])


def _on_two_lines(row: list[str], room: int) -> str:
    """Where an id is so long that nothing else has room beside it."""
    first, second = "  ".join(row[:3]), f"    {row[3]}  {row[4]}  "
    return f"{first}\n{second}{_titled(row[5], row[6], room - len(second))}"


def _titled(title: str, mark: str, room: int) -> str:
    """The title with its marks, of which it is the title that is cut."""
    if room - width_of(mark) < _LEAST_TITLE < width_of(title):
        return cut(title + mark, room)
    return cut(title, room - width_of(mark)) + click.style(mark, dim=True)


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
    marks += [GONE] if each.gone else []
    marks += [_DECIDED[each.mark]] if each.mark in _DECIDED else []
    return f"  ({', '.join(marks)})" if marks else ""
