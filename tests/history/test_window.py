"""How the window of a VS Code chat is opened: whole answers, on the platform that is passed in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deja_hooks.history.window import Window, window_of
from deja_hooks.sources.places.origin import ANY_BUILD, Build

CODE = Build("VS Code", ("code",))


class Machine:
    """A User folder with one chat."""

    def __init__(self, home: Path) -> None:
        self.user = home / ".config" / "Code" / "User"
        self.folder = home / "my app"
        self.folder.mkdir()

    def chat(self, below: str = "workspaceStorage/1f/chatSessions/a.jsonl", **workspace: object) -> Path:
        """A chat's file, in a window that has this open."""
        file = self.user / below
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
        if workspace:
            (file.parent.parent / "workspace.json").write_text(json.dumps(workspace))
        return file


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_folder_of_this_machine(machine: Machine) -> None:
    file = machine.chat(folder=machine.folder.as_uri())
    folder = str(machine.folder)
    assert window_of([file], "", "linux") == Window("folder", folder, machine.folder.as_uri(), True, CODE, (folder,))


def test_a_folder_that_only_the_memory_knows(machine: Machine) -> None:
    folder = str(machine.folder)
    expected = Window("folder", folder, machine.folder.as_uri(), True, CODE, (folder,))
    assert window_of([machine.chat()], folder, "linux") == expected
    copy = machine.user.parent.parent / "a.jsonl"
    assert window_of([copy], folder, "linux") == expected._replace(build=ANY_BUILD)


def test_a_folder_that_is_gone(machine: Machine) -> None:
    machine.folder.rmdir()
    file = machine.chat(folder=machine.folder.as_uri())
    problem = f"Its folder is gone: {machine.folder}. VS Code takes a folder that is made anew for another."
    expected = Window("folder", str(machine.folder), machine.folder.as_uri(), False, CODE, problem=problem)
    assert window_of([file], "", "linux") == expected


def test_a_workspace_file(machine: Machine) -> None:
    file = machine.folder / "shop.code-workspace"
    file.write_text("{}")
    expected = Window("workspace", str(file), file.as_uri(), True, CODE, (str(file),))
    assert window_of([machine.chat(workspace=file.as_uri())], "", "linux") == expected
    assert window_of([machine.chat("workspaceStorage/2f/chatSessions/a.jsonl")], str(file), "linux") == (
        expected._replace(kind="workspace")
    )


def test_a_workspace_that_was_never_saved(machine: Machine) -> None:
    file = machine.user.parent / "Workspaces" / "1700000000000" / "workspace.json"
    window = window_of([machine.chat(workspace=file.as_uri())], "", "linux")
    assert window.arguments == ()
    assert window.problem == (
        "Its workspace was never saved as a file, so no command opens it: look for it in VS Code under"
        ' "File: Open Recent...".'
    )


@pytest.mark.parametrize(
    ("uri", "platform", "folder"),
    [
        ("file://server/share/my%20app", "win32", "\\\\server\\share\\my app"),
        ("file://server/share/my%20app", "linux", "\\\\server\\share\\my app"),
        ("vscode-remote://ssh-remote%2Bbox/srv/app", "linux", "/srv/app"),
        ("vscode-remote://wsl%2Bubuntu/home/u/app", "win32", "/home/u/app"),
        ("vscode-remote://dev-container%2B7b22/workspaces/app", "darwin", "/workspaces/app"),
        ("vscode-vfs://github/owner/repo", "linux", ""),
        ("file:///c%3A/dev/app", "linux", "c:\\dev\\app"),
    ],
)
def test_what_is_opened_by_its_uri(machine: Machine, uri: str, platform: str, folder: str) -> None:
    window = window_of([machine.chat(folder=uri)], "", platform)
    assert window == Window("folder", folder, uri, None, CODE, ("--folder-uri", uri))


def test_a_remote_workspace_file_is_opened_by_its_uri(machine: Machine) -> None:
    uri = "vscode-remote://ssh-remote%2Bbox/srv/a.code-workspace"
    window = window_of([machine.chat(workspace=uri)], "", "linux")
    assert window == Window("workspace", "/srv/a.code-workspace", uri, None, CODE, ("--file-uri", uri))


