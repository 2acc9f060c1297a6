"""Which hosts are here, when they called, and whether calls failed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from deja_hooks.doctor.hosts import check_calls, check_hosts, check_seen
from deja_hooks.history.calls import Call
from deja_hooks.memory.layout import Layout

from .conftest import seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def _call(event: str, host: str, at_ms: float | None, reason: str = "x") -> Call:
    return Call(at_ms, event, host, "s", 1.0, reason, 0, None)


def test_hosts_that_are_absent_are_no_fault(tmp_path: Path) -> None:
    absent = "not found on this machine; it is served as soon as it is there"
    assert seen(check_hosts({"PATH": ""}, tmp_path, "darwin")) == [
        ("note", "VS Code Copilot Chat", absent),
        ("note", "Copilot CLI", absent),
    ]


def test_when_events_were_seen() -> None:
    found = [
        _call("Stop", "cli", 3.0),
        _call("Stop", "cli", 2.0),
        _call("SessionStart", "cli", 1.0),
        _call("Stop", "", 9.0),
        _call("Stop", "vscode", None),
        _call("Notification", "vscode", 9.0),
    ]
    assert seen(check_seen(found, str)) == [
        ("note", "VS Code Copilot Chat", "no event seen yet"),
        (
            "ok",
            "Copilot CLI",
            "Stop 3.0, SessionStart 1.0; not yet: UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, "
            "PreCompact, SessionEnd",
        ),
    ]


def test_a_failure_that_is_over_is_a_note(layout: Layout) -> None:
    assert seen(check_calls(layout, [])) == [("note", layout.ring, "no hook has been called yet")]
    Path(layout.ring).write_text("")
    found = [_call("Stop", "cli", 2.0), _call("Stop", "cli", 1.0, "failed: OSError: full")]
    assert seen(check_calls(layout, found)) == [
        ("note", layout.ring, "1 of 2 calls failed, no event's last one (OSError: full)")
    ]
    assert seen(check_calls(layout, found[1:])) == [("broken", "Stop", "its last call failed: OSError: full")]
