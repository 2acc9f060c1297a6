"""What model calls took in a Copilot CLI session: records into rows, and rows into amounts that can be added up.

The CLI says the same thing several times. `session.usage_record` (seen in 1.0.102) is one call;
`session.shutdown` has `modelMetrics`, what each model took since the session began, resumes and sub-agents
included (`inputTokens` with what was read from a cache and written to it); `session.usage_checkpoint` (seen in
1.0.78) has the session's credits alone; `session.compaction_complete` has its own calls, whose tokens no
`modelMetrics` holds, though its credits are in `totalNanoAiu`; before the records, a message has its
`outputTokens`. `assistant.usage` (read in public parsers, not seen) is a record under its event's name.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from deja_hooks.sources.model import Usage

__all__ = [
    "checkpoint_row", "compaction_row", "counted", "hides_cached", "message_row", "record_row", "total_rows",
    "uncovered", "without_cached",
]  # fmt: skip

#: What the CLI bills in: a billionth of a credit.
_NANO = 1e-9


def record_row(data: Mapping[str, Any], row_id: str, at: int) -> Usage | None:
    """One call, from a `session.usage_record` (or `assistant.usage`); None where it holds no number."""
    usage = _mapping(data.get("usage")) or data
    row = Usage(
        "call", row_id, at, _model(usage.get("model")), 1,
        input=_count(usage.get("inputTokens")),
        cached=None if hides_cached(data) else _count(usage.get("cacheReadTokens")),
        output=_count(usage.get("outputTokens")),
        credits=_credits(usage),
        elapsed=_count(usage.get("duration")),
        first=_count(usage.get("timeToFirstTokenMs")),
    )  # fmt: skip
    return None if row.input is None and row.output is None and row.credits is None else row


def hides_cached(data: Mapping[str, Any]) -> bool:
    """Whether a record says that its provider doesn't report what was read from a cache: a 0 is then written."""
    usage = _mapping(data.get("usage")) or data
    return usage.get("cacheDetailsReported") is False and not usage.get("cacheReadTokens")


def without_cached(row: Usage, models: Container[str]) -> Usage:
    """The row, unknown what was read from a cache where that is a 0 and its model's provider doesn't report it."""
    return row._replace(cached=None) if not row.cached and row.model in models else row


def message_row(data: Mapping[str, Any], row_id: str, at: int) -> Usage | None:
    """One call of which only its answer was counted, from an `assistant.message`."""
    output = _count(data.get("outputTokens"))
    return None if output is None else Usage("call", row_id, at, _model(data.get("model")), 1, output=output)


def total_rows(data: Mapping[str, Any], row_id: str, at: int) -> list[Usage]:
    """What each model took so far, from a `session.shutdown`."""
    # Beside the older field of the same name, 1.0.102 has one that says whether the credits are known.
    metrics = _mapping(_mapping(data.get("accountingSnapshot")).get("modelMetrics"))
    rows = []
    for name, each in (metrics or _mapping(data.get("modelMetrics"))).items():
        usage = _mapping(_mapping(each).get("usage"))
        row = Usage(
            "total", row_id, at, _model(name), _count(_mapping(_mapping(each).get("requests")).get("count")),
            input=_count(usage.get("inputTokens")),
            cached=_count(usage.get("cacheReadTokens")),
            output=_count(usage.get("outputTokens")),
            credits=_credits(_mapping(each)),
        )  # fmt: skip
        if _has_tokens(row) or row.credits is not None:
            rows.append(row)
    return rows


def checkpoint_row(data: Mapping[str, Any], row_id: str, at: int) -> Usage | None:
    """The session's credits so far, from a `session.usage_checkpoint`."""
    known = _credits(data)
    return None if known is None else Usage("total", row_id, at, "", credits=known)


