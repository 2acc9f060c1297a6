"""What real CLI logs say, read by hand and written down; then each rule by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from deja_hooks.sources.logs.cli_events import read
from deja_hooks.sources.model import Chunk, Header, Tally, Turn, Usage
from tests.sources.samples import BASE, cli, cli_log, command, edit, error, failure, read_cli, record, said

APP = "/home/user/project/app.py"
MISSING = "/home/user/project/missing.py"
TRACEBACK = (
    "Traceback (most recent call last):\n"
    '  File "/home/user/project/test_app.py", line 2, in <module>\n'
    "    assert greet() == 'hello', greet()\n"
    "           ^^^^^^^^^^^^^^^^^^\n"
    "AssertionError: helo"
)
MAIN_WORK = (
    command(1796077500295, "bash", "python3 test_app.py", 1, TRACEBACK, "call_1_0"),
    failure(1796077500591, "view", MISSING, "Path does not exist", "call_2_0"),
    failure(1796077500740, "edit", APP, "No match found", "call_3_0"),
    edit(1796077500896, "edit", APP, "helo", "hello", "call_4_0"),
    edit(1796077501121, "create", "/home/user/project/NOTES.md", "", "fixed typo\n", "call_5_0"),
    failure(1796077501715, "view", MISSING, "Path does not exist", "call_7_1"),
    command(
        1796077502223,
        "bash",
        "sleep 0.5; echo built",
        0,
        "built",
        "call_9_0",
    ),
    command(1796077502485, "bash", "sleep 2; python3 test_app.py && echo passed", 0, "passed", "call_10_0"),
)


PROJECT = "/home/user/project"
BRANCH = "feat/1256-copilot-adapter"
SUMMARY = ((1796077520204, "<overview>Fixing a test.</overview>"),)
NOTES = "/home/user/project/NOTES.md"


def header(name: str, started: int, version: str = "1.0.102", branch: str = "main") -> Header:
    return Header(name, "cli", "cli-events", PROJECT, branch, started, version)


def chunk_of(head: Header, turns: tuple[Turn, ...], numbers: tuple[int, int, int], before: tuple[int, int]) -> Chunk:
    """`numbers`: end, lines, understood; `before` the last turn: lines, understood. The folder has another name
    than the session: every start is foreign; a log is shut down at its end."""
    end, lines, understood = numbers
    tally = Tally(lines, 0, understood, 0, 1)
    return Chunk(head, turns, turns[-1].offset, end, 0, tally, Tally(before[0], 0, before[1], 0, 1), True, (), ())


def total(row: str, at: int, model: str, *numbers: int | None, billed: float | None = None) -> Usage:
    rounds, sent, cached, received = numbers
    return Usage("total", row, at, model, rounds, sent, True, cached, received, billed)


def mock_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def test_tools_failures_a_sub_agent_and_a_resumed_turn() -> None:
    calls = {*(f"call_{n}_0" for n in (1, 2, 3, 4, 5, 6, 7, 9, 10)), "call_7_1", mock_id(190)}
    first = Turn(
        offset=3129,
        at=1796077500257,
        user="Fix the failing test",
        assistant="I will run the test first.\n\nThe typo is fixed and the test passes.",
        work=MAIN_WORK,
        ended=True,
        calls=frozenset(calls),
        usage=(total(mock_id(207), 1796077504992, "mock-model", 11, 11000, None, 220),),
    )
    second = Turn(
        offset=90234,
        at=1796077505999,
        user="Summarize what changed",
        assistant="Nothing more to do.",
        work=(),
        ended=True,
        usage=(total(mock_id(233), 1796077506237, "mock-model", 12, 12000, None, 240),),
    )
    chunk = chunk_of(header("main", 1796077499978), (first, second), (97952, 167, 55), (157, 51))
    assert cli("main") == chunk._replace(updated=1796077506237, files_modified=(APP, NOTES))


def test_compaction_between_turns() -> None:
    hello = Turn(3062, 1796077515401, "Say hello", "Hello.", (), True)
    build = Turn(
        offset=8362,
        at=1796077517103,
        user="Build it",
        assistant="Built.",
        work=(command(1796077517155, "bash", "touch built.txt", 0, "", "call_2_0"),),
        ended=True,
        calls=frozenset(("call_2_0",)),
        usage=(
            Usage("compaction", mock_id(384), 1796077520204, "mock-model", 1, 1000, True, None, 20, elapsed=7),
            total(mock_id(388), 1796077522857, "mock-model", 3, 3000, None, 60),
        ),
    )
    chunk = chunk_of(header("interactive", 1796077509782), (hello, build), (31401, 57, 13), (20, 4))
    assert cli("interactive") == chunk._replace(updated=1796077522857, compactions=SUMMARY)


def test_compaction_within_a_turn() -> None:
    line, output = "python3 -c \"print('word '*3500)\"", "word " * 40 + "[17339 characters omitted]"
    started = ((1, 524428), (2, 524821), (3, 525126), (4, 525504), (6, 525896))
    turn = Turn(
        offset=3129,
        at=1796077524387,
        user="Fix the failing test",
        assistant="Done.",
        work=tuple(command(1796077000000 + at, "bash", line, 0, output, f"call_{n}_0") for n, at in started),
        ended=True,
        calls=frozenset(f"call_{n}_0" for n, _ in started),
        usage=(
            Usage("compaction", mock_id(476), 1796077525880, "mock-model", 1, 1000, True, None, 20, elapsed=10),
            total(mock_id(503), 1796077526374, "mock-model", 6, 6000, None, 120),
        ),
    )
    chunk = chunk_of(header("compact", 1796077524057), (turn,), (47157, 83, 26), (8, 1))
    compactions = ((1796077525880, SUMMARY[0][1]),)
    assert cli("compact") == chunk._replace(updated=1796077526374, compactions=compactions)


def test_provider_error_leaves_the_turn_unanswered() -> None:
    turn = Turn(
        2800, 1796077507277, "Fix the failing test", "", (error(1796077507436, "400 mock provider error"),), False
    )
    chunk = chunk_of(header("error", 1796077506977), (turn,), (6986, 17, 4), (7, 1))
    assert cli("error") == chunk._replace(updated=1796077507529)
    unreachable = (
        "Could not connect to local model provider at http://127.0.0.1:18799/v1.\n"
        "  Check that the service is running and the port is correct."
    )
    failed = (error(1785943755536, unreachable),)
    turn = Turn(1713, 1785943748796, "Reply with exactly the word: ok", "", failed, False)
    head = header("aborted_turn", 1785943743118, "1.0.78", BRANCH)
    assert cli("aborted_turn") == chunk_of(head, (turn,), (3599, 9, 4), (4, 1))._replace(updated=1785943766749)


def test_stop_hook_that_asks_for_more_makes_a_turn() -> None:
    first = Turn(2800, 1796077508560, "Fix the failing test", "Done.", (), True)
    usage = (total(mock_id(305), 1796077508968, "mock-model", 2, 2000, None, 40),)
    second = Turn(8194, 1796077508796, "Check once more", "Checked.", (), True, usage=usage)
    chunk = chunk_of(header("forced", 1796077508295), (first, second), (15027, 29, 8), (19, 4))
    assert cli("forced") == chunk._replace(updated=1796077508968)


def test_history_written_twice_is_told_once() -> None:
    one, two = "53cd9ea8-d918-4745-9516-f3c17e3d5098", "d1841841-a918-4f17-8561-0977bf845a63"
    haiku = total(one, 1785949332931, "claude-haiku-4.5", 1, 12612, 0, 35, billed=1.59375)
    mini = total(two, 1785949357349, "gpt-5-mini", 1, 10813, 1536, 88, billed=0.253365)
    first = Turn(2345, 1785949327611, "Reply with exactly the word: ok", "ok", (), True, usage=(haiku,))
    again = (haiku._replace(id=two, at=mini.at), mini)
    second = Turn(7238, 1785949349190, "Reply with exactly the word: again", "again", (), True, usage=again)
    head = header("resumed", 1785949321395, "1.0.78", BRANCH)
    chunk = chunk_of(head, (first, second), (22518, 40, 20), (14, 6))
    assert cli("resumed") == chunk._replace(updated=mini.at, tally=Tally(40, 0, 20, 0, 2))


def test_session_of_one_word() -> None:
    usage = total("8731edb7-ba72-4127-9449-4f1b7f3bfdcc", 1785751597273, "gpt-5-mini", 1, 10548, 0, 99, billed=0.2835)
    turn = Turn(2326, 1785751588387, "Reply with exactly the word: ok", "ok", (), True, usage=(usage,))
    head = header("session_start", 1785751581381, "1.0.77", BRANCH)
    assert cli("session_start") == chunk_of(head, (turn,), (5484, 10, 4), (5, 1))._replace(updated=usage.at)


def test_exit_status_from_the_results_last_line() -> None:
    row = total(
        "d9371713-dfd3-49d1-adb1-6335fc9498d8", 1785772487824, "gpt-5-mini", 2, 22455, 13312, 1255, billed=0.512855
    )
    work = (
        command(1785772461379, "bash", "false", 1, "", "call_3EGnmteSVY1u58IFMLEoRJn9"),
        command(1785772461380, "bash", "echo recovered", 0, "recovered", "call_PlW5IfB4r3ElTzx38jAsVJW3"),
    )
    turn = Turn(
        offset=2325,
        at=1785772422933,
        user="Using the bash tool, run the shell command `false` \u2014 it will fail. Then, in this same turn, retry "
        "with the bash tool running `echo recovered`. Then reply with just: done",
        assistant="Running `false` (expected to fail), then running `echo recovered` to recover. Executing both "
        "commands now.\n\ndone",
        work=work,
        ended=True,
        calls=frozenset(each.call for each in work),
        usage=(row,),
    )
    head = header("self_correction", 1785772414993, "1.0.77", BRANCH)
    assert cli("self_correction") == chunk_of(head, (turn,), (10401, 18, 10), (5, 1))._replace(updated=row.at)


def test_one_command() -> None:
    row = total("081f952e-f2f1-4572-86a8-13d0d3a287d4", 1785772312858, "gpt-5-mini", 2, 21619, 12544, 464)
    call = "call_AEfdydOvcALnH0m1IqCE6aA1"
    turn = Turn(
        offset=2325,
        at=1785772294870,
        user="Run the shell command `echo hello` with the bash tool, then reply with just: done",
        assistant="Running the shell command `echo hello` to produce the expected output using the bash tool.\n\ndone",
        work=(command(1785772305505, "bash", "echo hello", 0, "hello", call),),
        ended=True,
        calls=frozenset((call,)),
        usage=(row._replace(credits=0.351035),),
    )
    head = header("tool_call", 1785772286974, "1.0.77", BRANCH)
    assert cli("tool_call") == chunk_of(head, (turn,), (8720, 16, 8), (5, 1))._replace(updated=row.at)


def test_compaction_asked_for_by_the_user() -> None:
    """Its credits are in the total's: 13,430 + 20,352 + 1,322 tokens are those of all three calls."""
    compaction = Usage(
        "compaction", "a0e18afd-27e6-4808-8be4-3268d8718b24", 1785944086116, "gpt-5-mini", 1,
        11842, True, 10624, 1075, elapsed=13001,
    )  # fmt: skip
    row = total(
        "3e0bd384-b16c-4704-9435-b5e1df0e65d1", 1785944109824, "gpt-5-mini", 2, 21940, 9728, 247, billed=0.65103
    )
    ok = Turn(2325, 1785944061458, "Reply with exactly the word: ok", "ok", (), True, usage=(compaction,))
    here = "Reply with exactly the word: still-here"
    still = Turn(8026, 1785944094206, here, "still-here", (), True, usage=(row,))
    chunk = cli("compaction")
    ((at, summary),) = chunk.compactions
    assert (at, len(summary), summary[:34]) == (1785944086116, 1295, "<overview>\nUser requested a persis")
    head = header("compaction", 1785944054895, "1.0.78", BRANCH)
    expected = chunk_of(head, (ok, still), (11634, 18, 8), (12, 4))
    assert chunk._replace(compactions=()) == expected._replace(updated=row.at)


