"""What a session is told twice, and whether text that we injected comes back as a memory."""

from __future__ import annotations

import json
from collections.abc import Iterator

from . import phrases
from .arms import chosen
from .figures import Figure, Miss, at_most
from .history import Known, Planted
from .machine import NOW, Machine, lines_of, sessions_of
from .told import Told, Turn, git, identity, write

__all__ = ["injected", "repeats"]

_SESSIONS = 20
_MATTERS = 4
_DAY = 86_400_000
#: Four matters in five wordings are 20 turns.
_SENTENCES = (
    "what did we set {name} to?",
    "what did we set {name} to?",
    "is the {spoken} still right?",
    "anything known about {head}?",
    "log a warning when {name} is exceeded",
)


def repeats(machine: Machine, planted: Planted) -> Iterator[Figure]:
    """20 sessions of 20 prompts about four related matters, each matter in five wordings (one of them twice)."""
    known = chosen(planted)
    misses: list[Miss] = []
    packets = prompts = 0
    for number in range(_SESSIONS):
        project = known[number * 3 % len(known)].project
        matters = [one for one in planted.known if one.project == project][:_MATTERS]
        said: set[str] = set()
        for turn, text in enumerate(_prompts(matters)):
            packet = machine.call(
                "UserPromptSubmit",
                f"repeats-{number}",
                machine.project(project),
                at=NOW + turn * 60_000,
                prompt=text,
            )
            prompts += 1
            packets += bool(packet)
            misses += [Miss(text, "not said yet in this session", line) for line in lines_of(packet) if line in said]
            said.update(lines_of(packet))
    name = f"memories said twice, {packets} packets of {prompts} prompts"
    yield at_most("repeats", name, len(misses), packets, 0, misses)


def _prompts(matters: list[Known]) -> list[str]:
    return [
        sentence.format(name=one.name, spoken=one.spoken, head=one.head) for sentence in _SENTENCES for one in matters
    ]


def injected(machine: Machine, planted: Planted) -> Iterator[Figure]:
    """Packets as each host keeps them in its files: none of it may be recalled from there, nor found there."""
    asked = chosen(planted)[::2]
    carriers = []
    for number, one in enumerate(asked):
        packet = machine.call(
            "UserPromptSubmit", f"carrier-{number}", machine.project(one.project), prompt=_about(one)
        ).replace("deja-bench", "deja-5f3a91c2")
        carriers.append(_carrier(machine, one, number, packet))
    machine.index()
    misses = []
    for number, one in enumerate(asked):
        folder = machine.project(one.project)
        packet = machine.call("UserPromptSubmit", f"injected-{number}", folder, prompt=_about(one))
        if carriers[number][:8] in sessions_of(packet):
            misses.append(Miss(_about(one), "nothing of what we injected", "\n".join(lines_of(packet))))
        hits = machine.search([one.name], folder)[0] if number % 5 == 0 else []
        misses += [
            Miss(one.name, "no hit on what we injected", hit["text"])
            for hit in hits
            if hit["session_id"] == carriers[number]
        ]
    yield at_most("repeats", "injected text coming back", len(misses), len(asked), 0, misses)


def _about(one: Known) -> str:
    return phrases.MEMORY[0].format(name=one.name)


def _carrier(machine: Machine, one: Known, number: int, packet: str) -> str:
    """A session in which that packet was given to the model, in one of the forms that hosts keep."""
    folder = git(machine.home / "code" / one.project)
    sid = identity("carrier", number)
    host = ("cli", "vscode")[number % 2]
    told = Told(
        sid,
        folder,
        NOW - _DAY,
        (Turn("go on with the changes from yesterday", "All of them are in, and the tests pass."),),
        host,
    )
    write([told], machine.copilot_home, machine.user)
    if host == "cli":
        path = machine.copilot_home / "session-state" / sid / "events.jsonl"
        path.write_text("".join(_with_packet(line, packet) for line in path.read_text("utf-8").splitlines()), "utf-8")
    else:
        (path,) = machine.user.glob(f"workspaceStorage/*/chatSessions/{sid}.jsonl")
        text = path.read_text("utf-8")
        result = text.replace('"codeBlocks": []', f'"codeBlocks": [], "renderedUserMessage": {_rendered(packet)}')
        path.write_text(result, "utf-8")
    return sid


def _rendered(packet: str) -> str:
    text = f"<context>\nAdditional instructions from hooks: {packet}\n</context>\n<userRequest>go on</userRequest>"
    return json.dumps([{"type": 1, "text": text}])


def _with_packet(line: str, packet: str) -> str:
    """The CLI's record with the packet where that host puts it, and the hook's own record after the prompt."""
    record = json.loads(line)
    if record["type"] != "user.message":
        return line + "\n"
    content = record["data"]["content"]
    record["data"]["transformedContent"] = f"{content}\n\n<system_reminder>\n{packet}\n</system_reminder>"
    call = {"toolCallId": "c1", "toolName": "bash", "arguments": {"command": "make docs"}}
    output = (
        "done\n<shellId: 0 completed with exit code 0>\n\n"
        f'Tool "bash" succeeded. Additional guidance from postToolUse hooks:\n{packet}'
    )
    hook = {"hookType": "userPromptSubmitted", "success": True, "output": {"additionalContext": packet}}
    added = [
        ("hook.end", hook),
        ("tool.execution_start", call),
        ("tool.execution_complete", {"toolCallId": "c1", "success": True, "result": {"content": output}}),
        ("user.message", {"content": f"and this: {packet}"}),
    ]
    return "".join(
        json.dumps({**record, "type": kind, "data": data}) + "\n"
        for kind, data in [(record["type"], record["data"]), *added]
    )
