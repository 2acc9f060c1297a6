"""What real CLI logs say, read by hand and written down; then each rule by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from deja_hooks.sources.model import Chunk, Header, Turn

from .samples import BASE, cli, command, edit, failure, read_cli, record, said

APP = "/home/user/project/app.py"
TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/home/user/project/test_app.py", line 2, in <module>\n'
    "    assert greet() == 'hello', greet()\n"
    "           ^^^^^^^^^^^^^^^^^^\n"
    "AssertionError: helo"
)
MAIN_WORK = (
    command(1796077500295, "bash", "python3 test_app.py", 1, TRACEBACK, "call_1_0"),
    failure(1796077500591, "view", "", "Path does not exist", "call_2_0"),
    failure(1796077500740, "edit", APP, "No match found", "call_3_0"),
    edit(1796077500896, "edit", APP, "helo", "hello", "call_4_0"),
    edit(1796077501121, "create", "/home/user/project/NOTES.md", "", "fixed typo\n", "call_5_0"),
    failure(1796077501715, "view", "", "Path does not exist", "call_7_1"),
    command(
        1796077502223,
        "bash",
        "sleep 0.5; echo built",
        None,
        "<command started in background with shellId: build>",
        "call_9_0",
    ),
    command(1796077502485, "bash", "sleep 2; python3 test_app.py && echo passed", 0, "passed", "call_10_0"),
)


def test_tools_failures_a_sub_agent_and_a_resumed_turn() -> None:
    assert cli("main") == Chunk(
        header=Header("main", "cli", "cli-events", "/home/user/project", "main", 1796077499978, "1.0.102"),
        turns=(
            Turn(
                offset=3129,
                at=1796077500257,
                user="Fix the failing test",
                assistant="I will run the test first.\n\nThe typo is fixed and the test passes.",
                work=MAIN_WORK,
                ended=True,
            ),
            Turn(90234, 1796077505999, "Summarize what changed", "Nothing more to do.", (), True),
        ),
        restart=90234,
        end=97952,
        updated=1796077506237,
        lines=167,
        bad_lines=0,
        understood=42,
        shutdown=True,
        files_modified=(APP, "/home/user/project/NOTES.md"),
        compactions=(),
    )


def test_compaction_between_turns() -> None:
    chunk = cli("interactive")
    assert chunk.compactions == ((1796077520204, "<overview>Fixing a test.</overview>"),)
    assert chunk.turns == (
        Turn(3062, 1796077515401, "Say hello", "Hello.", (), True),
        Turn(
            offset=8362,
            at=1796077517103,
            user="Build it",
            assistant="Built.",
            work=(command(1796077517155, "bash", "touch built.txt", 0, "", "call_2_0"),),
            ended=True,
        ),
    )


def test_provider_error_leaves_the_turn_unanswered() -> None:
    assert cli("error").turns == (Turn(2800, 1796077507277, "Fix the failing test", "", (), False),)
    assert cli("aborted_turn").turns == (Turn(1713, 1785943748796, "Reply with exactly the word: ok", "", (), False),)


def test_stop_hook_that_asks_for_more_makes_a_turn() -> None:
    assert said(cli("forced").turns) == [
        ("Fix the failing test", "Done.", True),
        ("Check once more", "Checked.", True),
    ]


def test_history_written_twice_is_told_once() -> None:
    chunk = cli("resumed")
    assert chunk.turns == (
        Turn(2345, 1785949327611, "Reply with exactly the word: ok", "ok", (), True),
        Turn(7238, 1785949349190, "Reply with exactly the word: again", "again", (), True),
    )
    assert (chunk.restart, chunk.end, chunk.shutdown) == (7238, 22518, True)


def test_exit_status_from_the_results_last_line() -> None:
    (turn,) = cli("self_correction").turns
    assert turn.work == (
        command(1785772461379, "bash", "false", 1, "", "call_3EGnmteSVY1u58IFMLEoRJn9"),
        command(1785772461380, "bash", "echo recovered", 0, "recovered", "call_PlW5IfB4r3ElTzx38jAsVJW3"),
    )
    assert turn.assistant.endswith("Executing both commands now.\n\ndone")


def test_sub_agents_words_are_not_the_sessions() -> None:
    (turn,) = cli("subagent").turns
    assert turn.user.startswith("Delegate this to the task subagent")
    assert turn.assistant.endswith("can be retrieved immediately.\n\ndone")
    assert "JSONL (JSON Lines) is a text format" not in turn.assistant
    assert [(work.kind, work.tool) for work in turn.work] == [("failure", "task"), ("failure", "read_agent")]


USER = record("user.message", 1, {"content": "do it"})


def tool(second: int, call: str, name: str, arguments: object, **more: object) -> bytes:
    data = {"toolCallId": call, "toolName": name, "arguments": arguments, **more}
    return record("tool.execution_start", second, data)


def done(second: int, call: str, content: str = "", **more: object) -> bytes:
    data = {"toolCallId": call, "success": True, "result": {"content": content}, **more}
    return record("tool.execution_complete", second, data)


@pytest.mark.parametrize(
    "message",
    [
        record("user.message", 2, {"content": "sub", "source": "agent-x"}),
        record("user.message", 2, {"content": "sub", "parentToolCallId": "c"}),
        record("user.message", 2, {"content": "sub"}, agentId="a"),
        record("user.message", 2, {"content": "skill text", "source": "skill-pdf"}),
        record("user.message", 2, {"content": "[Terminal 1f notification: command completed with exit 0.]\nx"}),
        record("user.message", 2, {"content": "<system_notification>\nShell done\n</system_notification>"}),
    ],
)
def test_messages_that_are_not_the_users_begin_no_turn(tmp_path: Path, message: bytes) -> None:
    chunk = read_cli(tmp_path, USER, message, record("assistant.message", 3, {"content": "ok"}))
    assert said(chunk.turns) == [("do it", "ok", True)]


def test_work_of_a_sub_agent_counts(tmp_path: Path) -> None:
    start = tool(2, "c1", "edit", {"path": "/a", "old_str": "x", "new_str": "y"}, parentToolCallId="c0")
    (turn,) = read_cli(tmp_path, USER, start, done(3, "c1")).turns
    assert turn.work == (edit(BASE + 2000, "edit", "/a", "x", "y", "c1"),)


def test_unanswered_calls(tmp_path: Path) -> None:
    """A command ran, as far as anybody knows; an edit may not have been made."""
    chunk = read_cli(
        tmp_path,
        USER,
        tool(2, "c1", "bash", {"command": "sleep 9"}),
        tool(3, "c2", "edit", {"path": "/a", "old_str": "x", "new_str": "y"}),
    )
    assert chunk.turns[0].work == (command(BASE + 2000, "bash", "sleep 9", None, "", "c1"),)
    assert not chunk.turns[0].ended


def test_tool_that_failed_and_command_that_was_refused(tmp_path: Path) -> None:
    (turn,) = read_cli(
        tmp_path,
        USER,
        tool(2, "c1", "memo-recall", {"q": "x"}),
        record("tool.execution_complete", 3, {"toolCallId": "c1", "success": False, "error": "is down"}),
        tool(4, "c2", "bash", {"command": "rm -r /"}),
        record(
            "tool.execution_complete",
            5,
            {"toolCallId": "c2", "success": False, "error": {"message": "denied", "code": "rejected"}},
        ),
    ).turns
    assert turn.work == (
        failure(BASE + 2000, "memo-recall", "", "is down", "c1"),
        failure(BASE + 4000, "bash", "", "denied", "c2")._replace(command="rm -r /"),
    )


def test_answer_that_comes_after_the_next_message_goes_to_its_own_turn(tmp_path: Path) -> None:
    chunk = read_cli(
        tmp_path,
        USER,
        tool(2, "c1", "Bash", {"command": "make"}),
        record("user.message", 3, {"content": "and hurry"}),
        done(4, "c1", "made\n<shellId: 0 completed with exit code 2>"),
    )
    assert [turn.work for turn in chunk.turns] == [
        (command(BASE + 2000, "Bash", "make", 2, "made", "c1"),),
        (),
    ]
    assert chunk.restart == chunk.turns[1].offset


def test_reading_goes_back_to_a_turn_that_may_still_be_answered(tmp_path: Path) -> None:
    chunk = read_cli(
        tmp_path,
        USER,
        tool(2, "c1", "bash", {"command": "make"}),
        record("user.message", 3, {"content": "and hurry"}),
    )
    assert chunk.restart == chunk.turns[0].offset
    closed = read_cli(
        tmp_path,
        USER,
        tool(2, "c1", "bash", {"command": "make"}),
        record("user.message", 3, {"content": "and hurry"}),
        record("session.shutdown", 4, {}),
    )
    assert closed.restart == closed.turns[1].offset


def test_agent_that_runs_without_a_users_words(tmp_path: Path) -> None:
    lines = record("session.start", 0, {"startTime": "2027-01-15T08:00:00.000Z"})
    chunk = read_cli(tmp_path, lines, record("assistant.message", 1, {"content": "Nightly report."}))
    assert chunk.turns == (Turn(len(lines), BASE + 1000, "", "Nightly report.", (), True),)


def test_resume_and_context_change_move_the_session(tmp_path: Path) -> None:
    chunk = read_cli(
        tmp_path,
        record(
            "session.start",
            0,
            {
                "sessionId": "another",
                "startTime": "2027-01-15T08:00:00.000Z",
                "copilotVersion": "1",
                "context": {"cwd": "/a"},
            },
        ),
        USER,
        record("session.resume", 2, {"context": {"cwd": "/b", "branch": "main"}}),
        record("session.context_changed", 3, {"cwd": "/c"}),
    )
    assert chunk.header == Header("s1", "cli", "cli-events", "/c", "main", BASE, "1")


def test_in_progress_is_not_ended(tmp_path: Path) -> None:
    asked = {
        "content": "I will run it.",
        "toolRequests": [{"toolCallId": "c", "name": "bash", "arguments": {"command": "x"}}],
    }
    lines = [USER, record("assistant.message", 2, asked)]
    assert said(read_cli(tmp_path, *lines).turns) == [("do it", "I will run it.", False)]
    lines.append(record("session.shutdown", 3, {}))
    assert said(read_cli(tmp_path, *lines).turns) == [("do it", "I will run it.", True)]


def test_what_we_injected_is_not_remembered(tmp_path: Path) -> None:
    packet = "<deja-7f3a note>\nRecalled: never\n</deja-7f3a>"
    output = (
        "ok\n<shellId: 3 completed with exit code 0>\n\n"
        f'Tool "bash" succeeded. Additional guidance from postToolUse hooks:\n{packet}'
    )
    (turn,) = read_cli(
        tmp_path,
        record("user.message", 1, {"content": f"look at {packet} please", "transformedContent": "no"}),
        tool(2, "c1", "bash", {"command": "x"}),
        done(3, "c1", output),
        record("assistant.message", 4, {"content": f"{packet}\nDone."}),
    ).turns
    assert (turn.user, turn.assistant) == ("look at  please", "Done.")
    assert turn.work == (command(BASE + 2000, "bash", "x", 0, "ok", "c1"),)


def test_history_written_again_after_the_clock_was_set_back(tmp_path: Path) -> None:
    """What counts as already read is what the last turn's records say, not the latest time ever seen."""
    start = record("session.start", 0, {"startTime": "2027-01-15T08:00:00.000Z"})
    late, early, new = (
        record("user.message", second, {"content": text}) for second, text in ((9, "late"), (1, "early"), (5, "new"))
    )
    chunk = read_cli(tmp_path, start, late, early, start, early, new)
    assert [turn.user for turn in chunk.turns] == ["late", "early", "new"]
