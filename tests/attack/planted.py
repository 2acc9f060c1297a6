"""Secrets in all that hosts write: where they are put, and whether anything of them is left."""

from __future__ import annotations

import json
import re

from tests.attack.secret_kinds import Kind, kinds
from tests.support.world import NOON, World, asked, edited, ran, said

__all__ = ["KINDS", "around", "left_of", "lost", "sid_of", "word", "write_chat", "write_cli"]

KINDS = kinds()
#: Letters that no secret of the corpus begins its words with, so that a word around it is nothing else.
_LETTERS = "bcdfghjklmnpqrstvwxz"


def word(number: int, place: str) -> str:
    """A word that stands beside the secret of this number, in this place, and nowhere else."""
    return f"{place}quay{_LETTERS[number // 400]}{_LETTERS[number // 20 % 20]}{_LETTERS[number % 20]}"


def around(number: int, place: str, kind: Kind) -> str:
    """The secret, with a word before and behind it that must be found afterwards."""
    return f"Here is {word(number, place + 'one')} first.\n{kind.text}\nThen {word(number, place + 'two')} follows."


def sid_of(number: int, host: str) -> str:
    return f"{number:08x}-{host}-4000-8000-000000000001"


def left_of(kind: Kind, data: bytes) -> list[str]:
    """What of the secret stands in the bytes, in UTF-8 or UTF-16; its long parts count, in small letters too."""
    parts = {*kind.traces, *(p for trace in kind.traces for p in re.findall(r"[A-Za-z0-9]{14,}", trace))}
    parts |= {part.lower() for part in parts}
    return [p for p in sorted(parts) if any(p.encode(code) in data for code in ("utf-8", "utf-16-le"))]


def lost(data: bytes) -> list[str]:
    """The kinds of which anything stands in the bytes."""
    return [f"{kind.name}: {part}" for kind in KINDS for part in left_of(kind, data)]


# -- what hosts write


def write_cli(world: World, number: int, kind: Kind) -> int:
    """The CLI's log of a session in which the secret is everywhere; how many places that are."""
    file = world.project / f"settings{number}.txt"
    argument = around(number, "tool", kind)
    world.cli_session(
        sid_of(number, "c0de"),
        asked(around(number, "ask", kind)),
        *ran(f"./run {word(number, 'cmdone')} <<'X'\n{kind.text}\nX", 1, f"error: it failed\n{kind.text}"),
        *ran("./run again", 0, around(number, "out", kind)),
        *edited(file, around(number, "old", kind), around(number, "new", kind)),
        ("tool.execution_start", {"toolCallId": f"t{number}", "toolName": "mcp_x", "arguments": {"q": argument}}),
        ("tool.execution_complete", {"toolCallId": f"t{number}", "success": False, "error": {"message": argument}}),
        said(around(number, "say", kind)),
    )
    return 8


def write_chat(world: World, number: int, kind: Kind) -> int:
    """A chat of VS Code, and a transcript of another session of it; how many places the secret is in."""
    call = f"e{number}__vscode-1"
    arguments = {
        "filePath": str(world.project / f"chat{number}.txt"),
        "oldString": around(number, "vold", kind),
        "newString": around(number, "vnew", kind),
    }
    terminal = {
        "kind": "toolInvocationSerialized",
        "toolId": "run_in_terminal",
        "toolCallId": f"p{number}",
        "isComplete": True,
        "toolSpecificData": {
            "kind": "terminal",
            "commandLine": {"original": f"./run {word(number, 'vcmdone')} <<'X'\n{kind.text}\nX"},
            "terminalCommandState": {"exitCode": 1},
            "terminalCommandOutput": {"text": f"error: it failed\n{kind.text}"},
        },
    }
    rounds = {
        "toolCallRounds": [
            {
                "response": around(number, "vround", kind),
                "toolCalls": [{"name": "replace_string_in_file", "id": call, "arguments": json.dumps(arguments)}],
            }
        ],
        "toolCallResults": {call: {"content": [{"value": around(number, "vres", kind)}]}},
    }
    request = {
        "requestId": f"r{number}",
        "timestamp": NOON - 50_000_000 + number,
        "message": {"text": around(number, "vask", kind)},
        "response": [{"value": around(number, "vsay", kind)}, terminal],
        "result": {"timings": {"totalElapsed": 7}, "metadata": rounds},
    }
    sid = sid_of(number, "cafe")
    state = {"version": 3, "creationDate": NOON - 50_000_000, "sessionId": sid, "requests": [request]}
    transcript = world.vscode_transcript(
        sid_of(number, "beef"), asked(around(number, "task", kind)), said(around(number, "tsay", kind))
    )
    folder = transcript.parents[2] / "chatSessions"
    folder.mkdir(exist_ok=True)
    state["customTitle"] = kind.text.split("\n")[0]  # as VS Code makes a title of a prompt
    (folder / f"{sid}.jsonl").write_text(json.dumps({"kind": 0, "v": state}) + "\n", encoding="utf-8")
    return 11