def test_sub_agents_words_are_not_the_sessions() -> None:
    row = total("cf466a92-90ab-4c4f-a2ff-7af5dd036f89", 1785944344194, "gpt-5-mini", 5, 91815, 60928, 2133)
    task, read = "call_ZaF4lN5Ge6Jmm9hylom7groZ", "call_mFNeF1E9NmF7B0lRN4dFVKiD"
    error = (
        "Error: Request session.model.switchTo failed with message: "
        "Reasoning effort 'short' is not supported for model 'gpt-5-mini'."
    )
    said_in_turn = (
        "Running a task subagent to write a two-sentence explanation of what a JSONL file is, so the subagent produces "
        "the text and returns it for reporting. The task will be run synchronously and asked to return only the "
        "two-sentence explanation.",
        "Reading the subagent's output to retrieve the two-sentence JSONL explanation it produced; this fetch ensures "
        "the subagent finished and its message is captured. I'll read the agent with wait=true.",
        "Starting a new task subagent synchronously (no unsupported params) to produce the two-sentence JSONL "
        "explanation so its output can be retrieved immediately.",
        "done",
    )
    turn = Turn(
        offset=2327,
        at=1785944294748,
        user="Delegate this to the task subagent instead of doing it yourself: ask it to write a two-sentence "
        "explanation of what a JSONL file is and report that explanation back to you. Wait for the subagent to finish, "
        "then reply with exactly: done",
        assistant="\n\n".join(said_in_turn),
        work=(
            failure(1785944309579, "task", "", error, task),
            failure(1785944319685, "read_agent", "", error, read),
        ),
        ended=True,
        calls=frozenset((task, read, "call_wOCm9GnVqiwkxaCfoP8JD25O")),
        usage=(row._replace(credits=1.351095),),
    )
    head = header("subagent", 1785944288199, "1.0.78", BRANCH)
    assert cli("subagent") == chunk_of(head, (turn,), (23870, 34, 17), (5, 1))._replace(updated=row.at)


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


