"""What was done in a request (synthetic: what no recorded chat shows)."""

from __future__ import annotations

from typing import Any

import pytest

from deja_hooks.sources.chats.files import edited_unasked, named_files, written_in
from deja_hooks.sources.chats.results import has_failed, result_text
from deja_hooks.sources.chats.work import Done, done_in
from deja_hooks.sources.model import Work, Written
from tests.sources.samples import command, edit, failure

AT = 1_800_000_000_000
DONE = "The following files were successfully edited:\n/a.py\n"
ADVICE = "\nPlease check your input and try again."


def call(name: str, arguments: Any, key: str = "c1") -> dict[str, Any]:
    return {"name": name, "arguments": arguments, "id": f"{key}__vscode-17"}


def told(*texts: str) -> dict[str, Any]:
    return {"$mid": 20, "content": [{"$mid": 21, "value": text} for text in texts]}


def asked(*calls: dict[str, Any], results: dict[str, Any] | None = None, at: int = AT + 1) -> dict[str, Any]:
    """A request whose rounds made these calls; `results` by the calls' ids."""
    answers = {f"{key}__vscode-17": value for key, value in (results or {}).items()}
    rounds = [{"toolCalls": [each], "timestamp": at + place} for place, each in enumerate(calls)]
    return {"result": {"metadata": {"toolCallRounds": rounds, "toolCallResults": answers}}}


def ran(line: Any, key: str = "c1", **more: Any) -> dict[str, Any]:
    """A shown command; `more` of its `toolSpecificData`."""
    data = {"kind": "terminal", "commandLine": line, **more}
    return {
        "kind": "toolInvocationSerialized",
        "toolId": "run_in_terminal",
        "toolCallId": key,
        "toolSpecificData": data,
    }


def work(request: dict[str, Any], *parts: Any) -> tuple[Work, ...]:
    return done_in(request, parts, [], AT).work


EDITS = [
    ("replace_string_in_file", '{"filePath":"/a.py","oldString":"x","newString":"y"}', [("/a.py", "x", "y")]),
    (
        "multi_replace_string_in_file",
        '{"replacements":[{"filePath":"/a.py","oldString":"x","newString":"y"},'
        '{"filePath":"/b.py","oldString":"1","newString":"2"}]}',
        [("/a.py", "x", "y"), ("/b.py", "1", "2")],
    ),
    ("create_file", '{"filePath":"/a.py","content":"x\\n"}', [("/a.py", "", "x\n")]),
    (
        "apply_patch",
        '{"input":"*** Begin Patch\\n*** Update File: /a.py\\n@@\\n c\\n-x\\n+y\\n*** End Patch"}',
        [("/a.py", "x\n", "y\n")],
    ),
    (
        "insert_edit_into_file",
        '{"filePath":"/a.py","code":"a\\n// ...existing code...\\nb"}',
        [("/a.py", "", "a\nb")],
    ),
    ("create_file", {"filePath": "/a.py", "content": "x"}, [("/a.py", "", "x")]),
]


@pytest.mark.parametrize(("tool", "arguments", "changes"), EDITS)
def test_both_sides_of_an_edit(tool: str, arguments: Any, changes: list[tuple[str, str, str]]) -> None:
    request = asked(call(tool, arguments), results={"c1": told(DONE)})
    assert work(request) == tuple(edit(AT + 1, tool, path, old, new, "c1") for path, old, new in changes)


@pytest.mark.parametrize(
    "text",
    [
        f"ERROR: Your input to the tool was invalid{ADVICE}",
        "ERROR while calling tool: no",
        "Applying patch failed with error: Invalid context at character 3",
        "String replacement failed: Could not find matching text to replace.",
    ],
)
def test_an_edit_that_failed_changed_nothing(text: str) -> None:
    request = asked(call("apply_patch", "*** Update File: /a.py\n-x\n+y\n"), results={"c1": told(text)})
    assert work(request) == (failure(AT + 1, "apply_patch", "/a.py", text, "c1"),)


def test_a_call_without_a_result_was_cancelled() -> None:
    calls = [
        call("create_file", '{"filePath":"/a.py","content":"x"}'),
        call("run_in_terminal", '{"command":"ls"}', "c2"),
        call("read_file", "{}", "c3"),
    ]
    assert done_in(asked(*calls), [], [], AT) == Done((), frozenset(("c1", "c2", "c3")))


