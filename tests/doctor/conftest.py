"""A healthy home: wired by the real `install`, indexed, called by both hosts; and faults to plant in it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import deja_hooks
from deja_hooks.cli.main import main
from deja_hooks.doctor.finding import Finding
from deja_hooks.doctor.machine import Machine
from deja_hooks.memory.layout import Layout
from tests.cli.conftest import Result
from tests.support.world import World, asked, ran, said

Deja = Callable[..., Result]
CALLS = (
    ("UserPromptSubmit", {"hook_event_name": "UserPromptSubmit", "session_id": "c1", "prompt": "Go on"}),
    ("PreToolUse", {"hook_event_name": "PreToolUse", "session_id": "c1", "tool_name": "view", "tool_input": {}}),
    ("UserPromptSubmit", {"timestamp": "2026-01-01", "hook_event_name": "UserPromptSubmit", "session_id": "v1"}),
)


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> World:
    """The home as it was made, and a copy of it beside."""
    folder = tmp_path_factory.mktemp("doctor")
    world = World(folder / "machine")
    decided = said("We decided to use retry_budget 5 because the gateway bans a client.")
    store = world.cli_session("c1", asked("How often do we retry?"), decided, *ran("pytest -q", 0, "ok"))
    transcript = world.vscode_transcript(
        "v1", asked("Rename the parser module"), said("Done: it is called reader now.")
    )
    for path in (store, transcript):
        os.utime(path, (time.time() - 3600, time.time() - 3600))
    with closing(sqlite3.connect(made_folder(world.user / "globalStorage") / "state.vscdb")) as db:
        db.execute("CREATE TABLE ItemTable(key TEXT UNIQUE, value BLOB)")
        trusted = {"uriTrustInfo": [{"uri": {"scheme": "file", "path": str(world.home / "code")}, "trusted": True}]}
        db.execute("INSERT INTO ItemTable VALUES ('content.trust.model.key', ?)", (json.dumps(trusted),))
        db.commit()
    (world.user / "settings.json").write_text('{\n  // on, as by default\n  "chat.useHooks": true,\n}\n')
    for words in (["install", "--no-index"], ["index"]):
        # The very package that is tested, wherever the tests are started.
        environment = {**world.environment, "PYTHONPATH": str(Path(deja_hooks.__file__).parents[1])}
        command = [sys.executable, "-m", "deja_hooks", *words]
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    for event, payload in CALLS:
        assert world.process(event, json.dumps({**payload, "cwd": str(world.project)}).encode()).returncode == 0
    _copy(folder / "machine", folder / "kept")
    return world


def made_folder(path: Path) -> Path:
    """The folder, made."""
    path.mkdir(parents=True, exist_ok=True)
    return path


def _copy(one: Path, other: Path) -> None:
    """Copies a home. What hosts wrote is linked: a copy would be another file to the indexer. Tests replace these."""

    def copied(source: str, target: str) -> str:
        if source.endswith("events.jsonl") or "transcripts" in source:
            os.link(source, target)
            return target
        return str(shutil.copy2(source, target))

    shutil.copytree(one, other, symlinks=True, copy_function=copied)


@pytest.fixture
def healthy(made: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """The healthy home, as good as new; the working directory is a project in it, the environment points there."""
    machine = made.home.parent
    shutil.rmtree(machine)
    _copy(machine.with_name("kept"), machine)
    for name in ("COPILOT_HOME", "DEJA_COPILOT_ROOT", "DEJA_COPILOT_CHAT_ROOTS", "DEJA_RECALL", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "VSCODE_PORTABLE", "VSCODE_APPDATA", "VSCODE_AGENT_FOLDER", "PWD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(made.deja_home))
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    monkeypatch.chdir(made.project)
    # A machine's own policies are none of this home's.
    monkeypatch.setattr("deja_hooks.doctor.examine.SYSTEM_ROOT", machine / "system")
    yield made
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def deja(healthy: World, capsys: pytest.CaptureFixture[str]) -> Deja:
    """Runs `deja-hooks` in the healthy home, in this process."""

    def run(*arguments: str) -> Result:
        capsys.readouterr()
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """Our folders, empty."""
    made = Layout(str(tmp_path / "cache"), str(tmp_path / "config"))
    for each in (made.cache, made.config):
        Path(each).mkdir(mode=0o700)
    return made


@pytest.fixture
def hook_file(healthy: World) -> Path:
    """The hook file of both hosts."""
    return healthy.home / ".copilot" / "hooks" / "deja.json"


def changed(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Changes a JSON file."""
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document))


def seen(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    """Of each finding its state, what it is about and what was seen."""
    return [(each.state, each.about, each.seen) for each in findings]


def machine_of(layout: Layout, home: Path, *folders: str) -> Machine:
    """A Linux machine of which little matters."""
    return Machine(layout, {}, home, "linux", sys.executable, 0, folders)
