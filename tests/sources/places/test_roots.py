from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.sources.places.roots import PassedOver, Root, all_files, existing, files, find_roots
from deja_hooks.sources.places.user_folders import user_folders
from deja_hooks.sources.registry import FORMATS, reader_for
from tests.sources.samples import FIXTURES

from .laid_out import FOUND, LINKS, TRANSCRIPTS, USER, found_in, make

HOME = Path("/home/u")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_both_hosts_places(platform: str) -> None:
    environment = {"XDG_CONFIG_HOME": "/x", "APPDATA": "/roaming"}
    assert find_roots(environment, HOME, platform) == [
        Root("cli", HOME / ".copilot/session-state"),
        *(Root("vscode", folder) for folder in user_folders(environment, HOME, platform)),
    ]


def test_copilots_home_can_be_moved() -> None:
    assert find_roots({"COPILOT_HOME": "/c"}, HOME, "linux")[0] == Root("cli", Path("/c/session-state"))


def test_windows_as_seen_from_wsl() -> None:
    other = Path("/mnt/c/Users/u")
    roaming = other / "AppData" / "Roaming"
    own = find_roots({}, HOME, "linux")
    found = find_roots({"APPDATA": "/ours, not theirs"}, HOME, "linux", [other])
    assert found[:2] == [own[0], Root("cli", other / ".copilot/session-state")]
    assert found[2 : len(own) + 1] == own[1:]
    assert found[len(own) + 1 :] == [
        Root("vscode", roaming / "Code/User"),
        Root("vscode", roaming / "Code - Insiders/User"),
        Root("vscode", roaming / "VSCodium/User"),
        Root("vscode", roaming / "VSCodium - Insiders/User"),
        Root("vscode", roaming / "Code - OSS/User"),
        Root("vscode", other / ".vscode-server/data/User"),
        Root("vscode", other / ".vscode-server-insiders/data/User"),
        Root("vscode", other / ".vscode-server-oss/data/User"),
        Root("vscode", other / ".vscode-remote/data/User"),
        Root("vscode", other / ".vscodium-server/data/User"),
        Root("vscode", other / ".vscodium-server-insiders/data/User"),
    ]


def test_wsl_as_seen_from_windows() -> None:
    other = Path("\\\\wsl.localhost\\Ubuntu\\home\\u")
    found = find_roots({"XDG_CONFIG_HOME": "/ours, not theirs"}, HOME, "win32", [other])
    assert found[1] == Root("cli", other / ".copilot/session-state")
    assert [root.path for root in found if root.path.is_relative_to(other)][1:] == user_folders({}, other, "linux")


@pytest.mark.parametrize(("platform", "separator"), [("linux", ":"), ("darwin", ":"), ("win32", ";")])
def test_overrides_replace_every_place_of_their_host(platform: str, separator: str) -> None:
    environment = {
        "COPILOT_HOME": "/ignored",
        "VSCODE_PORTABLE": "/ignored",
        "DEJA_COPILOT_ROOT": separator.join(["a", "b", "a"]),
        "DEJA_COPILOT_CHAT_ROOTS": separator.join(["c", "", "d", "c"]),
    }
    assert find_roots(environment, HOME, platform, [Path("/ignored")]) == [
        Root("cli", Path("a")),
        Root("cli", Path("b")),
        Root("vscode", Path("c")),
        Root("vscode", Path("d")),
    ]


def test_files_of_the_fixtures() -> None:
    sessions = ["aborted_turn", "error", "forced", "interactive", "main", "resumed", "self_correction", "subagent"]
    root = FIXTURES / "copilot" / "session-state"
    found = [file.path for file in files(Root("cli", root)) if file.path.parent.name in sessions]
    assert found == [root / name / "events.jsonl" for name in sessions]
    transcripts = FIXTURES / "User/workspaceStorage/4cbb8af5/GitHub.copilot-chat/transcripts"
    stores = {file.path: file.store for file in files(Root("vscode", FIXTURES / "User"))}
    for name in ("cancelled", "event_stream_0.47", "failing_tools", "host_run_0.42", "model_error", "second_turn"):
        assert stores[transcripts / f"{name}.jsonl"] == "vscode-transcript"


def test_a_user_folder(tmp_path: Path) -> None:
    make(tmp_path, *USER)
    passed: list[PassedOver] = []
    assert found_in(Root("vscode", tmp_path), tmp_path, passed) == FOUND
    assert passed == []


def test_profiles_are_looked_into(tmp_path: Path) -> None:
    make(tmp_path, *(f"profiles/p1/{name}" for name in USER), "profiles/p0/settings.json", "profiles/file")
    found = found_in(Root("vscode", tmp_path), tmp_path)
    assert sorted(found) == sorted((store, f"profiles/p1/{name}") for store, name in FOUND)
    assert found_in(Root("vscode", tmp_path / "profiles/p1"), tmp_path / "profiles/p1") == FOUND


