"""A healthy home: what `doctor` and `status` say of it, word for word, and that looking leaves no trace."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest

from deja_hooks import __version__
from deja_hooks.indexer.report import keep_fault
from tests.support.world import World

from .conftest import Deja, changed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and shells")

REPORT = """\
Wiring
  ok       hook-file     HOME/.copilot/hooks/deja.json: valid for VS Code Copilot Chat and Copilot CLI
  ok       hook-entries  HOME/.copilot/hooks/deja.json: all 8 events, once each
  ok       hook-copies   other hook files: there are none
  ok       hook-modes    the hook files: nobody else can write them
  ok       interpreter   PYTHON: a real interpreter, not a shim or an alias
  ok       mcp           HOME/.config/Code/User/mcp.json: it starts PYTHON
  ok       mcp           HOME/.copilot/mcp-config.json: it starts PYTHON
  ok       instructions  HOME/.config/Code/User/prompts/deja.instructions.md: it names PYTHON
  ok       instructions  HOME/.config/Code/User/prompts/deja.prompt.md: it names PYTHON
  ok       instructions  HOME/.copilot/skills/deja/SKILL.md: it names PYTHON

What would silence it
  ok       switched-off  the switches: on
  ok       cli-hooks     Copilot CLI's settings: hooks are not disabled
  ok       vscode-hooks  VS Code's settings: hooks are on in 1 VS Code
  ok       vscode-policy VS Code's policies: none forbids hooks
  ok       vscode-trust  HOME/code/shop: VS Code trusts it
  ok       vscode-remote remote windows: none: hooks run on this machine

Hosts
  ok       host          VS Code Copilot Chat: on this machine
  ok       host          Copilot CLI: on this machine
  ok       seen          VS Code Copilot Chat: UserPromptSubmit TIME; not yet: SessionStart, PreToolUse, PostToolUse, \
PreCompact, Stop
  ok       seen          Copilot CLI: PreToolUse TIME, UserPromptSubmit TIME; not yet: SessionStart, PostToolUse, \
PostToolUseFailure, PreCompact, Stop, SessionEnd
  ok       calls         DEJA/cache/ring.jsonl: 3 calls, none failed
  ok       stores        cli-events: 1 file understood
  ok       stores        vscode-transcript: 1 file understood

Memory
  ok       folders       DEJA/cache: can be written
  ok       folders       DEJA/config: can be written
  ok       sqlite        SQLite VERSION: full text (FTS5) and WAL work where the cache lies
  ok       memory-db     DEJA/cache/memory.db: whole
  ok       state-db      DEJA/cache/state.db: whole
  ok       index         DEJA/cache/memory.db: 2 sessions, SIZE MB, fresh
  ok       index-error   the indexer: no background pass has failed
  ok       index-claim   the indexer: not at work

Privacy
  ok       permissions   DEJA/cache: this user's alone
  ok       decisions     DEJA/config: settings and marks can be understood
  ok       secrets       DEJA/cache: 0 in 12 texts, the newest of each kind

The commands, run as the hosts run them
  ok       run           SessionStart: exit 0, quiet, MS from VS Code Copilot Chat, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed
  ok       run           UserPromptSubmit: exit 0, quiet, MS from VS Code Copilot Chat, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed
  ok       run           PreToolUse: exit 0, quiet, MS from VS Code Copilot Chat, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed
  ok       run           PostToolUse: exit 0, quiet, MS from VS Code Copilot Chat, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed
  ok       run           PostToolUseFailure: exit 0, quiet, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed
  ok       run           PreCompact: exit 0, quiet, MS from VS Code Copilot Chat, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed
  ok       run           Stop: exit 0, quiet, MS from VS Code Copilot Chat, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed
  ok       run           SessionEnd: exit 0, quiet, MS from Copilot CLI; \
Python alone MS, of 1,200 allowed

