"""What real VS Code transcripts say, read by hand and written down; then each rule by itself."""

from __future__ import annotations

import json
from pathlib import Path

from deja_hooks.sources.model import Chunk, Header, Turn

from .samples import BASE, command, edit, failure, read_vscode, record, said, vscode

HELLO = "/home/user/project/hello.py"
MADE = "/home/user/project/made.py"


def test_scripted_run_of_the_hosts_own_classes() -> None:
    assert vscode("host_run_0.42") == Chunk(
        header=Header(
            "host_run_0.42",
            "vscode",
            "vscode-transcript",
            "/home/user/project",
            "",
            1791238009042,
            "0.42.0",
        ),
        turns=(
            Turn(
                offset=314,
                at=1791238009184,
                user="make the failing test pass",
                assistant="Running tests.\n\nFixing.\n\nDone.",
                work=(
                    command(1791238010122, "run_in_terminal", "pytest -q", None, "", "call_1"),
                    edit(
                        1791238010310,
                        "replace_string_in_file",
                        "/home/user/project/a.py",
                        "x=1",
                        "x=2",
                        "call_2",
                    ),
                    failure(1791238010342, "read_file", "", "", "call_3"),
                ),
                ended=True,
            ),
            Turn(4544, 1791238010481, "You are a subagent: list files", "nothing", (), True),
            Turn(5402, 1791238010594, "thanks, now document it", "ok", (), True),
        ),
        restart=5402,
        end=6248,
        updated=1791238010706,
        lines=25,
        bad_lines=0,
        understood=15,
        shutdown=False,
        files_modified=(),
        compactions=(),
    )


def test_patch_and_a_turn_without_an_answer_yet() -> None:
    (turn,) = vscode("event_stream_0.47").turns
    assert turn == Turn(
        offset=314,
        at=1778541192819,
        user="Add a comment to the file",
        assistant="I'll read the file first.\n\nNow I'll apply the patch.",
        work=(
            edit(
                1778542086981,
                "apply_patch",
                "/home/user/project/src/main.ts",
                "",
                "// Entry point\n",
                "call_pJQS2mHbPpjpO9Ooa6rJifeP",
            ),
        ),
        ended=False,
    )


def test_failing_tools_named_by_the_request_where_they_never_started() -> None:
    (turn,) = vscode("failing_tools").turns
    replace = "replace_string_in_file"
    assert turn.work == (
        edit(1796079720737, replace, HELLO, "THIS TEXT IS NOT THERE", "x", "call_1796079720504_0_0"),
        failure(1796079721144, "read_file", "", "", "call_1796079720957_1_0"),
        failure(1796079721692, "apply_patch", MADE, "", "call_1796079721638_3_0"),
        failure(1796079722370, "multi_replace_string_in_file", HELLO, "", "call_1796079722235_4_0"),
        command(
            1796079723380,
            "run_in_terminal",
            "echo out; echo err >&2; exit 3",
            None,
            "",
            "call_1796079723004_6_0",
        ),
    )


def test_sub_agents_prompt_and_words_are_not_the_sessions() -> None:
    assert vscode("subagent").turns == (
        Turn(
            offset=314,
            at=1796079738911,
            user="SCRIPT:sub clean payloads",
            assistant="I will call runSubagent.\n\nFinished script sub.",
            work=(),
            ended=True,
        ),
    )


def test_cancelled_and_failed_turns_are_not_ended() -> None:
    assert said(vscode("cancelled").turns) == [("SCRIPT:slow then cancel", "I will call read_file.", False)]
    assert said(vscode("model_error").turns) == [("SCRIPT:err please", "", False)]


def test_second_turn() -> None:
    first, second = vscode("second_turn").turns
    assert said((first, second)) == [
        ("SCRIPT:tools please do the scripted steps", "Finished script tools.", True),
        (
            "SCRIPT:tools nested only",
            "I will call run_in_terminal.\n\nI will call create_file.\n\n"
            "I will call replace_string_in_file.\n\nI will call read_file.\n\nFinished script tools.",
            True,
        ),
    ]
    assert second.work == (
        command(1796078673095, "run_in_terminal", "python3 -c 'import nope'", None, "", "call_1796078672932_0_0"),
        edit(1796078674905, "create_file", MADE, "", "VALUE = 1\n", "call_1796078674514_1_0"),
        edit(
            1796078675613,
            "replace_string_in_file",
            MADE,
            "VALUE = 1\n",
            "VALUE = 2\n",
            "call_1796078675324_2_0",
        ),
    )


