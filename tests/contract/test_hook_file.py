from typing import Any

import pytest
from pydantic import ValidationError

from deja_hooks.contract.hook_file import HookFile
from deja_hooks.hook.events import EVENTS

ENTRY = {"type": "command", "bash": "true", "powershell": "exit 0", "timeoutSec": 10}


def file(**changes: Any) -> dict[str, Any]:
    return {"version": 1, "hooks": {event: [ENTRY] for event in EVENTS}} | changes


def test_a_file_with_all_events() -> None:
    value = file()
    assert HookFile.model_validate(value).model_dump(by_alias=True) == value


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"version": 2}, "version"),
        ({"version": "1"}, "version"),
        ({"hooks": {}}, "hooks"),
        ({"hooks": {"sessionStart": [ENTRY]}}, "hooks.sessionStart.[key]"),
        ({"hooks": {"Notification": [ENTRY]}}, "hooks.Notification.[key]"),
        ({"hooks": {"Stop": []}}, "hooks.Stop"),
        ({"hooks": {"Stop": [ENTRY | {"matcher": ""}]}}, "hooks.Stop.0.matcher"),
        ({"hooks": {"Stop": [ENTRY | {"command": "true"}]}}, "hooks.Stop.0.command"),
        ({"hooks": {"Stop": [ENTRY | {"timeoutSec": 0}]}}, "hooks.Stop.0.timeoutSec"),
        ({"hooks": {"Stop": [ENTRY | {"bash": ""}]}}, "hooks.Stop.0.bash"),
        ({"disableAllHooks": True}, "disableAllHooks"),
    ],
)
def test_what_a_host_would_drop_is_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(ValidationError) as caught:
        HookFile.model_validate(file(**changes))
    assert [".".join(map(str, error["loc"])) for error in caught.value.errors()] == [field]
