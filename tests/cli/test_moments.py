import time
from pathlib import Path

import click
import pytest

from deja_hooks.cli.context import here
from deja_hooks.cli.moments import Moment

from .conftest import NOW_MS

DAY = 86_400_000


def _read(text: str, *, end: bool = False) -> int:
    context = click.Context(click.Command("x"), obj=here())
    return Moment(end=end).convert(text, None, context)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("90m", NOW_MS - 90 * 60_000),
        ("2h", NOW_MS - 7_200_000),
        (" 3d ", NOW_MS - 3 * DAY),
        ("2w", NOW_MS - 14 * DAY),
        ("2026-03-01", NOW_MS - DAY // 2),
        ("2026-03-01T12:00", NOW_MS),
        ("2026-03-01 12:00:00", NOW_MS),
        ("2026-03-01T12:00:00Z", NOW_MS),
        ("2026-03-01T14:00:00+02:00", NOW_MS),
    ],
)
def test_moments(home: Path, text: str, at: int) -> None:
    assert _read(text) == at


def test_an_end_includes_its_day(home: Path) -> None:
    assert _read("2026-03-01", end=True) == NOW_MS + DAY // 2
    assert _read("2026-03-01T12:00", end=True) == NOW_MS


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone can't be set")
def test_days_are_those_of_this_machine(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        # The day on which the clock goes forward has 23 hours.
        assert _read("2026-03-29", end=True) - _read("2026-03-29") == 23 * 3_600_000
    finally:
        monkeypatch.setenv("TZ", "UTC")
        time.tzset()


@pytest.mark.parametrize("text", ["", "3", "3y", "-3d", "2026-13-01", "yesterday", "\udcff"])
def test_what_is_no_time(home: Path, text: str) -> None:
    with pytest.raises(click.BadParameter, match="is no time: write 90m, 2h, 3d, 2w"):
        _read(text)
