"""What a request took. Synthetic but for `test_chat_session.py`'s chats: `modelTotals` and credits are in none."""

from __future__ import annotations

from typing import Any

import pytest

from deja_hooks.sources.chats.usage import usage_of
from deja_hooks.sources.model import Usage

AT = 1_800_000_000_000


def request(**more: Any) -> dict[str, Any]:
    return {"requestId": "r1", "timestamp": AT, "modelId": "copilot/gpt-5", **more}


def usage(**more: Any) -> Usage:
    values: dict[str, Any] = {"kind": "request", "id": "r1", "at": AT, "model": "gpt-5", "final": False, **more}
    return Usage(**values)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, usage()),
        ({"promptTokens": 900, "completionTokens": 40}, usage(input=900, exact=False, output=40)),
        ({"promptTokens": 900}, usage(input=900, exact=False)),
        ({"completionTokens": 40}, usage(output=40)),
        ({"promptTokens": 900, "completionTokens": 0}, usage(input=900, exact=False, output=0)),
        ({"copilotCredits": 1.5}, usage(credits=1.5)),
        ({"copilotCredits": 0}, usage(credits=0.0)),
        ({"copilotCredits": 2, "promptTokens": 0, "completionTokens": 0}, usage(credits=2.0)),
        ({"sessionCopilotCredits": 9}, usage()),
        (
            {"result": {"usage": {"promptTokens": 7, "completionTokens": 3}}},
            usage(input=7, exact=False, output=3, final=True),
        ),
        ({"elapsedMs": 5, "result": {"timings": {"totalElapsed": 6}}}, usage(elapsed=5, final=True)),
        (
            {"result": {"timings": {"totalElapsed": 6, "firstProgress": 2}}},
            usage(elapsed=6, first=2, final=True),
        ),
        ({"modelState": {"value": 1, "completedAt": AT + 9}}, usage(at=AT + 9, final=True)),
        ({"modelState": {"value": 0}, "promptTokens": 900}, usage(input=900, exact=False)),
        ({"result": {"metadata": {"toolCallRounds": [{}, {}]}}}, usage(rounds=2, final=True)),
        ({"result": {"metadata": {"toolCallRounds": []}}}, usage(rounds=0, final=True)),
        (
            {"promptTokens": True, "completionTokens": "40", "copilotCredits": "1", "elapsedMs": -1},
            usage(),
        ),
        ({"promptTokens": 1.5, "completionTokens": 40.0, "copilotCredits": 10**400}, usage(output=40)),
    ],
)
def test_a_request_of_one_row(more: dict[str, Any], expected: Usage) -> None:
    assert usage_of(request(**more), AT) == (expected,)


def test_totals_by_model_replace_the_tokens_and_say_the_rest_once() -> None:
    made = request(
        promptTokens=900,
        completionTokens=40,
        copilotCredits=3.25,
        elapsedMs=700,
        modelState={"value": 1, "completedAt": AT + 9},
        result={"timings": {"firstProgress": 20}, "metadata": {"toolCallRounds": [{}, {}, {}]}},
        modelTotals=[
            {"model": "gpt-5", "inputTokens": 5000, "cachedTokens": 3000, "outputTokens": 200},
            {"model": "gpt-5-mini", "inputTokens": 100, "cachedTokens": 0, "outputTokens": 10},
            {"model": "gpt-5", "inputTokens": 50, "cachedTokens": 30, "outputTokens": 2},
            {"model": "unused"},
            "odd",
        ],
    )
    assert usage_of(made, AT) == (
        usage(
            at=AT + 9, rounds=3, input=5050, cached=3030, output=202, credits=3.25, elapsed=700, first=20, final=True
        ),
        usage(at=AT + 9, model="gpt-5-mini", input=100, cached=0, output=10, final=True),
    )


@pytest.mark.parametrize("totals", [[], None, "x", [{"model": "gpt-5"}], [{"inputTokens": -1}]])
def test_totals_that_say_nothing_replace_nothing(totals: Any) -> None:
    assert usage_of(request(promptTokens=900, modelTotals=totals), AT) == (usage(input=900, exact=False),)


@pytest.mark.parametrize(
    ("chosen", "resolved", "used", "model"),
    [
        ("copilot/gpt-5", "gpt-5-2026", ["gpt-4"], "gpt-5-2026"),
        ("copilot/gpt-5", None, ["gpt-4"], "gpt-5"),
        ("copilot/a/b", None, [], "a/b"),
        (None, None, ["gpt-4", "gpt-5"], "gpt-5"),
        (None, None, [], ""),
        ("gpt-5", None, [], "gpt-5"),
        ("vendor/model", None, [], "model"),
        ("customendpoint/Mock/mock-model", None, [], "mock-model"),
        ("router/Group/maker/model", None, [], "maker/model"),
        ("router/maker/model", None, ["maker/model"], "maker/model"),
        (3, 4, [5], ""),
    ],
)
def test_the_model(chosen: Any, resolved: Any, used: list[Any], model: str) -> None:
    data = {"resolvedModel": resolved, "toolCallRounds": [{"modelId": each} for each in used]}
    (row,) = usage_of({"modelId": chosen, "result": {"metadata": data}}, AT)
    assert row.model == model
