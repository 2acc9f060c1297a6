"""Both sides of WSL's border; what the registry and `wsl.exe` answer is put in their place."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from deja_hooks.sources.places import other_side
from deja_hooks.sources.places.other_side import names_in, other_homes, running_distributions


class Disk:
    """Folders that can be listed; everything else can't, and every attempt is noted."""

    def __init__(self, folders: dict[str, list[str]]) -> None:
        self.folders = folders
        self.asked: list[str] = []

    def __call__(self, folder: str) -> list[str]:
        self.asked.append(folder)
        if folder not in self.folders:
            raise PermissionError(13, "Permission denied", folder)
        return self.folders[folder]


def none() -> tuple[str, ...]:
    raise AssertionError("only Windows has distributions")


def test_windows_homes_seen_from_wsl() -> None:
    disk = Disk({"/mnt/c/Users": ["Public", "zoe", "All Users", "Default", "Default User", "desktop.ini", "adam"]})
    homes = other_homes({"WSL_DISTRO_NAME": "Ubuntu"}, "linux", none, disk)
    assert homes == [Path("/mnt/c/Users/adam"), Path("/mnt/c/Users/zoe")]
    assert disk.asked == ["/mnt/c/Users"]


def test_wsl_without_windows_files() -> None:
    assert other_homes({"WSL_DISTRO_NAME": "Ubuntu"}, "linux", none, Disk({})) == []


@pytest.mark.parametrize(
    ("environment", "platform"),
    [({}, "linux"), ({"WSL_DISTRO_NAME": ""}, "linux"), ({"WSL_DISTRO_NAME": "x"}, "darwin")],
)
def test_no_border_no_look(environment: dict[str, str], platform: str) -> None:
    disk = Disk({"/mnt/c/Users": ["adam"]})
    assert other_homes(environment, platform, none, disk) == []
    assert disk.asked == []


def test_wsl_homes_seen_from_windows() -> None:
    disk = Disk(
        {
            "\\\\wsl.localhost\\Ubuntu\\home": ["zoe", "adam"],
            "\\\\wsl$\\Old\\home": [],
        }
    )
    homes = other_homes({}, "win32", lambda: ("Ubuntu", "Old", "Broken"), disk)
    assert homes == [
        Path("\\\\wsl.localhost\\Ubuntu\\home\\adam"),
        Path("\\\\wsl.localhost\\Ubuntu\\home\\zoe"),
        Path("\\\\wsl.localhost\\Ubuntu\\root"),
        Path("\\\\wsl$\\Old\\root"),
    ]


@pytest.mark.parametrize(
    "output",
    [
        "Ubuntu\r\nDebian 12\r\n\r\n".encode("utf-16-le"),
        "\ufeffUbuntu\r\nDebian 12\r\n".encode("utf-16-le"),
        b"Ubuntu\nDebian 12\n",
    ],
)
def test_what_wsl_exe_prints(output: bytes) -> None:
    assert names_in(output) == ["Ubuntu", "Debian 12"]


@pytest.mark.skipif(sys.platform == "win32", reason="asks the real machine there")
def test_elsewhere_there_are_no_distributions() -> None:
    assert running_distributions() == ()


class Key:
    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> Key:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        return None


class Registry:
    """`winreg`, with distributions below `Lxss`; None: no such key."""

    HKEY_CURRENT_USER = "HKCU"

    def __init__(self, names: list[str] | None) -> None:
        self.names = names

    def OpenKey(self, key: Any, name: str) -> Key:
        if self.names is None:
            raise FileNotFoundError(name)
        assert (key, name) == ("HKCU", "Software\\Microsoft\\Windows\\CurrentVersion\\Lxss") or isinstance(key, Key)
        return Key(name)

    def QueryInfoKey(self, _: Key) -> tuple[int, int, int]:
        return len(self.names or ()), 0, 0

    def EnumKey(self, _: Key, index: int) -> str:
        return f"{{{index}}}"

    def QueryValueEx(self, key: Key, name: str) -> tuple[str, int]:
        assert name == "DistributionName"
        return (self.names or [])[int(key.name.strip("{}"))], 1


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(other_side.sys, "platform", "win32")
    return monkeypatch


def wsl_says(monkeypatch: pytest.MonkeyPatch, answer: bytes | Exception, status: int = 0) -> list[list[str]]:
    asked: list[list[str]] = []

    def run(command: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        asked.append(command)
        assert options["timeout"] == 3
        if isinstance(answer, Exception):
            raise answer
        return subprocess.CompletedProcess(command, status, answer, b"")

    monkeypatch.setattr(subprocess, "run", run)
    return asked


def test_a_distribution_counts_when_it_is_registered_and_runs(windows: pytest.MonkeyPatch) -> None:
    windows.setitem(sys.modules, "winreg", Registry(["Ubuntu", "Stopped"]))
    asked = wsl_says(windows, "Ubuntu\r\nThere are no other distributions.\r\n".encode("utf-16-le"))
    assert running_distributions() == ("Ubuntu",)
    assert asked == [["wsl.exe", "--list", "--running", "--quiet"]]


@pytest.mark.parametrize("names", [None, []])
def test_no_process_is_started_where_none_is_registered(windows: pytest.MonkeyPatch, names: list[str] | None) -> None:
    windows.setitem(sys.modules, "winreg", Registry(names))
    asked = wsl_says(windows, b"")
    assert running_distributions() == ()
    assert asked == []


@pytest.mark.parametrize(
    ("answer", "status"), [(FileNotFoundError(), 0), (subprocess.TimeoutExpired("wsl.exe", 3), 0), (b"Ubuntu\n", 1)]
)
def test_a_silent_wsl_is_left_alone(windows: pytest.MonkeyPatch, answer: bytes | Exception, status: int) -> None:
    windows.setitem(sys.modules, "winreg", Registry(["Ubuntu"]))
    wsl_says(windows, answer, status)
    assert running_distributions() == ()