def user(second: int, text: str) -> bytes:
    return record("user.message", second, {"content": text})


def says(second: int, text: str, **more: object) -> bytes:
    return record("assistant.message", second, {"content": text, **more})


def test_message_in_chunks_and_message_whose_parts_came_before_it(tmp_path: Path) -> None:
    chunk = read_cli(
        tmp_path,
        USER,
        says(2, "One ", messageId="m1", chunkIndex=0, chunkCount=2),
        says(3, "message.", messageId="m1", chunkIndex=1, chunkCount=2),
        record("assistant.message_delta", 4, {"messageId": "m2", "deltaContent": "Ano"}),
        record("assistant.message_delta", 5, {"messageId": "m2", "deltaContent": "ther"}),
        says(6, "Another.", messageId="m2"),
        record("assistant.message_delta", 7, {"messageId": "m3", "deltaContent": "Torn"}),
    )
    assert said(chunk.turns) == [("do it", "One message.\n\nAnother.\n\nTorn", False)]


def test_rewind_withdraws_turns_and_not_what_they_took(tmp_path: Path) -> None:
    took = {"model": "m", "inputTokens": 5, "outputTokens": 1}
    lines = [user(1, "one"), user(2, "two"), record("session.usage_record", 3, {"usage": took}), user(4, "three")]
    lines += [record("session.snapshot_rewind", 5, {"upToEventId": "2", "eventsRemoved": 3}), user(6, "other")]
    chunk = read_cli(tmp_path, *lines)
    assert [turn.user for turn in chunk.turns] == ["one", "other"]
    assert chunk.turns[1].usage == (Usage("call", "3", BASE + 3000, "m", 1, 5, True, None, 1),)
    assert (chunk.restart, chunk.settled, chunk.withdraws) == (0, Tally(), False)  # read as a whole from now on