@pytest.mark.parametrize(
    ("line", "more", "command_line"),
    [
        ({"original": "ls"}, {}, "ls"),
        ({"original": "ls", "toolEdited": " ls -1"}, {}, "ls -1"),
        ({"original": "ls", "userEdited": "ls -l"}, {}, "ls -l"),
        ({"original": "ls", "userEdited": "ls -l", "toolEdited": " ls -l"}, {}, "ls -l"),
        ({"original": "ls", "userEdited": "ls -l", "toolEdited": "cd a && ls"}, {}, "cd a && ls"),
        ({"original": "ls", "userEdited": "", "forDisplay": "L"}, {}, "ls"),
        ({"original": "ls", "toolEdited": "box -c ' ls'", "forDisplay": " ls", "isSandboxWrapped": True}, {}, "ls"),
        ({"original": "ls", "toolEdited": "box -c ' ls'", "isSandboxWrapped": True}, {}, "box -c ' ls'"),
        (None, {"command": "ls", "language": "sh"}, "ls"),
        ("ls", {}, "ls"),
    ],
)
def test_the_command_that_was_really_run(line: Any, more: dict[str, Any], command_line: str) -> None:
    request = asked(call("run_in_terminal", '{"command":"ls"}'), results={"c1": told("a")})
    assert work(request, ran(line, **more)) == (command(AT + 1, "run_in_terminal", command_line, None, "a", "c1"),)


@pytest.mark.parametrize(
    ("more", "result", "status", "output"),
    [
        ({"terminalCommandState": {"exitCode": 0}, "terminalCommandOutput": {"text": "a\r\nb"}}, "a", 0, "a\nb"),
        ({"terminalCommandOutput": {"text": "\x1b[1;31mred\x1b[0m\x1b]0;t\x07\x1b[?2004h"}}, "red", None, "red"),
        ({"terminalCommandState": {"exitCode": True}}, "a\n\nCommand exited with code 2", 2, "a"),
        ({"terminalCommandState": {"exitCode": 1}}, "a\n\nCommand exited with code 2", 1, "a"),
        ({}, "a\n<PreToolUse-context>\nsaid\n</PreToolUse-context>", None, "a"),
        ({}, "", None, ""),
    ],
)
def test_how_a_command_ended(more: dict[str, Any], result: str, status: int | None, output: str) -> None:
    request = asked(call("run_in_terminal", '{"command":"make"}'), results={"c1": told(result)})
    expected = command(AT + 1, "run_in_terminal", "make", status, output, "c1")
    assert work(request, ran({"original": "make"}, **more)) == (expected,)


def test_a_command_without_a_terminal() -> None:
    request = asked(
        call("run_in_terminal", '{"command":" make "}'), results={"c1": told("a\n\nCommand exited with code 2")}
    )
    assert work(request) == (command(AT + 1, "run_in_terminal", "make", 2, "a", "c1"),)


def test_output_that_opens_like_a_failure_is_output_where_the_command_ran() -> None:
    text = f"ERROR while calling tool: no terminal{ADVICE}"
    request = asked(call("run_in_terminal", '{"command":"make"}'), results={"c1": told(text)})
    expected = Work("failure", AT + 1, "run_in_terminal", "", "", "", "make", None, text, "c1")
    assert work(request, ran({"original": "make"})) == (expected,)
    state = {"terminalCommandState": {"exitCode": 2}, "terminalCommandOutput": {"text": "ERROR: make failed"}}
    assert work(request, ran({"original": "make"}, **state)) == (
        command(AT + 1, "run_in_terminal", "make", 2, "ERROR: make failed", "c1"),
    )


@pytest.mark.parametrize("confirmed", [{"type": 0}, {"type": 5}, False])
def test_a_command_that_the_user_denied_was_not_run(confirmed: Any) -> None:
    request = asked(call("run_in_terminal", '{"command":"ls"}'), results={"c1": told("The user cancelled.")})
    assert work(request, {**ran({"original": "ls"}), "isConfirmed": confirmed}) == ()
    assert work({}, {**ran({"original": "ls"}), "isConfirmed": confirmed}) == ()


def test_in_older_files_a_terminal_is_known_by_its_command() -> None:
    request = asked(
        call("run_in_terminal", '{"command":"ls"}'),
        call("run_in_terminal", '{"command":"make"}', "c2"),
        call("run_in_terminal", '{"command":"ls"}', "c3"),
        results={"c1": told("one"), "c2": told("two"), "c3": told("three")},
    )
    parts = [
        ran({"original": "ls", "toolEdited": "ls -1"}, "u1", terminalCommandState={"exitCode": 1}),
        ran({"original": "ls"}, "u2", terminalCommandState={"exitCode": 3}),
        ran({"original": "make"}, "u3", terminalCommandState={"exitCode": 2}),
    ]
    assert done_in(request, parts, [], AT) == Done(
        (
            command(AT + 1, "run_in_terminal", "ls -1", 1, "one", "c1"),
            command(AT + 2, "run_in_terminal", "make", 2, "two", "c2"),
            command(AT + 3, "run_in_terminal", "ls", 3, "three", "c3"),
        ),
        frozenset(("c1", "c2", "c3", "u1", "u2", "u3")),
    )


