import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.hook.events import EVENTS
from deja_hooks.hook.reply import reply


@pytest.mark.parametrize(
    "event", ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure"]
)
def test_both_forms_in_one_object(event: str) -> None:
    assert reply(event, 'é "x"\n') == (
        b'{"additionalContext": "\\u00e9 \\"x\\"\\n", "hookSpecificOutput": {"hookEventName": "'
        + event.encode()
        + b'", '
        b'"additionalContext": "\\u00e9 \\"x\\"\\n"}}'
    )


def test_the_name_is_the_canonical_one() -> None:
    assert reply("userPromptSubmitted", "x") == (
        b'{"additionalContext": "x", "hookSpecificOutput": '
        b'{"hookEventName": "UserPromptSubmit", "additionalContext": "x"}}'
    )


@pytest.mark.parametrize(
    "event", ["PreCompact", "Stop", "agentStop", "SessionEnd", "Notification", "SubagentStop", "", "x"]
)
def test_silent_where_output_is_dropped_or_does_harm(event: str) -> None:
    assert reply(event, "text") == b""


@pytest.mark.parametrize("event", list(EVENTS))
def test_nothing_to_say_is_nothing(event: str) -> None:
    assert reply(event, "") == b""


@given(st.text(st.characters(codec=None), min_size=1))
def test_any_text_is_one_ascii_object(text: str) -> None:
    printed = reply("PreToolUse", text)
    assert printed.isascii()
    assert b"\n" not in printed
    nested = {"hookEventName": "PreToolUse", "additionalContext": text}
    assert json.loads(printed) == json.loads(json.dumps({"additionalContext": text, "hookSpecificOutput": nested}))
