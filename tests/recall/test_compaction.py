"""What a compaction drops is handed back whole: every instruction of the user and every command that failed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.failures.output import exit_code
from deja_hooks.hook.main import handle
from deja_hooks.memory.notes import instructions, standing_instructions
from deja_hooks.recall.capture import Capture
from deja_hooks.recall.fence import one_line
from deja_hooks.recall.fitting import lines_of
from deja_hooks.tools import COMMAND_TOOLS, HOST_MADE
from tests.support.world import NOON, World, asked, edited, line, ran, said

OLD = "11111111-aaaa-4000-8000-000000000001"
ROOT = Path(__file__).parents[2]
RECORDED = sorted((ROOT / "hook_payloads" / "home").rglob("*.jsonl"))
#: More recordings, where they are at hand (their origins are named beside them).
RECORDED += sorted((ROOT.parent / "shared" / "data" / "copilot_cli").rglob("*events*.jsonl"))
RECORDED += sorted((ROOT.parent / "shared" / "data" / "vscode").rglob("*transcript*.jsonl"))


def told(path: Path) -> tuple[list[str], list[str]]:
    """The user's words and the failed commands of a recorded session, read by nothing but JSON."""
    prompts, failed, running = [], [], {}
    agents = set()
    for text in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(text)
        kind, data = record.get("type"), record.get("data")
        if not isinstance(data, dict) or record.get("agentId"):
            continue
        if kind == "user.message" and data.get("source") in (None, "", "user"):
            prompts.append(data.get("content") or "")
        elif kind == "tool.execution_start":
            arguments = data.get("arguments") or {}
            agents.add(arguments.get("prompt"))
            if data.get("toolName") in COMMAND_TOOLS:
                running[data["toolCallId"]] = arguments["command"]
        elif kind == "tool.execution_complete" and data.get("toolCallId") in running:
            output = (data.get("result") or {}).get("content") or ""
            status = (data.get("shellExecution") or {}).get("exitCode", exit_code(output))
            if status or data.get("success") is False:
                failed.append(running[data["toolCallId"]])
    own = [p for p in prompts if p.strip() and p not in agents and not p.startswith(HOST_MADE)]
    return own, failed


def compacted(world: World, path: Path, sid: str = OLD) -> str:
    world.call("PreCompact", sid=sid, trigger="auto", transcript_path=str(path))
    return world.call("UserPromptSubmit", sid=sid, prompt="go on", transcript_path=str(path)).text


def placed(world: World, path: Path, text: str) -> Path:
    """The log as this machine's hosts would keep it."""
    folder = world.store / OLD
    place = folder / "events.jsonl"
    if "transcripts" in path.parts or "vscode" in path.parts:
        workspace = world.user / "workspaceStorage" / "0123456789abcdef0123456789abcdef"
        place = workspace / "GitHub.copilot-chat" / "transcripts" / f"{OLD}.jsonl"
        workspace.mkdir(parents=True)
        (workspace / "workspace.json").write_text(json.dumps({"folder": world.project.as_uri()}))
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")
    return place


@pytest.mark.parametrize("indexed", [True, False], ids=["indexed", "followed"])
@pytest.mark.parametrize("path", RECORDED, ids=lambda p: "/".join(p.parts[-2:]))
def test_a_recorded_session(world: World, path: Path, indexed: bool) -> None:
    place = placed(world, path, path.read_text(encoding="utf-8"))
    if indexed:
        world.index()
    prompts, failed = told(path)
    packet = compacted(world, place)
    assert len(packet) <= 4_000
    for prompt in prompts:
        for instruction in instructions(prompt):
            assert one_line(instruction, 10_000) in packet.replace('"\n- … and: "', " ")
    for command in failed:
        assert f"- Command `{one_line(command, 300)}`: " in packet
    assert packet.count("failed") >= len(set(failed))


