"""What the chats below `fixtures/chats` say that were recorded for this project, written by hand from reading them."""

from __future__ import annotations

from pathlib import Path

from deja_hooks.sources.model import Chunk, Turn, Usage, Written
from tests.sources.samples import command, edit, error, failure

from .goldens import CHATS, agent_edit, calls, header, mcp_tools, patched, simple, whole

HELLO = "/home/user/project/hello.py"
MADE = "/home/user/project/made.py"
NOT_FOUND = (
    "String replacement failed: Could not find matching text to replace. "
    "Try making your search string more specific or checking for whitespace/formatting differences."
)
TRACEBACK = (
    'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n'
    "ModuleNotFoundError: No module named 'nope'"
)
SCRIPT = (
    "I will call run_in_terminal.\n\nI will call create_file.\n\nI will call replace_string_in_file.\n\n"
    "made.py\nI will call read_file.\n\nFinished script tools."
)


def live(
    request: str,
    at: int,
    rounds: int,
    sent: int | None,
    received: int | None,
    elapsed: int,
    first: int | None,
) -> tuple[Usage, ...]:
    """The usage of a chat with the scripted model of the recordings."""
    return (
        Usage(
            "request",
            request,
            at,
            "mock-model",
            rounds,
            sent,
            exact=sent is None,
            output=received,
            elapsed=elapsed,
            first=first,
        ),
    )


def read_once(session: str, started: int, end: int, lines: int, updated: int, *turns: Turn) -> Chunk:
    return whole(header(session, started, "0.67.0"), turns, end, updated, lines)


def cancelled() -> Chunk:
    request = "request_320640da-a152-4114-aefa-30be162742d4"
    return read_once(
        "463e616d-80e0-47e7-8fbd-b37bda427fc6",
        1796079285295,
        7930,
        6,
        1796079293998,
        Turn(
            0,
            1796079287760,
            "SCRIPT:slow then cancel",
            "I will call read_file.",
            (error(1796079293998, "Cancelled"),),
            True,
            request,
            files=(HELLO,),
            calls=calls("call_1796079288844_0_0"),
            usage=live(request, 1796079293998, 1, 17921, 20, 6238, 980),
        ),
    )


def failing_tools() -> Chunk:
    request = "request_f0677e8b-bcce-4627-8bae-edad7fddd942"
    missing = "vscode-remote://host/home/user/project/no-such-file.py"
    advice = "\nPlease check your input and try again."
    disabled = "ERROR while calling tool: Tool {} is currently disabled by the user, and cannot be called." + advice
    many = "multi_replace_string_in_file"
    work = (
        failure(1796079720565, "replace_string_in_file", HELLO, NOT_FOUND, "call_1796079720504_0_0"),
        failure(
            1796079721020,
            "read_file",
            "/home/user/project/no-such-file.py",
            f"ERROR while calling tool: cannot open {missing}. Detail: Unable to read file '{missing}' "
            f"(Error: Unable to resolve nonexistent file '{missing}'){advice}",
            "call_1796079720957_1_0",
        ),
        failure(
            1796079721445,
            "no_such_tool",
            "",
            f'ERROR: The tool "no_such_tool" does not exist{advice}',
            "call_1796079721383_2_0",
        ),
        failure(1796079721692, "apply_patch", MADE, disabled.format("apply_patch"), "call_1796079721638_3_0"),
        failure(1796079722370, many, HELLO, disabled.format(many), "call_1796079722235_4_0"),
        failure(1796079722370, many, MADE, disabled.format(many), "call_1796079722235_4_0"),
        command(
            1796079723072,
            "run_in_terminal",
            "echo out; echo err >&2; exit 3",
            3,
            "out\nerr\nexit",
            "call_1796079723004_6_0",
        ),
    )
    return read_once(
        "9129b8f7-860c-4add-b208-4e8703e824cc",
        1796079715370,
        14576,
        10,
        1796079724743,
        Turn(
            0,
            1796079719598,
            "SCRIPT:bad clean payloads",
            "I will call replace_string_in_file.\n\n"
            "I will call read_file. I will call no_such_tool. I will call apply_patch. "
            "I will call multi_replace_string_in_file. I will call grep_search.\n\n"
            "I will call run_in_terminal.\n\nFinished script bad.",
            work,
            True,
            request,
            calls=calls(*(each.call for each in work), "call_1796079722570_5_0"),
            usage=live(request, 1796079724743, 8, 18821, 160, 5144, 710),
        ),
    )


