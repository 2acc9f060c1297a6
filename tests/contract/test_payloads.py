from typing import Any

import pytest

from deja_hooks.contract.payloads import (
    PAYLOADS,
    OtherEvent,
    PayloadError,
    PostToolUse,
    ToolResult,
    UserPromptSubmit,
    iso_to_ms,
    parse_payload,
)
from deja_hooks.hook.events import EVENTS, canonical_event

from .strategies import argument_of, samples


def test_every_event_that_is_read_has_a_model() -> None:
    assert list(PAYLOADS) == list(EVENTS)


@pytest.mark.parametrize(("name", "value"), samples())
def test_every_recorded_payload_is_accepted(name: str, value: dict[str, Any]) -> None:
    model = parse_payload(value, argument_of(name))
    event = canonical_event(model.hook_event_name or argument_of(name))
    assert type(model) is PAYLOADS.get(event, OtherEvent)


@pytest.mark.parametrize("mark", ["copilot_cli_camel/postToolUse.bash", "copilot_cli_pascal/PostToolUse.bash"])
def test_both_dialects_say_the_same(mark: str) -> None:
    model = parse_payload(dict(samples())[mark], "PostToolUse")
    assert isinstance(model, PostToolUse)
    assert isinstance(model.tool_input, dict)
    assert model.tool_input["command"] == "sleep 2; python3 test_app.py && echo passed"
    assert model.tool_result == ToolResult(
        resultType="success", textResultForLlm="passed\n<shellId: 1 completed with exit code 0>"
    )


def test_the_payloads_own_name_wins() -> None:
    model = parse_payload({"hook_event_name": "UserPromptSubmit", "prompt": "x"}, "Stop")
    assert type(model) is UserPromptSubmit


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, "UserPromptSubmit: prompt: Field required"),
        ({"prompt": 1}, "UserPromptSubmit: prompt: Input should be a valid string"),
        (
            {"prompt": "x", "sessionId": 5, "source": None, "cwd": None},
            "UserPromptSubmit: sessionId: Input should be a valid string; cwd: Input should be a valid string",
        ),
        (
            {"prompt": "x", "session_id": "a", "sessionId": "a"},
            "UserPromptSubmit: payload: Value error, two spellings of one field: sessionId, session_id",
        ),
        (
            {"hook_event_name": "PostToolUse", "tool_name": "x", "tool_response": "", "tool_result": {}},
            "PostToolUse: tool_result.textResultForLlm: Field required",
        ),
        (
            {
                "hook_event_name": "PostToolUse",
                "tool_name": "x",
                "tool_response": "",
                "tool_result": {"text_result_for_llm": ""},
            },
            "PostToolUse: payload: Value error, tool_response and tool_result in one payload",
        ),
    ],
)
def test_what_is_wrong_is_named(value: dict[str, Any], message: str) -> None:
    with pytest.raises(PayloadError) as caught:
        parse_payload(value, "userPromptSubmitted")
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [None, [], "text", 1])
def test_only_an_object_is_a_payload(value: object) -> None:
    with pytest.raises(PayloadError, match=r"^Stop: payload: Input should be a valid dictionary"):
        parse_payload(value, "Stop")


@pytest.mark.parametrize(
    ("text", "at_ms"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-30T22:25:27.663Z", 1_796_077_527_663),
        ("2026-11-30T23:25:27.663999+01:00", 1_796_077_527_663),
        ("2024-02-29T23:59:59.9-00:30", 1_709_252_999_900),
    ],
)
def test_iso_times(text: str, at_ms: int) -> None:
    assert iso_to_ms(text) == at_ms


@pytest.mark.parametrize(
    "text", ["", "2026-11-30", "2026-02-30T00:00:00Z", "2026-11-30T22:25:27", "1969-12-31T23:59:59Z"]
)
def test_no_times(text: str) -> None:
    with pytest.raises(ValueError, match=r"time|day|month"):
        iso_to_ms(text)
