"""`deja-hooks stats`: how often hooks spoke, whether it was taken up, and what it cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.moments import since_option
from deja_hooks.cli.output import iso_time, local_time, number_of, print_json, print_table
from deja_hooks.history.calls import calls

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from deja_hooks.feedback.judge import Verdict
    from deja_hooks.feedback.told import Told
    from deja_hooks.history.calls import Call
    from deja_hooks.history.stats import Calls, Packets

__all__ = ["stats"]

_MOST_REASONS = 5
_CALLS = ("calls", "spoke", "silent", "ms median", "ms p95")
_PACKETS = ("packets", "taken up", "not", "not known yet", "untellable", "characters", "~tokens")


class _Found(NamedTuple):
    calls: list[Call]
    packets: list[Told]
    verdicts: Mapping[tuple[str, int, str], Verdict]
    project: Callable[[str], str]
    since: str


@click.command()
@click.option(
    "--by",
    type=click.Choice(["event", "project", "day"]),
    default="event",
    show_default=True,
    help="What each line stands for.",
)
@since_option("Only what was after this: 90m, 2h, 3d, 2w, or a date.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def stats(here: Here, by: str, since: int | None, as_json: bool) -> None:
    """Sum up how often the hooks spoke, whether that was taken up, and what it cost.

    Taken up means: what was new in the packet came back in the agent's words, files or commands, in that turn or the
    two after it. That is a lower bound (other words for the same thing are not seen), and no proof that it helped.
    Untellable is what held nothing new to its session. Tokens are an estimate, a quarter of the characters.

    \b
    Examples:
      deja-hooks stats
      deja-hooks stats --by day --since 2w
      deja-hooks stats --by project --json
    """
    found = _find(here, since)
    if as_json:
        print_json(_as_json(found, by, since))
    elif found.calls or found.packets:
        _print(found, by)
    elif since is not None:
        click.echo("No hook was called in that time.")
    else:
        click.echo("No hook has been called yet: run deja-hooks install, use Copilot, then look again.")


def _find(here: Here, since: int | None) -> _Found:
    """Calls, packets and verdicts. What is missing or broken counts as empty: it is a cache."""
    from deja_hooks.feedback.judge import verdicts
    from deja_hooks.feedback.told import told_packets
    from deja_hooks.history.listing import project_name
    from deja_hooks.memory.read import open_memory
    from deja_hooks.memory.scope import label
    from deja_hooks.memory.sqlite import sqlite_error

    start = since or 0
    log = calls(here.layout)
    heard = [call for call in log if since is None or (call.at_ms or 0) >= start]
    packets = told_packets(here.layout.state, start) or []
    projects = {packet.sid: packet.project for packet in packets if packet.project}
    judged: Mapping[tuple[str, int, str], Verdict] = {}
    memory = open_memory(here.layout.memory)
    if memory is not None:
        try:
            judged = verdicts(memory.db)
            rows = memory.db.execute("SELECT sid, key FROM session JOIN project ON project.id=session.project")
            projects |= dict(rows.fetchall())
        except sqlite_error():
            pass
        finally:
            memory.close()

    def project(sid: str) -> str:
        key = projects.get(sid, "")
        return project_name(key, label(key)) if key else ""

    return _Found(heard, packets, judged, project, _reach(log, since))


def _reach(log: list[Call], since: int | None) -> str:
    """From when on calls were counted, in words: the log may not reach back as far as was asked for."""
    oldest = min((call.at_ms for call in log if call.at_ms is not None), default=0)
    if since is not None and oldest <= since:
        return f"since {_when(since)}"
    return f"since {_when(oldest)} (the log has no older ones)"


def _print(found: _Found, by: str) -> None:
    from deja_hooks.history.stats import call_lines, packet_lines, reasons, share_of_input

    rows, total, _ = call_lines(found.calls, by, found.project)
    if rows:
        click.echo(f"Hook calls {found.since}:")
        _table(by, _CALLS, [(name, _call_cells(line)) for name, line in rows], _call_cells(total))
        silent = reasons(found.calls)
        if silent:
            click.echo("\nSilent most often because:")
            print_table(("calls", "why"), [(f"{n:,}", why) for why, n in silent[:_MOST_REASONS]], numbers=(0,))
        click.echo()
    lines, sum_, first = packet_lines(found.packets, found.verdicts, by, found.project)
    if not lines:
        click.echo("Nothing has been put before the model.")
        return
    click.echo(f"What was put before the model since {_when(first)}:")
    _table(by, _PACKETS, [(name, _packet_cells(line)) for name, line in lines], _packet_cells(sum_))
    share = share_of_input(found.packets, found.verdicts)
    if share.input:
        click.echo(
            f"At most {share.tokens / share.input:.2%} of the input of their requests, as far as these say what they"
            f" took ({number_of(share.packets, 'packet')} of {sum_.packets:,})."
        )
    if sum_.open:
        click.echo("What is not known yet shows once the sessions have been read on: deja-hooks index.")


def _table(by: str, headings: tuple[str, ...], rows: list[tuple[str, list[str]]], total: list[str]) -> None:
    cells = [(name or "unknown", *line) for name, line in rows]
    numbers = range(1, len(headings) + 1)
    print_table((by, *headings), cells, numbers=numbers, total=("total", *total) if len(rows) > 1 else None)


def _when(at: float) -> str:
    return local_time(at) if at else "unknown"


def _call_cells(line: Calls) -> list[str]:
    times = ("-" if ms is None else f"{ms:.1f}" for ms in (line.median, line.p95))
    return [f"{line.calls:,}", f"{line.spoke:,}", f"{line.calls - line.spoke:,}", *times]


def _packet_cells(line: Packets) -> list[str]:
    return [f"{number:,}" for number in (*line, line.tokens)]


def _as_json(found: _Found, by: str, since: int | None) -> dict[str, object]:
    from deja_hooks.history.stats import call_lines, packet_lines, reasons, share_of_input

    rows, total, oldest = call_lines(found.calls, by, found.project)
    lines, sum_, first = packet_lines(found.packets, found.verdicts, by, found.project)
    share = share_of_input(found.packets, found.verdicts)
    return {
        "by": by,
        "since": iso_time(since or 0),
        "calls": {
            "reach_back_to": iso_time(oldest),
            "rows": [{"key": name or "unknown", **_call_json(line)} for name, line in rows],
            "total": _call_json(total),
            "silent": [{"reason": why, "calls": count} for why, count in reasons(found.calls)],
        },
        "packets": {
            "first": iso_time(first),
            "rows": [{"key": name or "unknown", **_packet_json(line)} for name, line in lines],
            "total": _packet_json(sum_),
            "share_of_input": {
                "packets": share.packets,
                "estimated_tokens": share.tokens,
                "input": share.input or None,
                "at_most": round(share.tokens / share.input, 6) if share.input else None,
            },
        },
    }


def _call_json(line: Calls) -> dict[str, object]:
    times = {"ms_median": line.median, "ms_p95": line.p95}
    return {"calls": line.calls, "spoke": line.spoke, "silent": line.calls - line.spoke, **times}


def _packet_json(line: Packets) -> dict[str, object]:
    return {
        "packets": line.packets,
        "taken_up": line.taken,
        "not_taken_up": line.left,
        "not_known_yet": line.open,
        "untellable": line.none,
        "characters": line.characters,
        "estimated_tokens": line.tokens,
    }