def model_error() -> Chunk:
    request = "request_2033b137-6cac-4b66-ae61-bbd88510e0c6"
    reason = 'Request Failed: 400 {"error": {"message": "mock failure", "type": "invalid_request_error"}}'
    refused = (
        f"{reason}: Error: {reason}\n"
        "\tat xH._provideLanguageModelResponse (/opt/vscode/extensions/copilot/dist/extension.js:1569:15818)\n"
        "\tat process.processTicksAndRejections (node:internal/process/task_queues:104:5)\n"
        "\tat async xH.provideLanguageModelResponse (/opt/vscode/extensions/copilot/dist/extension.js:1569:16971)"
    )
    return read_once(
        "944d08dd-7aba-4270-bea6-2eb31535bb3d",
        1796078794544,
        6071,
        4,
        1796078798984,
        Turn(
            0,
            1796078798390,
            "SCRIPT:err please",
            "",
            (error(1796078798984, refused),),
            True,
            request,
            usage=live(request, 1796078798984, 0, None, None, 594, None),
        ),
    )


def parallel() -> Chunk:
    request = "request_02a2767c-f5ab-4658-8e73-ca84dd01b751"
    return read_once(
        "8db7aaba-f492-413b-a7cc-7b00404998dd",
        1796079750475,
        9834,
        2,
        1796079756178,
        Turn(
            0,
            1796079754581,
            "SCRIPT:par clean payloads",
            "I will call read_file, grep_search.\n\nFinished script par.",
            (),
            True,
            request,
            files=(HELLO,),
            calls=calls("call_1796079755257_0_0", "call_1796079755257_0_1"),
            usage=live(request, 1796079756178, 2, 18094, 40, 1597, 567),
        ),
    )


def resumed() -> Chunk:
    first, second = "request_3329f58f-95e1-42a1-91c1-235c651591cf", "request_0a6ec692-34ce-40a8-bf31-5f91354788ae"
    said = "I will call read_file.\n\nFinished script one."
    return read_once(
        "c60cef78-ef98-423c-b6d5-2aaf7d8316d4",
        1796079231553,
        16961,
        25,
        1796079340438,
        Turn(
            0,
            1796079235514,
            "SCRIPT:one slow hooks",
            said,
            (),
            True,
            first,
            files=(HELLO,),
            calls=calls("call_1796079240406_0_0"),
            usage=live(first, 1796079245208, 2, 18026, 40, 9694, 4749),
        ),
        Turn(
            1,
            1796079338165,
            "SCRIPT:one resumed after reload",
            said,
            (),
            True,
            second,
            files=(HELLO,),
            calls=calls("call_1796079339651_0_0"),
            usage=live(second, 1796079340438, 2, 18362, 40, 2273, 1153),
        ),
    )


