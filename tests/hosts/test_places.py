from pathlib import Path

import pytest

from deja_hooks.hosts.places import HOSTS, hook_files, host_found, vscode_folders

MADE_BY = {
    "linux": ("vscode", ".config/Code"),
    "darwin": ("vscode", "Library/Application Support/Code"),
    "win32": ("vscode", "AppData/Roaming/Code"),
}


def test_one_file_serves_both_hosts(tmp_path: Path) -> None:
    file = tmp_path / ".copilot" / "hooks" / "deja.json"
    for hosts in (HOSTS, ("vscode",), ("copilot",)):
        for environment in ({}, {"COPILOT_HOME": ""}, {"COPILOT_HOME": str(tmp_path / ".copilot")}):
            assert hook_files(hosts, environment, tmp_path) == [file]


def test_copilot_home_elsewhere_needs_two_for_vscode(tmp_path: Path) -> None:
    environment = {"COPILOT_HOME": str(tmp_path / "x")}
    elsewhere, literal = tmp_path / "x/hooks/deja.json", tmp_path / ".copilot/hooks/deja.json"
    assert hook_files(("copilot",), environment, tmp_path) == [elsewhere]
    assert hook_files(("vscode",), environment, tmp_path) == [elsewhere, literal]
    assert hook_files(HOSTS, environment, tmp_path) == [elsewhere, literal]


def test_an_empty_machine_has_no_host(tmp_path: Path) -> None:
    assert [host_found(host, {}, tmp_path, "linux") for host in HOSTS] == [False, False]


@pytest.mark.parametrize("platform", list(MADE_BY))
def test_vscode_is_found_by_its_folders(tmp_path: Path, platform: str) -> None:
    host, folder = MADE_BY[platform]
    (tmp_path / folder).mkdir(parents=True)
    assert host_found(host, {}, tmp_path, platform)
    assert not host_found("copilot", {}, tmp_path, platform)


def test_a_remote_is_found(tmp_path: Path) -> None:
    (tmp_path / ".vscode-server").mkdir()
    assert host_found("vscode", {}, tmp_path, "linux")


@pytest.mark.parametrize("package", [".var/app/com.visualstudio.code/config/Code", "snap/code/current/.config/Code"])
def test_a_packaged_vscode_is_found(tmp_path: Path, package: str) -> None:
    user = tmp_path / package / "User"
    user.mkdir(parents=True)
    assert host_found("vscode", {}, tmp_path, "linux")
    assert vscode_folders({}, tmp_path, "linux") == [user]


def test_every_vscode_and_profile_once(tmp_path: Path) -> None:
    code = tmp_path / ".config" / "Code" / "User"
    for folder in (code / "profiles" / "b", code / "profiles" / "a", tmp_path / ".vscode-server" / "data" / "User"):
        folder.mkdir(parents=True)
    (code / "profiles" / "a file").write_text("")
    insiders = tmp_path / ".config" / "Code - Insiders"
    insiders.mkdir()
    (insiders / "User").symlink_to(code)
    (tmp_path / ".config" / "VSCodium").mkdir()
    (tmp_path / ".config" / "VSCodium" / "User").write_text("a file")
    found = [code, code / "profiles" / "a", code / "profiles" / "b", tmp_path / ".vscode-server" / "data" / "User"]
    assert vscode_folders({}, tmp_path, "linux") == found
    assert vscode_folders({"APPDATA": str(tmp_path / "x")}, tmp_path, "win32") == found[-1:]


def test_the_cli_is_found_by_its_sessions_not_by_our_own_file(tmp_path: Path) -> None:
    (tmp_path / ".copilot" / "hooks").mkdir(parents=True)
    assert not host_found("copilot", {}, tmp_path, "linux")
    (tmp_path / ".copilot" / "session-state").mkdir()
    assert host_found("copilot", {}, tmp_path, "linux")


def test_a_program_on_the_path_is_enough(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "copilot"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert host_found("copilot", {"PATH": str(program.parent)}, tmp_path, "linux")
