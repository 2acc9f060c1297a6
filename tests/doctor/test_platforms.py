"""A machine of another platform, examined here: no check may fail over it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deja_hooks.doctor.examine import examine_passively
from deja_hooks.doctor.machine import Machine
from deja_hooks.doctor.run import check_run
from deja_hooks.hosts.hook_file import ours, render
from tests.support.world import World

from .conftest import made_folder, seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")


def _machine(world: World, platform: str, user: Path) -> Machine:
    made_folder(user)
    environment = {"PATH": "", "DEJA_HOOKS_HOME": str(world.deja_home)}
    return Machine(world.layout, environment, world.home, platform, sys.executable, 0, (str(world.project),))


@pytest.mark.parametrize(
    ("platform", "folder"),
    [("darwin", "Library/Application Support/Code/User"), ("win32", "AppData/Roaming/Code/User")],
)
def test_every_check_is_made(healthy: World, platform: str, folder: str) -> None:
    machine = _machine(healthy, platform, healthy.home / folder)
    (healthy.home / folder / "settings.json").write_text('{"chat.useHooks": false}')
    findings = [finding for group in examine_passively(machine, str) for finding in group.findings]
    assert seen(finding for finding in findings if finding.state == "broken") == [
        ("broken", f"{healthy.home}/{folder}/settings.json", "chat.useHooks is false: VS Code calls no hook")
    ]
    assert ("ok", "VS Code Copilot Chat", "on this machine") in seen(findings)


def test_the_powershell_command_is_the_one_that_counts(healthy: World, hook_file: Path) -> None:
    machine = _machine(healthy, "win32", healthy.home / "AppData")
    document = ours(machine.program._replace(python="C:\\it's gone\\python.exe"))
    bash = {event: entries[0]["bash"] for event, entries in json.loads(hook_file.read_text())["hooks"].items()}
    for event, entries in document["hooks"].items():
        entries[0]["bash"] = bash[event]
    hook_file.write_bytes(render(document))
    findings = [finding for group in examine_passively(machine, str) for finding in group.findings]
    faults = [finding for finding in findings if finding.state == "broken"]
    assert [fault.check for fault in faults] == ["hook-entries", "interpreter"]
    gone = "it is not there: its environment was removed or moved"
    assert seen(faults[1:]) == [("broken", "C:\\it's gone\\python.exe", gone)]


def test_without_powershell_nothing_is_run(healthy: World) -> None:
    machine = _machine(healthy, "win32", healthy.home / "AppData")
    absent = "not run: its shell is not on this machine"
    assert seen(check_run(machine)) == [("note", "VS Code Copilot Chat", absent), ("note", "Copilot CLI", absent)]
