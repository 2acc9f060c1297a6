"""Hypothesis strategies made from the payload models, and the recorded payloads."""

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo

from deja_hooks.contract.payloads import PAYLOADS, ToolResult

FIXTURES = Path(__file__).parent / "fixtures"

#: Spellings of each event that hosts use on the command line or in a payload.
SPELLINGS = {
    "SessionStart": ["SessionStart", "sessionStart"],
    "UserPromptSubmit": ["UserPromptSubmit", "userPromptSubmitted"],
    "PreToolUse": ["PreToolUse", "preToolUse"],
    "PostToolUse": ["PostToolUse", "postToolUse"],
    "PostToolUseFailure": ["PostToolUseFailure", "postToolUseFailure"],
    "PreCompact": ["PreCompact", "preCompact"],
    "Stop": ["Stop", "agentStop", "stop"],
    "SessionEnd": ["SessionEnd", "sessionEnd"],
}

# pydantic takes no lone surrogate; inside the JSON text of arguments it meets none.
texts = st.text(max_size=20)
any_texts = st.text(st.characters(codec=None), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, json_values, max_size=4)
_zones = st.integers(-840, 840).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@st.composite
def iso_times(draw: st.DrawFn) -> str:
    at = draw(st.datetimes(datetime(1970, 1, 3), datetime(9999, 12, 29), timezones=_zones))
    text = at.isoformat(timespec=draw(st.sampled_from(["seconds", "milliseconds", "microseconds"])))
    return text.replace("+00:00", "Z") if draw(st.booleans()) else text


block = st.sampled_from(["PreToolUse-context", "PostToolUse-context"]).flatmap(
    lambda name: st.sampled_from(
        [
            f"\n<{name}>\nnote\n</{name}>",
            f"<{name}>\n</{name}>",
            f"<{name}>\ncut",
            f"see <{name}>\n",
            f"</{name}>",
            "\n",
        ]
    )
)
results = st.lists(texts | block, max_size=6).map("".join)

#: Values by field; a field that is not here takes any text.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "timestamp": st.none() | st.integers(0, 253_402_300_799_999) | iso_times(),
    "tool_name": st.sampled_from(["bash", "Edit", "run_in_terminal"]) | texts.filter(bool),
    "tool_input": objects
    | st.dictionaries(any_texts, any_texts, max_size=3).map(json.dumps)
    | objects.map(lambda value: f"\ufeff {value!r}")
    | json_values,
    "tool_use_id": texts
    | st.sampled_from(["call_1__vscode-17", "call_1__vscode-", "a__vscode-1__vscode-22", "__vscode-\u0661"]),
    "tool_response": st.none() | results,
    "text_result_for_llm": results,
    "result_type": st.sampled_from(["success", "failure", "error", "denied", ""]),
    "error": texts | st.builds(lambda message, extra: {"name": extra, "message": message}, texts, texts),
    "stop_hook_active": st.booleans(),
}


def spellings(name: str, field: FieldInfo, dialect: str) -> list[str]:
    alias = field.validation_alias
    choices = [str(choice) for choice in alias.choices] if isinstance(alias, AliasChoices) else [name]
    camel = [choice for choice in choices if choice != name]
    return {"snake": [name], "camel": camel or [name], "mixed": choices}[dialect]


@st.composite
def wire(draw: st.DrawFn, model: type[BaseModel], dialect: str) -> dict[str, Any]:
    """What the model accepts, as a host would spell it, with fields that the model does not know."""
    # (Hypothesis also draws texts that it finds in our code, the fields' names among them.)
    known = {each for name, field in model.model_fields.items() for each in spellings(name, field, "mixed")}
    known.update(("hook_event_name", "hookEventName"))
    value: dict[str, Any] = draw(st.dictionaries(texts.filter(lambda name: name not in known), json_values, max_size=2))
    for name, field in model.model_fields.items():
        if name == "hook_event_name" or not (field.is_required() or draw(st.booleans())):
            continue
        if name == "tool_result":
            if value.get("tool_response", value.get("toolResponse")) is not None:
                continue
            found = draw(st.none() | wire(ToolResult, dialect))
        else:
            found = draw(VALUES.get(name, texts))
        value[draw(st.sampled_from(spellings(name, field, dialect)))] = found
    return value


@st.composite
def calls(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """A payload that the models accept, and the event on the command line."""
    event = draw(st.sampled_from(list(PAYLOADS)))
    value = draw(wire(PAYLOADS[event], draw(st.sampled_from(["snake", "camel", "mixed"]))))
    spelled = st.sampled_from(SPELLINGS[event])
    named = draw(st.sampled_from(["hook_event_name", "hookEventName", ""]))
    if named:
        value[named] = draw(spelled)
        return value, draw(st.sampled_from(["", "Stop", "preToolUse"]))
    return value, draw(spelled)


def samples() -> list[tuple[str, dict[str, Any]]]:
    """The recorded payloads, each with its file and name."""
    found = []
    for path in sorted(FIXTURES.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            record = json.loads(line)
            found.append((f"{path.stem}/{record['name']}", record["payload"]))
    return found


def argument_of(name: str) -> str:
    """The event that a sample's name begins with, as the hook's command line would have it."""
    words = name.partition("/")[2].removeprefix("camel-").removeprefix("Pascal-").split(".")[0].split("_")
    return words[0] if len(words) == 1 else "".join(word.title() for word in words)