def test_rewind_beyond_the_readings_start_asks_for_the_whole_file(tmp_path: Path) -> None:
    path = cli_log(tmp_path, user(1, "one"), user(2, "two"), user(3, "three"))
    first = read(path, 0, None, None)
    with path.open("ab") as file:
        file.write(record("session.snapshot_rewind", 4, {"upToEventId": "2"}))
    assert read(path, first.restart, first.header, None).withdraws
    whole = read(path, 0, None, None)
    assert ([turn.user for turn in whole.turns], whole.withdraws) == (["one"], False)


def test_cleared_context_withdraws_nothing(tmp_path: Path) -> None:
    chunk = read_cli(tmp_path, USER, says(2, "Done."), record("session.context_cleared", 3, {"messagesCleared": 2}))
    assert said(chunk.turns) == [("do it", "Done.", True)]
    assert chunk.tally == Tally(3, 0, 2)


def test_aborted_turn_ends_with_what_was_said(tmp_path: Path) -> None:
    asked = [{"toolCallId": "c", "name": "bash", "arguments": {"command": "x"}}]
    spoken = says(2, "I will run it.", toolRequests=asked)
    abort = record("abort", 3, {"reason": "user initiated"})
    assert said(read_cli(tmp_path, USER, spoken, abort).turns) == [("do it", "I will run it.", True)]
    assert said(read_cli(tmp_path, USER, abort).turns) == [("do it", "", False)]
    assert said(read_cli(tmp_path, USER, record("abort", 3, {}, agentId="a"), says(4, "ok")).turns)[0][2]