@pytest.mark.parametrize("step", [1, 2, 5])
def test_bit_by_bit_gives_what_all_at_once_gives(world: World, step: int) -> None:
    records = [
        asked("Port the parser. Never touch the public API."), *ran("pytest a", 1, "ValueError: bad a"),
        said("We decided to use ast."), asked("Use tabs."), *edited(world.project / "a.py", "a", "b"),
        *ran("pytest a", 0), *ran("pytest b", 2, "ValueError: bad b"),
        asked("Now the docs"), said("Next steps: the docs of b."),
    ]  # fmt: skip
    lines = [line(*record, NOON) for record in records]
    path = world.cli_session(OLD, *records)
    head = path.read_text().splitlines(keepends=True)[0]
    whole = compacted(world, path)
    path.write_text(head)
    sid = "22222222-aaaa-4000-8000-000000000001"
    path = world.store / sid / "events.jsonl"
    path.parent.mkdir()
    path.write_text(head)
    for at in range(0, len(lines), step):
        with path.open("a") as log:
            log.writelines(lines[at : at + step])
        world.call("Stop", sid=sid, transcript_path=str(path))
        if at == 2 * step:
            world.index()
    assert compacted(world, path, sid) == whole
    assert whole.count("\n- ") == 10


def test_a_chat_whose_transcript_begins_in_its_midst(world: World) -> None:
    world.cli_session(
        OLD, asked("The first task"), *ran("make a", 2, "ValueError: bad a"), said("We decided to use ast.")
    )
    world.index()
    path = world.vscode_transcript(OLD, asked("The second task"))
    packet = compacted(world, path)
    assert '- Objective: "The first task"\n- Last asked: "The second task"\n' in packet
    assert "- Command `make a`: failed, exit status 2: ValueError: bad a" in packet


class TestFitting:
    def test_everything_is_shortened_before_anything_is_dropped(self) -> None:
        whole = Capture()
        for n in range(40):
            whole.asked(f"Task {n}: make part{n} work again, which is a long story that goes on and on. Keep rule{n}.")
            whole.ran(f"./run part{n} --with many --options", f"failed, exit status 1: ValueError: {n} {'x' * 200}")
            whole.ran(f"./check part{n}", "passed")
            whole.changed(f"src/part{n}.py")
            whole.note("decision", f"We decided that part{n} is fine.")
        lines = lines_of(whole, 3_760)
        text = "\n".join(lines)
        assert len(text) <= 3_760
        for n in range(40):
            assert f"Task {n}: make" in text
            assert f"Keep rule{n}." in text
            assert f"`./run part{n}" in text

    def test_the_requests_of_a_long_prompt_are_kept_each(self) -> None:
        whole = Capture()
        requests = "\n".join(f"{n}. Handle case{n} " + "with all that belongs to it " * 9 for n in range(20))
        whole.asked("Here is some background. " + "It is a long story. " * 100 + "\n" + requests)
        text = "\n".join(lines_of(whole, 3_760))
        assert len(text) <= 3_760
        assert [n for n in range(20) if f"Handle case{n} " not in text] == []

    def test_a_command_that_has_passed_since_tells_both(self) -> None:
        whole = Capture()
        whole.ran("make", "failed, exit status 2: no rule")
        whole.ran("make", "passed")
        assert lines_of(whole, 500) == ["- Command `make`: passed; before that it failed, exit status 2: no rule"]


class TestALogThatLags:
    """The CLI writes its log after 100 ms of quiet: when it compacts, the newest records may not stand there yet."""

    AT = NOON - 3

    @pytest.fixture(autouse=True)
    def lagging(self, world: World, monkeypatch: pytest.MonkeyPatch) -> list[float]:
        """The log comes with the third look; no indexer is started."""
        slept: list[float] = []

        def sleep(seconds: float) -> None:
            slept.append(seconds)
            if len(slept) == 3:
                path = world.cli_session(OLD, asked("The task"), *ran("make", 2))
                hook = {"hookType": "preCompact", "input": {"timestamp": self.AT}}
                with path.open("a") as log:
                    log.write(json.dumps({"type": "hook.start", "data": hook}, separators=(",", ":")) + "\n")

        monkeypatch.setattr("deja_hooks.recall.transcript.time.sleep", sleep)
        monkeypatch.setattr("deja_hooks.hook.main._wake", lambda *_args, **_options: None)
        return slept

    def compact(self, world: World, *, live: bool = True, **fields: Any) -> str:
        path = world.store / OLD / "events.jsonl"
        payload = {"sessionId": OLD, "cwd": str(world.project), "transcriptPath": str(path), **fields}
        return handle(payload, "PreCompact", world.layout, now_ms=NOON, nonce="0", live=live).reason

    def test_is_waited_for(self, world: World, lagging: list[float]) -> None:
        assert self.compact(world, timestamp=self.AT) == "kept 239 characters"
        assert len(lagging) == 3
        text = world.call("PreToolUse", sid=OLD, tool_name="view", tool_input={}).text
        assert text.splitlines()[2:-1] == [
            '- Objective: "The task"',
            "- Command `make`: failed, exit status 2",
        ]

    def test_not_while_nothing_may_be_said(self, world: World, lagging: list[float]) -> None:
        Path(world.layout.off).parent.mkdir(parents=True)
        Path(world.layout.off).touch()
        assert self.compact(world, timestamp=self.AT) == "switched off"
        assert lagging == []

    def test_not_in_a_replay(self, world: World, lagging: list[float]) -> None:
        assert self.compact(world, live=False, timestamp=self.AT) == "nothing to keep"
        assert lagging == []

    def test_not_where_the_call_has_no_time_to_know_it_by(self, world: World, lagging: list[float]) -> None:
        assert self.compact(world) == "nothing to keep"
        assert lagging == []

    def test_nor_by_an_event_that_the_user_waits_for(self, world: World, lagging: list[float]) -> None:
        payload = {"sessionId": OLD, "cwd": str(world.project), "prompt": "go on", "timestamp": self.AT}
        handle(payload, "UserPromptSubmit", world.layout, now_ms=NOON, nonce="0", live=True)
        assert lagging == []


