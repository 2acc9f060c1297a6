"""Finding programs and starting them, for the platform that is passed in."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.starting import find_program, shown, start, take_over, unfit_for_batch
from deja_hooks.history.resume import Command
from deja_hooks.memory.layout import Layout


def program(folder: Path, name: str, mode: int = 0o755) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(mode)
    return path


def here(platform: str, **environment: str) -> Here:
    return Here(Layout("/c", "/c"), environment, Path("/home/u"), platform, sys.executable, 0)


class TestFindProgram:
    def test_the_first_name_that_is_there_wherever_it_is(self, tmp_path: Path) -> None:
        codium = program(tmp_path / "a", "codium")
        insiders = program(tmp_path / "b", "code-insiders")
        path = f"{tmp_path}/none:{tmp_path}/a:{tmp_path}/b"
        assert find_program(["code", "code-insiders", "codium"], {"PATH": path}, "linux") == str(insiders)
        assert find_program(["codium"], {"PATH": path}, "linux") == str(codium)
        assert find_program(["code"], {"PATH": path}, "linux") == ""
        assert find_program(["codium"], {}, "linux") == ""

    def test_only_what_can_be_run(self, tmp_path: Path) -> None:
        (tmp_path / "code").mkdir()
        program(tmp_path, "codium", 0o644)
        assert find_program(["code"], {"PATH": str(tmp_path)}, "linux") == ""
        assert find_program(["codium"], {"PATH": str(tmp_path)}, "linux") == ""

    def test_never_in_the_working_directory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        program(tmp_path / "bin", "code")
        program(tmp_path / "bin", "code.cmd")
        monkeypatch.chdir(tmp_path / "bin")
        for path in ("", ".", "../bin", ":", "::"):
            assert find_program(["code"], {"PATH": path}, "linux") == ""
        for path in ("", ".", "..\\bin", ";"):
            assert find_program(["code"], {"PATH": path}, "win32") == ""

    def test_on_windows_by_the_known_ends(self, tmp_path: Path) -> None:
        program(tmp_path, "code")  # a script for another shell, as VS Code has one beside `code.cmd`
        batch = program(tmp_path, "code.cmd")
        assert find_program(["code"], {"PATH": f"X:\\none;{tmp_path}"}, "win32") == str(batch)
        whole = program(tmp_path, "code.exe")
        assert find_program(["code"], {"PATH": str(tmp_path)}, "win32") == str(whole)
        assert find_program(["code"], {"PATH": str(tmp_path), "PATHEXT": ".CMD;.EXE"}, "win32") == str(batch)
        assert find_program(["code"], {"PATH": f'"{tmp_path}"'}, "win32") == str(whole)


class TestShown:
    def test_in_a_posix_shell(self) -> None:
        command = Command("", ("copilot",), ("--resume", "a b"), "/my app", (("COPILOT_HOME", "/my home"),))
        assert shown(command, "linux") == ["cd '/my app'", "COPILOT_HOME='/my home' copilot --resume 'a b'"]
        assert shown(Command("", ("code", "codium"), ("/app",)), "darwin") == ["code /app"]

    def test_on_windows(self) -> None:
        command = Command("", ("copilot",), ("--resume", "a b"), "c:\\my app", (("COPILOT_HOME", "d:\\home"),))
        assert shown(command, "win32") == [
            'cd "c:\\my app"',
            'set "COPILOT_HOME=d:\\home"',
            'copilot --resume "a b"',
        ]
        share = Command("", ("copilot",), ("--resume", "ab"), "\\\\server\\share")
        assert shown(share, "win32") == ["pushd \\\\server\\share", "copilot --resume ab"]

    def test_a_prompt_is_named_and_control_characters_are_marked(self) -> None:
        assert shown(Command("", ("copilot",), ("-i", "two\nlines")), "linux") == ["copilot -i PROMPT"]
        assert shown(Command("", ("code",), ("/a\x1b[31m",)), "linux") == ["code '/a\ufffd[31m'"]


@pytest.mark.parametrize(
    ("argument", "unfit"),
    [
        ("c:\\my app", False),
        ("file://server/share/my%20app", False),
        ("vscode-remote://wsl%2Bubuntu/home/u/app", False),
        ("c:\\%PATH%", True),
        ("c:\\a&calc", True),
        ('c:\\a"b', True),
        ("a^b", True),
        ("a|b", True),
        ("a<b", True),
        ("a>b", True),
        ("a!b", True),
        ("two\nlines", True),
        ("file://server/a&b", True),
    ],
)
def test_what_a_batch_file_could_read_otherwise(argument: str, unfit: bool) -> None:
    assert unfit_for_batch(Command("", ("code",), (argument,))) is unfit
    assert unfit_for_batch(Command("", ("code",), (), argument)) is unfit


def test_a_batch_file_starts_in_no_share() -> None:
    assert unfit_for_batch(Command("", ("copilot",), (), "\\\\server\\share"))


@pytest.mark.skipif(sys.platform == "win32", reason="stand-ins are scripts")
class TestOnWindows:
    """With a script in the place of a program of Windows."""

    def stand_in(self, folder: Path) -> Path:
        path = program(folder, "code.exe")
        path.write_text(f'#!/bin/sh\n/bin/cat > {folder}/read\nprintf \'%s\\n\' "$PWD" "$@" > {folder}/given\nexit 7\n')
        return path

    def test_what_a_program_reads(self, tmp_path: Path) -> None:
        self.stand_in(tmp_path)
        command = Command("", ("code",), ("chat", "-"), str(tmp_path))
        assert start(command, here("win32", PATH=str(tmp_path)), "two\nlines, caf\xe9") == 7
        assert (tmp_path / "read").read_text(encoding="utf-8") == "two\nlines, caf\xe9"
        assert (tmp_path / "given").read_text() == f"{tmp_path}\nchat\n-\n"

    def test_a_program_that_takes_the_terminal_over_is_waited_for(self, tmp_path: Path) -> None:
        self.stand_in(tmp_path)
        command = Command("", ("code",), ("two\nlines",), str(tmp_path))
        reading, writing = os.pipe()
        os.close(writing)
        kept = os.dup(0)
        os.dup2(reading, 0)
        try:
            assert take_over(command, here("win32", PATH=str(tmp_path))) == 7
        finally:
            os.dup2(kept, 0)
            os.close(kept)
            os.close(reading)
        assert (tmp_path / "given").read_text() == f"{tmp_path}\ntwo\nlines\n"


@pytest.mark.parametrize("begin", [start, take_over])
class TestWhatCanNotBeStarted:
    def fails(self, begin: object, command: Command, machine: Here) -> str:
        assert callable(begin)
        with pytest.raises(DejaError) as raised:
            begin(command, machine)
        return str(raised.value)

    def test_it_is_not_there(self, begin: object) -> None:
        command = Command("", ("copilot",), ("--resume", "a1"), "/app")
        assert self.fails(begin, command, here("linux", PATH="/none")) == (
            "copilot is not on the PATH: install GitHub Copilot CLI, or run by hand:\n  cd /app\n  copilot --resume a1"
        )
        assert self.fails(begin, Command("", ("code", "codium"), ("/app",)), here("linux", PATH="")) == (
            "None of code, codium is on the PATH: install VS Code with its command line (in VS Code:"
            " \"Shell Command: Install 'code' command in PATH\"), or run by hand:\n  code /app"
        )
        assert self.fails(begin, Command("", ("codium",), ("/app",)), here("linux")) == (
            "codium is not on the PATH: put codium there, or run by hand:\n  codium /app"
        )

    def test_a_batch_file_gets_nothing_that_it_could_run(self, begin: object, tmp_path: Path) -> None:
        batch = program(tmp_path, "code.cmd")
        assert self.fails(begin, Command("", ("code",), ("c:\\a&b",)), here("win32", PATH=str(tmp_path))) == (
            f"{batch} is a batch file, to which this can't be handed safely. Run by hand:\n  code c:\\a&b"
        )

    def test_it_is_no_program(self, begin: object, tmp_path: Path) -> None:
        broken = program(tmp_path, "code")
        broken.write_text("#!/no/such/interpreter\n")
        assert self.fails(begin, Command("", ("code",)), here("linux", PATH=str(tmp_path))) == (
            f"{broken} can't be started (No such file or directory)."
        )

    def test_the_folder_has_gone_meanwhile(self, begin: object, tmp_path: Path) -> None:
        path = program(tmp_path, "code")
        gone = str(tmp_path / "gone")
        assert self.fails(begin, Command("", ("code",), (), gone), here("linux", PATH=str(tmp_path))) == (
            f"{path} can't be started in {gone} (No such file or directory)."
        )

    def test_a_nul_in_an_argument(self, begin: object, tmp_path: Path) -> None:
        path = program(tmp_path, "code")
        said = self.fails(begin, Command("", ("code",), ("a\0b",)), here("linux", PATH=str(tmp_path)))
        assert said.startswith(f"{path} can't be started (embedded null ")
