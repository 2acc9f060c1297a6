from typing import Any

import pytest
from hypothesis import given, settings

from deja_hooks.contract.canonical import canonical
from deja_hooks.contract.payloads import PAYLOADS, parse_payload
from deja_hooks.hook.payload import Payload, read_payload

from .strategies import argument_of, calls, samples


def as_read(value: dict[str, Any], event: str, names: list[str]) -> dict[str, object]:
    payload = read_payload(value, event)
    assert isinstance(payload, Payload)
    return {name: getattr(payload, name) for name in names}


@given(calls())
@settings(max_examples=600)
def test_the_hot_reader_agrees_with_the_models(call: tuple[dict[str, Any], str]) -> None:
    value, argument = call
    expected = canonical(parse_payload(value, argument), argument)
    assert as_read(value, argument, list(expected)) == expected


@pytest.mark.parametrize(("name", "value"), samples())
def test_the_hot_reader_agrees_on_recorded_payloads(name: str, value: dict[str, Any]) -> None:
    argument = argument_of(name)
    expected = canonical(parse_payload(value, argument), argument)
    assert as_read(value, argument, list(expected)) == expected


def test_every_attribute_is_stated_by_some_model() -> None:
    examples: dict[str, dict[str, Any]] = {
        "SessionStart": {"source": "new"},
        "UserPromptSubmit": {"prompt": ""},
        "PostToolUse": {"tool_name": "x"},
        "PostToolUseFailure": {"tool_name": "x", "error": ""},
        "PreCompact": {"trigger": ""},
        "Stop": {},
        "SessionEnd": {"reason": ""},
    }
    stated = {name for event, value in examples.items() for name in canonical(PAYLOADS[event].model_validate(value))}
    public = {name for name in dir(Payload) if not name.startswith("_")}
    # The host is no field of the wire: it is concluded (tests/hook/test_host.py).
    assert public - stated == {"host"}
    assert stated <= public
