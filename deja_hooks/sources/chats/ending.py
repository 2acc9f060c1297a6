"""How a request of a chat came to its end, or didn't."""

from __future__ import annotations

from typing import Any

from deja_hooks.sources.chats.values import mapping, text
from deja_hooks.sources.model import Work
from deja_hooks.sources.text import clip, epoch_ms

__all__ = ["completed_at", "error_of", "is_final"]

#: `modelState.value`: complete, cancelled, failed (0: pending, 4: needs input).
_FINAL = (1, 2, 3)
_CANCELLED, _FAILED = 2, 3
#: What stands before the reason, where Copilot wraps it into an apology.
_REASON = "\n\nReason: "


def is_final(request: dict[str, Any]) -> bool:
    """Whether the host closed the request: completed, cancelled or failed. Older builds kept no state: then a
    result says so."""
    state = request.get("modelState")
    if isinstance(state, dict):
        return state.get("value") in _FINAL
    return bool(request.get("result") or request.get("isCanceled") or request.get("responseErrorDetails"))


def completed_at(request: dict[str, Any]) -> int:
    """When the host closed the request, epoch ms; 0 unknown."""
    return epoch_ms(mapping(request.get("modelState")).get("completedAt"))


def error_of(request: dict[str, Any], at: int) -> tuple[Work, ...]:
    """Why a request that began `at` came to no proper end: it was cancelled, or the model or its host failed.

    A message with buttons is a question (shall the agent go on?), unless the request failed (shall it be tried again?).
    """
    details = mapping(mapping(request.get("result")).get("errorDetails")) or mapping(
        request.get("responseErrorDetails")
    )
    state = mapping(request.get("modelState")).get("value")
    cancelled = state == _CANCELLED or (state is None and request.get("isCanceled") is True)
    asks = bool(details.get("confirmationButtons")) and state != _FAILED and details.get("code") != "failed"
    message = text(details.get("message")).replace("\0", "").strip()
    if cancelled:
        message = "Cancelled"
    elif asks or not message:
        return ()
    message = message.rpartition(_REASON)[2]
    return (Work("error", completed_at(request) or at, "", "", "", "", "", None, clip(message), ""),)
