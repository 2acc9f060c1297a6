"""The hook files: which hosts read which, and what is no fault though it is unusual."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from deja_hooks import __version__
from tests.support.world import World

from .conftest import Deja, made_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths")


def _of(deja: Deja, *checks: str) -> list[tuple[str, str, str]]:
    findings = json.loads(deja("doctor", "--json").out)["findings"]
    return [(each["state"], each["about"], each["seen"]) for each in findings if each["check"] in checks]


@pytest.fixture(autouse=True)
def _one_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["Stop"])


def test_a_copilot_home_elsewhere_needs_a_file_of_its_own(
    healthy: World, deja: Deja, hook_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = healthy.home / "elsewhere"
    monkeypatch.setenv("COPILOT_HOME", str(elsewhere))
    made_folder(elsewhere / "session-state")
    other = elsewhere / "hooks" / "deja.json"
    lacks = ("broken", str(other), "it is not there: Copilot CLI can't call deja-hooks")
    assert _of(deja, "hook-file") == [("ok", str(hook_file), "valid for VS Code Copilot Chat"), lacks]
    assert deja("doctor", "--fix").code == 0
    assert json.loads(other.read_text()) == json.loads(hook_file.read_text())
    assert [state for state, _, _ in _of(deja, "hook-file", "hook-entries", "hook-copies", "run")] == ["ok"] * 6


def test_a_file_that_only_an_absent_host_would_read_may_be_missing(
    healthy: World, deja: Deja, hook_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COPILOT_HOME", str(healthy.home / "elsewhere"))
    monkeypatch.setenv("PATH", "/nowhere")
    seen = "it is not there, and neither is Copilot CLI"
    path = str(healthy.home / "elsewhere" / "hooks" / "deja.json")
    assert _of(deja, "hook-file")[1] == ("note", path, seen)


def test_another_environment_that_is_whole(healthy: World, deja: Deja, hook_file: Path) -> None:
    """Both a checkout and `pipx` may be on one machine."""
    other = made_folder(healthy.home / "other")
    (made_folder(other / "bin") / "python3").symlink_to(sys.executable)
    text = hook_file.read_text()
    found = re.search(r"(/\S+)/deja_hooks/hook/entry\.py", text)
    assert found
    (other / "deja_hooks").symlink_to(f"{found[1]}/deja_hooks")
    hook_file.write_text(
        text.replace(sys.executable, f"{other}/bin/python3").replace(f"{found[1]}/deja", f"{other}/deja")
    )
    seen = f"all 8 events call the deja-hooks of another environment ({other}/bin/python3)"
    assert _of(deja, "hook-entries", "interpreter") == [
        ("note", str(hook_file), seen),
        ("ok", f"{other}/bin/python3", "a real interpreter, not a shim or an alias"),
    ]
    (other / "deja_hooks").unlink()
    (made_folder(other / "deja_hooks" / "hook") / "entry.py").write_text("")
    (other / "deja_hooks" / "__init__.py").write_text('"""Old."""\n\n__version__ = "0.0.9"\n')
    seen = f"a real interpreter, with deja-hooks 0.0.9; this command is of {__version__}"
    assert _of(deja, "interpreter") == [("note", f"{other}/bin/python3", seen)]


def test_hooks_that_keep_their_memory_elsewhere(
    healthy: World, deja: Deja, hook_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(tmp_path))
    seen = f"hooks keep their memory in {healthy.layout.cache}, this command looks in {tmp_path}/cache"
    assert _of(deja, "hook-entries") == [
        ("ok", str(hook_file), "all 8 events, once each"),
        ("note", str(hook_file), seen),
    ]


def test_a_project_that_is_wired_alone(healthy: World, deja: Deja, hook_file: Path) -> None:
    alone = made_folder(healthy.project / ".github" / "hooks") / "deja.json"
    hook_file.rename(alone)
    assert _of(deja, "hook-file", "hook-copies") == [
        ("note", str(hook_file), "it is not there: only single projects are wired"),
        ("note", str(alone), "deja-hooks is called from here, in this project"),
    ]
    run = _of(deja, "run")
    assert [(state, about) for state, about, _ in run] == [("ok", f"Stop in {alone}")]
    assert _of(deja, "interpreter") == [("ok", sys.executable, "a real interpreter, not a shim or an alias")]
    status = deja("status")
    assert (status.code, [line.partition(",")[0] for line in status.out.splitlines()[1:3]]) == (
        0,
        ["VS Code Copilot Chat  wired in this project", "Copilot CLI           wired in this project"],
    )
    hosts = json.loads(deja("status", "--json").out)["hosts"]
    assert [(each["wired"], each["wired_in_project"]) for each in hosts] == [(False, True), (False, True)]
    alone.write_text(alone.read_text().replace("entry.py", "entry.pyc"))
    assert {state for state, _, _ in _of(deja, "interpreter", "run")} == {"broken"}


def test_entries_of_others_stay_and_are_no_fault(healthy: World, deja: Deja, hook_file: Path) -> None:
    document = json.loads(hook_file.read_text())
    document["hooks"]["Stop"].append({"type": "command", "bash": "true"})
    document["hooks"]["Notification"] = [{"type": "command", "bash": "true"}]
    hook_file.write_text(json.dumps(document))
    assert [state for state, _, _ in _of(deja, "hook-file", "hook-entries")] == ["ok", "ok"]


def test_the_python_that_an_environment_was_made_with(healthy: World, deja: Deja, hook_file: Path) -> None:
    environment = made_folder(healthy.home / "env")
    python = made_folder(environment / "bin") / "python"
    python.symlink_to(sys.executable)
    (environment / "pyvenv.cfg").write_text("home = /no/such/bin\nversion = 3.11\n")
    hook_file.write_text(hook_file.read_text().replace(sys.executable, str(python)))
    seen = "its environment was made with the Python in /no/such/bin, which is not there"
    assert ("broken", str(python), seen) in _of(deja, "interpreter")