def test_commands_that_no_round_asked_for() -> None:
    """A sub-agent's follow the call that started it; while a request is in progress there are no rounds at all."""
    of_agent = {**ran({"original": "pytest"}, "s1"), "subAgentInvocationId": "c1"}
    state = {"terminalCommandState": {"exitCode": 0, "timestamp": AT + 7}}
    late = ran({"original": "ls"}, "x1", **state)
    request = asked(
        call("runSubagent", "{}"),
        call("create_file", '{"filePath":"/a.py","content":"x"}', "c2"),
        results={"c1": told("done"), "c2": told(DONE)},
    )
    pytest_run = command(AT, "run_in_terminal", "pytest", None, "", "s1")
    ls = command(AT + 7, "run_in_terminal", "ls", 0, "", "x1")
    assert work(request, late, of_agent) == (pytest_run, edit(AT + 2, "create_file", "/a.py", "", "x", "c2"), ls)
    unasked_edit = {"kind": "toolInvocationSerialized", "toolId": "copilot_createFile", "toolCallId": "e1"}
    assert done_in({}, [late, of_agent, unasked_edit], [], AT) == Done((ls, pytest_run), frozenset(("x1", "s1")))


def test_what_was_taken_back_with_an_undo_stop_was_not_done() -> None:
    request = asked(
        call("create_file", '{"filePath":"/a.py","content":"x"}'),
        call("replace_string_in_file", '{"filePath":"/a.py","oldString":"x","newString":"y"}', "c2"),
        call("run_in_terminal", '{"command":"ls"}', "c3"),
        results={"c1": told(DONE), "c2": told(DONE), "c3": told("a")},
    )
    hidden = {"kind": "toolInvocationSerialized", "presentation": "hidden"}
    shown = [{**hidden, "toolCallId": "c1"}, {**hidden, "toolCallId": "c2"}]
    withdrawn = [{"kind": "undoStop", "id": "u1"}, ran({"original": "ls"}, "c3")]
    assert done_in(request, shown, withdrawn, AT).work == (edit(AT + 1, "create_file", "/a.py", "", "x", "c1"),)


def test_work_is_dated_by_its_round_else_by_its_request() -> None:
    request = asked(call("create_file", '{"filePath":"/a.py","content":"x"}'), results={"c1": told(DONE)})
    del request["result"]["metadata"]["toolCallRounds"][0]["timestamp"]
    assert work(request) == (edit(AT, "create_file", "/a.py", "", "x", "c1"),)


def test_long_results_are_cut() -> None:
    request = asked(call("run_in_terminal", '{"command":"make"}'), results={"c1": told("x" * 9_000)})
    assert len(work(request)[0].output) == 8_000


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([{"value": "one"}, {"value": "two"}], "one\ntwo"),
        ([{"value": {"node": {"children": [{"text": "a"}, {"children": [{"text": "b"}]}]}}}], "ab"),
        ([{"value": {"node": {"children": [{"text": "a"}, {"text": "b", "lineBreakBefore": True}]}}}], "a\nb"),
        ([{"value": {"node": {"children": [{"text": "a\n"}, {"text": "b", "lineBreakBefore": True}]}}}], "a\nb"),
        ([{"value": "out"}, {"value": "\n<PostToolUse-context>\nsaid\n</PostToolUse-context>"}], "out"),
        ([{"value": "out\n<deja-1f x>\nrecalled\n</deja-1f>"}], "out"),
        ([{"mimeType": "image/png", "data": {}}, {"value": {"node": 3}}, {"value": 3}, "x"], ""),
        ("x", ""),
    ],
)
def test_result_text(content: Any, text: str) -> None:
    assert result_text({"content": content}) == text


def test_the_deepest_tree_is_read() -> None:
    node: dict[str, Any] = {"text": "leaf"}
    for _ in range(100_000):
        node = {"children": [node]}
    assert result_text({"content": [{"value": {"node": node}}]}) == "leaf"
    while "children" in node:  # let go of it level by level
        node = node["children"].pop()


def test_a_file_that_begins_with_error_was_read_all_the_same() -> None:
    assert not has_failed("read_file", "ERROR 2026-11-30 disk full\n")
    assert has_failed("read_file", f"ERROR while calling tool: cannot open /x.{ADVICE}")
    assert not has_failed("run_in_terminal", "ERROR: make failed")


A, B = ({"scheme": "file", "path": path} for path in ("/a.py", "/b.py"))


