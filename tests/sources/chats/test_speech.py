"""Who said what in a request (synthetic, from the field names of VS Code's own serialisation)."""

from __future__ import annotations

from typing import Any

import pytest

from deja_hooks.sources.chats.speech import answer, is_withdrawn, question, shown_parts

FILE = {"scheme": "file", "path": "/a/made.py"}
FENCE = {"value": "\n```\n"}
BLOCK = {"kind": "codeblockUri", "uri": FILE, "isEdit": True}
EDIT = {"kind": "textEditGroup", "uri": FILE, "edits": [[{"text": "x"}]]}
TOOL = {"kind": "toolInvocationSerialized", "toolId": "copilot_readFile"}


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"message": {"text": " fix it "}}, "fix it"),
        ({"message": "old style"}, "old style"),
        ({"message": {"parts": [{"text": "fix "}, {"kind": "slash"}, {"text": "it"}]}}, "fix it"),
        ({"message": {"text": "say <deja-1f x>recalled</deja-1f>"}}, "say"),
        ({"message": {"text": "fix it"}, "isSystemInitiated": False, "hiddenFromTranscript": False}, "fix it"),
        ({"message": {"text": "Continue"}, "confirmation": "Continue"}, ""),
        ({"message": {"text": "build ended"}, "isSystemInitiated": True, "systemInitiatedLabel": "Build"}, ""),
        ({"message": {"text": "merge"}, "requestSource": "agentMerge"}, ""),
        ({"message": {"text": "hidden"}, "hiddenFromTranscript": True}, ""),
        ({"message": {"text": "hidden"}, "requestHiddenFromTranscript": True}, ""),
        ({"message": {"text": "[Terminal 7f notification: command completed with exit code 1. …]"}}, ""),
        ({"message": {"text": 3}}, ""),
        ({"message": None}, ""),
        ({}, ""),
    ],
)
def test_question(request_: dict[str, Any], expected: str) -> None:
    assert question(request_) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (["an old answer"], "an old answer"),
        ([{"value": "one "}, {"value": "two"}], "one two"),
        ([{"value": "one"}, TOOL, {"value": "two"}], "one\n\ntwo"),
        ([{"value": "one "}, TOOL, TOOL, {"kind": "undoStop", "id": "u"}], "one"),
        ([{"kind": "markdownContent", "content": {"value": "old"}}], "old"),
        ([{"kind": "markdownContent", "content": "older"}], "older"),
        ([{"kind": "markdownVuln", "content": {"value": "code"}, "vulnerabilities": []}], "code"),
        ([{"value": "see "}, {"kind": "inlineReference", "inlineReference": FILE}, {"value": "."}], "see made.py."),
        (
            [{"value": "see "}, {"kind": "inlineReference", "inlineReference": {"name": "f()", "location": FILE}}],
            "see f()",
        ),
        (
            [
                {"kind": "thinking", "value": "hmm"},
                {"kind": "progressMessage", "content": {"value": "working"}},
                {"kind": "warning", "content": {"value": "careful"}},
                {"kind": "info", "content": {"value": "fyi"}},
                {"kind": "systemNotification", "content": {"value": "done"}},
                {"kind": "hook", "hookType": "Stop", "systemMessage": "stopped"},
                {"kind": "progressTaskSerialized", "content": {"value": "task"}},
                {"kind": "mcpServersStarting", "didStartServerIds": []},
                {"kind": "confirmation", "title": "sure?", "message": "really?"},
                {"value": "words"},
            ],
            "words",
        ),
        ([{"value": "Now:"}, FENCE, BLOCK, EDIT, FENCE, {"value": "Done."}], "Now:\nmade.py\nDone."),
        ([{"value": "Now:"}, FENCE, BLOCK, TOOL, EDIT, FENCE, TOOL, {"value": "Done."}], "Now:\nmade.py\n\nDone."),
        ([{"value": "\n````\n"}, BLOCK, {"value": "\n````\n"}, EDIT, {"value": "Done."}], "made.py\nDone."),
        ([FENCE, BLOCK, EDIT, FENCE, FENCE, BLOCK, EDIT, FENCE], "made.py\n\nmade.py"),
        (
            [{"value": "Look:\n```python\n"}, BLOCK, {"value": "x = 1\n```\nfine"}],
            "Look:\n```python\nx = 1\n```\nfine",
        ),
        ([{"value": "a\0b"}, TOOL, {"value": "say <deja-1f x>recalled</deja-1f>"}], "ab\n\nsay"),
        ([{"value": ["list"]}, {"value": None}, {}, None, 3, ["x"]], ""),
    ],
)
def test_answer(parts: list[Any], expected: str) -> None:
    assert answer(parts) == expected


def test_a_fence_that_never_closes_takes_no_time() -> None:
    assert answer([{"value": "\n```\n" * 20_000}, BLOCK, {"value": "x"}]).endswith("x")
    assert answer([part for _ in range(5_000) for part in (FENCE, BLOCK)]).startswith("made.py")


@pytest.mark.parametrize(
    ("request_", "withdrawn"),
    [
        ({}, False),
        ({"isHidden": False}, False),
        ({"isHidden": True}, True),
        ({"shouldBeRemovedOnSend": None}, False),
        ({"shouldBeRemovedOnSend": {"requestId": "r1"}}, True),
        ({"shouldBeRemovedOnSend": {"requestId": "r1", "afterUndoStop": "u1"}}, False),
    ],
)
def test_is_withdrawn(request_: dict[str, Any], withdrawn: bool) -> None:
    assert is_withdrawn(request_) is withdrawn


def test_shown_parts() -> None:
    stop = {"kind": "undoStop", "id": "u1"}
    parts = [{"value": "one"}, {"kind": "undoStop", "id": "u0"}, {"value": "two"}, stop, {"value": "three"}]
    assert shown_parts({"response": parts}) == (parts, [])
    taken_back = {"requestId": "r1", "afterUndoStop": "u1"}
    assert shown_parts({"response": parts, "shouldBeRemovedOnSend": taken_back}) == (parts[:3], parts[3:])
    gone = {"requestId": "r1", "afterUndoStop": "u9"}
    assert shown_parts({"response": parts, "shouldBeRemovedOnSend": gone}) == (parts, [])
    assert shown_parts({"response": "an old answer"}) == (["an old answer"], [])
    assert shown_parts({"response": {"value": "older"}}) == ([{"value": "older"}], [])
    assert shown_parts({}) == ([None], [])
