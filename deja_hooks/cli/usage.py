"""`deja-hooks usage`: what the sessions took of turns, model calls, tokens and credits."""

import sys
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.ids import short_ids
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.moments import since_option, until_option
from deja_hooks.cli.output import number_of, print_json, print_table
from deja_hooks.cli.table import Give
from deja_hooks.cli.wanted import host_option, project_option, wanted_sessions

if TYPE_CHECKING:
    from deja_hooks.history.spending import Line
    from deja_hooks.history.spent import Spent
    from deja_hooks.memory.read import Memory

__all__ = ["spent_as_json", "usage"]

_HEADINGS = ("turns", "rounds", "tokens in", "cached", "out", "credits", "time")
_MEASURES = ("rounds", "input", "cached", "output", "credits", "elapsed")
_UNKNOWN = "?"
#: Columns that are left of a session's title on a narrow terminal.
_LEAST_TITLE = 8


@click.command()
@click.option(
    "--by",
    type=click.Choice(["day", "model", "project", "session"]),
    default="day",
    show_default=True,
    help="What each line stands for.",
)
@since_option("Only what was after this: 90m, 2h, 3d, 2w, or a date.")
@until_option("Only what was before this; a day is included.")
@project_option("Only this project's: a part of its name (- for none), or a folder of it (., /..., ~).")
@host_option()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def usage(here: Here, /, by: str, since: int | None, until: int | None, as_json: bool, **filters: object) -> None:
    """Sum up turns, model calls (rounds), tokens and credits, as the hosts recorded them.

    Turns are what you asked; one turn takes as many rounds as the model was called. Tokens in hold those that were
    read from a cache. ? is unknown, never 0; a sum with unknown parts is marked as a lower bound. Time is that
    of the model and its tools. By model, a turn that used several counts in the line of each, and once in the
    total. None of this is a bill.

    \b
    Examples:
      deja-hooks usage --since 2w
      deja-hooks usage --by model --project .
      deja-hooks usage --by session --since 2026-11-01 --json
    """
    with memory_of(here) as memory:
        from deja_hooks.history.spending import spending

        lines, total = spending(memory.db, by, since, until, _among(here, memory, filters))
        ids = [row[0] for row in memory.db.execute("SELECT sid FROM session")] if sys.stdout.isatty() else []
    if as_json:
        print_json({"by": by, "rows": [_line_as_json(by, line) for line in lines], "total": spent_as_json(total)})
    elif lines:
        _print(by, lines, total, short_ids(ids))
    elif any(value is not None for value in filters.values()):
        click.echo("Nothing to sum up: no session fits, or none did anything in that time.")
    else:
        click.echo("Nothing to sum up" + (" in that time." if since is not None or until is not None else " yet."))


def _among(here: Here, memory: "Memory", filters: dict[str, object]) -> set[int] | None:
    """The row ids of the sessions that the filters want; None: all."""
    if all(value is None for value in filters.values()):
        return None
    from deja_hooks.history.listing import list_sessions

    return {each.id for each in list_sessions(memory.db, wanted_sessions(here, filters))}


def spent_as_json(spent: "Spent") -> dict[str, object]:
    """The numbers for programs: null for what isn't known; `lower_bounds` names those that are only that."""
    return {
        "turns": spent.turns,
        "rounds": spent.rounds,
        "input": spent.input,
        "input_is_lower_bound": "input" in spent.bounds,
        "cached": spent.cached,
        "output": spent.output,
        "credits": spent.credits,
        "elapsed_ms": spent.elapsed,
        "requests": spent.requests,
        "partial": spent.partial,
        "lower_bounds": [name for name in _MEASURES if name in spent.bounds],
    }


def _line_as_json(by: str, line: "Line") -> dict[str, object]:
    note = {"session": "title", "project": "project_key"}.get(by)
    return {"key": line.key or "unknown", **({note: line.note} if note else {}), **spent_as_json(line.spent)}


def _print(by: str, lines: "list[Line]", total: "Spent", short: dict[str, str]) -> None:
    sign = _sign()
    titled = (by, "title") if by == "session" else (by,)
    names = _names(by, lines, short)
    rows = [(*name, *_cells(line.spent, sign)) for name, line in zip(names, lines, strict=True)]
    last = ("total", *[""] * (len(titled) - 1), *_cells(total, sign))
    numbers = range(len(titled), len(titled) + len(_HEADINGS))
    gives = [Give(1, _LEAST_TITLE)] if by == "session" else []
    print_table((*titled, *_HEADINGS), rows, numbers=numbers, total=last, gives=gives)
    if sum(line.spent.turns for line in lines) > total.turns:
        click.echo("A turn that used several models counts in the line of each, and once in the total.")
    if total.partial:
        requests = number_of(total.requests, "request")
        click.echo(
            f"Of {requests} that VS Code recorded, {total.partial:,} {'was' if total.partial == 1 else 'were'} "
            "in progress, or waiting, when last written."
        )


def _names(by: str, lines: "list[Line]", short: dict[str, str]) -> list[tuple[str, ...]]:
    """What stands in front of each line; projects of one name go by their folder.

    Args:
        by: what a line stands for.
        lines: the lines.
        short: session id → the beginning of it that is shown; the whole id where there is none.
    """
    keys = [line.key for line in lines]
    if by == "session":
        return [(short.get(line.key, line.key), _short(line.note)) for line in lines]
    if by == "project":
        return [(line.key if keys.count(line.key) == 1 else line.note.partition(":")[2],) for line in lines]
    return [(key or "unknown",) for key in keys]


def _short(title: str, longest: int = 40) -> str:
    return title if len(title) <= longest else title[: longest - 1] + "…"


def _cells(spent: "Spent", sign: str) -> list[str]:
    texts = {
        "rounds": _number(spent.rounds),
        "input": _number(spent.input),
        "cached": _number(spent.cached),
        "output": _number(spent.output),
        "credits": _UNKNOWN if spent.credits is None else f"{spent.credits:,.2f}",
        "elapsed": _duration(spent.elapsed),
    }
    return [f"{spent.turns:,}", *((sign if name in spent.bounds else "") + texts[name] for name in _MEASURES)]


def _number(value: int | None) -> str:
    return _UNKNOWN if value is None else f"{value:,}"


def _duration(ms: int | None) -> str:
    """`1:02:03` (hours, minutes, seconds); less than a second in ms."""
    if ms is None:
        return _UNKNOWN
    if ms < 1000:
        return f"{ms} ms"
    seconds = round(ms / 1000)
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _sign() -> str:
    """How a lower bound is marked where we print to."""
    try:
        "≥".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ">= "
    return "≥ "