class TestTheRightSession:
    def session(self, world: World, sid: str, prompt: str) -> Path:
        return world.cli_session(sid, asked(prompt))

    def test_two_sessions_compact_at_once(self, world: World) -> None:
        sids = ["11111111-aaaa", "22222222-bbbb"]
        for sid in sids:
            path = self.session(world, sid, f"Task of {sid}")
            world.call("PreCompact", sid=sid, transcript_path=str(path))
        for sid in reversed(sids):
            assert f"Task of {sid}" in world.call("UserPromptSubmit", sid=sid, prompt="go on").text
            assert world.call("UserPromptSubmit", sid=sid, prompt="go on").text == ""

    def test_a_resumed_session_gets_what_waited(self, world: World) -> None:
        path = self.session(world, OLD, "The task")
        world.call("PreCompact", sid=OLD, transcript_path=str(path))
        world.call("SessionEnd", sid=OLD)
        assert "The task" in world.call("SessionStart", sid=OLD, source="resume").text

    def test_a_sub_agent_of_the_session_does_not_take_it(self, world: World) -> None:
        path = self.session(world, OLD, "The task")
        world.call("PreCompact", sid=OLD, transcript_path=str(path))
        view: dict[str, Any] = {"tool_name": "view", "tool_input": {}}
        assert world.call("PreToolUse", sid=OLD, agent_id="a1", agent_type="task", **view).text == ""
        assert "The task" in world.call("PreToolUse", sid=OLD, **view).text

    def test_nor_one_without_any_mark(self, world: World) -> None:
        call = {"toolCallId": "c1", "toolName": "runSubagent", "arguments": {"prompt": "Look around"}}
        path = world.vscode_transcript(OLD, asked("The task"), ("tool.execution_start", call))
        common: dict[str, Any] = {"sid": OLD, "transcript_path": str(path)}
        read: dict[str, Any] = {"tool_name": "read_file", "tool_input": {"filePath": "/x"}, "tool_use_id": "c2"}
        world.call("PreCompact", trigger="auto", **common)
        assert world.call("PreToolUse", **read, **common).text == ""
        with path.open("a") as log:
            log.write(line("tool.execution_complete", {"toolCallId": "c1", "success": True}, NOON))
        assert "The task" in world.call("PreToolUse", **read, **common).text


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Never touch the API. How are you?", ["Never touch the API."]),
        ("Use pnpm here", ["Use pnpm here"]),
        ("The build is red.\n- don't edit the lock file\n- look at CI", ["don't edit the lock file"]),
        ("What do we use?", []),
        ("I think it works", []),
    ],
)
def test_standing_instructions(prompt: str, expected: list[str]) -> None:
    assert standing_instructions(prompt) == expected


def test_instructions_leave_out_the_story() -> None:
    prompt = "The build is red. It was green on Monday. Fix it:\n1. tests\n2) docs\nThe cat sleeps. You must not push."
    assert instructions(prompt) == ["The build is red.", "Fix it:", "tests", "docs", "You must not push."]
