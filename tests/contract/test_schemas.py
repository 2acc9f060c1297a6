import json

from deja_hooks.contract.schemas import schemas
from deja_hooks.hook.events import EVENTS


def test_two_dialects_of_each_event_and_the_three_things_that_we_write() -> None:
    dialects = [f"{event}.{dialect}" for event in EVENTS for dialect in ("snake_case", "camelCase")]
    assert list(schemas()) == [*dialects, "reply", "hook_file", "settings"]


def test_they_are_json() -> None:
    assert json.loads(json.dumps(schemas())) == schemas()


def test_each_dialect_has_its_spellings() -> None:
    found = schemas()
    common = ["hook_event_name", "session_id", "timestamp", "cwd", "transcript_path"]
    agents = ["agent_id", "agent_type", "parent_agent_id"]
    assert list(found["PreToolUse.snake_case"]["properties"]) == [
        *common,
        *agents,
        "tool_name",
        "tool_input",
        "tool_use_id",
    ]
    common = ["hookEventName", "sessionId", "timestamp", "cwd", "transcriptPath"]
    agents = ["agentId", "agentType", "parentAgentId"]
    assert list(found["PreToolUse.camelCase"]["properties"]) == [
        *common,
        *agents,
        "toolName",
        "toolArgs",
        "toolUseId",
    ]
    assert found["PreToolUse.camelCase"]["required"] == ["toolName"]
    assert found["reply"]["additionalProperties"] is False
    assert found["hook_file"]["additionalProperties"] is False
    assert found["settings"]["additionalProperties"] is False
