"""A pass as a whole: two places of one session, a broken memory, privacy, waiting, what it reports."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock, Timeout

from deja_hooks.indexer.passing import Pass
from deja_hooks.indexer.report import Report
from deja_hooks.indexer.run import index
from deja_hooks.memory.schema import VERSION
from deja_hooks.memory.state import Cursor, State
from tests.indexer.dump import dump, expected_postings, gone, postings
from tests.support.world import NOON, World, asked, edited, line, ran, said


class TestTwoPlaces:
    """The same session below two roots (a synchronised home, a moved folder, a link)."""

    def roots(self, world: World, *stores: Path) -> dict[str, str]:
        return {
            "DEJA_COPILOT_ROOT": ":".join(str(store) for store in stores),
            "DEJA_COPILOT_CHAT_ROOTS": str(world.user),
        }

    def run(self, world: World, *stores: Path) -> Report:
        return index(world.layout, environment=self.roots(world, *stores), home=world.home, platform="linux")

    def said(self, world: World) -> list[str]:
        return [turn["assistant"] for turns in dump(world.layout.memory)["turns"].values() for turn in turns]

    @pytest.fixture
    def second(self, world: World) -> Path:
        world.cli_session("s1", asked("first question"), said("The first answer."))
        os.utime(world.store / "s1" / "events.jsonl", (1_700_000_000, 1_700_000_000))
        copy = world.home / "copy" / "session-state"
        shutil.copytree(world.store, copy)
        return copy

    def test_is_stored_once(self, world: World, second: Path) -> None:
        self.run(world, world.store, second)
        self.run(world, world.store, second)
        assert self.said(world) == ["The first answer."]
        assert postings(world.layout.memory) == expected_postings(world.layout.memory)

    def test_a_root_that_vanishes_drops_nothing(self, world: World, second: Path) -> None:
        self.run(world, world.store)
        world.store.rename(world.home / "unmounted")
        self.run(world, world.store, second.with_name("other"))
        assert self.said(world) == ["The first answer."]

    @pytest.mark.usefixtures("second")
    def test_a_moved_root_is_the_same_history(self, world: World) -> None:
        self.run(world, world.store)
        moved = world.home / "moved"
        world.store.rename(moved)
        self.run(world, world.store, moved)
        assert self.said(world) == ["The first answer."]
        self.run(world, moved)
        assert self.said(world) == ["The first answer."]

    def test_the_copy_stands_where_the_first_is_deleted(self, world: World, second: Path) -> None:
        self.run(world, world.store, second)
        shutil.rmtree(world.store / "s1")
        self.run(world, world.store, second)
        assert self.said(world) == ["The first answer."]

    @pytest.mark.usefixtures("second")
    def test_a_deleted_session_is_dropped(self, world: World) -> None:
        self.run(world, world.store)
        shutil.rmtree(world.store / "s1")
        self.run(world, world.store)
        found = dump(world.layout.memory)
        assert (found["sessions"], found["turns"], found["sources"]) == ({}, {}, {})
        assert postings(world.layout.memory) == {}

    def test_a_transcript_that_a_hook_named_is_indexed_too(self, world: World) -> None:
        path = world.home / "portable" / "GitHub.copilot-chat" / "transcripts" / "v1.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text(
            line("user.message", {"content": "where is it?"}, NOON) + line(*said("In the portable one."), NOON)
        )
        state = State(world.layout.state)
        state.enter("v1", "vscode", "", NOON, prompt=True)
        state.advance("v1", Cursor(str(path), 0, 0, 0, 0, 1, 0), [], anew=False)
        world.index()
        assert self.said(world) == ["In the portable one."]


class TestBrokenMemory:
    def fill(self, world: World) -> dict[str, Any]:
        world.cli_session("s1", asked("question"), said("The answer."))
        world.index()
        return dump(world.layout.memory)

    @pytest.mark.parametrize("content", [b"", b"garbage" * 1000, b"SQLite format 3\0" + b"\xff" * 9000])
    def test_is_built_anew(self, world: World, content: bytes) -> None:
        whole = self.fill(world)
        Path(world.layout.memory).write_bytes(content)
        world.index()
        assert dump(world.layout.memory) == whole
        assert oct(Path(world.layout.memory).stat().st_mode & 0o777) == "0o600"

    def test_of_another_version_is_built_anew(self, world: World) -> None:
        whole = self.fill(world)
        for version in (VERSION + 1, VERSION - 1 or 99):
            with sqlite3.connect(world.layout.memory) as db:
                db.executescript(f"PRAGMA user_version={version}")
            db.close()
            world.index()
            assert dump(world.layout.memory) == whole

    def test_of_another_version_keeps_what_the_host_has_deleted(self, world: World) -> None:
        path = world.vscode_transcript("v1", asked("question"), said("The answer."))
        world.index()
        path.unlink()
        world.index()
        assert gone(world.layout.memory) == {"v1"}
        with sqlite3.connect(world.layout.memory) as db:
            db.executescript("PRAGMA user_version=99")
        db.close()
        world.index()
        assert gone(world.layout.memory) == {"v1"}

    def test_whose_damage_a_pass_meets_is_built_anew_at_once(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """With what of it can still be read, and no host has any more."""
        path = world.vscode_transcript("v1", asked("question"), said("The answer."))
        whole = self.fill(world)
        path.unlink()
        world.index()
        assert gone(world.layout.memory) == {"v1"}
        world.cli_session("22222222-bbbb", asked("about queues"))
        real, met = Pass.run, []

        def meets_it_once(self: Pass, *arguments: object) -> None:
            met.append(1)
            if len(met) == 1:
                raise sqlite3.DatabaseError("database disk image is malformed")
            real(self, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(Pass, "run", meets_it_once)
        world.index()
        found = dump(world.layout.memory)["sessions"]
        assert found.keys() == whole["sessions"].keys() - {"v1"} | {"22222222-bbbb"}
        assert gone(world.layout.memory) == {"v1"}
        assert [each.name for each in Path(world.layout.cache).glob("memory.db.old*")] == []

    def test_that_is_only_busy_is_kept(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        whole = self.fill(world)
        real = sqlite3.connect

        def busy(*arguments: Any, **options: Any) -> sqlite3.Connection:
            raise sqlite3.OperationalError("database is locked")

        monkeypatch.setattr("deja_hooks.memory.write.sqlite3.connect", busy)
        with pytest.raises(sqlite3.OperationalError):
            world.index()
        monkeypatch.setattr("deja_hooks.memory.write.sqlite3.connect", real)
        assert dump(world.layout.memory) == whole

    def test_a_log_that_breaks_the_writing_harms_no_other(self, world: World) -> None:
        """An exit status that no SQLite integer holds, and a folder whose name is no UTF-8."""
        world.cli_session("s0", asked("before"), said("Well."))
        command, done = ran("make", 7)
        done[1]["shellExecution"]["exitCode"] = (1 << 63) + 7
        world.cli_session("s1", asked("odd"), command, done, said("Odd."))
        world.cli_session("s2", asked("after"), said("Well."))
        try:
            odd = world.store / os.fsdecode(b"s3-\xff")
            shutil.copytree(world.store / "s2", odd)
        except OSError:
            pass  # this file system takes no such name
        for _ in range(2):
            report = world.index()
            assert {"s0", "s2"} <= set(dump(world.layout.memory)["sessions"])
            assert postings(world.layout.memory) == expected_postings(world.layout.memory)
        assert report.files >= 3


class TestPrivacy:
    SECRETS = (
        "ghp_" + "A1b2C3d4E5" * 3 + "f6G7h8",
        "AKIA" + "IOSFODNN7QWERTYU",
        "sk-proj-" + "aB3dE6gH9jK2" * 4,
        "hunter2" + "Swordfish9",
    )

    def test_no_secret_in_any_byte(self, world: World) -> None:
        token, key, model, password = self.SECRETS
        bearer = f"curl -H 'Authorization: Bearer {token}' https://user:{password}@example.com/x"
        records = (
            asked(f"use {token} for the deploy; PASSWORD={password}"),
            *ran(bearer, 1, f"error: AWS_SECRET_ACCESS_KEY={key}{key} is wrong for {token}"),
            *edited(world.project / ".env", f"OPENAI_API_KEY={model}\n", f'DB_PASSWORD="{password}"\nTOKEN={token}\n'),
            said(f"We decided to use {model} because password: {password} was refused. The key {key} is in the file."),
        )
        path = world.cli_session("11111111-s", *records)
        transcript = world.vscode_transcript("22222222-v", *records)
        layout = world.layout
        world.process(
            "UserPromptSubmit",
            json.dumps(
                {
                    "hook_event_name": "UserPromptSubmit",
                    "session_id": "11111111-s",
                    "cwd": str(world.project),
                    "prompt": f"is {token} right? PASSWORD={password} retry",
                }
            ).encode(),
        )
        for event in ("UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop"):
            for sid, log in (("11111111-s", path), ("22222222-v", transcript)):
                world.process(
                    event,
                    json.dumps(
                        {
                            "hook_event_name": event,
                            "session_id": sid,
                            "cwd": str(world.project),
                            "transcript_path": str(log),
                            "prompt": f"what about {token}?",
                            "tool_name": "bash",
                            "tool_input": {"command": bearer},
                            "tool_result": {"result_type": "success", "text_result_for_llm": f"{key} {password}"},
                            "tool_use_id": "call_9",
                        }
                    ).encode(),
                )
        world.index()
        wait_for_indexer(world)
        files = [each for each in Path(layout.cache).rglob("*") if each.is_file()]
        assert {"memory.db", "state.db", "ring.jsonl"} <= {each.name for each in files}
        found = [
            (each.name, secret)
            for each in files
            for secret in (*self.SECRETS, token[4:30], password[7:])
            if secret.encode() in each.read_bytes() or secret.lower().encode() in each.read_bytes()
        ]
        assert found == []
        assert "Redacted" in str(dump(layout.memory)) or "redacted" in str(dump(layout.memory)).lower()


def wait_for_indexer(world: World) -> None:
    until = time.monotonic() + 20
    while Path(world.layout.index_claim).exists() and time.monotonic() < until:
        time.sleep(0.05)


class TestForeground:
    def test_waits_for_another_indexer_then_makes_its_own_pass(self, world: World) -> None:
        world.cli_session("s1", asked("question"), said("The answer."))
        Path(world.layout.cache).mkdir(parents=True)
        other = FileLock(world.layout.index_lock)
        other.acquire()
        called = []

        def on_wait() -> None:
            called.append(Path(world.layout.memory).exists())
            other.release()

        report = index(world.layout, environment={}, home=world.home, platform="linux", on_wait=on_wait)
        assert called == [False]
        assert (report.waited, report.sessions, report.turns) == (True, 1, 1)

    def test_or_does_not_wait(self, world: World) -> None:
        Path(world.layout.cache).mkdir(parents=True)
        with FileLock(world.layout.index_lock), pytest.raises(Timeout):
            index(world.layout, environment={}, home=world.home, platform="linux", wait=False)

    def test_reports_what_it_did(self, world: World) -> None:
        world.cli_session("s1", asked("question"), said("The answer."))
        path = world.vscode_transcript("v1", asked("question"), said("The answer."))
        with path.open("a") as log:
            log.write("{broken\n")
        done: list[tuple[int, int]] = []
        report = index(
            world.layout, environment={}, home=world.home, platform="linux", progress=lambda *each: done.append(each)
        )
        size = sum(p.stat().st_size for p in (path, world.store / "s1" / "events.jsonl"))
        assert report._replace(seconds=0.0) == Report(2, 2, 2, 2, size, 1, (), 0.0, False)
        assert done[-1] == (size, size)

    def test_nothing_new_is_not_read(self, world: World) -> None:
        path = world.cli_session("s1", asked("question"), said("The answer."))
        os.utime(path, (1_700_000_000, 1_700_000_000))
        world.index()
        again = world.index()
        assert (again.files, again.changed, again.turns, again.bytes_read) == (1, 0, 0, 0)

    def test_new_lines_cost_their_own_bytes(self, world: World) -> None:
        path = world.cli_session("s1", *[each for i in range(50) for each in (asked(f"question {i}"), said("Answer."))])
        os.utime(path, (1_700_000_000, 1_700_000_000))
        world.index()
        with path.open("a") as log:
            log.write(line(*asked("one more"), NOON) + line(*said("Fine."), NOON))
        report = world.index()
        assert (report.changed, report.turns) == (1, 1)
        assert report.bytes_read < 1_500
