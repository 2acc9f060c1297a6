"""JSON schemas of the wire and of what we write, made from the models."""

from typing import Any

from deja_hooks.contract.hook_file import HookFile
from deja_hooks.contract.payloads import PAYLOADS
from deja_hooks.contract.replies import Reply
from deja_hooks.contract.settings import Settings

__all__ = ["schemas"]


def schemas() -> dict[str, dict[str, Any]]:
    """Schema by name: `<Event>.snake_case` and `<Event>.camelCase` for payloads, `reply`, `hook_file`, `settings`."""
    found: dict[str, dict[str, Any]] = {}
    for event, model in PAYLOADS.items():
        found[f"{event}.snake_case"] = model.model_json_schema(by_alias=False)
        found[f"{event}.camelCase"] = model.model_json_schema(by_alias=True)
    found["reply"] = Reply.model_json_schema()
    found["hook_file"] = HookFile.model_json_schema()
    found["settings"] = Settings.model_json_schema()
    return found
