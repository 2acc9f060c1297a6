"""`deja-hooks resume`, as a process, for a session of each kind."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from .conftest import Result, Run
from .machine import CHAT, CLI, EMPTY, PROFILES, Machine, Started

LISTED = (
    'Run "Chat: Show Chats..." from the Command Palette (newer builds: "Chat Agent Sessions: Focus Agent Sessions")'
)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="stand-ins are scripts")


@pytest.fixture
def machine(home: Path) -> Machine:
    made = Machine(home)
    assert made.deja("index").returncode == 0
    return made


def printed(machine: Machine, *arguments: str) -> str:
    done = machine.deja("resume", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


class TestSaid:
    def test_a_session_of_the_cli(self, machine: Machine) -> None:
        assert printed(machine, "aaaa") == (
            "Why does refresh_session time out?\n"
            f"cli  main  2026-02-20 10:09:00  {CLI}\n"
            "\n"
            "1. Resume it in Copilot CLI:\n"
            f"     cd {machine.app}\n"
            f"     copilot --resume {CLI}\n"
        )

    def test_a_vs_code_chat(self, machine: Machine) -> None:
        assert printed(machine, "bbbb") == (
            "Log each retry.\n"
            f"vscode  2026-02-21 10:00:00  {CHAT}\n"
            "\n"
            "1. Open its folder in VS Code:\n"
            f"     code {machine.app}\n"
            f'2. {LISTED} and choose "Log each retry.":'
            " it lists the chats of the window's folder only.\n"
        )

    def test_an_empty_windows_chat(self, machine: Machine) -> None:
        assert printed(machine, "cccc") == (
            "What is a monad?\n"
            f"vscode  2026-02-21 10:00:00  {EMPTY}\n"
            "\n"
            "1. Open a window without a folder in VS Code:\n"
            "     code --new-window\n"
            f'2. {LISTED} and choose "What is a monad?":'
            " it lists the chats of windows without a folder only.\n"
        )

    def test_a_profiles_chat(self, machine: Machine) -> None:
        assert printed(machine, "dddd") == (
            "Name the release.\n"
            f"vscode  2026-02-21 10:00:00  {PROFILES}\n"
            "\n"
            "1. Open its folder in VS Code:\n"
            f"     code --profile Work {machine.app}\n"
            f'2. {LISTED} and choose "Name the release.":'
            " it lists the chats of the window's folder only.\n"
        )

    def test_a_remote_chat(self, machine: Machine) -> None:
        uri = "vscode-remote://ssh-remote%2Bbox/srv/app"
        (machine.user / "workspaceStorage" / "1f" / "workspace.json").write_text(json.dumps({"folder": uri}))
        assert f"     code --folder-uri {uri}\n" in printed(machine, "bbbb")

    def test_the_folder_is_gone(self, machine: Machine) -> None:
        shutil.rmtree(machine.app)
        done = machine.deja("resume", "bbbb", cwd=machine.home)
        assert (done.returncode, done.stdout) == (
            0,
            "Log each retry.\n"
            f"vscode  2026-02-21 10:00:00  {CHAT}\n"
            "\n"
            f"Its folder is gone: {machine.app}. VS Code takes a folder that is made anew for another."
            " deja-hooks handoff bbbb2222 hands its work to a new session.\n",
        )

    def test_text_that_would_steer_the_terminal(self, machine: Machine) -> None:
        hostile = "\x1b]0;owned\x07\u202eolleh"
        machine.chat("globalStorage/emptyWindowChatSessions", EMPTY, hostile, "")
        assert machine.deja("index").returncode == 0
        out = printed(machine, "cccc")
        assert 'choose "\ufffd]0;owned\ufffd\ufffdolleh"' in out
        assert not set("\x1b\x07\u202e") & set(out)


class TestJson:
    def test_a_profiles_chat(self, machine: Machine) -> None:
        assert json.loads(printed(machine, "dddd", "--json")) == {
            "session_id": PROFILES,
            "host": "vscode",
            "title": "Name the release.",
            "window": "folder",
            "folder": str(machine.app),
            "uri": machine.app.as_uri(),
            "folder_is_there": True,
            "profile": {"id": "-a1", "name": "Work"},
            "command": {
                "programs": ["code"],
                "arguments": ["--profile", "Work", str(machine.app)],
                "directory": None,
                "environment": {},
            },
            "steps": [
                "Open its folder in VS Code",
                f'{LISTED} and choose "Name the release.": it lists the chats of the window\'s folder only.',
            ],
            "problem": "",
        }

    def test_a_session_that_can_not_be_resumed(self, machine: Machine) -> None:
        shutil.rmtree(machine.home / ".copilot" / "session-state" / CLI)
        session = json.loads(printed(machine, "aaaa", "--json"))
        assert session["command"] is session["window"] is None
        assert session["steps"] == []
        assert session["problem"] == (
            "Its file is gone: Copilot CLI can't resume it."
            " deja-hooks handoff aaaa1111 hands its work to a new session."
        )

    def test_it_only_prints(self, machine: Machine) -> None:
        done = machine.deja("resume", "aaaa", "--json", "--open")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith("Error: --json only prints: leave --open out.\n")


@POSIX
class TestOpened:
    def opened(self, machine: Machine, sid: str, **environment: str) -> tuple[str, Started]:
        done = machine.deja("resume", sid, "--open", cwd=machine.home, **environment)
        assert (done.returncode, done.stderr) == (0, "")
        started = machine.started()
        assert started is not None
        return done.stdout, started

    def test_the_cli_takes_our_place_in_the_sessions_folder(self, machine: Machine) -> None:
        machine.program("copilot")
        with machine.begin("resume", "aaaa", "--open", cwd=machine.home, STAND_IN_STATUS="7") as process:
            said = process.communicate("typed", timeout=60)
        app = str(machine.app)
        assert machine.started() == Started("copilot", ["--resume", CLI], app, process.pid, "typed", app, None)
        assert (process.returncode, said) == (7, ("", ""))

    def test_the_cli_looks_where_the_session_lies(self, machine: Machine) -> None:
        machine.program("copilot")
        _, started = self.opened(machine, "aaaa", COPILOT_HOME=str(machine.home / "elsewhere"))
        assert started.copilot_home == str(machine.home / ".copilot")

    def test_the_clis_folder_is_gone(self, machine: Machine) -> None:
        machine.program("copilot")
        shutil.rmtree(machine.app)
        done = machine.deja("resume", "aaaa", "--open", cwd=machine.home)
        started = machine.started()
        assert started is not None
        assert (started.directory, done.returncode, done.stderr) == (
            str(machine.home),
            0,
            f"Its folder is gone: {machine.app}. Copilot CLI then works in the folder that it is started in.\n",
        )

    def test_vs_code_opens_the_folder(self, machine: Machine) -> None:
        machine.program("code", "code-insiders", "codium")
        out, started = self.opened(machine, "bbbb")
        assert started._replace(pid=0) == Started("code", [str(machine.app)], str(machine.home), 0, "", None, None)
        assert out == (
            "1. Done: Open its folder in VS Code.\n"
            f'2. {LISTED} and choose "Log each retry.":'
            " it lists the chats of the window's folder only.\n"
        )

    def test_a_window_without_a_folder(self, machine: Machine) -> None:
        machine.program("code")
        assert self.opened(machine, "cccc")[1].arguments == ["--new-window"]

    def test_the_profile(self, machine: Machine) -> None:
        machine.program("code")
        assert self.opened(machine, "dddd")[1].arguments == ["--profile", "Work", str(machine.app)]

    def test_another_build_does_not_have_the_chat(self, machine: Machine) -> None:
        machine.program("code-insiders", "codium")
        done = machine.deja("resume", "bbbb", "--open")
        assert (done.returncode, done.stdout, machine.started()) == (1, "", None)
        assert done.stderr == (
            'Error: code is not on the PATH: install VS Code with its command line (in VS Code: "Shell Command:'
            f" Install 'code' command in PATH\"), or run by hand:\n  code {machine.app}\n"
        )

    def test_vs_code_fails(self, machine: Machine) -> None:
        machine.program("code")
        done = machine.deja("resume", "bbbb", "--open", STAND_IN_STATUS="3")
        assert (done.returncode, done.stdout, done.stderr) == (1, "", "Error: code ended with exit status 3.\n")

    def test_there_is_nothing_to_open(self, machine: Machine) -> None:
        machine.program("code")
        shutil.rmtree(machine.app)
        done = machine.deja("resume", "bbbb", "--open", cwd=machine.home)
        assert (done.returncode, done.stdout, machine.started()) == (1, "", None)
        assert done.stderr == (
            f"Error: Its folder is gone: {machine.app}. VS Code takes a folder that is made anew for another."
            " deja-hooks handoff bbbb2222 hands its work to a new session.\n"
        )


def test_no_session_has_this_id(machine: Machine) -> None:
    done = machine.deja("resume", "ffff")
    assert done.returncode == 1
    assert done.stderr == "Error: No session has an id that begins with 'ffff': deja-hooks sessions lists ids.\n"


def test_no_memory(deja: Run) -> None:
    assert deja("resume", "a") == Result(1, "", "Error: There is no memory yet: run deja-hooks index.\n")