@pytest.mark.parametrize(
    ("place", "found"),
    [
        ("workspaceStorage", FOUND[:5]),
        ("globalStorage", FOUND[5:]),
        ("workspaceStorage/1a", [FOUND[0], FOUND[2], FOUND[3]]),
        ("workspaceStorage/no-workspace", [FOUND[4]]),
        ("workspaceStorage/1a/chatSessions", FOUND[2:4]),
        (f"workspaceStorage/1a/{TRANSCRIPTS}", FOUND[:1]),
        ("workspaceStorage/1a/GitHub.copilot-chat", FOUND[:1]),
        ("globalStorage/emptyWindowChatSessions", FOUND[5:7]),
        ("globalStorage/transferredChatSessions", FOUND[7:]),
        *((name, [(store, name)]) for store, name in FOUND),
        ("absent", []),
        ("workspaceStorage/absent", []),
        ("workspaceStorage/1a/chatSessions/absent.jsonl", []),
        ("workspaceStorage/1a/state.vscdb", []),
    ],
)
def test_a_root_on_the_way_to_the_files(tmp_path: Path, place: str, found: list[tuple[str, str]]) -> None:
    make(tmp_path, *USER)
    assert found_in(Root("vscode", tmp_path / place), tmp_path) == found
    assert list(all_files([Root("vscode", tmp_path / place)])) == list(files(Root("vscode", tmp_path / place)))


@pytest.mark.parametrize(
    ("name", "content", "store"),
    [
        ("kept.jsonl", '{"type":"session.start","data":{}}\n', "vscode-transcript"),
        ("kept.jsonl", '{"kind":0,"v":{"version":3}}\n', "vscode-chat"),
        ("kept.jsonl", "", "vscode-chat"),
        ("kept.json", '{"type": "whatever"}', "vscode-chat"),
    ],
)
def test_a_file_that_was_moved_elsewhere(tmp_path: Path, name: str, content: str, store: str) -> None:
    (tmp_path / name).write_text(content)
    assert found_in(Root("vscode", tmp_path / name), tmp_path) == [(store, name)]


def test_one_session_of_the_cli(tmp_path: Path) -> None:
    make(tmp_path, "s1/events.jsonl", "s1/workspace.yaml")
    assert found_in(Root("cli", tmp_path / "s1/events.jsonl"), tmp_path) == [("cli-events", "s1/events.jsonl")]
    assert found_in(Root("cli", tmp_path), tmp_path) == [("cli-events", "s1/events.jsonl")]


def test_a_found_file_is_described_as_the_disk_has_it(tmp_path: Path) -> None:
    make(tmp_path, USER[0])
    (found,) = files(Root("vscode", tmp_path))
    path = tmp_path / USER[0]
    disk = path.stat()
    assert found == (str(path), "vscode-transcript", disk.st_dev, disk.st_ino, disk.st_size, disk.st_mtime_ns)
    assert found.path == path


@LINKS
def test_roots_that_are_one_folder_are_read_once(tmp_path: Path) -> None:
    make(tmp_path / "User", *USER)
    (tmp_path / "Link").symlink_to(tmp_path / "User")
    (tmp_path / "Loop").symlink_to(tmp_path / "Loop")
    places = ["User", "Link", "Loop", "absent", "User/workspaceStorage", "User/../User", "\0"]
    roots = [Root("vscode", tmp_path / place) for place in places]
    assert existing(roots) == [roots[0], roots[4]]
    assert list(all_files(roots)) == list(files(roots[0]))
    assert list(all_files(roots[1:])) == list(files(roots[1]))
    assert existing([Root("cli", tmp_path), Root("vscode", tmp_path)]) == [
        Root("cli", tmp_path),
        Root("vscode", tmp_path),
    ]


def test_what_is_passed_over_in_several_roots(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "s" / "events.jsonl").mkdir(parents=True)
    passed: list[PassedOver] = []
    assert list(all_files([Root("cli", tmp_path / "a"), Root("cli", tmp_path / "b")], passed)) == []
    assert passed == [
        PassedOver(str(tmp_path / name / "s" / "events.jsonl"), "a folder, named like a file") for name in ("a", "b")
    ]


def test_every_format_has_its_reader() -> None:
    readers = {each.store: reader_for(each.store).__module__ for each in FORMATS}  # type: ignore[attr-defined]
    assert readers == {
        "cli-events": "deja_hooks.sources.logs.cli_events",
        "vscode-transcript": "deja_hooks.sources.logs.vscode_transcript",
        "vscode-chat": "deja_hooks.sources.chats.session",
    }
    with pytest.raises(KeyError):
        reader_for("unheard-of")


def test_looking_for_files_loads_no_reader() -> None:
    """A pass that finds nothing new must not pay for parsers."""
    program = (
        "import sys, deja_hooks.sources.places.roots; print([m for m in sys.modules if m in ('orjson', 'pydantic')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=dict(os.environ), check=True
    )
    assert done.stdout == "[]\n"