def test_autopilots_summary_is_its_last_word(tmp_path: Path) -> None:
    finish = record("session.task_complete", 3, {"success": True, "summary": "All green."})
    assert said(read_cli(tmp_path, USER, says(2, "Working."), finish).turns) == [
        ("do it", "Working.\n\nAll green.", True)
    ]
    assert said(read_cli(tmp_path, USER, says(2, "All green."), finish).turns) == [("do it", "All green.", True)]


def test_chat_from_before_there_were_events(tmp_path: Path) -> None:
    asked = [{"id": "c1", "type": "function", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}]
    chat = [
        {"role": "user", "content": "list"},
        {"role": "assistant", "content": None, "tool_calls": asked},
        {"role": "tool", "tool_call_id": "c1", "content": "a\n<shellId: 0 completed with exit code 0>"},
        {"role": "assistant", "content": "One file."},
        {"role": "user", "content": "thanks"},
        "odd",
    ]
    chunk = read_cli(tmp_path, record("session.import_legacy", 1, {"legacySession": {"chatMessages": chat}}))
    work = (command(BASE + 1000, "bash", "ls", 0, "a", "c1"),)
    assert chunk.turns == (
        Turn(0, BASE + 1000, "list", "One file.", work, True, calls=frozenset(("c1",))),
        Turn(0, BASE + 1000, "thanks", "", (), False),
    )


def test_files_are_those_that_were_read_and_not_changed(tmp_path: Path) -> None:
    (turn,) = read_cli(
        tmp_path,
        USER,
        tool(2, "c1", "view", {"path": "/read"}),
        done(3, "c1"),
        tool(2, "c2", "Read", {"path": "/both"}),
        done(3, "c2"),
        tool(2, "c3", "edit", {"path": "/both", "old_str": "a", "new_str": "b"}),
        done(3, "c3"),
        tool(2, "c4", "view", {"path": "/missing"}),
        record("tool.execution_complete", 3, {"toolCallId": "c4", "success": False, "error": {"message": "no"}}),
        tool(2, "c5", "grep", {"pattern": "x", "path": "/src"}),
        tool(2, "c6", "other-edit", {}),
        done(3, "c6", fileEdits=[{"path": "/changed", "kind": "edit"}, {}]),
        record("session.shutdown", 4, {"codeChanges": {"filesModified": ["/both", "/elsewhere", 1]}}),
    ).turns
    assert turn.files == ("/read",)
    assert [(each.kind, each.tool, each.path, each.new) for each in turn.work] == [
        ("edit", "edit", "/both", "b"),
        ("failure", "view", "/missing", ""),
        ("edit", "other-edit", "/changed", ""),
    ]
    assert turn.calls == {"c1", "c2", "c3", "c4", "c5", "c6"}


def test_files_of_a_shutdown_are_the_sessions_and_no_turns(tmp_path: Path) -> None:
    chunk = read_cli(
        tmp_path,
        USER,
        record("session.shutdown", 4, {"codeChanges": {"filesModified": ["/both", "/elsewhere", 1]}}),
        record("session.resume", 5, {}),
        record("session.shutdown", 6, {"codeChanges": {"filesModified": ["/more", "/both"]}}),
    )
    assert chunk.files_modified == ("/both", "/elsewhere", "/more")
    assert [(turn.files, turn.work) for turn in chunk.turns] == [((), ())]


