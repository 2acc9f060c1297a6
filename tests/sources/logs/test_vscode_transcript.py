"""What real VS Code transcripts say, read by hand and written down; then each rule by itself."""

from __future__ import annotations

import json
from pathlib import Path

from deja_hooks.sources.model import Chunk, Header, Tally, Turn
from tests.sources.samples import BASE, command, edit, failure, read_vscode, record, said, vscode

HELLO = "/home/user/project/hello.py"
MADE = "/home/user/project/made.py"


PROJECT = "/home/user/project"
REPLACE = "replace_string_in_file"


def chunk_of(
    name: str,
    started: int,
    turns: tuple[Turn, ...],
    numbers: tuple[int, int, int],
    before: tuple[int, int],
    updated: int,
) -> Chunk:
    """`numbers`: end, lines, understood; `before` the last turn: lines, understood. The file has another name
    than the session, whose start is therefore foreign."""
    head = Header(name, "vscode", "vscode-transcript", PROJECT, "", started, "0.67.0")
    end, lines, understood = numbers
    tally, settled = Tally(lines, 0, understood, 0, 1), Tally(before[0], 0, before[1], 0, 1)
    return Chunk(head, turns, turns[-1].offset, end, updated, tally, settled, False, (), ())


def versioned(chunk: Chunk, version: str) -> Chunk:
    return chunk._replace(header=chunk.header._replace(version=version))


def test_scripted_run_of_the_hosts_own_classes() -> None:
    work = (
        command(1791238010122, "run_in_terminal", "pytest -q", None, "", "call_1"),
        edit(1791238010310, REPLACE, f"{PROJECT}/a.py", "x=1", "x=2", "call_2"),
        failure(1791238010342, "read_file", f"{PROJECT}/missing", "", "call_3"),
    )
    turns = (
        Turn(
            offset=314,
            at=1791238009184,
            user="make the failing test pass",
            assistant="Running tests.\n\nFixing.\n\nDone.",
            work=work,
            ended=True,
            calls=frozenset(("call_1", "call_2", "call_3")),
        ),
        Turn(4544, 1791238010481, "You are a subagent: list files", "nothing", (), True),
        Turn(5402, 1791238010594, "thanks, now document it", "ok", (), True),
    )
    chunk = chunk_of("host_run_0.42", 1791238009042, turns, (6248, 25, 15), (21, 13), 1791238010706)
    assert vscode("host_run_0.42") == versioned(chunk, "0.42.0")


def test_edit_of_a_version_that_writes_no_completions() -> None:
    path = "/home/user/projects/testing-git-vscode-hooks/jokes.csv"
    turn = Turn(
        offset=262,
        at=1771038145825,
        user="add some jokes to jokes.csv",
        assistant="I'll read the file first.\n\nI'll append some new rows.\n\nDone, I added more jokes.",
        work=(edit(1771038158768, REPLACE, path, "A", "B", "tool-2"),),
        ended=True,
        calls=frozenset(("tool-1", "tool-2")),
    )
    chunk = chunk_of("event_stream_0.37", 1771038145825, (turn,), (1911, 7, 7), (1, 1), 1771038161547)
    assert vscode("event_stream_0.37") == versioned(chunk, "0.37.6")


def test_patch_and_a_turn_without_an_answer_yet() -> None:
    call = "call_pJQS2mHbPpjpO9Ooa6rJifeP"
    turn = Turn(
        offset=314,
        at=1778541192819,
        user="Add a comment to the file",
        assistant="I'll read the file first.\n\nNow I'll apply the patch.",
        work=(edit(1778542086981, "apply_patch", f"{PROJECT}/src/main.ts", "", "// Entry point\n", call),),
        ended=False,
        calls=frozenset(("call_eUlOUfz7reY8x9rxm9xOz8n7", call)),
    )
    chunk = chunk_of("event_stream_0.47", 1778541192819, (turn,), (3705, 13, 8), (1, 1), 1778542087005)
    assert vscode("event_stream_0.47") == versioned(chunk, "0.47.0")


def says_it_calls(*tools: str, end: str) -> str:
    return "\n\n".join([*(f"I will call {tool}." for tool in tools), end])


