from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.hook.instant import LAST_MS, epoch_ms


@given(
    st.datetimes(datetime(1970, 1, 3), datetime(9999, 12, 29), timezones=st.just(timezone.utc)),
    st.integers(-840, 840),
)
def test_agrees_with_datetime(at: datetime, zone_min: int) -> None:
    at_ms = (at - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(milliseconds=1)
    text = at.astimezone(timezone(timedelta(minutes=zone_min))).isoformat()
    assert epoch_ms(text) == at_ms


@pytest.mark.parametrize(
    ("value", "at_ms"),
    [
        (1796077501843, 1796077501843),
        (1796077501843.7, 1796077501843),
        (LAST_MS, LAST_MS),
        ("2026-11-30T22:25:27.663Z", 1_796_077_527_663),
        ("2026-11-30T22:25:27.6Z", 1_796_077_527_600),
        ("2026-11-30 22:25:27", 1_796_077_527_000),
        ("2026-11-30t22:25z", 1_796_077_500_000),
        ("2026-11-30T23:25:27+01:00", 1_796_077_527_000),
        ("2026-11-30T17:25:27-0500", 1_796_077_527_000),
        ("2000-02-29T00:00:00Z", 951_782_400_000),
    ],
)
def test_times(value: object, at_ms: int) -> None:
    assert epoch_ms(value) == at_ms


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        -1,
        LAST_MS + 1,
        10**400,
        float("nan"),
        float("inf"),
        [],
        {},
        b"x",
        "",
        "x",
        "2026-11-30",
        "1796077501843",
        "2026-13-01T00:00:00Z",
        "2026-01-32T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:60:00Z",
        "1969-12-31T23:59:59Z",
        "2026-01-01T" + "1" * 5000 + ":00Z",
        "٢٠٢٦-01-01T00:00:00Z",
        "2026-01-01T00:00:00.xZ",
        "2026-01-01T1:2:3:4:5Z",
    ],
)
def test_no_times(value: object) -> None:
    assert epoch_ms(value) == 0


@given(st.text(st.sampled_from("0123456789-:.TZ+ x"), max_size=45))
def test_any_text_is_tolerated(text: str) -> None:
    assert 0 <= epoch_ms(text) <= LAST_MS