def in_background(second: int = 2) -> bytes:
    start = tool(second, "c1", "bash", {"command": "make", "mode": "async"})
    return start + done(second, "c1", "first\n<command started in background with shellId: b>")


def ended_with(second: int, status: int) -> bytes:
    kind = {"type": "shell_completed", "shellId": "b", "exitCode": status}
    return record(
        "system.notification", second, {"content": "<system_notification>x</system_notification>", "kind": kind}
    )


def test_a_command_in_the_background_ends_with_what_is_told_of_it_later(tmp_path: Path) -> None:
    read = tool(4, "c2", "read_bash", {"shellId": "b"})
    built = command(BASE + 2000, "bash", "make", 2, "first\nmake: *** [all] Error 1", "c1")
    printed = done(5, "c2", "make: *** [all] Error 1\n<shellId: b completed with exit code 2>")
    before = done(5, "c2", "make: *** [all] Error 1\n<command with id: b exited with exit code 2>")  # to 1.0.48
    for told in (
        (read, printed),
        (read, before),
        (ended_with(3, 2), read, printed),
        (read, printed, ended_with(6, 2)),
    ):
        assert read_cli(tmp_path, USER, in_background(), *told).turns[0].work == (built,)
    silent = read_cli(tmp_path, USER, in_background(), ended_with(3, 2)).turns[0].work
    assert silent == (built._replace(output="first"),)
    part = read_cli(tmp_path, USER, in_background(), read, done(5, "c2", "first\nmore\n<shellId: b is still running>"))
    assert part.turns[0].work == (built._replace(exit=None, output="first\nmore"),)
    other = record("system.notification", 3, {"kind": {"shellId": "x", "exitCode": 1}})
    assert read_cli(tmp_path, USER, in_background(), other).turns[0].work == (
        built._replace(exit=None, output="first"),
    )


def test_a_command_in_the_background_is_waited_for_as_long_as_a_call(tmp_path: Path) -> None:
    more, last = (record("user.message", second, {"content": "go on"}) for second in (3, 5))
    waiting = read_cli(tmp_path, USER, in_background(), more)
    assert waiting.restart == waiting.turns[0].offset
    told = read_cli(tmp_path, USER, in_background(), more, ended_with(4, 2))
    assert (told.restart, told.turns[0].work[0].exit) == (told.turns[1].offset, 2)
    late = read_cli(tmp_path, USER, in_background(), more, last, ended_with(6, 2))
    assert (late.restart, late.turns[0].work[0].exit) == (late.turns[2].offset, None)
    shut = read_cli(tmp_path, USER, in_background(), more, record("session.shutdown", 4, {}))
    assert shut.restart == shut.turns[1].offset


def test_errors_stand_where_they_were_met(tmp_path: Path) -> None:
    (turn,) = read_cli(
        tmp_path,
        record("session.error", 0, {"message": "before there was a turn"}),
        USER,
        tool(2, "c1", "bash", {"command": "ls"}),
        done(3, "c1", "a\n<shellId: 0 completed with exit code 0>"),
        record("session.error", 4, {"errorType": "query", "message": "429 slow down"}),
        tool(5, "c2", "bash", {"command": "pwd"}),
        done(6, "c2", "/\n<shellId: 0 completed with exit code 0>"),
        record("session.error", 7, {"errorType": "quota"}),
        record("abort", 8, {"reason": "user initiated"}),
        record("abort", 9, {}),
    ).turns
    assert turn.work == (
        command(BASE + 2000, "bash", "ls", 0, "a", "c1"),
        error(BASE + 4000, "429 slow down"),
        command(BASE + 5000, "bash", "pwd", 0, "/", "c2"),
        error(BASE + 7000, "quota"),
        error(BASE + 8000, "Cancelled: user initiated"),
        error(BASE + 9000, "Cancelled"),
    )


