"""Sessions of all stores, and what happens to their logs."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

from deja_hooks.indexer.report import Report
from deja_hooks.indexer.run import index
from deja_hooks.memory.layout import Layout
from tests.indexer.dump import dump, expected_postings, gone, postings
from tests.support.world import NOON, World, iso, line

__all__ = ["PIECES", "Machine", "Step"]

#: Which log (two of the CLI, two transcripts, three chats: the first one of a session that has a transcript too, the
#: others with the same beginning), what happens, a number, the records, and whether a pass follows.
Step = tuple[int, str, int, list[str], bool]

#: Records that a log may get, by name. `{n}` is a number that never comes twice.
PIECES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "ask": [("user.message", {"content": "why does retry_budget_{n} starve the pool? Always run black."})],
    "say": [
        (
            "assistant.message",
            {"content": "We decided to set retry_budget to {n}. Root cause: the pool.", "toolRequests": []},
        )
    ],
    "fail": [
        (
            "tool.execution_start",
            {"toolCallId": "c{n}", "toolName": "bash", "arguments": {"command": "pytest -q tests/test_a.py"}},
        ),
        (
            "tool.execution_complete",
            {
                "toolCallId": "c{n}",
                "success": True,
                "shellExecution": {"exitCode": 1},
                "result": {
                    "content": "FAILED tests/test_a.py::test_x - AssertionError: pool starved\n"
                    "<shellId: 0 completed with exit code 1>"
                },
            },
        ),
    ],
    "edit": [
        (
            "tool.execution_start",
            {
                "toolCallId": "e{n}",
                "toolName": "edit",
                "arguments": {"path": "{project}/src/pool.py", "old_str": "budget = 3", "new_str": "budget = {n}"},
            },
        ),
        ("tool.execution_complete", {"toolCallId": "e{n}", "success": True, "result": {"content": "updated"}}),
    ],
    "pass": [
        (
            "tool.execution_start",
            {"toolCallId": "p{n}", "toolName": "bash", "arguments": {"command": "pytest -q tests/test_a.py"}},
        ),
        (
            "tool.execution_complete",
            {
                "toolCallId": "p{n}",
                "success": True,
                "shellExecution": {"exitCode": 0},
                "result": {"content": "1 passed"},
            },
        ),
    ],
    "start": [
        ("tool.execution_start", {"toolCallId": "s{n}", "toolName": "bash", "arguments": {"command": "make {n}"}})
    ],
    "host": [("user.message", {"content": "[Terminal {n} notification: command completed with exit code 1.]"})],
    "move": [("session.resume", {"context": {"cwd": "{other}", "branch": "feature"}})],
    "end": [("session.shutdown", {"shutdownType": "routine", "codeChanges": {"filesModified": []}})],
    "noise": [("system.message", {"content": "x" * 700})],
}

#: The first of the chats among the logs, and the session that has a transcript and a chat.
CHATS = 4
BOTH = "c" * 8

_RUN = {
    "kind": "toolInvocationSerialized",
    "toolId": "run_in_terminal",
    "toolCallId": "p{n}",
    "isComplete": True,
    "toolSpecificData": {
        "kind": "terminal",
        "commandLine": {"original": "pytest -q tests/test_a.py"},
        "terminalCommandState": {"exitCode": 1},
        "terminalCommandOutput": {"text": "FAILED tests/test_a.py::test_x - AssertionError: pool starved"},
    },
}
_EDIT = {
    "toolCallRounds": [
        {
            "response": "",
            "toolCalls": [
                {
                    "name": "replace_string_in_file",
                    "id": "e{n}__vscode-1",
                    "arguments": '{"filePath": "{project}/src/pool.py", "oldString": "budget = 3", "newString": "b"}',
                }
            ],
        }
    ],
    "toolCallResults": {"e{n}__vscode-1": {"content": [{"value": "The following files were successfully edited:"}]}},
}
#: What a chat's log may get, by the names of `PIECES`.
CHAT_PIECES: dict[str, dict[str, Any]] = {
    "ask": {"kind": 2, "k": ["requests"], "v": ["{request}"]},
    "say": {"kind": 2, "k": ["requests", 0, "response"], "v": [{"value": "We decided to set retry_budget to {n}."}]},
    "fail": {"kind": 2, "k": ["requests", 1, "response"], "v": [_RUN]},
    "edit": {"kind": 1, "k": ["requests", 0, "result"], "v": {"timings": {"totalElapsed": 7}, "metadata": _EDIT}},
    "pass": {"kind": 1, "k": ["requests", 0, "promptTokens"], "v": 1000},
    "start": {"kind": 1, "k": ["customTitle"], "v": "Title {n}"},
    "host": {"kind": 2, "k": ["requests"], "i": 1, "v": []},
    "move": {"kind": 3, "k": ["customTitle"]},
    "end": {"kind": 1, "k": ["requests", 0, "modelState"], "v": {"value": 1, "completedAt": 1_796_040_000_999}},
    "noise": {"kind": 1, "k": ["inputState", "inputText"], "v": "x" * 700},
}


class Machine:
    """Sessions of all stores, and what happens to their logs."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder)
        self.other = self.world.home / "code" / "other"
        self.world.git(self.other)
        self.world.git(self.world.project)
        self.clock = NOON
        self.paths = [self.world.store / f"{c * 8}-cli" / "events.jsonl" for c in "ab"]
        transcript = self.world.vscode_transcript("c" * 8)
        self.paths += [transcript, transcript.with_name("d" * 8 + ".jsonl")]
        transcript.unlink()
        chats = self.world.user / "workspaceStorage" / "0123456789abcdef0123456789abcdef" / "chatSessions"
        self.paths += [chats / f"{c * 8}.jsonl" for c in "cef"]
        self.ever: set[str] = set()

    def records(self, names: list[str]) -> bytes:
        lines = []
        for name in names:
            for kind, data in PIECES[name]:
                self.clock += 1_000
                text = (
                    json.dumps(data).replace("{n}", str(self.clock)) if kind.endswith("message") else json.dumps(data)
                )
                text = text.replace("{n}", str(self.clock // 10_000))
                text = text.replace("{project}", str(self.world.project)).replace("{other}", str(self.other))
                lines.append(line(kind, json.loads(text), self.clock))
        return "".join(lines).encode()

    def chat_records(self, names: list[str]) -> bytes:
        lines = []
        for name in names:
            self.clock += 1_000
            text = json.dumps(CHAT_PIECES[name]).replace('"{request}"', json.dumps(self.request(f"r{self.clock}")))
            text = text.replace("{n}", str(self.clock // 10_000)).replace("{project}", str(self.world.project))
            lines.append(text + "\n")
        return "".join(lines).encode()

    def request(self, name: str) -> dict[str, Any]:
        text = f"why does retry_budget_{self.clock // 10_000} starve the pool? Always run black."
        return {"requestId": name, "timestamp": self.clock, "message": {"text": text}, "response": []}

    def start(self, number: int) -> bytes:
        self.clock += 1_000
        if number >= CHATS:
            requests = [self.request(name) for name in ("first", "second")] if number > CHATS else []
            state = {"version": 3, "creationDate": self.clock, "requests": requests, "inputState": {"inputText": "?"}}
            return json.dumps({"kind": 0, "v": state | {"sessionId": self.paths[number].stem}}).encode() + b"\n"
        data: dict[str, Any] = {"sessionId": "x", "version": 1, "startTime": iso(self.clock)}
        if number < 2:
            data["context"] = {"cwd": str(self.world.project), "branch": "main"}
        return line("session.start", data, self.clock).encode()

    def step(self, step: Step) -> None:
        """A change, long enough ago that its time stamp can be trusted."""
        path = self.paths[step[0]]
        before = path.stat().st_mtime_ns if path.exists() else 0
        self.change(step)
        if path.exists() and path.stat().st_mtime_ns != before and step[1] != "restore":
            at = time.time() - 1_000_000 + (self.clock - NOON) / 1_000
            os.utime(path, (at, at))

    def change(self, step: Step) -> None:
        number, what, place, names, _ = step
        path = self.paths[number]
        aside = path.with_suffix(".aside")
        if what == "restore":
            if aside.exists() and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                aside.rename(path)
            return
        if what == "delete":
            # A transcript that the host rotates away takes with it what its chat doesn't hold: that stays.
            if path.exists() and not (number == 2 and self.paths[CHATS].exists()):
                path.rename(aside)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes() if path.exists() else b""
        head = self.start(number)
        new = self.chat_records(names) if number >= CHATS else self.records(names)
        if what == "replace" or not content:
            fresh = path.with_suffix(".fresh")
            fresh.write_bytes(head + new)
            fresh.replace(path)
        elif what == "append":
            whole = content[: content.rfind(b"\n") + 1]
            os.truncate(path, len(whole))
            with path.open("ab") as log:
                log.write(new)
        elif what == "torn":  # a write that is cut at any byte; the next append begins its line anew
            whole = content[: content.rfind(b"\n") + 1]
            os.truncate(path, len(whole))
            with path.open("ab") as log:
                log.write(new[: place % len(new)])
        elif what == "cut":
            os.truncate(path, place % (len(content) + 1))
        else:
            ends = [i + 1 for i, c in enumerate(content) if c == 10]
            cut = ends[place % len(ends)] if ends else 0
            os.truncate(path, cut)
            if what == "rewind":
                with path.open("ab") as log:
                    log.write(new)

    def run(self, layout: Layout | None = None) -> Report:
        report = index(layout or self.world.layout, environment={}, home=self.world.home, platform="linux")
        unread = {Path(path).parent.name for path, _ in report.problems}
        assert unread <= {"chatSessions"}  # a chat whose beginning is torn
        return report

    def passes(self, steps: list[Step]) -> None:
        for step in steps:
            self.step(step)
            if step[4]:
                self.run()
                self.note()

    def note(self) -> None:
        """Which transcripts have been seen; one whose chat has been read since is the chat's."""
        self.ever |= {p.stem for p in self.paths[2:CHATS] if p.exists()}
        if self.paths[CHATS].exists() and self.holds(self.paths[CHATS]):
            self.ever.discard(BOTH)

    def holds(self, chat: Path) -> bool:
        """Whether a chat's log has a beginning that can be read."""
        try:
            json.loads(chat.read_bytes().split(b"\n")[0])
        except ValueError:
            return False
        return True

    def check(self) -> None:
        """One more pass gives what a new memory gives."""
        self.run()
        self.note()
        memory = self.world.layout.memory
        fresh = Layout(self.world.layout.cache + "-fresh", self.world.layout.config)
        shutil.rmtree(fresh.cache, ignore_errors=True)
        self.run(fresh)
        assert dump(memory) == dump(fresh.memory)
        assert gone(memory) == self.ever - {p.stem for p in self.paths[:CHATS] if p.exists()}
        assert postings(memory) == expected_postings(memory)
        before = dump(memory), postings(memory), gone(memory)
        self.run()
        assert (dump(memory), postings(memory), gone(memory)) == before
