"""`deja-hooks index`: a full pass over the hosts' sessions, in the foreground."""

from pathlib import Path

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.named_roots import warn_of_missing
from deja_hooks.cli.output import number_of, one_line, print_json
from deja_hooks.cli.progress import progress_bar
from deja_hooks.indexer.budget import LimitError
from deja_hooks.indexer.fault import remedy
from deja_hooks.indexer.run import Report
from deja_hooks.indexer.run import index as run_index
from deja_hooks.indexer.tidy import tidy
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.read import open_memory
from deja_hooks.memory.sqlite import sqlite_error
from deja_hooks.system import make_private_dir

__all__ = ["index"]

_SHOWN_PROBLEMS = 10


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def index(here: Here, as_json: bool) -> None:
    """Read what is new in the hosts' sessions.

    Hooks do this by themselves, in the background. Where that is going on just now, this waits for it to end,
    and then makes a full pass of its own. A chat whose file was deleted is dropped. The turns that the memory holds
    are those that you asked, as sessions and usage count them.

    \b
    Examples:
      deja-hooks index
      deja-hooks index --json
    """
    warn_of_missing(here)
    _warn_of_decisions(here.layout)
    report = _run(here)
    tidy(here.layout)
    held = _held(here)
    if as_json:
        problems = [{"path": path, "why": why} for path, why in report.problems]
        memory = None if held is None else dict(zip(("sessions", "turns"), held, strict=True))
        print_json({**report._asdict(), "problems": problems, "memory": memory})
        return
    click.echo(_summary(report, held))
    for path, why in report.problems[:_SHOWN_PROBLEMS]:
        click.echo(f"could not be read: {one_line(path)} ({one_line(why)})", err=True)
    if len(report.problems) > _SHOWN_PROBLEMS:
        click.echo(f"and {len(report.problems) - _SHOWN_PROBLEMS} more (--json names all)", err=True)


def _warn_of_decisions(layout: Layout) -> None:
    """Says what of the user's own decisions can't be understood: a pass goes on without it."""
    if Path(layout.settings).exists():
        from deja_hooks.marks.settings import read_settings  # loads pydantic
        from deja_hooks.marks.settings_error import SettingsError

        try:
            read_settings(layout)
        except SettingsError as error:
            click.echo(f"{error}\nUntil then, what can't be used of it stays as it was before.", err=True)
    if Path(layout.marks).exists():
        from deja_hooks.marks.log import bad_lines

        for number in bad_lines(layout)[:_SHOWN_PROBLEMS]:
            click.echo(f"{layout.marks}, line {number}: it can't be understood, and counts for nothing.", err=True)


def _run(here: Here) -> Report:
    try:
        make_private_dir(here.layout.cache)
        with progress_bar("reading sessions") as progress:
            return run_index(
                here.layout,
                environment=here.environment,
                home=here.home,
                platform=here.platform,
                progress=progress,
                on_wait=_say_waiting,
            )
    except LimitError as error:
        raise DejaError(str(error)) from error
    except OSError as error:
        why = error.strerror or str(error)
        raise DejaError(f"{error.filename or here.layout.cache} can't be written ({why}){_then(why, here)}") from error
    except sqlite_error() as error:
        raise DejaError(f"{here.layout.memory} can't be written ({error}){_then(str(error), here)}") from error


def _then(why: str, here: Here) -> str:
    """What to do about it, as the end of a sentence."""
    to_do = remedy(why, here.layout)
    return f": {to_do}" if to_do else "."


def _say_waiting() -> None:
    click.echo("Another indexer is running: waiting for it to end.", err=True)


def _held(here: Here) -> tuple[int, int] | None:
    """How many sessions, and turns of the user, the memory has; None where there is none that can be read."""
    memory = open_memory(here.layout.memory)
    if memory is None:
        return None
    try:
        sessions, turns = memory.db.execute("SELECT count(*), total(turns) FROM session").fetchone()
        return sessions, int(turns)
    except sqlite_error():
        return None
    finally:
        memory.close()


def _summary(report: Report, held: tuple[int, int] | None) -> str:
    dropped = f"dropped {number_of(report.dropped, 'session')} whose files are gone" if report.dropped else ""
    if report.changed:
        line = (
            f"Read {number_of(report.changed, 'changed file')} of {report.files:,} ({report.bytes_read / 1e6:.1f} MB)"
        )
        line += f": {number_of(report.sessions, 'session')}" + (dropped and f"; {dropped}")
    else:
        line = f"Nothing new in {number_of(report.files, 'file')}" + (dropped and f", {dropped}")
    line += f" ({report.seconds:.1f} s)."
    if held is not None and (report.changed or dropped):
        line += f" The memory has {number_of(held[0], 'session')} with {number_of(held[1], 'turn')}."
    if report.trimmed:
        shortened = number_of(report.trimmed, "session")
        line += f" {shortened} became shorter, the oldest first, to keep the memory within its limit."
    if report.bad_lines:
        line += f" {number_of(report.bad_lines, 'line')} could not be understood."
    return line