def test_what_a_provider_does_not_report_is_not_zero(tmp_path: Path) -> None:
    """Nor in the sums of the calls; a number that isn't 0 was reported by somebody."""

    def used(second: int, model: str, cached: int, reported: object) -> bytes:
        usage = {"model": model, "inputTokens": 9, "cacheReadTokens": cached, "cacheDetailsReported": reported}
        return record("session.usage_record", second, {"usage": usage})

    calls = (used(2, "a", 0, False), used(3, "b", 0, True), used(4, "c", 0, None), used(5, "d", 4, False))
    (turn,) = read_cli(tmp_path, USER, *calls).turns
    assert [row.cached for row in turn.usage] == [None, 0, 0, 4]
    cached = {"a": 0, "b": 0, "c": 0, "d": 4}
    metrics = {name: {"usage": {"inputTokens": 9, "cacheReadTokens": n}} for name, n in cached.items()}
    spent = {"model": "a", "inputTokens": 5, "outputTokens": 1, "cacheReadTokens": 0}
    summed = record("session.compaction_complete", 6, {"compactionTokensUsed": spent})
    (turn,) = read_cli(tmp_path, USER, *calls, summed, record("session.shutdown", 7, {"modelMetrics": metrics})).turns
    assert [(row.kind, row.model, row.cached) for row in turn.usage] == [
        ("compaction", "a", None),
        ("total", "a", None),
        ("total", "b", 0),
        ("total", "c", 0),
        ("total", "d", 4),
    ]


def test_a_prompt_that_begins_with_a_hosts_block_is_the_users(tmp_path: Path) -> None:
    pasted = "<system_reminder>\nLook at this\n</system_reminder>\nwhat does it mean?"
    (turn,) = read_cli(tmp_path, record("user.message", 1, {"content": pasted})).turns
    assert turn.user == pasted


def test_title_and_other_sessions_starts(tmp_path: Path) -> None:
    chunk = read_cli(
        tmp_path,
        record("session.start", 0, {"sessionId": "s1"}),
        record("session.title_changed", 1, {"title": "Typo"}),
        record("session.start", 2, {"sessionId": "s2"}),
        record("session.new_thing", 3, {}),
        record("session.info", 3, {}),
    )
    assert (chunk.header.session_id, chunk.header.title) == ("s1", "Typo")
    assert chunk.tally == Tally(5, 0, 3, 1, 1, ("session.new_thing",))


CALL = {"usage": {"model": "acme/m", "inputTokens": 10, "cacheReadTokens": 4, "outputTokens": 2, "duration": 7.4}}
METRICS = {"m": {"requests": {"count": 1}, "usage": {"inputTokens": 10, "outputTokens": 2}}}


def test_usage_before_the_first_turn_is_read_again_with_it(tmp_path: Path) -> None:
    start = record("session.start", 0, {"sessionId": "s1"})
    lines = [start, record("session.usage_record", 1, CALL)]
    alone = read_cli(tmp_path, *lines)
    assert (alone.turns, alone.restart, alone.settled) == ((), 0, Tally())
    chunk = read_cli(tmp_path, *lines, USER)
    row = Usage("call", "1", BASE + 1000, "m", 1, 10, True, 4, 2, elapsed=7)
    assert (chunk.turns[0].usage, chunk.restart, chunk.settled) == ((row,), 0, Tally())


def test_calls_that_a_later_total_holds_are_left_out(tmp_path: Path) -> None:
    call = record("session.usage_record", 2, CALL)
    shutdown = record("session.shutdown", 3, {"modelMetrics": METRICS})
    later = record("session.usage_record", 5, CALL)
    first, second = read_cli(tmp_path, USER, call, shutdown, user(4, "more"), later).turns
    assert first.usage == (Usage("total", "3", BASE + 3000, "m", 1, 10, True, None, 2),)
    assert second.usage == (Usage("call", "5", BASE + 5000, "m", 1, 10, True, 4, 2, elapsed=7),)


def test_messages_count_where_no_call_is_recorded(tmp_path: Path) -> None:
    message = says(2, "ok", model="m", messageId="x", outputTokens=3)
    checkpoint = record("session.usage_checkpoint", 3, {"totalNanoAiu": 500_000_000})
    (turn,) = read_cli(tmp_path, USER, message, checkpoint).turns
    estimate = Usage("call", "x", BASE + 2000, "m", 1, output=3)
    assert turn.usage == (estimate, Usage("total", "3", BASE + 3000, "", credits=0.5))
    (turn,) = read_cli(tmp_path, USER, message, record("session.usage_record", 3, CALL)).turns
    assert [row.id for row in turn.usage] == ["3"]
