"""A progress bar on stderr, where that is a terminal; rich is loaded for it alone."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["progress_bar"]


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A function that takes how many bytes are done, and of how many; None where nobody would see the bar.

    Args:
        what: is done, in two or three words.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from deja_hooks.cli.colours import console

    columns = (TextColumn(what), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True, auto_refresh=False) as bar:
        task = bar.add_task("", total=None)
        # Drawn at each step and by no thread of its own: beside one, the indexer could not fork its workers.
        yield lambda done, total: bar.update(task, completed=done, total=total, refresh=True)
