"""What is forgotten is gone from every byte that we keep, and nothing brings it back."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.cli.main import main
from deja_hooks.memory.layout import Layout
from deja_hooks.memory.read import open_memory
from tests.indexer.dump import dump, expected_postings, postings
from tests.support.bytes_kept import holding
from tests.support.world import World, asked, edited, iso, ran, said

GONE = "11111111-aaaa-4000-8000-000000000001"
STAYS = "22222222-bbbb-4000-8000-000000000002"
#: Words of the session that is forgotten; they stand nowhere else.
WORDS = ("zanzibar", "quokka_budget", "mauve_flamingo", "wombatpass", "ocelotini", "platypusfile")
DAY = 86_400_000


@pytest.fixture
def run(world: World, capsys: pytest.CaptureFixture[str]) -> Any:
    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(list(arguments))
        return (code, *capsys.readouterr())

    return call


def secret_session(world: World, sid: str = GONE, *, at: int = 0, cwd: Path | None = None) -> Path:
    return world.cli_session(
        sid,
        asked("why does zanzibar starve the quokka_budget?"),
        said("We decided to set quokka_budget to 7 because the mauve_flamingo starved."),
        *ran("make wombatpass", 2, "error: ocelotini was not found"),
        *edited((cwd or world.project) / "platypusfile.py", "zanzibar = 1", "zanzibar = 2"),
        asked("thanks"),
        said("Done."),
        at=at,
        cwd=cwd,
    )


def other_session(world: World, sid: str = STAYS) -> Path:
    return world.cli_session(sid, asked("about retry_limit"), said("We decided to set retry_limit to 3 tries."))


def follow(world: World, sid: str = GONE) -> None:
    """All that hooks keep of a session: state, ring, markers, a compaction packet, recordings."""
    Path(world.layout.config).mkdir(parents=True, exist_ok=True)
    Path(world.layout.record).touch()
    log = str(world.store / sid / "events.jsonl")
    for event, fields in (
        ("SessionStart", {"source": "resume"}),
        ("UserPromptSubmit", {"prompt": "what about zanzibar and quokka_budget?"}),
        ("PreToolUse", {"tool_name": "bash", "tool_input": {"command": "make wombatpass"}}),
        ("PreCompact", {"transcript_path": log, "trigger": "manual"}),
    ):
        value = {"hook_event_name": event, "session_id": sid, "cwd": str(world.project), **fields}
        assert world.process(event, json.dumps(value).encode()).returncode == 0
    # Another session was told about it.
    value = {"hook_event_name": "UserPromptSubmit", "session_id": "asking", "cwd": str(world.project)}
    told = world.process("UserPromptSubmit", json.dumps({**value, "prompt": "what is quokka_budget?"}).encode())
    assert b"mauve_flamingo" in told.stdout
    quiet(world)


def quiet(world: World) -> None:
    """Waits until no background indexer runs."""
    until = time.monotonic() + 20
    while Path(world.layout.index_claim).exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(world.layout.index_claim).exists()


def sids(world: World) -> set[str]:
    memory = open_memory(world.layout.memory)
    assert memory is not None
    try:
        return {row[0] for row in memory.db.execute("SELECT sid FROM session")}
    finally:
        memory.close()


def test_every_byte_is_gone_and_nothing_brings_it_back(world: World, run: Any) -> None:
    secret_session(world)
    other_session(world)
    world.index()
    follow(world)
    kept = holding(world.deja_home, WORDS)
    assert {"cache/memory.db", "cache/ring.jsonl", "cache/state.db"} <= kept.keys()
    assert any("recordings" in path for path in kept)
    assert run("reject", GONE, "--note", "zanzibar is no more")[0] == 0

    assert run("forget", GONE, "--yes") == (0, "Forgotten: 1 session.\n", "")
    # The asking session's own prompt is its own.
    assert set(holding(world.deja_home, WORDS)) <= {p for p in kept if "recordings" in p}
    assert holding(world.deja_home, ["mauve_flamingo", "zanzibar", "wombatpass", "ocelotini", "platypusfile"]) == {}
    assert sids(world) == {STAYS}
    assert postings(world.layout.memory) == expected_postings(world.layout.memory)
    told = [json.loads(line) for line in Path(world.layout.ring).read_text().splitlines()]
    assert [call["s"] for call in told] == ["asking"]
    assert "p" not in told[0]

    # A hook of the session, the next pass, new words in its log, a memory from scratch, a restored log.
    value = {"hook_event_name": "PreCompact", "session_id": GONE, "cwd": str(world.project)}
    log = world.store / GONE / "events.jsonl"
    done = world.process("PreCompact", json.dumps({**value, "transcript_path": str(log)}).encode())
    assert (done.returncode, done.stdout) == (0, b"")
    quiet(world)
    with log.open("a") as more:
        more.write(log.read_text().splitlines()[1] + "\n")
    assert world.index().turns == 0
    shutil.rmtree(world.layout.cache)
    world.index()
    aside = log.rename(log.with_suffix(".aside"))
    world.index()
    aside.rename(log)
    world.index()
    assert sids(world) == {STAYS}
    assert holding(world.deja_home, WORDS) == {}
    before = dump(world.layout.memory)
    assert world.index().changed == 0
    assert dump(world.layout.memory) == before
    assert run("sources")[0] == 0
    assert run("forget", GONE[:6]) == (0, "11111111 is forgotten already.\n".replace("11111111", GONE[:6]), "")
    assert run("forget", GONE[:6], "--json") == (0, '{\n  "dry_run": false,\n  "sessions": []\n}\n', "")


def test_what_it_says(world: World, run: Any) -> None:
    secret_session(world)
    other_session(world)
    assert run("forget") == (
        1, "", "Error: Say what to forget: the ID of one session, or --project, --since or both.\n",
    )  # fmt: skip
    assert run("forget", GONE, "--since", "2h")[0] == 1
    assert run("forget", "nope") == (
        1, "", "Error: No session has an id that begins with 'nope': deja-hooks sessions lists ids.\n",
    )  # fmt: skip
    code, out, err = run("forget", GONE, "--dry-run", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "dry_run": True,
        "sessions": [
            {
                "session_id": GONE,
                "project": "code/shop",
                "title": "why does zanzibar starve the quokka_budget?",
                "updated": iso(world.now - DAY + 8_000).replace("Z", "+00:00"),
            }
        ],
    }
    assert run("forget", "--project", "--dry-run", "--since", "1m")[1] == "No session would be forgotten.\n"
    assert sids(world) == {GONE, STAYS}


def test_a_project(world: World, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = world.home / "code" / "other"
    world.git(elsewhere)
    secret_session(world)
    world.cli_session(STAYS, asked("about retry_limit"), said("We decided to set retry_limit to 3."), cwd=elsewhere)
    monkeypatch.chdir(world.project)
    run("remember", "zanzibar is where we meet")
    code, out, err = run("forget", "--project", "--yes")
    assert (code, out, err) == (0, "Forgotten: 2 sessions.\n", "")
    assert sids(world) == {STAYS}
    assert holding(world.deja_home, WORDS) == {}

    # A session of that time that turns up later is forgotten too; one begun afterwards isn't.
    secret_session(world, "33333333-cccc-4000-8000-000000000003")
    world.cli_session("44444444-dddd", asked("new retry_limit"), said("ok"), at=int(time.time() * 1000) + 60_000)
    world.index()
    assert sids(world) == {STAYS, "44444444-dddd"}
    assert holding(world.deja_home, WORDS) == {}


def test_a_time(world: World, run: Any) -> None:
    now = int(time.time() * 1000)
    secret_session(world, at=now - 600_000)
    other_session(world)
    assert run("forget", "--since", "2h", "--yes") == (0, "Forgotten: 1 session.\n", "")
    assert sids(world) == {STAYS}
    assert holding(world.deja_home, WORDS) == {}
    shutil.rmtree(world.layout.cache)
    world.index()
    assert sids(world) == {STAYS}


def test_a_session_that_only_hooks_know(world: World, run: Any) -> None:
    other_session(world)
    world.index()
    value = {"hook_event_name": "UserPromptSubmit", "session_id": GONE, "cwd": str(world.project)}
    world.process("UserPromptSubmit", json.dumps({**value, "prompt": "zanzibar"}).encode())
    db = sqlite3.connect(world.layout.state)
    db.execute("INSERT INTO packet VALUES (?,'zanzibar',1)", (GONE,))
    db.commit()
    db.close()
    assert run("forget", "--since", "2h", "--yes") == (0, "Forgotten: 0 sessions.\n", "")
    assert holding(world.deja_home, WORDS) == {}


def test_a_sessions_file_that_the_host_has_deleted(world: World, run: Any) -> None:
    world.vscode_transcript(GONE, asked("why zanzibar?"), said("We decided to set quokka_budget to 7.")).unlink()
    path = world.vscode_transcript(GONE, asked("why zanzibar?"), said("We decided to set quokka_budget to 7."))
    world.index()
    path.unlink()
    world.index()
    assert sids(world) == {GONE}
    assert run("forget", GONE, "--yes")[0] == 0
    assert sids(world) == set()
    assert holding(world.deja_home, WORDS) == {}


def test_a_memory_from_a_backup(world: World, run: Any) -> None:
    secret_session(world)
    world.index()
    backup = Path(world.layout.memory).read_bytes()
    run("forget", GONE, "--yes")
    Path(world.layout.memory).write_bytes(backup)
    assert holding(world.deja_home, WORDS) != {}
    world.index()
    assert sids(world) == set()
    assert holding(world.deja_home, WORDS) == {}


def test_killed_half_way(world: World, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    secret_session(world)
    world.index()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("deja_hooks.memory.erase.scrub", killed)
        assert run("forget", GONE, "--yes")[0] == 130
    world.index()
    assert sids(world) == set()
    assert holding(world.deja_home, WORDS) == {}


def test_it_asks_on_a_terminal(world: World, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    secret_session(world)
    monkeypatch.setattr("deja_hooks.cli.forget.on_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", lambda text, **_: print(text) or False)
    code, out, err = run("forget", GONE)
    assert (code, out) == (1, "Forget 1 session for good?\n")
    assert err.endswith("  code/shop  why does zanzibar starve the quokka_budget?\nError: Nothing was forgotten.\n")
    assert sids(world) == {GONE}
    assert run("forget", GONE, "--yes")[:2] == (0, "Forgotten: 1 session.\n")


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")
def test_hooks_and_an_indexer_at_the_same_time(world: World) -> None:
    """Hooks of the session fire, and ask for the background indexer, before, while and after it is forgotten."""
    secret_session(world)
    other_session(world)
    world.index()
    value = {"hook_event_name": "Stop", "session_id": GONE, "cwd": str(world.project)}
    value["transcript_path"] = str(world.store / GONE / "events.jsonl")
    command = [sys.executable, "-m", "deja_hooks", "forget", GONE, "--yes"]
    environment = {**world.environment, "PYTHONPATH": os.pathsep.join(sys.path)}
    world.process("Stop", json.dumps(value).encode())
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as forgetting:
        while forgetting.poll() is None:
            for event in ("UserPromptSubmit", "PreCompact", "Stop"):
                prompt = {"prompt": "and zanzibar?", "hook_event_name": event}
                assert world.process(event, json.dumps({**value, **prompt}).encode()).returncode == 0
        assert forgetting.stdout is not None
        assert forgetting.stdout.read() == b"Forgotten: 1 session.\n"
    quiet(world)
    assert sids(world) == {STAYS}
    assert holding(world.deja_home, WORDS) == {}
    assert Layout(world.layout.cache, world.layout.config).forgotten(GONE)


@pytest.mark.parametrize("what", [(GONE,), ("--project",), ("--since", "3d")])
def test_without_a_terminal_it_wants_to_be_told(
    world: World, run: Any, monkeypatch: pytest.MonkeyPatch, what: tuple[str, ...]
) -> None:
    secret_session(world)
    monkeypatch.chdir(world.project)
    refused = "Error: Forget 1 session for good? There is no terminal to ask on: add --yes, or --dry-run to only look."
    for more in ((), ("--json",)):
        assert run("forget", *what, *more) == (1, "", f"{refused} Nothing was forgotten.\n")
    assert sids(world) == {GONE}
    assert not Path(world.layout.marks).exists()
    assert run("forget", *what, "--yes") == (0, "Forgotten: 1 session.\n", "")
    assert run("forget", "--project") == (0, "Forgotten: 0 sessions.\n", "")


def test_a_folder_that_is_gone(world: World, run: Any) -> None:
    elsewhere = world.home / "code" / "other"
    world.git(elsewhere)
    secret_session(world, cwd=elsewhere)
    other_session(world)
    world.index()
    shutil.rmtree(elsewhere)
    never = str(world.home / "code" / "never")
    assert run("forget", "--project", never, "--yes") == (
        1,
        "",
        f"Error: {never} is not a folder: name one of the project.\n",
    )
    assert run("forget", "--project", str(elsewhere), "--yes") == (0, "Forgotten: 1 session.\n", "")
    assert sids(world) == {STAYS}
    assert holding(world.deja_home, WORDS) == {}


@pytest.mark.parametrize("what", [("--project",), ("--since", "2h")])
def test_a_session_that_is_dated_later_than_now(
    world: World, run: Any, monkeypatch: pytest.MonkeyPatch, what: tuple[str, ...]
) -> None:
    secret_session(world, at=int(time.time() * 1000) + DAY)
    monkeypatch.chdir(world.project)
    assert run("forget", *what, "--yes") == (0, "Forgotten: 1 session.\n", "")
    world.index()
    assert sids(world) == set()
