"""The findings are those that the ring, the requests and the logs hold, and no better ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from tests.live.copilot import Finished, complaints
from tests.live.model import Message, Request

from .seen import PACKETS, Evidence, Seen, seen

EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop")


def packet(title: str, nonce: str = "0a1b2c3d") -> str:
    return f'<deja-{nonce} about="{title}">\n- something settled\n</deja-{nonce}>'


START = packet("what code/shop last settled", "00000001")
PROMPT = packet("retry_budget in code/shop", "00000002")
EDIT = packet("before an edit of settings.py", "00000003")
FAILURE = packet("a failure met before", "00000004")
COMPACTED = packet("this session before its compaction", "00000005")


def call(event: str, *packets: str) -> dict[str, Any]:
    text = "\n\n".join(packets)
    return {"e": event, "c": len(text), **({"p": text} if text else {})}


def request(*texts: str) -> Request:
    return Request("any", tuple(Message("user", f"before\n{text}\nafter") for text in texts))


def run(exit_code: int = 0, output: str = "") -> Finished:
    return Finished(exit_code, 1.0, output)


ALL_WELL = Evidence(
    version="1.0.102",
    wanted=EVENTS,
    ring=[
        call("SessionStart", START),
        call("UserPromptSubmit", PROMPT),
        call("PostToolUse", FAILURE),
        call("PreToolUse", EDIT),
        call("PreCompact"),
        call("PreToolUse", COMPACTED),
        call("Stop"),
    ],
    requests=[request(START, PROMPT), request(START, PROMPT, FAILURE, EDIT), request(COMPACTED)],
    records=[
        {"type": "hook.end", "data": {"hookType": "sessionStart", "success": True}},
        {"type": "tool.execution_complete", "data": {"success": False, "error": {"message": "Path does not exist"}}},
    ],
    complaints=[],
    runs=[run(), run()],
)


def changed(**fields: Any) -> Seen:
    return seen(dataclasses.replace(ALL_WELL, **fields))


def test_a_version_that_delivers_all() -> None:
    assert seen(ALL_WELL) == Seen("accepted", "all", dict.fromkeys(PACKETS, "yes"), (), (0, 0))


@pytest.mark.parametrize(
    ("ring", "requests", "expected"),
    [
        # Nothing of what was said arrived, or not the whole of it.
        ([call("UserPromptSubmit", PROMPT)], [], "dropped"),
        ([call("UserPromptSubmit", PROMPT)], [request(PROMPT.replace("settled", "settl…"))], "dropped"),
        ([call("UserPromptSubmit", PROMPT)], [request(packet("retry_budget in code/shop", "0"))], "dropped"),
        # What its own event could not say went with another.
        ([call("UserPromptSubmit"), call("SessionStart", PROMPT, START)], [request(PROMPT)], "yes, with SessionStart"),
        ([call("UserPromptSubmit", PROMPT), call("PreToolUse", PROMPT)], [request(PROMPT)], "yes"),
        ([call("UserPromptSubmit")], [], "nothing to say"),
        ([call("SessionStart")], [], "not sent"),
        ([], [request(PROMPT)], "not sent"),
    ],
)
def test_what_became_of_a_packet(ring: Sequence[dict[str, Any]], requests: Sequence[Request], expected: str) -> None:
    assert changed(ring=ring, requests=requests).packets["prompt"] == expected


def test_a_compaction_that_was_not_told_of() -> None:
    ring = [each for each in ALL_WELL.ring if each["e"] != "PreCompact" and each.get("p") != COMPACTED]
    found = changed(ring=ring)
    assert (found.packets["after a compaction"], found.events) == ("not sent", "all but PreCompact")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "2026-12-01T09:51:48.924Z [ERROR] [rust:hooks] Invalid hook configuration in /h/deja.json: version: bad",
            "rejected: Invalid hook configuration in /h/deja.json: version: bad",
        ),
        (
            "2026-12-01T09:51:24.344Z [ERROR] Invalid hook configuration in /h/deja.json: [",
            "rejected: Invalid hook configuration in /h/deja.json: [",
        ),
        (
            "2026-12-01T09:51:46.682Z [ERROR] [rust:hooks] hooks.sessionStart[0]: no — hook will be skipped",
            "rejected: hooks.sessionStart[0]: no — hook will be skipped",
        ),
    ],
)
def test_a_hook_file_that_the_host_does_not_take(line: str, expected: str) -> None:
    found = changed(complaints=[line])
    assert (found.hook_file, found.errors) == (expected, (expected.removeprefix("rejected: "),))


def test_a_hook_file_that_nobody_read() -> None:
    found = changed(ring=[])
    assert (found.hook_file, found.events) == ("not read", "none")


def test_errors_are_shown_once_each() -> None:
    failed = {"hookType": "preToolUse", "success": False, "error": {"message": "Error: code 3\nStderr: oops"}}
    denied = {"success": False, "error": {"message": 'Denied by preToolUse hook from "deja.json"', "code": "denied"}}
    records = [
        {"type": "hook.end", "data": failed},
        {"type": "hook.end", "data": failed},
        {"type": "hook.end", "data": {"hookType": "stop"}},
        {"type": "tool.execution_complete", "data": denied},
    ]
    logged = '2026-12-01T09:51:51.430Z [ERROR] [rust:hooks] Error in preToolUse hook from "/h/deja.json": Error: code 3'
    found = changed(records=records, complaints=[logged], runs=[run(), run(1, "no\nmodel")])
    assert found.errors == (
        'Error in preToolUse hook from "/h/deja.json": Error: code 3',
        "preToolUse: Error: code 3 Stderr: oops",
        "stop: no success",
        'a tool was denied: Denied by preToolUse hook from "deja.json"',
        "a run ended with 1: no model",
    )
    assert found.exit_codes == (0, 1)


def test_what_counts_as_a_complaint_in_a_log() -> None:
    told = [
        "t [ERROR] Invalid hook configuration in /h/deja.json: [",
        "t [ERROR] preToolUse hook execution failed: HookExitCodeError: Hook command failed with code 3",
        "t [ERROR] Hook execution failed: HookExitCodeError: Hook command failed with code 3",
        't [ERROR] postToolUse hook from "deja.json" execution failed: HookExitCodeError',
        't [ERROR] [rust:hooks] Error in postToolUse hook from "/h/deja.json": Error: Hook command failed with code 3',
        "t [WARNING] [rust:hooks] slow",
        "t [WARN] [rust:hooks] slow",
    ]
    others = [
        "t [INFO] [rust:hooks] Loaded 8 hooks",
        't [WARNING] [rust:copilot_runtime::session] Failed to reload managed hooks {"error":"no hook session"}',
        "t [ERROR] MCP server failed",
    ]
    assert complaints([*told, *others]) == told