def test_a_share_that_only_the_memory_knows(machine: Machine) -> None:
    window = window_of([machine.chat()], "\\\\server\\share\\my app", "win32")
    uri = "file://server/share/my%20app"
    assert window == Window("folder", "\\\\server\\share\\my app", uri, None, CODE, ("--folder-uri", uri))


def test_a_drive_of_windows_on_windows(machine: Machine) -> None:
    window = window_of([machine.chat(folder="file:///c%3A/no/such")], "", "win32")
    assert (window.folder, window.there) == ("c:\\no\\such", False)  # looked at here, so it isn't there


@pytest.mark.parametrize(
    "below",
    ["globalStorage/emptyWindowChatSessions/a.jsonl", "workspaceStorage/no-workspace/chatSessions/a.json"],
)
def test_a_window_without_a_folder(machine: Machine, below: str) -> None:
    file = machine.chat(below)
    # The session store may name a folder that it ran in; the window had none.
    assert window_of([file], str(machine.folder), "linux") == Window(
        "empty", "", "", None, CODE, arguments=("--new-window",)
    )


def test_code_server_opens_no_window_without_a_folder(machine: Machine) -> None:
    below = "../../../.local/share/code-server/User/globalStorage/emptyWindowChatSessions/a.jsonl"
    window = window_of([machine.chat(below).resolve()], "", "linux")
    problem = 'Its window had no folder: close the folder in the browser ("File: Close Folder"), no command does.'
    assert window == Window("empty", "", "", None, Build("code-server", ("code-server",)), problem=problem)


class TestProfile:
    @pytest.fixture
    def named(self, machine: Machine) -> Machine:
        (machine.user / "globalStorage").mkdir(parents=True)
        storage = {"userDataProfiles": [{"location": "-a1", "name": "Work"}]}
        (machine.user / "globalStorage" / "storage.json").write_text(json.dumps(storage))
        return machine

    def test_its_name(self, named: Machine) -> None:
        file = named.chat("profiles/-a1/workspaceStorage/1f/chatSessions/a.jsonl", folder=named.folder.as_uri())
        folder = str(named.folder)
        expected = Window("folder", folder, named.folder.as_uri(), True, CODE, (folder,), "-a1", "Work")
        assert window_of([file], "", "linux") == expected

    def test_a_window_without_a_folder(self, named: Machine) -> None:
        file = named.chat("profiles/-a1/globalStorage/emptyWindowChatSessions/a.jsonl")
        assert window_of([file], "", "linux") == Window(
            "empty", "", "", None, CODE, ("--new-window",), profile="-a1", profile_name="Work"
        )

    def test_its_name_is_not_known(self, named: Machine) -> None:
        window = window_of([named.chat("profiles/b2/globalStorage/emptyWindowChatSessions/a.jsonl")], "", "linux")
        assert (window.profile, window.profile_name) == ("b2", "")


def test_the_file_that_is_still_there_counts(machine: Machine) -> None:
    gone = machine.user.parent.parent / "Code - Insiders/User/globalStorage/emptyWindowChatSessions/a.jsonl"
    here = machine.chat(folder=machine.folder.as_uri())
    assert window_of([gone, here], "", "linux").arguments == (str(machine.folder),)
    here.unlink()
    assert window_of([gone, here], "", "linux").arguments == ("--new-window",)


@pytest.mark.parametrize(
    ("below", "problem"),
    [
        ("../../../copy.jsonl", "It was read from {file}, where VS Code doesn't look for chats."),
        (
            "globalStorage/transferredChatSessions/a.json",
            "It was on its way from one window into another, and which one isn't known.",
        ),
        (
            "workspaceStorage/1f/chatSessions/a.jsonl",
            "{user}/workspaceStorage/1f/workspace.json doesn't say which folder it belongs to.",
        ),
    ],
)
def test_nothing_says_which_window(machine: Machine, below: str, problem: str) -> None:
    file = machine.chat(below)
    window = window_of([file], "", "linux")
    assert (window.kind, window.arguments) == ("", ())
    assert window.problem == problem.format(file=file, user=machine.user)
    assert window_of([file], "no path", "linux").problem == window.problem


@pytest.mark.parametrize("uri", ["file:///home/u%00/app", "vscode-remote://box/a\0b"])
def test_no_path_can_hold_a_nul(machine: Machine, uri: str) -> None:
    assert window_of([machine.chat(folder=uri)], "", "linux").problem == "Its folder is not known."
