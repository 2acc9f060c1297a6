"""What real chats say, read by hand and written down; then what a chat as a whole says of itself (synthetic)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.sources.chats.session import read
from deja_hooks.sources.model import Chunk, Header, Tally, Written
from tests.sources.samples import command, edit, error

from .goldens import CHATS
from .live_goldens import goldens

REQUEST = {"requestId": "r1", "timestamp": 1_800_000_000_000, "message": {"text": "hi"}, "response": [{"value": "ho"}]}


def chat(folder: Path, *requests: Any, workspace: bool = True, **state: Any) -> Chunk:
    """A chat made of these requests, in a workspace whose folder is /w."""
    path = folder / "chatSessions" / "c1.jsonl"
    path.parent.mkdir(exist_ok=True)
    if workspace:
        (folder / "workspace.json").write_text('{"folder": "file:///w"}')
    content = {"version": 3, "sessionId": "c1", "creationDate": 1_799_999_999_000, "requests": requests, **state}
    path.write_text(json.dumps({"kind": 0, "v": content}) + "\n")
    return read(path, 0, None, None)


@pytest.mark.parametrize("path", goldens(), ids=lambda path: path.stem)
def test_a_real_chat(path: Path) -> None:
    assert read(path, 0, None, None) == goldens()[path]


def test_every_chat_has_a_golden_value() -> None:
    assert set(CHATS.iterdir()) == set(goldens())


def test_a_chat_of_these_tests(tmp_path: Path) -> None:
    chunk = chat(tmp_path, REQUEST)
    assert chunk.header == Header("c1", "vscode", "vscode-chat", "/w", "", 1_799_999_999_000, "")
    (turn,) = chunk.turns
    assert (turn.offset, turn.user, turn.assistant, turn.ended) == (0, "hi", "ho", False)
    assert (chunk.updated, chunk.tally, chunk.remarks) == (1_800_000_000_000, Tally(lines=1, understood=1), ())


def test_the_file_names_a_session_that_names_none(tmp_path: Path) -> None:
    assert chat(tmp_path, sessionId=None).header.session_id == "c1"
    assert chat(tmp_path, sessionId="other").header.session_id == "other"


def test_the_start_is_the_first_requests_where_the_chat_has_none(tmp_path: Path) -> None:
    assert chat(tmp_path, REQUEST, creationDate=None).header.started == 1_800_000_000_000


def test_the_version_is_that_of_the_extension_that_answered_last(tmp_path: Path) -> None:
    old, new = ({**REQUEST, "agent": {"extensionVersion": version}} for version in ("0.37.1", "0.67.0"))
    assert chat(tmp_path, old, new, REQUEST).header.version == "0.67.0"


@pytest.mark.parametrize(
    ("state", "title"),
    [
        ({"customTitle": " One\n", "computedTitle": "Two"}, "One"),
        ({"version": 2, "computedTitle": "Two"}, "Two"),
        ({"customTitle": 3}, ""),
    ],
)
def test_the_title(tmp_path: Path, state: dict[str, Any], title: str) -> None:
    assert chat(tmp_path, REQUEST, **state).header.title == title


def test_marks_are_only_those_that_a_record_gives(tmp_path: Path) -> None:
    plain = chat(tmp_path, REQUEST).header
    assert (plain.archived, plain.nested, plain.side) == (None, None, None)
    marked = chat(tmp_path, REQUEST, isArchived=True, isSideChat=False).header
    assert (marked.archived, marked.nested, marked.side) == (True, None, False)
    origin = {"kind": "delegation", "sourceSessionResource": {"scheme": "vscode-chat-session", "path": "/x"}}
    assert chat(tmp_path, {**REQUEST, "origin": origin}).header.nested is True


@pytest.mark.parametrize(
    ("version", "remark"),
    [
        (4, "version 4 is not known: read as version 3"),
        (2, "version 2 is not known: read as version 3"),
        ("3", "version 3 is not known: read as version 3"),
        (None, "no version is given: read as version 3"),
    ],
)
def test_another_version_is_read_as_the_latest_and_told(tmp_path: Path, version: Any, remark: str) -> None:
    chunk = chat(tmp_path, REQUEST, version=version)
    assert (len(chunk.turns), chunk.remarks) == (1, (remark,))


def test_unknown_parts_are_told(tmp_path: Path) -> None:
    odd = {**REQUEST, "response": [{"kind": "poem", "value": "x"}, {"value": "ho"}, {"kind": "thinking"}, {"kind": 7}]}
    chunk = chat(tmp_path, odd, odd)
    assert chunk.remarks == ("parts of unknown kinds are left out: poem",)
    assert chunk.turns[0].assistant == "ho"


@pytest.mark.parametrize(
    ("given_folder", "expected"),
    [
        ("file:///home/me/app", "/home/me/app"),
        ("/home/me/app", "/home/me/app"),
        ("c:\\dev\\app", "c:\\dev\\app"),
        ({"scheme": "vscode-remote", "authority": "wsl+ubuntu", "path": "/home/me/a b"}, "/home/me/a b"),
        ("vscode-local:/x", "/from/the/store"),
        (None, "/from/the/store"),
    ],
)
def test_the_folder_of_a_chat_without_a_workspace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given_folder: Any, expected: str
) -> None:
    def session_cwd(chat_file: Path, sid: str) -> str:
        return "/from/the/store" if (chat_file.name, sid) == ("c1.jsonl", "c1") else ""

    store = SimpleNamespace(session_cwd=session_cwd)
    monkeypatch.setitem(sys.modules, "deja_hooks.sources.places.session_store", store)
    assert chat(tmp_path, REQUEST, workspace=False, workingDirectory=given_folder).header.cwd == expected


def test_withdrawn_requests_are_no_turns_but_are_named(tmp_path: Path) -> None:
    removed = {**REQUEST, "requestId": "r2", "shouldBeRemovedOnSend": {"requestId": "r2"}}
    hidden = {**REQUEST, "requestId": "r3", "isHidden": True}
    chunk = chat(tmp_path, removed, None, REQUEST, hidden)
    assert [(turn.offset, turn.request, turn.ended) for turn in chunk.turns] == [(2, "r1", True)]
    assert chunk.requests == ("r2", "r1", "r3")


@pytest.mark.parametrize(
    ("state", "ended", "final"),
    [
        ({"modelState": {"value": 0}}, False, False),
        ({"modelState": {"value": 4}}, False, False),
        ({"modelState": {"value": 1, "completedAt": 1}}, True, True),
        ({"modelState": {"value": 2, "completedAt": 1}}, True, True),
        ({"modelState": {"value": 3, "completedAt": 1}}, True, True),
        ({"modelState": {"value": 0}, "result": {"timings": {}}}, True, False),
        ({"result": {"timings": {}}}, True, True),
        ({"isCanceled": True}, True, True),
        ({}, False, False),
    ],
)
def test_when_a_turn_has_ended(tmp_path: Path, state: dict[str, Any], ended: bool, final: bool) -> None:
    first, second = chat(tmp_path, {**REQUEST, **state}, {**REQUEST, **state}).turns
    assert (first.ended, second.ended, second.usage[0].final) == (True, ended, final)


@pytest.mark.parametrize(
    ("state", "errors"),
    [
        ({"modelState": {"value": 2, "completedAt": 1_800_000_000_009}}, [(9, "Cancelled")]),
        ({"modelState": {"value": 2}, "result": {"errorDetails": {"message": "Canceled"}}}, [(0, "Cancelled")]),
        ({"isCanceled": True}, [(0, "Cancelled")]),
        ({"isCanceled": True, "modelState": {"value": 1}}, []),
        ({"result": {"errorDetails": {"message": "Sorry.\n\nReason: 429 slow down"}}}, [(0, "429 slow down")]),
        ({"responseErrorDetails": {"message": " Too long. "}}, [(0, "Too long.")]),
        ({"result": {"errorDetails": {"message": "Continue?", "confirmationButtons": [{}]}}}, []),
        ({"result": {"errorDetails": {"message": "x", "code": "failed", "confirmationButtons": [{}]}}}, [(0, "x")]),
        ({"result": {"errorDetails": {}}}, []),
        ({"modelState": {"value": 1}}, []),
    ],
)
def test_why_a_turn_came_to_no_proper_end(tmp_path: Path, state: dict[str, Any], errors: list[tuple[int, str]]) -> None:
    (turn,) = chat(tmp_path, {**REQUEST, **state}).turns
    assert turn.work == tuple(error(1_800_000_000_000 + at, message) for at, message in errors)


def test_a_file_that_only_the_editor_tells_of_was_changed(tmp_path: Path) -> None:
    """In progress: no rounds yet. The answer refers to the file, too: that makes no reading of it."""
    uri = {"scheme": "file", "path": "/w/core.py"}
    parts = [
        {"kind": "textEditGroup", "uri": uri, "edits": [[{"text": "a = 1"}]]},
        {"kind": "inlineReference", "inlineReference": uri},
    ]
    (turn,) = chat(tmp_path, {**REQUEST, "response": parts}).turns
    assert turn.work == (edit(1_800_000_000_000, "", "/w/core.py", "", "a = 1\n", ""),)
    assert (turn.files, turn.written) == ((), (Written("/w/core.py", "a = 1"),))


def test_how_a_command_in_the_background_ended(tmp_path: Path) -> None:
    """A request of VS Code's own says so (synthetic: not recorded)."""
    result = {"content": [{"value": "Command is running in terminal with ID=5e1-b\n"}]}
    rounds = [{"toolCalls": [{"id": "c1", "name": "run_in_terminal", "arguments": '{"command":"make"}'}]}]
    first = {**REQUEST, "result": {"metadata": {"toolCallRounds": rounds, "toolCallResults": {"c1": result}}}}
    ended = "[Terminal {} notification: command completed with exit code 2. Look at it.]\nTerminal output:\n{}"
    made = "\x1b[1mmake\x1b[0m: *** Error"
    told = "Command is running in terminal with ID=5e1-b\n"
    running = command(1_800_000_000_000, "run_in_terminal", "make", None, told, "c1")
    for terminal, expected in (("5e1-b", running._replace(exit=2, output="make: *** Error")), ("5e1-c", running)):
        later = {**REQUEST, "message": {"text": ended.format(terminal, made)}, "isSystemInitiated": True}
        turns = chat(tmp_path, first, later).turns
        assert [(turn.user, turn.work) for turn in turns] == [("hi", (expected,)), ("", ())]


