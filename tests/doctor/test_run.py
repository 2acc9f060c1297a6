"""The run of the commands: what counts as a fault of one, and through which shell it goes."""

from __future__ import annotations

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.contract.payloads import PAYLOADS, parse_payload
from deja_hooks.doctor.finding import Finding
from deja_hooks.doctor.machine import Machine
from deja_hooks.doctor.run import check_run
from deja_hooks.doctor.samples import SESSION, sample, sampled_events, transcript
from deja_hooks.doctor.shells import run_program, shell_of
from deja_hooks.hook.payload import read_payload
from deja_hooks.hosts.places import HOSTS
from tests.support.world import World

from .conftest import changed, made_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells")

RING = {"vscode": "vscode", "copilot": "cli"}


def _machine(world: World, **environment: str) -> Machine:
    return Machine(
        layout=world.layout,
        environment={**os.environ, **environment},
        home=world.home,
        platform=sys.platform,
        executable=sys.executable,
        now_ms=int(time.time() * 1000),
    )


def _seen(findings: list[Finding], state: str = "broken") -> list[tuple[str, str]]:
    return [(each.about, re.sub(r"[\d,]+ ms", "MS", each.seen)) for each in findings if each.state == state]


@pytest.mark.parametrize(("host", "event"), [(host, event) for host in HOSTS for event in sampled_events(host)])
def test_each_sample_is_what_its_host_sends(host: str, event: str, tmp_path: Path) -> None:
    value = json.loads(sample(host, event, tmp_path))
    assert type(parse_payload(value, "")) is PAYLOADS[event]
    payload = read_payload(value, "")
    assert payload is not None
    assert (payload.event, payload.host, payload.session_id, payload.cwd) == (event, RING[host], SESSION, str(tmp_path))
    assert payload.transcript_path in ("", str(transcript(host, tmp_path)))


def test_a_command_that_hangs_is_killed(
    healthy: World, hook_file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("deja_hooks.doctor.run._TIMEOUT", 0.5)
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["SessionEnd"])
    left = tmp_path / "left"

    def hang(document: dict[str, Any]) -> None:
        entry = document["hooks"]["SessionEnd"][0]
        entry["bash"] = f"sleep 5; touch {left}; {entry['bash']}"

    changed(hook_file, hang)
    started = time.monotonic()
    assert _seen(list(check_run(_machine(healthy)))) == [("SessionEnd (Copilot CLI)", "it didn't end within 0 s")]
    assert time.monotonic() - started < 4
    assert not left.exists()


def test_a_command_that_is_late_twice(healthy: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.doctor.run.DEADLINE", 0.001)
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["SessionEnd"])
    assert _seen(list(check_run(_machine(healthy)))) == [
        ("SessionEnd (Copilot CLI)", "it takes MS, more than the 1 that a hook has")
    ]


def test_an_interpreter_that_does_not_start(healthy: World, hook_file: Path, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 7\n")
    python.chmod(0o755)
    hook_file.write_text(hook_file.read_text().replace(sys.executable, str(python)))
    assert _seen(list(check_run(_machine(healthy)))) == [(str(python), "it doesn't start (exit 7)")]
    python.write_text("#!/bin/sh\necho 3 9\n")
    assert _seen(list(check_run(_machine(healthy)))) == [(str(python), "it is Python 3.9, older than 3.10")]
    python.write_text("#!/bin/sh\necho what\n")
    ((about, seen),) = _seen(list(check_run(_machine(healthy))))
    assert (about, seen.startswith("it doesn't start (")) == (str(python), True)


def test_a_hook_that_fails_inside(healthy: World, hook_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hook catches all of its own faults; the ring says so, and nothing else does."""
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["SessionEnd"])
    script = made_folder(healthy.home / "x" / "deja_hooks" / "hook") / "entry.py"
    script.write_text(
        "import sys, os\n"
        "folder = os.environ['DEJA_HOOKS_HOME'] + '/cache'\n"
        'line = \'{"t": 1, "e": "SessionEnd", "h": "cli", "s": "deja-hooks-doctor", "ms": 1, \'\n'
        'line += \'"r": "failed: KeyError: x", "c": 0}\\n\'\n'
        "open(folder + '/ring.jsonl', 'a').write(line)\n"
    )
    text = hook_file.read_text()
    hook_file.write_text(re.sub(r"/\S+/deja_hooks/hook/entry\.py", str(script), text))
    assert _seen(list(check_run(_machine(healthy)))) == [("SessionEnd (Copilot CLI)", "failed: KeyError: x")]


def test_without_bash_only_vs_code_is_tried(healthy: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["SessionEnd", "Stop"])
    monkeypatch.setattr("os.defpath", "")
    found = list(check_run(_machine(healthy, PATH="/nowhere")))
    assert _seen(found, "note") == [("Copilot CLI", "not run: its shell is not on this machine")]
    assert _seen(found, "ok") == [
        ("Stop", "exit 0, quiet, MS from VS Code Copilot Chat; Python alone MS, of 1,200 allowed")
    ]


def test_nothing_is_run_where_nothing_is_installed(healthy: World, hook_file: Path) -> None:
    hook_file.unlink()
    assert _seen(list(check_run(_machine(healthy))), "note") == [("the commands", "none is installed, so none was run")]
    hook_file.write_text("{")
    assert _seen(list(check_run(_machine(healthy)))) == []


def test_commands_of_others_are_not_run(healthy: World, hook_file: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    changed(
        hook_file, lambda document: document["hooks"]["Stop"].insert(0, {"type": "command", "bash": f"touch {mark}"})
    )
    assert _seen(list(check_run(_machine(healthy)))) == []
    assert not mark.exists()


def test_the_switch_in_the_environment_is_put_aside(healthy: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command is to be tried as it will be once the switch is off again."""
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["Stop"])
    assert _seen(list(check_run(_machine(healthy, DEJA_RECALL="off")))) == []


def test_the_shells(tmp_path: Path) -> None:
    for name in ("bash", "powershell.exe"):
        (tmp_path / name).write_text("")
        (tmp_path / name).chmod(0o755)
    path = {"PATH": str(tmp_path)}
    assert shell_of("vscode", "linux", path) == ["/bin/sh", "-c"]
    assert shell_of("copilot", "darwin", path) == [str(tmp_path / "bash"), "-c"]
    words = [str(tmp_path / "powershell.exe"), "-NoProfile", "-NonInteractive", "-Command"]
    assert shell_of("vscode", "win32", path) == shell_of("copilot", "win32", path) == words
    assert shell_of("vscode", "win32", {}) == []


def test_a_program_gets_its_input_and_gives_its_output(tmp_path: Path) -> None:
    ended = run_program(["/bin/sh", "-c", "cat; pwd >&2; exit 3"], b"x" * 200_000, tmp_path, {}, 10)
    assert ended[:3] == (3, b"x" * 200_000, f"{tmp_path}\n".encode())
    # One that doesn't read its input, as a hook that dies at once.
    assert run_program(["/bin/sh", "-c", "exit 0"], b"x" * 2_000_000, tmp_path, {}, 10)[:3] == (0, b"", b"")
