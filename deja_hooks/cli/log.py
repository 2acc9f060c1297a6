"""`deja-hooks log`: the ring of hook calls, so that "empty", "late" and "failed" can be told apart."""

from datetime import datetime, timezone

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import local_time, one_line, print_json, print_table, quoted_text
from deja_hooks.history.calls import Call, calls
from deja_hooks.indexer.report import last_fault

__all__ = ["log"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array, the newest call first.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Most calls.")
@click.option(
    "--show",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="Print what call N put before the model.",
)
@click.pass_obj
def log(here: Here, as_json: bool, limit: int, number: int | None) -> None:
    """List the last hook calls, the newest (1) first, and why they spoke or not.

    \b
    Examples:
      deja-hooks log
      deja-hooks log --show 1
    """
    newest_first = calls(here.layout)
    if number is not None:
        _show(newest_first, number, as_json)
        return
    chosen = list(enumerate(newest_first[:limit], 1))
    if as_json:
        print_json([_as_json(n, call) for n, call in chosen])
    elif chosen:
        print_table(("#", "time", "event", "host", "ms", "answer", "why"), [_row(n, call) for n, call in chosen])
    else:
        click.echo("No hook has been called yet.")
    fault = last_fault(here.layout)
    if fault and not as_json:
        click.echo(f"The background indexer failed: {one_line(fault)}", err=True)
        click.echo("`deja-hooks index` tries again, and says why.", err=True)


def _show(newest_first: list[Call], number: int, as_json: bool) -> None:
    if number > len(newest_first):
        raise DejaError(f"The log has {len(newest_first)} calls: there is no call {number}. deja-hooks log lists them.")
    call = newest_first[number - 1]
    if as_json:
        print_json(_as_json(number, call))
    elif call.packet is None and call.characters:
        click.echo(f"Its text was erased ({one_line(call.reason)}).")
    elif call.packet is None:
        click.echo(f"Nothing ({one_line(call.reason)}).")
    else:
        click.echo(quoted_text(call.packet, ""))


def _row(number: int, call: Call) -> tuple[str, ...]:
    answer = f"{call.characters} chars" if call.characters else "-"
    time = "unknown" if call.at_ms is None else local_time(call.at_ms)
    return (str(number), time, call.event, call.host, f"{call.ms:.1f}", answer, call.reason)


def _as_json(number: int, call: Call) -> dict[str, object]:
    at = None if call.at_ms is None else datetime.fromtimestamp(call.at_ms / 1000, timezone.utc)
    return {
        "n": number,
        "time": None if at is None else at.isoformat(timespec="milliseconds"),
        "event": call.event,
        "host": call.host,
        "session_id": call.session_id,
        "ms": call.ms,
        "reason": call.reason,
        "characters": call.characters,
        "packet": call.packet,
    }