@pytest.mark.parametrize(
    ("content", "remark"),
    [
        ("{", ["workspace.json is no JSON: the chat's folder is not known"]),
        ('{"folder": "file:///w"}', []),
    ],
)
def test_a_workspace_file_that_says_nothing_is_told(tmp_path: Path, content: str, remark: list[str]) -> None:
    folder = tmp_path / "chatSessions"
    folder.mkdir()
    (tmp_path / "workspace.json").write_text(content)
    path = folder / "c1.json"
    path.write_text(json.dumps({"version": 3, "requests": []}))
    assert list(read(path, 0, None, None).remarks) == remark


def test_the_latest_time(tmp_path: Path) -> None:
    at = 1_800_000_000_000
    rounds = {"metadata": {"toolCallRounds": [{"timestamp": at + 3}, {"timestamp": "odd"}]}}
    assert chat(tmp_path, {**REQUEST, "result": rounds}).updated == at + 3
    assert chat(tmp_path, {**REQUEST, "modelState": {"value": 1, "completedAt": at + 4}}).updated == at + 4
    assert chat(tmp_path, REQUEST, lastMessageDate=at + 5).updated == at + 5
    assert chat(tmp_path).updated == 1_799_999_999_000


@pytest.mark.parametrize("requests", [None, {}, "text"])
def test_a_state_that_is_no_chat(tmp_path: Path, requests: Any) -> None:
    path = tmp_path / "c1.json"
    path.write_text(json.dumps({"requests": requests} if requests is not None else {}))
    with pytest.raises(ValueError, match=r"^the chat's state has no list of requests$"):
        read(path, 0, None, None)


