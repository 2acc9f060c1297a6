"""What a request of a chat took, as VS Code keeps it beside the answer.

`promptTokens` is the input of the last model call only: a lower bound of the request's. `completionTokens` is the
output of all calls. `modelTotals` ([{model, inputTokens, cachedTokens, outputTokens}], only where the agent host
ran the request) counts all calls, a sub-agent's included, each model by itself; `cachedTokens` are part of
`inputTokens`. `copilotCredits` is what was billed, and says nothing of tokens. Older builds: `result.usage`.
"""

from __future__ import annotations

from typing import Any

from deja_hooks.sources.chats.ending import completed_at, is_final
from deja_hooks.sources.chats.values import mapping, mappings, metadata, text, whole
from deja_hooks.sources.model import Usage

__all__ = ["usage_of"]


def usage_of(request: dict[str, Any], at: int) -> tuple[Usage, ...]:
    """A request's usage: one row, or one for each model where the request says so.

    What belongs to the request as a whole (rounds, credits, times) is in the first row.
    """
    row = _whole_request(request, at)
    totals = _model_totals(request.get("modelTotals"))
    if totals:
        rest = row._replace(rounds=None, credits=None, elapsed=None, first=None)
        return tuple(
            (row if place == 0 else rest)._replace(
                model=model, input=counts[0], exact=True, cached=counts[1], output=counts[2]
            )
            for place, (model, counts) in enumerate(totals.items())
        )
    older = mapping(mapping(request.get("result")).get("usage"))
    # Credits of a sub-agent alone are stored beside a 0: no call has an empty input.
    sent = whole(request.get("promptTokens")) or whole(older.get("promptTokens")) or None
    received = _first(request.get("completionTokens"), older.get("completionTokens"))
    if sent is None and not received:
        received = None
    return (row._replace(input=sent, exact=sent is None, output=received),)


def _whole_request(request: dict[str, Any], at: int) -> Usage:
    timings = mapping(mapping(request.get("result")).get("timings"))
    rounds = metadata(request).get("toolCallRounds")
    return Usage(
        "request",
        text(request.get("requestId")),
        completed_at(request) or at,
        _model(request),
        rounds=len(mappings(rounds)) if isinstance(rounds, list) else None,
        credits=_amount(request.get("copilotCredits")),
        elapsed=_first(request.get("elapsedMs"), timings.get("totalElapsed")),
        first=whole(timings.get("firstProgress")),
        final=is_final(request),
    )


def _amount(value: Any) -> float | None:
    numeric = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if numeric and 0 <= value < 1e12 else None


def _model(request: dict[str, Any]) -> str:
    """The model that answered, else the one that was chosen, else that of the last round.

    A chosen model is named `VENDOR/MODEL` or `VENDOR/GROUP/MODEL` (and MODEL may hold a "/"); a round names MODEL.
    """
    data = metadata(request)
    used = [name for each in mappings(data.get("toolCallRounds")) if (name := text(each.get("modelId")))]
    resolved = text(data.get("resolvedModel"))
    chosen = text(request.get("modelId"))
    if resolved or not chosen:
        return resolved or (used[-1] if used else "")
    if chosen.startswith("copilot/"):
        return chosen[len("copilot/") :]
    if used and chosen.endswith("/" + used[-1]):
        return used[-1]
    return chosen.split("/", 2)[-1]


def _model_totals(value: Any) -> dict[str, tuple[int | None, int | None, int | None]]:
    found: dict[str, tuple[int | None, int | None, int | None]] = {}
    for each in mappings(value):
        counts = (whole(each.get("inputTokens")), whole(each.get("cachedTokens")), whole(each.get("outputTokens")))
        if any(count is not None for count in counts):
            model = text(each.get("model"))
            before = found.get(model, (None, None, None))
            a, b, c = (_sum(old, new) for old, new in zip(before, counts, strict=True))
            found[model] = (a, b, c)
    return found


def _sum(a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else a + b


def _first(*values: Any) -> int | None:
    return next((found for value in values if (found := whole(value)) is not None), None)
