from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.sources import cli_events, vscode_transcript
from deja_hooks.sources.registry import FORMATS, reader_for
from deja_hooks.sources.roots import Root, files, find_roots

from .samples import FIXTURES

HOME = Path("/home/u")


def test_linux() -> None:
    assert find_roots({}, HOME, "linux") == [
        Root("cli", HOME / ".copilot/session-state"),
        Root("vscode", HOME / ".config/Code/User"),
        Root("vscode", HOME / ".config/Code - Insiders/User"),
        Root("vscode", HOME / ".config/VSCodium/User"),
        Root("vscode", HOME / ".local/share/code-server/User"),
        Root("vscode", HOME / ".vscode-server/data/User"),
        Root("vscode", HOME / ".vscode-server-insiders/data/User"),
        Root("vscode", HOME / ".vscode-remote/data/User"),
    ]


def test_darwin() -> None:
    support = HOME / "Library" / "Application Support"
    assert find_roots({}, HOME, "darwin")[1:4] == [
        Root("vscode", support / "Code/User"),
        Root("vscode", support / "Code - Insiders/User"),
        Root("vscode", support / "VSCodium/User"),
    ]


@pytest.mark.parametrize(
    ("environment", "base"),
    [({"APPDATA": "D:\\Roaming"}, Path("D:\\Roaming")), ({}, HOME / "AppData" / "Roaming")],
)
def test_windows(environment: dict[str, str], base: Path) -> None:
    assert find_roots(environment, HOME, "win32") == [
        Root("cli", HOME / ".copilot/session-state"),
        Root("vscode", base / "Code/User"),
        Root("vscode", base / "Code - Insiders/User"),
        Root("vscode", base / "VSCodium/User"),
    ]


def test_folders_that_the_environment_moves() -> None:
    environment = {"COPILOT_HOME": "/c", "XDG_CONFIG_HOME": "/x", "XDG_DATA_HOME": "/d"}
    roots = find_roots(environment, HOME, "linux")
    assert roots[0] == Root("cli", Path("/c/session-state"))
    assert roots[1] == Root("vscode", Path("/x/Code/User"))
    assert roots[4] == Root("vscode", Path("/d/code-server/User"))


@pytest.mark.parametrize(("platform", "separator"), [("linux", ":"), ("darwin", ":"), ("win32", ";")])
def test_overrides_replace_every_place_of_their_host(platform: str, separator: str) -> None:
    environment = {
        "COPILOT_HOME": "/ignored",
        "DEJA_COPILOT_ROOT": separator.join(["a", "b"]),
        "DEJA_COPILOT_CHAT_ROOTS": separator.join(["c", "", "d"]),
    }
    assert find_roots(environment, HOME, platform) == [
        Root("cli", Path("a")),
        Root("cli", Path("b")),
        Root("vscode", Path("c")),
        Root("vscode", Path("d")),
    ]


def names(root: Root) -> list[str]:
    return [str(found.path.relative_to(FIXTURES)) for found in files(root)]


TRANSCRIPTS = "User/workspaceStorage/4cbb8af5/GitHub.copilot-chat/transcripts/"
ALL_TRANSCRIPTS = [
    TRANSCRIPTS + name + ".jsonl"
    for name in (
        "cancelled",
        "event_stream_0.47",
        "failing_tools",
        "host_run_0.42",
        "model_error",
        "second_turn",
        "subagent",
    )
]


def test_files_of_the_fixtures() -> None:
    sessions = ["aborted_turn", "error", "forced", "interactive", "main", "resumed"]
    sessions += ["self_correction", "subagent"]
    assert names(Root("cli", FIXTURES / "copilot" / "session-state")) == [
        f"copilot/session-state/{name}/events.jsonl" for name in sessions
    ]
    for place in ("User", "User/workspaceStorage"):
        assert names(Root("vscode", FIXTURES / place)) == ALL_TRANSCRIPTS
    assert names(Root("vscode", FIXTURES / ALL_TRANSCRIPTS[2])) == [ALL_TRANSCRIPTS[2]]


def test_a_found_file_is_described_as_the_disk_has_it() -> None:
    (found,) = files(Root("vscode", FIXTURES / ALL_TRANSCRIPTS[0]))
    disk = found.path.stat()
    assert found[1:] == (
        "vscode-transcript",
        disk.st_dev,
        disk.st_ino,
        disk.st_size,
        disk.st_mtime_ns,
    )


def test_profiles_are_looked_into(tmp_path: Path) -> None:
    folder = tmp_path / "profiles/p1/workspaceStorage/w/GitHub.copilot-chat/transcripts"
    folder.mkdir(parents=True)
    (folder / "s.jsonl").write_text("")
    assert [found.path.name for found in files(Root("vscode", tmp_path))] == ["s.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_whatever_lies_there_is_taken(tmp_path: Path) -> None:
    root = tmp_path / "session-state"
    for name in ("good", "empty", "folder"):
        (root / name).mkdir(parents=True)
    (root / "good" / "events.jsonl").write_text("x\n")
    (root / "folder" / "events.jsonl").mkdir()
    (root / "file").write_text("")
    (root / "again").symlink_to(root / "good")
    (root / "loop").symlink_to(root / "loop")
    (root / "gone").symlink_to(root / "nowhere")
    assert [found.path for found in files(Root("cli", root))] == [root / "good" / "events.jsonl"]
    assert list(files(Root("cli", tmp_path / "absent"))) == []
    assert list(files(Root("vscode", root / "file"))) == []
    assert list(files(Root("vscode", Path("\0")))) == []


def test_every_format_has_its_reader() -> None:
    assert {each.store: reader_for(each.store) for each in FORMATS} == {
        "cli-events": cli_events.read,
        "vscode-transcript": vscode_transcript.read,
    }
    with pytest.raises(KeyError):
        reader_for("unheard-of")


def test_looking_for_files_loads_no_reader() -> None:
    """A pass that finds nothing new must not pay for parsers."""
    program = "import sys, deja_hooks.sources.roots; print([m for m in sys.modules if m in ('orjson', 'pydantic')])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=dict(os.environ), check=True
    )
    assert done.stdout == "[]\n"
