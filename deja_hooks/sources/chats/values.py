"""What a chat's state holds, taken for what it should be: a chat is JSON that any build of VS Code wrote."""

from __future__ import annotations

from typing import Any

__all__ = ["mapping", "mappings", "metadata", "text", "whole"]

_NONE: dict[str, Any] = {}


def mapping(value: Any) -> dict[str, Any]:
    """The object; an empty one where it is none (never to be changed)."""
    return value if isinstance(value, dict) else _NONE


def mappings(value: Any) -> list[dict[str, Any]]:
    """The objects of an array."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text(value: Any) -> str:
    """The string; "" where it is none."""
    return value if isinstance(value, str) else ""


def whole(value: Any) -> int | None:
    """The count or time, a whole number that isn't negative; None where it is none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < 1 << 53 else None


def metadata(request: dict[str, Any]) -> dict[str, Any]:
    """What Copilot keeps with a request's result: the rounds, their tool calls and the results of those."""
    return mapping(mapping(request.get("result")).get("metadata"))