def compaction_row(data: Mapping[str, Any], row_id: str, at: int) -> Usage | None:
    """The calls that made a summary, from a `session.compaction_complete`. Their credits are in the totals."""
    used = _mapping(data.get("compactionTokensUsed"))
    sent = _count(used.get("inputTokens", used.get("input")))
    received = _count(used.get("outputTokens", used.get("output")))
    if sent is None and received is None:
        return None
    cached = _count(used.get("cacheReadTokens", used.get("cachedInput")))
    rounds = _count(used.get("requestCount", 1))
    elapsed = _count(used.get("duration"))
    return Usage(
        "compaction", row_id, at, _model(used.get("model")), rounds,
        input=sent, cached=cached, output=received, elapsed=elapsed,
    )  # fmt: skip


def uncovered(rows: Sequence[Usage]) -> list[Usage]:
    """A session's rows in order, without those that a later total of tokens holds: calls, and checkpoints."""
    last = max((i for i, row in enumerate(rows) if row.kind == "total" and _has_tokens(row)), default=-1)
    return [row for i, row in enumerate(rows) if i >= last or not _is_coverable(row)]


def counted(rows: Sequence[Usage]) -> list[Usage]:
    """A session's rows (of any host), in the order of recording, as amounts that may be added up.

    A total becomes what was taken since the previous total of its model; one that is smaller than that counts
    from a new beginning. A checkpoint gives the credits that nothing before it accounts for. Rows without
    anything new are left out, all others are as they are. None stays None.
    """
    before: dict[str, Usage] = {}
    credited = 0.0
    amounts = []
    for row in uncovered(rows):
        amount: Usage | None = row
        if row.kind == "total" and _has_tokens(row):
            amount = _since(row, before.get(row.model))
            before[row.model] = row
        elif row.kind == "total":
            amount = _beyond(row, credited)
        if amount is not None:
            credited += amount.credits or 0.0
            amounts.append(amount)
    return amounts


def _since(row: Usage, previous: Usage | None) -> Usage | None:
    """A total less the one before; None where nothing was added."""
    if previous is None or _began_anew(row, previous):
        return row
    numbers = [_less(now, then) for now, then in zip(_numbers(row), _numbers(previous), strict=True)]
    taken = None if row.credits is None else round(max(0.0, row.credits - (previous.credits or 0.0)), 9)
    if not taken and not any(numbers):
        return None
    rounds, sent, cached, received = numbers
    return row._replace(rounds=rounds, input=sent, cached=cached, output=received, credits=taken)


def _beyond(row: Usage, credited: float) -> Usage | None:
    """A checkpoint's credits less those already counted; None where there are no more."""
    known = row.credits or 0.0
    more = round(known - credited, 9)
    if more < 0:
        more = known  # the counter began anew
    return row._replace(credits=more) if more else None


def _began_anew(row: Usage, previous: Usage) -> bool:
    pairs = zip(_numbers(row), _numbers(previous), strict=True)
    return any(now is not None and then is not None and now < then for now, then in pairs)


def _less(now: int | None, then: int | None) -> int | None:
    return None if now is None else now - (then or 0)


def _numbers(row: Usage) -> tuple[int | None, int | None, int | None, int | None]:
    return row.rounds, row.input, row.cached, row.output


def _is_coverable(row: Usage) -> bool:
    return row.kind == "call" or (row.kind == "total" and not _has_tokens(row))


def _has_tokens(row: Usage) -> bool:
    return row.input is not None or row.output is not None


def _credits(data: Mapping[str, Any]) -> float | None:
    """Credits, where they are known. A model of the user's own has none: before there was a field that says
    so, it was written as 0."""
    status = data.get("aiCreditsStatus")
    if status not in (None, "complete"):
        return None
    nano = data.get("totalNanoAiu", _mapping(data.get("copilotUsage")).get("totalNanoAiu"))
    if not _is_number(nano) or (status is None and not nano):
        return None
    return float(round(nano * _NANO, 9))


def _count(value: Any) -> int | None:
    """A whole number of tokens, calls or ms; None for anything that is none."""
    return round(value) if _is_number(value) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1 << 53


def _model(name: Any) -> str:
    return name.rsplit("/", 1)[-1].replace("\0", "") if isinstance(name, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