def second_turn() -> Chunk:
    first, second = "request_c9f6dd22-9396-4041-8b28-1f6eaac64826", "request_71eb3569-72f6-4b71-86ae-2142651f24c6"
    replace = "replace_string_in_file"
    old, new = "    return 'hello ' + name\n", "    return 'hi ' + name\n"
    work = (
        command(
            1796078527897,
            "run_in_terminal",
            "ls /nonexistent-dir-xyz",
            2,
            "ls: cannot access '/nonexistent-dir-xyz': No such file or directory",
            "call_1796078527825_0",
        ),
        edit(1796078570224, "create_file", MADE, "", "VALUE = 1\n", "call_1796078570161_1"),
        edit(1796078571121, replace, HELLO, old, new, "call_1796078571006_2"),
        failure(1796078571700, replace, HELLO, NOT_FOUND, "call_1796078571650_3"),
    )
    more = (
        command(1796078672997, "run_in_terminal", "python3 -c 'import nope'", 1, TRACEBACK, "call_1796078672932_0_0"),
        edit(1796078674561, "create_file", MADE, "", "VALUE = 1\n", "call_1796078674514_1_0"),
        edit(1796078675416, replace, MADE, "VALUE = 1\n", "VALUE = 2\n", "call_1796078675324_2_0"),
    )
    return read_once(
        "6b4b1c07-6869-4830-a0d7-251ebadd6807",
        1796078442152,
        33933,
        36,
        1796078676440,
        Turn(
            0,
            1796078526165,
            "SCRIPT:tools please do the scripted steps",
            "hello.py\n\nFinished script tools.",
            work,
            True,
            first,
            written=(Written(MADE, "VALUE = 1\n"), Written(HELLO, "i")),
            calls=calls(*(each.call for each in work), "call_1796078572033_4"),
            usage=live(first, 1796078572586, 6, 18577, 120, 7274, 44530),
        ),
        Turn(
            1,
            1796078671952,
            "SCRIPT:tools nested only",
            SCRIPT,
            more,
            True,
            second,
            written=(Written(MADE, "VALUE = 1\n"), Written(MADE, "2")),
            calls=calls(*(each.call for each in more), "call_1796078675967_3_0"),
            usage=live(second, 1796078676440, 5, 19433, 100, 4488, 837),
        ),
    )


def subagent() -> Chunk:
    """The sub-agent read `hello.py`; its call is in no round."""
    request = "request_c44108e4-6457-4abb-8aa9-d78eacc96f45"
    return read_once(
        "5a41d427-b41b-4b73-92eb-ad2c5b8d9123",
        1796079734515,
        8412,
        4,
        1796079740696,
        Turn(
            0,
            1796079738613,
            "SCRIPT:sub clean payloads",
            "I will call runSubagent.\n\nFinished script sub.",
            (),
            True,
            request,
            files=(HELLO,),
            calls=calls("call_1796079739315_0_0"),
            usage=live(request, 1796079740696, 2, 18023, 40, 2083, 528),
        ),
    )


def tools() -> Chunk:
    request = "request_3ddceb79-3661-4a09-ad66-52b2e3fba5db"
    work = (
        command(1796079699675, "run_in_terminal", "python3 -c 'import nope'", 1, TRACEBACK, "call_1796079699456_0_0"),
        edit(1796079702701, "create_file", MADE, "", "VALUE = 1\n", "call_1796079702628_1_0"),
        edit(1796079703816, "replace_string_in_file", MADE, "VALUE = 1\n", "VALUE = 2\n", "call_1796079703630_2_0"),
    )
    return read_once(
        "a6850db4-5be9-4a60-aa2c-3905eec01595",
        1796079693077,
        15838,
        16,
        1796079705496,
        Turn(
            0,
            1796079697418,
            "SCRIPT:tools clean payloads",
            SCRIPT,
            work,
            True,
            request,
            written=(Written(MADE, "VALUE = 1\n"), Written(MADE, "2")),
            calls=calls(*(each.call for each in work), "call_1796079704330_3_0"),
            usage=live(request, 1796079705496, 5, 18323, 100, 8078, 1915),
        ),
    )


def goldens() -> dict[Path, Chunk]:
    """Each chat → what it says."""
    return {
        CHATS / "agent_edit_0.37.jsonl": agent_edit(),
        CHATS / "cancelled.jsonl": cancelled(),
        CHATS / "empty_then_patched.jsonl": patched(),
        CHATS / "failing_tools.jsonl": failing_tools(),
        CHATS / "flat_mcp_tools.json": mcp_tools(),
        CHATS / "flat_simple.json": simple(36480),
        CHATS / "model_error.jsonl": model_error(),
        CHATS / "parallel.jsonl": parallel(),
        CHATS / "resumed.jsonl": resumed(),
        CHATS / "second_turn.jsonl": second_turn(),
        CHATS / "simple.jsonl": simple(22110),
        CHATS / "subagent.jsonl": subagent(),
        CHATS / "tools.jsonl": tools(),
    }
