from __future__ import annotations

from pathlib import Path

import pytest

from deja_hooks.sources.places.user_folders import user_folders

HOME = Path("/home/u")
SERVERS = [
    HOME / ".vscode-server/data/User",
    HOME / ".vscode-server-insiders/data/User",
    HOME / ".vscode-server-oss/data/User",
    HOME / ".vscode-remote/data/User",
    HOME / ".vscodium-server/data/User",
    HOME / ".vscodium-server-insiders/data/User",
]


def desktop(base: Path) -> list[Path]:
    return [
        base / "Code/User",
        base / "Code - Insiders/User",
        base / "VSCodium/User",
        base / "VSCodium - Insiders/User",
        base / "Code - OSS/User",
    ]


PACKAGED = [
    HOME / ".var/app/com.visualstudio.code/config/Code/User",
    HOME / ".var/app/com.visualstudio.code.insiders/config/Code - Insiders/User",
    HOME / ".var/app/com.visualstudio.code-oss/config/Code - OSS/User",
    HOME / ".var/app/com.vscodium.codium/config/VSCodium/User",
    HOME / ".var/app/com.vscodium.codium-insiders/config/VSCodium - Insiders/User",
    HOME / "snap/code/current/.config/Code/User",
    HOME / "snap/code-insiders/current/.config/Code - Insiders/User",
    HOME / "snap/codium/current/.config/VSCodium/User",
]


def test_linux() -> None:
    assert user_folders({}, HOME, "linux") == [
        *desktop(HOME / ".config"),
        HOME / ".local/share/code-server/User",
        *PACKAGED,
        *SERVERS,
    ]


def test_darwin() -> None:
    assert user_folders({}, HOME, "darwin") == [
        *desktop(HOME / "Library/Application Support"),
        HOME / ".local/share/code-server/User",
        *SERVERS,
    ]


@pytest.mark.parametrize(
    ("environment", "base"),
    [({"APPDATA": "D:\\Roaming"}, Path("D:\\Roaming")), ({}, HOME / "AppData" / "Roaming")],
)
def test_windows(environment: dict[str, str], base: Path) -> None:
    assert user_folders(environment, HOME, "win32") == [*desktop(base), *SERVERS]


def test_folders_that_the_environment_names_come_before_the_usual_ones() -> None:
    environment = {
        "VSCODE_PORTABLE": "/stick/data",
        "VSCODE_APPDATA": "/apps",
        "VSCODE_AGENT_FOLDER": "/agent",
        "XDG_CONFIG_HOME": "/x",
        "XDG_DATA_HOME": "/d",
    }
    assert user_folders(environment, HOME, "linux") == [
        Path("/stick/data/user-data/User"),
        *desktop(Path("/apps")),
        *desktop(Path("/x")),
        *desktop(HOME / ".config"),
        Path("/d/code-server/User"),
        HOME / ".local/share/code-server/User",
        *PACKAGED,
        Path("/agent/data/User"),
        *SERVERS,
    ]


def test_a_folder_named_twice_is_looked_for_once() -> None:
    environment = {"XDG_CONFIG_HOME": str(HOME / ".config"), "VSCODE_AGENT_FOLDER": str(HOME / ".vscode-server")}
    assert user_folders(environment, HOME, "linux") == user_folders({}, HOME, "linux")