def test_failing_tools_named_by_the_request_where_they_never_started() -> None:
    line = "echo out; echo err >&2; exit 3"
    ids = ("720504_0", "720957_1", "721383_2", "721638_3", "722235_4", "722570_5", "723004_6")
    calls = [f"call_1796079{each}_0" for each in ids]
    tools = (REPLACE, "read_file", "no_such_tool", "apply_patch", "multi_replace_string_in_file", "grep_search")
    turn = Turn(
        offset=314,
        at=1796079720071,
        user="SCRIPT:bad clean payloads",
        assistant=says_it_calls(*tools, "run_in_terminal", end="Finished script bad."),
        work=(
            edit(1796079720737, REPLACE, HELLO, "THIS TEXT IS NOT THERE", "x", calls[0]),
            failure(1796079721144, "read_file", f"{PROJECT}/no-such-file.py", "", calls[1]),
            failure(1796079721692, "apply_patch", MADE, "", calls[3]),
            failure(1796079722370, "multi_replace_string_in_file", HELLO, "", calls[4]),
            failure(1796079722370, "multi_replace_string_in_file", MADE, "", calls[4]),
            command(1796079723380, "run_in_terminal", line, None, "", calls[6]),
        ),
        ended=True,
        calls=frozenset(calls),
    )
    assert vscode("failing_tools") == chunk_of(
        "failing_tools", 1796079720004, (turn,), (10011, 36, 20), (1, 1), 1796079724651
    )


def test_sub_agents_prompt_and_words_are_not_the_sessions() -> None:
    turn = Turn(
        offset=314,
        at=1796079738911,
        user="SCRIPT:sub clean payloads",
        assistant=says_it_calls("runSubagent", end="Finished script sub."),
        work=(),
        ended=True,
        files=(HELLO,),
        calls=frozenset(("call_1796079739315_0_0", "call_1796079739903_0_0")),
    )
    assert vscode("subagent") == chunk_of("subagent", 1796079738840, (turn,), (4836, 19, 11), (1, 1), 1796079740641)


def test_cancelled_and_failed_turns_are_not_ended() -> None:
    slow = Turn(314, 1796079288033, "SCRIPT:slow then cancel", "I will call read_file.", (), False)
    slow = slow._replace(files=(HELLO,), calls=frozenset(("call_1796079288844_0_0",)))
    assert vscode("cancelled") == chunk_of("cancelled", 1796079287943, (slow,), (1851, 7, 4), (1, 1), 1796079289009)
    chunk = vscode("model_error")
    assert said(chunk.turns) == [("SCRIPT:err please", "", False)]
    assert (chunk.tally, chunk.settled, chunk.end) == (Tally(4, 0, 2, 0, 1), Tally(1, 0, 1, 0, 1), 899)


def test_calls_side_by_side() -> None:
    turn = Turn(
        offset=314,
        at=1796079754873,
        user="SCRIPT:par clean payloads",
        assistant="I will call read_file, grep_search.\n\nFinished script par.",
        work=(),
        ended=True,
        files=(HELLO,),
        calls=frozenset(("call_1796079755257_0_0", "call_1796079755257_0_1")),
    )
    assert vscode("parallel") == chunk_of("parallel", 1796079754805, (turn,), (3198, 12, 8), (1, 1), 1796079756057)


def test_compaction_leaves_no_record() -> None:
    turn = Turn(
        offset=314,
        at=1796079137232,
        user="SCRIPT:huge read it all",
        assistant=says_it_calls("read_file", "read_file", end="Mock title"),
        work=(),
        ended=True,
        files=(f"{PROJECT}/big.txt",),
        calls=frozenset(("call_1796079137941_0_0", "call_1796079138760_1_0")),
    )
    assert vscode("compaction") == chunk_of("compaction", 1796079137193, (turn,), (3904, 15, 9), (1, 1), 1796079139901)


def test_file_that_goes_on_after_a_reload() -> None:
    said_in_both = says_it_calls("read_file", end="Finished script one.")
    first = Turn(314, 1796079237754, "SCRIPT:one slow hooks", said_in_both, (), True, files=(HELLO,))
    second = Turn(2537, 1796079338594, "SCRIPT:one resumed after reload", said_in_both, (), True, files=(HELLO,))
    turns = (
        first._replace(calls=frozenset(("call_1796079240406_0_0",))),
        second._replace(calls=frozenset(("call_1796079339651_0_0",))),
    )
    assert vscode("resumed") == chunk_of("resumed", 1796079235696, turns, (4736, 19, 11), (10, 6), 1796079340386)


