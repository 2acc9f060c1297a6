import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Result, Run

NOT_FOUND = (
    "VS Code Copilot Chat was not found on this machine; it is served as soon as it is there.\n"
    "Copilot CLI was not found on this machine; it is served as soon as it is there.\n"
)


@pytest.fixture
def file(home: Path) -> Path:
    return home / ".copilot" / "hooks" / "deja.json"


def _start(answer: Any) -> Any:
    """A stand-in for the indexer's start: it says how it was called by its answer."""

    def start(layout: object, executable: str) -> bool:
        if isinstance(answer, OSError):
            raise answer
        return bool(answer)

    return start


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (True, "The background indexer has started to read this machine's sessions.\n"),
        (False, "The background indexer is already reading this machine's sessions.\n"),
        (
            OSError(13, "Permission denied"),
            "The background indexer could not be started (failed: Permission denied): run deja-hooks index.\n",
        ),
    ],
)
def test_install_starts_the_indexer_and_says_so(
    deja: Run, file: Path, monkeypatch: pytest.MonkeyPatch, answer: object, said: str
) -> None:
    monkeypatch.setattr("deja_hooks.indexer.start.start", _start(answer))
    assert deja("install") == Result(
        0,
        f"{NOT_FOUND}created {file}\n"
        "Installed: from the next prompt in VS Code, and the next session in Copilot CLI.\n" + said,
    )


def test_install_twice(deja: Run, home: Path, file: Path) -> None:
    (home / ".copilot" / "session-state").mkdir(parents=True)
    (home / ".vscode-server").mkdir()
    deja("install", "--no-index")
    before = file.read_bytes()
    assert deja("install", "--no-index") == Result(0, f"unchanged {file}\nAlready installed: nothing was changed.\n")
    assert file.read_bytes() == before


def test_the_written_command_names_our_folders(deja: Run, home: Path, file: Path) -> None:
    deja("install", "--no-index")
    command = json.loads(file.read_bytes())["hooks"]["Stop"][0]["bash"]
    assert f"entry.py Stop {home}/deja/cache {home}/deja/config || " in command


def test_dry_run_shows_what_would_be_written(deja: Run, home: Path, file: Path) -> None:
    result = deja("install", "--dry-run")
    lines = result.out.splitlines()
    assert lines[2:8] == [
        f"would create {file}",
        "--- ",
        "+++ ",
        "@@ -0,0 +1,69 @@",
        "+{",
        '+  "version": 1,',
    ]
    assert (result.code, result.err, list(home.glob(".copilot")), list(home.glob("deja"))) == (0, "", [], [])


def test_json(deja: Run, file: Path) -> None:
    hosts = [{"name": "vscode", "found": False}, {"name": "copilot", "found": False}]
    changes = [{"path": str(file), "action": "create"}]
    expected: dict[str, Any] = {"dry_run": True, "hosts": hosts, "changes": changes, "indexer": "skipped"}
    assert json.loads(deja("install", "--dry-run", "--json").out) == expected
    assert json.loads(deja("install", "--no-index", "--json").out) == {**expected, "dry_run": False}
    removed = json.loads(deja("uninstall", "--json").out)
    assert removed == {
        "dry_run": False,
        "hosts": hosts,
        "changes": [{"path": str(file), "action": "remove"}],
        "kept": [],
        "folders": [str(file.parent), str(file.parents[1])],
    }


def test_one_host(deja: Run, home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COPILOT_HOME", str(home / "elsewhere"))
    assert deja("install", "copilot", "--no-index") == Result(
        0,
        "Copilot CLI was not found on this machine; it is served as soon as it is there.\n"
        f"created {home}/elsewhere/hooks/deja.json\n"
        "Installed: from the next prompt in VS Code, and the next session in Copilot CLI.\n",
    )
    assert not file.exists()


def test_uninstall(deja: Run, home: Path, file: Path) -> None:
    stays = f"The memory stays in {home}/deja/cache; delete that folder to forget it.\n"
    assert deja("uninstall") == Result(0, f"Nothing of ours is installed: nothing was changed.\n{stays}")
    deja("install", "--no-index")
    assert deja("uninstall", "--dry-run") == Result(0, f"would remove {file}\n{stays}")
    assert file.exists()
    assert deja("uninstall") == Result(0, f"removed {file}\nremoved {file.parent}\nremoved {file.parents[1]}\n{stays}")
    assert not (home / ".copilot").exists()


def test_uninstall_names_what_it_keeps(deja: Run, home: Path, file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text('{"hooks": {"Stop": [{"bash": "beep"}]}}')
    deja("install", "--no-index")
    assert deja("uninstall") == Result(
        0,
        f"updated {file}\nkept {file}: it holds more than our entries\n"
        f"The memory stays in {home}/deja/cache; delete that folder to forget it.\n",
    )
    assert file.read_text() == '{"hooks": {"Stop": [{"bash": "beep"}]}}'


def test_a_broken_hook_file(deja: Run, file: Path) -> None:
    file.parent.mkdir(parents=True)
    file.write_text("{")
    said = (
        f"Error: {file} is not valid JSON (Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1)): mend it, or move it away, and try again.\n"
    )
    assert deja("install", "--no-index") == Result(1, "", said)
    assert deja("uninstall") == Result(1, "", said)
    assert file.read_text() == "{"


def test_a_shim_is_refused(deja: Run, home: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = home / "python"
    shim.write_text("#!/bin/sh\n")
    monkeypatch.setattr("deja_hooks.cli.context.sys.executable", str(shim))
    result = deja("install", "--no-index")
    assert (result.code, result.out, file.exists()) == (1, "", False)
    assert result.err.startswith(f"Error: {shim} is a shim that looks for an interpreter at every call: ")
