"""Times on the command line: `--since 3d`, `--until 2026-11-01`."""

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import click

from deja_hooks.cli.context import Here

__all__ = ["Moment", "since_option", "until_option"]

_UNITS_MS = {"m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 7 * 86_400_000}
_SPAN = re.compile(r"(\d{1,6})([mhdw])")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Moment(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic in new click only
    """A moment as epoch ms: so long ago (90m, 2h, 3d, 2w), a day of this machine's calendar, or a time of it.

    Args:
        end: a day stands for its end and not its beginning.
    """

    name = "time"

    def __init__(self, *, end: bool = False) -> None:
        self._end = end

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value).strip()
        span = _SPAN.fullmatch(text)
        here = ctx.find_object(Here) if ctx else None
        if span is not None and here is not None:
            return here.now_ms - int(span[1]) * _UNITS_MS[span[2]]
        try:
            return self._of_calendar(text)
        except (ValueError, OverflowError, OSError):
            return self.fail(
                f"{value!r} is no time: write 90m, 2h, 3d, 2w, 2026-11-01 or 2026-11-01T14:30.", param, ctx
            )

    def _of_calendar(self, text: str) -> int:
        moment = datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)
        if _DAY.fullmatch(text) and self._end:
            moment += timedelta(days=1)  # of the calendar: with a change of the clock it has 23 or 25 hours
        return int(moment.timestamp() * 1000)


def since_option(help_text: str) -> Callable[[Any], Any]:
    """The option `--since`."""
    return click.option("--since", type=Moment(), metavar="TIME", help=help_text)


def until_option(help_text: str) -> Callable[[Any], Any]:
    """The option `--until`; a day is included."""
    return click.option("--until", type=Moment(end=True), metavar="TIME", help=help_text)