def test_what_a_log_says_of_its_lines_is_passed_on(tmp_path: Path) -> None:
    path = tmp_path / "c1.jsonl"
    path.write_bytes((CHATS / "parallel.jsonl").read_bytes() + b'nonsense\n{"kind":7}\n{"kind":1')
    chunk = read(path, 0, None, None)
    assert (chunk.tally, chunk.settled) == (
        Tally(lines=4, bad=1, understood=2, unknown=1, names=("kind 7",)),
        Tally(),
    )
    assert chunk.remarks == ("line 3 is no JSON object",)
    assert (chunk.restart, chunk.end) == (0, path.stat().st_size)


ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.just(10**400)
    | st.floats(allow_nan=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                """kind value uri path scheme id name text content node children toolCallId toolCalls arguments
                toolCallRounds toolCallResults metadata result commandLine original toolSpecificData model
                inputTokens timestamp edits variables fsPath location afterUndoStop""".split()
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
FIELDS = """requestId timestamp message response result variableData shouldBeRemovedOnSend modelState modelId
promptTokens completionTokens modelTotals copilotCredits elapsedMs agent origin confirmation""".split()
PART_FIELDS = """inlineReference uri edits toolCallId toolId resultDetails pastTenseMessage toolSpecificData
isConfirmed name id""".split()
PART_FIELDS = """inlineReference uri edits toolCallId toolId resultDetails pastTenseMessage toolSpecificData
isConfirmed name id""".split()
PARTS = st.fixed_dictionaries(
    {"kind": st.sampled_from("toolInvocationSerialized textEditGroup inlineReference codeblockUri undoStop".split())},
    optional=dict.fromkeys(PART_FIELDS, ODD),
)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(requests=st.lists(st.dictionaries(st.sampled_from(FIELDS), ODD | st.lists(PARTS), max_size=6), max_size=3))
def test_no_state_of_a_chat_is_too_odd(tmp_path: Path, requests: list[Any]) -> None:
    assert len(chat(tmp_path, *requests, customTitle=["x"], sessionId={}).turns) <= len(requests)
