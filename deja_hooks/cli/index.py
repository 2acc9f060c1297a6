"""`deja-hooks index`: a full pass over the hosts' sessions, in the foreground."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line, print_json
from deja_hooks.indexer.run import Report
from deja_hooks.indexer.run import index as run_index
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
    and then makes a full pass of its own.
    """
    report = _run(here)
    if as_json:
        problems = [{"path": path, "why": why} for path, why in report.problems]
        print_json({**report._asdict(), "problems": problems})
        return
    click.echo(_summary(report))
    for path, why in report.problems[:_SHOWN_PROBLEMS]:
        click.echo(f"could not be read: {one_line(path)} ({one_line(why)})", err=True)
    if len(report.problems) > _SHOWN_PROBLEMS:
        click.echo(f"and {len(report.problems) - _SHOWN_PROBLEMS} more (--json names all)", err=True)


def _run(here: Here) -> Report:
    try:
        make_private_dir(here.layout.cache)
        with _progress() as progress:
            return run_index(
                here.layout,
                environment=here.environment,
                home=here.home,
                platform=here.platform,
                progress=progress,
                on_wait=_say_waiting,
            )
    except OSError as error:
        raise DejaError(f"{error.filename or here.layout.cache} can't be written ({error.strerror}).") from error
    except sqlite_error() as error:
        raise DejaError(f"{here.layout.memory} can't be written ({error}).") from error


def _say_waiting() -> None:
    click.echo("Another indexer is running: waiting for it to end.", err=True)


def _summary(report: Report) -> str:
    if not report.changed:
        return f"Nothing new in {_count(report.files, 'file')} ({report.seconds:.1f} s)."
    line = (
        f"Read {_count(report.changed, 'changed file')} of {report.files} "
        f"({report.bytes_read / 1e6:.1f} MB): "
        f"{_count(report.sessions, 'session')}, {_count(report.turns, 'turn')} in {report.seconds:.1f} s."
    )
    if report.bad_lines:
        line += f" {_count(report.bad_lines, 'line')} could not be understood."
    return line


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None] | None]:
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # only where a bar is drawn
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("reading sessions"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=None)
        # Drawn at each step and by no thread of its own: beside one, the indexer could not fork its workers.
        yield lambda done, total: bar.update(task, completed=done, total=total, refresh=True)