def test_command_two_edits_and_a_look() -> None:
    calls = ("call_1796079699456_0_0", "call_1796079702628_1_0", "call_1796079703630_2_0", "call_1796079704330_3_0")
    tools = ("run_in_terminal", "create_file", REPLACE, "read_file")
    turn = Turn(
        offset=314,
        at=1796079697969,
        user="SCRIPT:tools clean payloads",
        assistant=says_it_calls(*tools, end="Finished script tools."),
        work=(
            command(1796079699858, "run_in_terminal", "python3 -c 'import nope'", None, "", calls[0]),
            edit(1796079703158, "create_file", MADE, "", "VALUE = 1\n", calls[1]),
            edit(1796079703973, REPLACE, MADE, "VALUE = 1\n", "VALUE = 2\n", calls[2]),
        ),
        ended=True,
        calls=frozenset(calls),
    )
    assert vscode("tools") == chunk_of("tools", 1796079697863, (turn,), (6866, 25, 15), (1, 1), 1796079705295)


def test_second_turn() -> None:
    firsts = ("527825_0", "570161_1", "571006_2", "571650_3", "572033_4")
    seconds = ("672932_0_0", "674514_1_0", "675324_2_0", "675967_3_0")
    one, two = [f"call_1796078{each}" for each in firsts], [f"call_1796078{each}" for each in seconds]
    hello, hi = "    return 'hello ' + name\n", "    return 'hi ' + name\n"
    first = Turn(
        offset=314,
        at=1796078526890,
        user="SCRIPT:tools please do the scripted steps",
        assistant="Finished script tools.",
        work=(
            command(1796078528006, "run_in_terminal", "ls /nonexistent-dir-xyz", None, "", one[0]),
            edit(1796078570583, "create_file", MADE, "", "VALUE = 1\n", one[1]),
            edit(1796078571229, REPLACE, HELLO, hello, hi, one[2]),
            edit(1796078571829, REPLACE, HELLO, "THIS TEXT IS NOT THERE", "x", one[3]),
        ),
        ended=True,
        calls=frozenset(one),
    )
    second = Turn(
        offset=8243,
        at=1796078672124,
        user="SCRIPT:tools nested only",
        assistant=says_it_calls("run_in_terminal", "create_file", REPLACE, "read_file", end="Finished script tools."),
        work=(
            command(1796078673095, "run_in_terminal", "python3 -c 'import nope'", None, "", two[0]),
            edit(1796078674905, "create_file", MADE, "", "VALUE = 1\n", two[1]),
            edit(1796078675613, REPLACE, MADE, "VALUE = 1\n", "VALUE = 2\n", two[2]),
        ),
        ended=True,
        calls=frozenset(two),
    )
    assert vscode("second_turn") == chunk_of(
        "second_turn", 1796078526814, (first, second), (14792, 54, 32), (30, 18), 1796078676385
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


def test_agent_that_runs_without_a_users_words(tmp_path: Path) -> None:
    start = record("session.start", 0, {"startTime": "2027-01-15T08:00:00.000Z", "sessionId": "v1"})
    look = ("c", "read_file", {"filePath": "/a"})
    chunk = read_vscode(tmp_path, start, says(1, "Looking.", look), started(2, "c", "read_file", {"filePath": "/a"}))
    turn = Turn(len(start), BASE + 1000, "", "Looking.", (), False, files=("/a",), calls=frozenset(("c",)))
    assert (chunk.turns, chunk.tally) == ((turn,), Tally(3, 0, 3))


def test_replayed_turns_keep_their_old_times(tmp_path: Path) -> None:
    """Hooks were switched on in the middle of a chat: the host writes what was before, without tool records."""
    start = record("session.start", 9, {"startTime": "2027-01-15T08:00:09.000Z"})
    chunk = read_vscode(tmp_path, start, user(1, "old"), says(2, "Then."), user(10, "new"), says(11, "Now."))
    assert said(chunk.turns) == [("old", "Then.", True), ("new", "Now.", True)]
    assert [turn.at for turn in chunk.turns] == [BASE + 1000, BASE + 10000]
    assert (chunk.header.started, chunk.updated) == (BASE + 9000, BASE + 11000)


def test_unknown_records_are_named(tmp_path: Path) -> None:
    odd = [record("session.renamed", 2, {}), record("assistant.turn_start", 2, {}), b'{"type":"user.message"}\n']
    chunk = read_vscode(tmp_path, user(1, "go"), *odd)
    assert chunk.tally == Tally(4, 1, 1, 1, 0, ("session.renamed",))
