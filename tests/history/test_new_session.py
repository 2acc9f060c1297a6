"""How a new session is started with a prompt, by host and platform."""

from __future__ import annotations

from pathlib import Path

import pytest

from deja_hooks.history.new_session import NewSession, new_session
from deja_hooks.history.resume import Command, Opening

PROMPT = "Go on with it.\n\n<deja-0>\n- what was\n</deja-0>"
PROGRAMS = ("code", "code-insiders", "codium")


def opening(folder: str = "", uri: str = "", there: bool | None = None, host: str = "cli") -> Opening:
    return Opening(host, "folder", folder, uri, there, None, None, ())


def test_copilot_cli(tmp_path: Path) -> None:
    found = opening(str(tmp_path), tmp_path.as_uri(), True)
    expected = NewSession(Command("Copilot CLI", ("copilot",), ("-i", PROMPT), str(tmp_path)))
    assert new_session(found, PROMPT, "copilot", "linux") == expected
    assert new_session(found, PROMPT, "copilot", "win32") == expected


def test_vs_code(tmp_path: Path) -> None:
    found = opening(str(tmp_path), tmp_path.as_uri(), True)
    expected = NewSession(Command("VS Code", PROGRAMS, ("chat", "-m", "agent", PROMPT), str(tmp_path)))
    assert new_session(found, PROMPT, "vscode", "darwin") == expected


def test_on_windows_vs_code_reads_the_prompt_from_stdin(tmp_path: Path) -> None:
    found = opening(str(tmp_path), tmp_path.as_uri(), True)
    arguments = ("chat", "-m", "agent", "The attached text is a hand-over. Go on with it.", "-")
    expected = NewSession(Command("VS Code", PROGRAMS, arguments, str(tmp_path)), PROMPT)
    assert new_session(found, PROMPT, "vscode", "win32") == expected


def test_the_chats_own_build_and_profile_come_first(tmp_path: Path) -> None:
    own = Command("VSCodium", ("codium",), ("--profile", "Work", str(tmp_path)))
    found = opening(str(tmp_path), "", True, "vscode")._replace(command=own, profile=("-a1", "Work"))
    arguments = ("chat", "-m", "agent", "--profile", "Work", PROMPT)
    expected = NewSession(Command("VS Code", ("codium", "code", "code-insiders"), arguments, str(tmp_path)))
    assert new_session(found, PROMPT, "vscode", "linux") == expected


def test_code_server_starts_no_chats(tmp_path: Path) -> None:
    own = Command("code-server", ("code-server",), (str(tmp_path),))
    found = opening(str(tmp_path), "", True, "vscode")._replace(command=own)
    new = new_session(found, PROMPT, "vscode", "linux").command
    assert new is not None
    assert new.programs == PROGRAMS


def test_a_profile_without_a_name_is_left_out(tmp_path: Path) -> None:
    found = opening(str(tmp_path), "", True, "vscode")._replace(profile=("-a1", ""))
    new = new_session(found, PROMPT, "vscode", "linux").command
    assert new is not None
    assert new.arguments == ("chat", "-m", "agent", PROMPT)


@pytest.mark.parametrize("host", ["copilot", "vscode"])
def test_a_session_without_a_folder_goes_on_in_the_working_directory(host: str) -> None:
    new = new_session(opening(), PROMPT, host, "linux").command
    assert new is not None
    assert new.directory == ""


def test_a_workspaces_file_stands_for_its_folder(tmp_path: Path) -> None:
    file = tmp_path / "shop.code-workspace"
    file.touch()
    new = new_session(opening(str(file), file.as_uri(), True), PROMPT, "copilot", "linux").command
    assert new is not None
    assert new.directory == str(tmp_path)


@pytest.mark.parametrize("host", ["copilot", "vscode"])
@pytest.mark.parametrize(
    ("found", "problem"),
    [
        (opening("/gone/app", "file:///gone/app", False), "Its folder is gone: /gone/app."),
        (
            opening("/srv/app", "vscode-remote://ssh-remote+box/srv/app"),
            "Its folder, vscode-remote://ssh-remote+box/srv/app, can't be worked in from here: open it first.",
        ),
        (
            opening("", "vscode-vfs://github/owner/repo"),
            "Its folder, vscode-vfs://github/owner/repo, can't be worked in from here: open it first.",
        ),
        (
            opening("\\\\server\\share", "file://server/share"),
            "Its folder, file://server/share, can't be worked in from here: open it first.",
        ),
    ],
)
def test_where_no_session_can_be_started(found: Opening, problem: str, host: str) -> None:
    assert new_session(found, PROMPT, host, "linux") == NewSession(None, problem=problem)


def test_a_share_can_be_worked_in_by_copilot_cli_on_windows() -> None:
    share = opening("\\\\server\\share", "file://server/share")
    expected = NewSession(Command("Copilot CLI", ("copilot",), ("-i", PROMPT), "\\\\server\\share"))
    assert new_session(share, PROMPT, "copilot", "win32") == expected
    assert new_session(share, PROMPT, "vscode", "win32").command is None