def user(second: int, text: str) -> bytes:
    return record("user.message", second, {"content": text, "attachments": []})


def says(second: int, text: str, *requests: tuple[str, str, object]) -> bytes:
    asked = [
        {"toolCallId": call, "name": name, "arguments": json.dumps(arguments), "type": "function"}
        for call, name, arguments in requests
    ]
    return record("assistant.message", second, {"content": text, "toolRequests": asked})


def started(second: int, call: str, name: str, arguments: object) -> bytes:
    data = {"toolCallId": call, "toolName": name, "arguments": arguments}
    return record("tool.execution_start", second, data)


def completed(second: int, call: str, *, success: bool = True) -> bytes:
    return record("tool.execution_complete", second, {"toolCallId": call, "success": success})


def test_two_sub_agents_at_once_whose_work_counts(tmp_path: Path) -> None:
    create = {"filePath": "/n", "content": "1"}
    chunk = read_vscode(
        tmp_path,
        user(1, "go"),
        says(2, "Two.", ("a", "runSubagent", {"prompt": "P"}), ("b", "runSubagent", {"prompt": "Q"})),
        started(3, "a", "runSubagent", {"prompt": "P"}),
        started(3, "b", "runSubagent", {"prompt": "Q"}),
        user(4, "P"),
        user(4, "Q"),
        says(5, "inner", ("c", "create_file", create)),
        started(6, "c", "create_file", create),
        completed(7, "c"),
        completed(8, "a"),
        says(9, "still inner"),
        completed(10, "b"),
        says(11, "Both done."),
    )
    (turn,) = chunk.turns
    assert (turn.user, turn.assistant, turn.ended) == ("go", "Two.\n\nBoth done.", True)
    assert turn.work == (edit(BASE + 6000, "create_file", "/n", "", "1", "c"),)


def test_user_who_speaks_while_a_sub_agent_is_pending_begins_a_turn(tmp_path: Path) -> None:
    chunk = read_vscode(
        tmp_path,
        user(1, "go"),
        says(2, "One.", ("a", "runSubagent", {"prompt": "P"})),
        started(3, "a", "runSubagent", {"prompt": "P"}),
        user(4, "P"),
        user(5, "no, stop"),
        says(6, "Stopped."),
    )
    assert said(chunk.turns) == [("go", "One.", True), ("no, stop", "Stopped.", True)]


def test_terminal_notification_begins_no_turn(tmp_path: Path) -> None:
    note = "[Terminal 5e1 notification: command completed with exit code 1.]\nTerminal output:\nx"
    chunk = read_vscode(tmp_path, user(1, "go"), says(2, "Started."), user(3, note), says(4, "It failed."))
    assert said(chunk.turns) == [("go", "Started.\n\nIt failed.", True)]


def test_call_ids_meet_without_the_hosts_suffix(tmp_path: Path) -> None:
    chunk = read_vscode(
        tmp_path,
        user(1, "go"),
        started(2, "c__vscode-17", "run_in_terminal", {"command": "ls"}),
        completed(3, "c", success=False),
    )
    (work,) = chunk.turns[0].work
    assert (work.kind, work.command, work.call) == ("failure", "ls", "c")


def test_no_workspace_file_means_no_folder(tmp_path: Path) -> None:
    chunk = read_vscode(tmp_path, user(1, "go"))
    assert chunk.header == Header("v1", "vscode", "vscode-transcript", "", "", 0, "")


def test_prompt_of_a_sub_agent_that_never_ran_is_the_users_in_a_later_turn(tmp_path: Path) -> None:
    chunk = read_vscode(
        tmp_path,
        user(1, "go"),
        says(2, "One.", ("a", "runSubagent", {"prompt": "P"})),
        user(3, "no"),
        user(4, "P"),
    )
    assert [turn.user for turn in chunk.turns] == ["go", "no", "P"]
