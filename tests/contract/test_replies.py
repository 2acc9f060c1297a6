import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deja_hooks.contract.replies import Reply
from deja_hooks.hook.events import EVENTS
from deja_hooks.hook.reply import reply

SPEAKING = [name for name, event in EVENTS.items() if event.speaks]


@given(st.sampled_from(SPEAKING), st.text(min_size=1))
def test_what_is_printed_is_a_reply(event: str, text: str) -> None:
    model = Reply.model_validate(json.loads(reply(event, text)))
    assert (model.additional_context, model.hook_specific_output.hook_event_name) == (text, event)


def test_the_events_that_speak_are_those_of_the_table() -> None:
    schema = Reply.model_json_schema()
    assert schema["$defs"]["HookSpecificOutput"]["properties"]["hookEventName"]["enum"] == SPEAKING


@pytest.mark.parametrize(
    "key",
    [
        "permissionDecision",
        "continue",
        "stopReason",
        "decision",
        "updatedInput",
        "systemMessage",
        "suppressOutput",
        "x",
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_no_other_key_is_allowed(key: str, nested: bool) -> None:
    value: dict[str, Any] = json.loads(reply("PreToolUse", "x"))
    (value["hookSpecificOutput"] if nested else value)[key] = "allow"
    with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
        Reply.model_validate(value)


@pytest.mark.parametrize(
    ("event", "top", "nested"),
    [("Stop", "x", "x"), ("Notification", "x", "x"), ("PreToolUse", "x", "y"), ("PreToolUse", "", "")],
)
def test_silent_events_and_unequal_forms_are_no_replies(event: str, top: str, nested: str) -> None:
    value = {
        "additionalContext": top,
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": nested},
    }
    with pytest.raises(ValidationError):
        Reply.model_validate(value)