def test_named_files() -> None:
    request = {
        "variableData": {
            "variables": [
                {"kind": "file", "value": A},
                {"kind": "file", "value": {"uri": B, "range": {}}},
                {"value": {"scheme": "file", "path": "/old.py"}},
                {"kind": "directory", "value": {"scheme": "file", "path": "/src"}},
                {"kind": "promptFile", "value": {"scheme": "file", "path": "/p.instructions.md"}},
                {"kind": "image", "value": "data"},
            ]
        }
    }
    invoked = {"kind": "toolInvocationSerialized"}
    parts = [
        {"kind": "inlineReference", "inlineReference": {"uri": A}},
        {**invoked, "toolId": "copilot_findTextInFiles", "resultDetails": [A, {"uri": B, "range": {}}]},
        {**invoked, "toolId": "mcp_x", "resultDetails": {"input": "{}", "output": []}},
        {**invoked, "toolId": "copilot_readFile", "invocationMessage": "Reading [](file:///r.py)"},
        {
            **invoked,
            "toolId": "copilot_readFile",
            "invocationMessage": "Reading [](file:///x.py)",
            "pastTenseMessage": {"value": "Read", "uris": {"file:///s.py": {}}},
        },
        {**invoked, "toolId": "copilot_createFile", "invocationMessage": "Creating [](file:///made.py)"},
    ]
    assert [path for path in named_files(request, parts) if path] == [
        "/a.py",
        "/b.py",
        "/old.py",
        "/a.py",
        "/a.py",
        "/b.py",
        "/r.py",
        "/s.py",
    ]


def test_edits_that_no_call_accounts_for() -> None:
    """While a request is in progress, after it was cancelled, and by tools that no round names."""
    c = {"scheme": "file", "path": "/c:/dev/a.py"}
    parts = [
        {"kind": "textEditGroup", "uri": A, "edits": [[{"text": "one\n"}, {"text": ""}], [], [{"text": "two"}]]},
        {"kind": "textEditGroup", "uri": B, "edits": [[{"text": "known"}]]},
        {"kind": "textEditGroup", "uri": A, "edits": [[{"text": "three\n"}]]},
        {"kind": "textEditGroup", "uri": c, "edits": [[{"text": "windows"}]]},
        {"kind": "textEditGroup", "uri": {"scheme": "file", "path": "/cut.py"}, "edits": [[{"text": ""}]]},
        {"kind": "textEditGroup", "uri": {"scheme": "file", "path": "/none.py"}, "edits": [[], []]},
    ]
    done = [
        edit(AT + 1, "create_file", "/b.py", "", "known", "c1"),
        edit(AT + 2, "create_file", "C:\\dev\\A.py", "", "windows", "c2"),
        failure(AT + 3, "replace_string_in_file", "/a.py", "no", "c3"),
    ]
    assert edited_unasked(parts, done, AT) == [
        edit(AT, "", "/a.py", "", "one\ntwo\nthree\n", ""),
        edit(AT, "", "/cut.py", "", "", ""),
    ]


@pytest.mark.parametrize(
    ("result", "line", "output"),
    [
        ("Note: The user manually edited the command to `make z`, and this is the output of running that command "
         "instead:\nz made", "make z", "z made"),
        ("Note: The tool simplified the command to `cd a\nmake`, and this is the output of running that command "
         "instead:\n", "cd a\nmake", ""),
        ("He said: Note: The user manually edited", "make y", "He said: Note: The user manually edited"),
    ],
)  # fmt: skip
def test_a_command_that_the_user_changed_is_the_one_that_ran(result: str, line: str, output: str) -> None:
    request = asked(call("run_in_terminal", '{"command":"make y"}'), results={"c1": told(result)})
    assert work(request) == (command(AT + 1, "run_in_terminal", line, None, output, "c1"),)
    assert work(request, ran({"original": "make y"})) == (command(AT + 1, "run_in_terminal", line, None, output, "c1"),)
    by_tool = work(request, ran({"original": "make y", "toolEdited": " make -s y"}))
    assert by_tool[0].command == "make -s y"


def test_written_in() -> None:
    parts = [
        {"kind": "textEditGroup", "uri": A, "edits": [[{"text": "one\n"}, {"text": " \n"}], [], [{"text": "two"}]]},
        {"kind": "textEditGroup", "uri": B, "edits": [{"text": "flat"}, {"range": {}}]},
        {"kind": "notebookEditGroup", "uri": B, "edits": [[{"edit": {"text": "cell"}, "uri": B}, {"editType": 1}]]},
        {"kind": "textEditGroup", "uri": {"scheme": "untitled", "path": "U"}, "edits": [[{"text": "x"}]]},
        {"kind": "textEditGroup", "uri": A, "edits": "x"},
        "text",
    ]
    assert list(written_in(parts)) == [
        Written("/a.py", "one\n"),
        Written("/a.py", "two"),
        Written("/b.py", "flat"),
        Written("/b.py", "cell"),
    ]