Nothing is broken.
"""


def _masked(text: str, world: World) -> str:
    text = text.replace(str(world.home), "HOME").replace(str(world.deja_home), "DEJA").replace(sys.executable, "PYTHON")
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "TIME", text)
    text = re.sub(r"[\d,]+ ms", "MS", text)
    text = re.sub(r"SQLite [\d.]+", "SQLite VERSION", text)
    return re.sub(r"[\d.]+ MB", "SIZE MB", text)


def test_nothing_is_broken(healthy: World, deja: Deja) -> None:
    result = deja("doctor")
    assert (result.code, result.err) == (0, "")
    assert _masked(result.out, healthy) == REPORT


def test_there_is_nothing_to_mend(healthy: World, deja: Deja) -> None:
    result = deja("doctor", "--fix")
    assert (result.code, _masked(result.out, healthy)) == (0, REPORT)


def test_status(healthy: World, deja: Deja) -> None:
    result = deja("status")
    assert (result.code, _masked(result.out, healthy)) == (
        0,
        f"deja-hooks            {__version__}\n"
        "VS Code Copilot Chat  wired, last event UserPromptSubmit TIME\n"
        "Copilot CLI           wired, last event PreToolUse TIME\n"
        "memory                2 sessions, SIZE MB, fresh\n"
        "recall                on\n"
        "faults                none that looking finds\n",
    )


def test_json(healthy: World, deja: Deja) -> None:
    value = json.loads(deja("doctor", "--json").out)
    assert (value["version"], value["broken"], sorted(value)) == (__version__, 0, ["broken", "findings", "version"])
    assert value["findings"][0] == {
        "check": "hook-file",
        "state": "ok",
        "about": f"{healthy.home}/.copilot/hooks/deja.json",
        "seen": "valid for VS Code Copilot Chat and Copilot CLI",
        "do": "",
        "fixable": False,
    }
    text = [line.split()[1] for line in REPORT.splitlines() if line.startswith("  ")]
    assert [finding["check"] for finding in value["findings"]] == text


def test_what_fix_did_in_json(healthy: World, deja: Deja, hook_file: Path) -> None:
    hook_file.unlink()
    value = json.loads(deja("doctor", "--fix", "--json").out)
    assert value["mended"] == [{"checks": ["hook-file"], "did": f"wrote {hook_file}", "done": True}]
    assert value["broken"] == 0


def test_what_cannot_be_mended_is_said(
    healthy: World, deja: Deja, hook_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook_file.unlink()
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    result = deja("doctor", "--fix")
    assert result.code == 1
    assert result.out.startswith("Not mended (hook-file): /no/such/python can't be read (No such file or directory): ")


def test_status_of_a_broken_home(healthy: World, deja: Deja, hook_file: Path) -> None:
    hook_file.unlink()
    deja("off")
    result = deja("status")
    assert result.code == 1
    lines = _masked(result.out, healthy).splitlines()
    assert lines[1] == "VS Code Copilot Chat  not wired, last event UserPromptSubmit TIME"
    assert lines[4] == "recall                DEJA/config/off: all projects switched off"
    assert lines[5] == "faults                1 (hook-file): see deja-hooks doctor"
    value: dict[str, Any] = json.loads(deja("status", "--json").out)
    hosts = value.pop("hosts")
    assert [(each["name"], each["found"], each["wired"], each["last_event"]) for each in hosts] == [
        ("vscode", True, False, "UserPromptSubmit"),
        ("copilot", True, False, "PreToolUse"),
    ]
    assert value == {
        "version": __version__,
        "broken": 1,
        "checks": ["hook-file"],
        "memory": value["memory"],
        "limit": "",
        "indexer": "",
        "off": [f"{healthy.layout.off}: all projects switched off"],
    }
    assert value["memory"].startswith("2 sessions, ")


def test_what_the_indexer_met_is_told(healthy: World, deja: Deja) -> None:
    """By `status` and `doctor`, with what to do; a pass that was cut short is said where none has failed."""
    with closing(sqlite3.connect(healthy.layout.memory)) as db:
        db.execute("INSERT INTO pass VALUES (1)")
        db.execute("UPDATE session SET trimmed=1 WHERE sid='c1'")
        db.commit()
    limit = (
        "1 session is kept shorter, to keep the memory within its limit",
        "set DEJA_HOOKS_MAX_MB higher to keep more of what comes",
    )
    cut = ("The last reading of the hosts' sessions was cut short", "deja-hooks index goes on with it")
    result = deja("status")
    assert (result.code, _masked(result.out, healthy).splitlines()[3:]) == (
        0,
        [
            "memory                2 sessions, SIZE MB, fresh",
            f"                      {limit[0]}: {limit[1]}",
            f"indexer               {cut[0]}: {cut[1]}",
            "recall                on",
            "faults                none that looking finds",
        ],
    )
    value = json.loads(deja("status", "--json").out)
    assert (value["limit"], value["indexer"]) == (": ".join(limit), ": ".join(cut))
    findings = json.loads(deja("doctor", "--json").out)["findings"]
    assert [tuple(each[key] for key in ("check", "state", "seen", "do")) for each in findings if each["do"]] == [
        ("index-limit", "note", *limit),
        ("index-error", "note", *cut),
    ]
    keep_fault(healthy.layout, OSError("database or disk is full"))
    failed = (
        "the indexer failed (OSError: database or disk is full)",
        f"free some room on the disk of {healthy.layout.cache}, then run deja-hooks index",
    )
    assert f"\nindexer               {': '.join(failed)}\n" in deja("status").out
    findings = json.loads(deja("doctor", "--json").out)["findings"]
    assert [tuple(each[key] for key in ("check", "state", "seen", "do")) for each in findings if each["do"]] == [
        ("index-limit", "note", *limit),
        ("index-error", "broken", *failed),
    ]


def _everything(world: World) -> dict[str, str]:
    """Every file of the machine with its content and time; the shared memory that SQLite keeps beside a database
    changes with every reading."""
    found = {}
    for path in sorted(world.home.parent.rglob("*")):
        if path.is_file() and not path.name.endswith(("-shm", "-wal")):
            found[str(path)] = f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.stat().st_mtime_ns}"
        elif path.is_dir():
            found[str(path)] = "folder"
    return found


def test_looking_and_running_leave_no_trace(healthy: World, deja: Deja) -> None:
    before = _everything(healthy)
    assert deja("doctor").code == 0
    time.sleep(0.5)  # an indexer that had been started would rest first
    assert _everything(healthy) == before
    assert "doctor" not in deja("log").out


def test_a_switched_off_home_is_not_broken(healthy: World, deja: Deja, monkeypatch: pytest.MonkeyPatch) -> None:
    assert deja("off", "--project").code == 0
    assert deja("off", "--for", "1h").code == 0
    monkeypatch.setenv("DEJA_RECALL", "off")
    result = deja("doctor")
    assert result.code == 0
    assert [line for line in _masked(result.out, healthy).splitlines() if "switched-off" in line] == [
        "  note     switched-off  DEJA_RECALL: it silences every hook that is started from this environment",
        "  note     switched-off  DEJA/config/off: all projects switched off for a time",
        "  note     switched-off  DEJA/config/off.d: 1 project is switched off",
    ]


def test_on_a_terminal(healthy: World, deja: Deja, hook_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed(hook_file, lambda document: document["hooks"].pop("Stop"))
    monkeypatch.setattr(type(sys.stdout), "isatty", lambda _: True)
    shown = deja("doctor").out
    assert "\x1b[31m✗\x1b[0m hook-entries" in shown
    assert "\x1b[32m✓\x1b[0m hook-file" in shown
    lines = _masked(click.unstyle(shown), healthy).splitlines()
    assert lines[1:4] == [
        "  ✓ hook-file     HOME/.copilot/hooks/deja.json: valid for VS Code Copilot Chat and Copilot CLI",
        "  ✗ hook-entries  HOME/.copilot/hooks/deja.json: not called at Stop",
        "                  → run deja-hooks install",
    ]
    assert lines[-2:] == ["1 broken: hook-entries.", "deja-hooks doctor --fix can mend 1 of them."]


def test_an_empty_home_lacks_nothing_but_the_hook_file(
    healthy: World, deja: Deja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(tmp_path / "deja"))
    monkeypatch.chdir(tmp_path)
    result = deja("doctor", "--json")
    value = json.loads(result.out)
    assert (result.code, value["broken"]) == (1, 1)
    assert {finding["state"] for finding in value["findings"] if finding["check"] != "hook-file"} == {"ok", "note"}
    assert not (tmp_path / "deja").exists()
    assert deja("doctor", "--fix").code == 0


def test_a_check_that_fails_is_a_finding(healthy: World, deja: Deja, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise RuntimeError("no")

    monkeypatch.setattr("deja_hooks.doctor.examine.check_secrets", fail)
    monkeypatch.setattr("deja_hooks.doctor.looks.project_folders", fail)
    value = json.loads(deja("doctor", "--json").out)
    assert [(each["check"], each["seen"]) for each in value["findings"] if each["state"] == "broken"] == [
        (name, f"the check {name} failed: RuntimeError: no")
        for name in ("hook-file", "hook-copies", "cli-hooks", "vscode-hooks", "secrets")
    ]


def test_a_working_directory_that_is_gone(
    healthy: World, deja: Deja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = deja("doctor")
    monkeypatch.chdir(healthy.project)
    assert result.code == 0, result.out
