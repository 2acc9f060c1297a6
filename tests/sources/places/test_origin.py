from __future__ import annotations

import json
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from deja_hooks.sources.places.origin import ANY_BUILD, Build, Origin, build_of, origin_of, profile_name
from deja_hooks.sources.places.user_folders import user_folders

WORKSPACE = "workspaceStorage/1f/workspace.json"
USER = "/home/u/.config/Code/User"
ORIGINS = [
    ("workspaceStorage/1f/chatSessions/a.jsonl", ("", "folder", WORKSPACE)),
    ("workspaceStorage/1f/GitHub.copilot-chat/transcripts/a.jsonl", ("", "folder", WORKSPACE)),
    ("workspaceStorage/no-workspace/chatSessions/a.json", ("", "empty", "")),
    ("globalStorage/emptyWindowChatSessions/a.jsonl", ("", "empty", "")),
    ("globalStorage/transferredChatSessions/a.json", ("", "moving", "")),
    ("profiles/-a1/globalStorage/emptyWindowChatSessions/a.jsonl", ("-a1", "empty", "")),
    (
        "profiles/-a1/workspaceStorage/1f/chatSessions/a.jsonl",
        ("-a1", "folder", f"profiles/-a1/{WORKSPACE}"),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("below", "place"), ORIGINS)
def test_a_files_place(below: str, place: tuple[str, str, str]) -> None:
    profile, window, workspace = place
    workspace = workspace and f"{USER}/{workspace}"
    assert origin_of(PurePosixPath(USER, below)) == Origin(USER, profile, window, workspace)


def test_a_files_place_on_windows() -> None:
    user = "C:\\Users\\u\\AppData\\Roaming\\Code - Insiders\\User"
    file = PureWindowsPath(user + "\\profiles\\a1\\workspaceStorage\\1f\\chatSessions\\a.jsonl")
    workspace = user + "\\profiles\\a1\\workspaceStorage\\1f\\workspace.json"
    assert origin_of(file) == Origin(user, "a1", "folder", workspace)
    assert build_of(PureWindowsPath(user)) == Build("VS Code Insiders", ("code-insiders",))


@pytest.mark.parametrize(
    "file", ["/copies/a.jsonl", "/copies/chatSessions/a.jsonl", f"{USER}/globalStorage/other/a.jsonl", "a.jsonl"]
)
def test_no_place_of_vs_code(file: str) -> None:
    assert origin_of(PurePosixPath(file)) is None


@pytest.mark.parametrize(
    ("user", "build"),
    [
        (USER, ("VS Code", "code")),
        ("/home/u/.config/Code - Insiders/User", ("VS Code Insiders", "code-insiders")),
        ("/home/u/Library/Application Support/VSCodium/User", ("VSCodium", "codium")),
        ("/home/u/.config/VSCodium - Insiders/User", ("VSCodium Insiders", "codium-insiders")),
        ("/home/u/.config/Code - OSS/User", ("Code - OSS", "code-oss")),
        ("/home/u/.local/share/code-server/User", ("code-server", "code-server")),
        ("/home/u/.vscode-server/data/User", ("VS Code", "code")),
        ("/home/u/.vscode-server-insiders/data/User", ("VS Code Insiders", "code-insiders")),
        ("/home/u/.vscodium-server/data/User", ("VSCodium", "codium")),
        ("/home/u/snap/code/current/.config/Code/User", ("VS Code", "code")),
        (
            "/home/u/.var/app/com.visualstudio.code/config/Code/User",
            ("VS Code", "com.visualstudio.code", "code"),
        ),
    ],
)
def test_which_build_a_user_folder_is_of(user: str, build: tuple[str, ...]) -> None:
    assert build_of(PurePosixPath(user)) == Build(build[0], build[1:])


def test_a_portable_build_could_be_any() -> None:
    assert build_of(PurePosixPath("/media/stick/data/user-data/User")) == ANY_BUILD


def test_every_folder_that_is_looked_into_is_of_a_known_build() -> None:
    for platform in ("linux", "darwin", "win32"):
        folders = user_folders({}, Path("/home/u"), platform)
        assert [str(folder) for folder in folders if build_of(folder) == ANY_BUILD] == []


class TestProfileName:
    @pytest.fixture
    def user(self, tmp_path: Path) -> Path:
        (tmp_path / "globalStorage").mkdir()
        return tmp_path

    def name(self, user: Path, storage: object) -> str:
        (user / "globalStorage" / "storage.json").write_text(json.dumps(storage))
        return profile_name(user, "-a1")

    @pytest.mark.parametrize(
        "location",
        ["-a1", "file:///home/u/.config/Code/User/profiles/-a1", {"scheme": "file", "path": "/User/profiles/-a1"}],
    )
    def test_it_is_found_by_the_folder(self, user: Path, location: object) -> None:
        profiles = [{"location": "b2", "name": "Play"}, "nothing", {"location": location, "name": "Work"}]
        assert self.name(user, {"userDataProfiles": profiles}) == "Work"

    @pytest.mark.parametrize(
        "storage",
        [
            [],
            {},
            {"userDataProfiles": {}},
            {"userDataProfiles": [{"location": "b2", "name": "Play"}, {"location": 1}, {"name": "Work"}]},
            {"userDataProfiles": [{"location": "-a1"}]},
            {"userDataProfiles": [{"location": "-a1", "name": "W\0rk"}]},
        ],
    )
    def test_it_is_not_known(self, user: Path, storage: object) -> None:
        assert self.name(user, storage) == ""

    def test_there_is_no_file_or_no_json(self, user: Path) -> None:
        assert profile_name(user, "-a1") == ""
        (user / "globalStorage" / "storage.json").write_text("{")
        assert profile_name(user, "-a1") == ""
