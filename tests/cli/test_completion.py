"""Completion: what a shell is given behind Tab, and that nothing is ever said in the midst of its line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import Result, Run
from .sessions import login_session, said, write_session

FIRST = "aaaa1111-0000-4000-8000-000000000001"
OTHER = "bbbb2222-0000-4000-8000-000000000002"


@pytest.fixture
def indexed(deja: Run, home: Path) -> None:
    """A memory of two sessions."""
    login_session(home)
    (home / "clients" / "acme").mkdir(parents=True)
    write_session(home, OTHER, home / "clients" / "acme", said("about quokka_budget"))
    deja("index")


def completed(*words: str, shell: str = "bash", code: str = "") -> Result:
    """What the program says to a shell that wants the last word completed."""
    # (zsh gives the words without a count beside them; the last one is what is being typed in all three.)
    incomplete = {"COMP_CWORD": words[-1] if shell == "fish" else str(len(words))}
    line = " ".join(["deja-hooks", *(words[:-1] if shell == "fish" else words)])
    done = subprocess.run(
        [sys.executable, "-c", code or "from deja_hooks.cli.main import main; main()"],
        env={**os.environ, "_DEJA_HOOKS_COMPLETE": f"{shell}_complete", "COMP_WORDS": line, **incomplete},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return Result(done.returncode, done.stdout, done.stderr)


def offered(*words: str) -> list[str]:
    result = completed(*words)
    assert (result.code, result.err) == (0, "")
    return result.out.split("\n")[:-1] if result.out.strip() else []


def test_commands_and_options(home: Path) -> None:
    assert offered("co") == ["plain,config", "plain,completion"]
    assert offered("config", "s") == ["plain,set", "plain,schema"]
    assert offered("config", "set", "--d") == ["plain,--dry-run"]
    assert offered("--v") == ["plain,--version"]
    assert offered("sessions", "--host", "v") == ["plain,vscode"]


def test_commands_are_named_without_importing_them(home: Path) -> None:
    code = (
        "import sys\n"
        "from deja_hooks.cli.main import main\n"
        "try:\n    main()\n"
        "finally:\n    print(*[m for m in sys.modules if m.startswith('deja_hooks.cli')])"
    )
    *_, modules = completed("s", code=code).out.splitlines()
    assert (
        modules == "deja_hooks.cli deja_hooks.cli.colours deja_hooks.cli.errors deja_hooks.cli.lazy deja_hooks.cli.main"
    )


@pytest.mark.parametrize(
    "command", ["show", "export", "promote", "reject", "forget", "undo", "show --turns", "export --format json"]
)
def test_ids_of_sessions(indexed: None, command: str) -> None:
    assert offered(*command.split(), "b") == [f"plain,{OTHER}"]
    assert sorted(offered(*command.split(), "")) == [f"plain,{FIRST}", f"plain,{OTHER}"]
    assert offered(*command.split(), "z") == []
    assert offered(*command.split(), "'%") == []


def test_with_their_titles_where_the_shell_shows_them(indexed: None) -> None:
    assert completed("show", "b", shell="zsh").out == f"plain\n{OTHER}\nabout quokka_budget\n"
    assert completed("show", "b", shell="fish").out.startswith(f"plain,{OTHER}\tabout quokka_budget")


def test_a_title_is_short_and_on_one_line(deja: Run, home: Path) -> None:
    write_session(home, OTHER, home / "src" / "app", said("about\n\x1b[31mred " + "word " * 100))
    deja("index")
    kind, sid, title = completed("show", "b", shell="zsh").out.splitlines()
    assert (kind, sid) == ("plain", OTHER)
    assert "\x1b" not in title
    assert len(title) <= 60


def test_they_are_bounded(deja: Run, home: Path) -> None:
    for i in range(60):
        write_session(home, f"cccc{i:04d}-0000", home / "src" / "app", said(f"about part {i}"))
    deja("index")
    assert len(offered("show", "c")) == 50


def test_projects(indexed: None, home: Path) -> None:
    acme = str(home / "clients" / "acme")
    assert offered("sessions", "--project", "c") == ["dir,c", "plain,clients/acme"]
    for command in (("off",), ("on",), ("forget",), ("config", "exclude"), ("config", "include"), ("remember", "x")):
        assert offered(*command, "--project", f"{home}/cl") == [f"dir,{home}/cl", f"plain,{acme}"]
        assert offered(*command, "--project", "") == ["dir,"]


def test_what_a_shell_would_have_to_quote_is_left_to_it(deja: Run, home: Path) -> None:
    for place, name in enumerate(("plain", "with space", "with$(id)", "with'", "mit-\u00fc")):
        folder = home / "odd" / name
        folder.mkdir(parents=True)
        write_session(home, f"dddd{place}222-0000-4000-8000-000000000002", folder, said("about it"))
    deja("index")
    assert offered("sessions", "--project", "odd") == ["dir,odd", "plain,odd/mit-\u00fc", "plain,odd/plain"]


def test_settings(home: Path) -> None:
    assert offered("config", "get", "exclude.") == ["plain,exclude.projects", "plain,exclude.paths"]
    assert offered("config", "unset", "budgets.be") == ["plain,budgets.before_edit", "plain,budgets.before_command"]
    assert offered("config", "set", "events.prompt", "") == ["plain,true", "plain,false"]
    assert offered("config", "set", "budgets.prompt", "") == []


@pytest.mark.parametrize("broken", ["no memory", "a broken memory", "an old memory", "a relative home"])
def test_a_fault_is_silent(deja: Run, home: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    memory = home / "deja" / "cache" / "memory.db"
    if broken != "no memory":
        memory.parent.mkdir(parents=True)
        memory.write_bytes(b"" if broken == "an old memory" else b"SQLite format 3\0" + b"\xff" * 5000)
    if broken == "a relative home":
        monkeypatch.setenv("DEJA_HOOKS_HOME", "deja")
    assert offered("show", "") == []
    assert offered("off", "--project", "x") == ["dir,x"]
    assert offered("sessions", "--project", "x") == ["dir,x"]


@pytest.mark.parametrize("words", [("nonsense", ""), ("config", "nonsense", "x"), ("show", "--nonsense", ""), ("",)])
def test_so_is_a_line_that_means_nothing(home: Path, words: tuple[str, ...]) -> None:
    result = completed(*words)
    assert (result.code, result.err) == (0, "")


def test_an_instruction_that_no_shell_gives_is_silent(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "deja_hooks", "show"],
        env={**os.environ, "_DEJA_HOOKS_COMPLETE": "bash_complete"},  # and no COMP_WORDS
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == (b"", b"")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_names_the_program_and_its_variable(deja: Run, shell: str) -> None:
    result = deja("completion", shell)
    assert (result.code, result.err) == (0, "")
    assert f"_DEJA_HOOKS_COMPLETE={shell}_complete" in result.out
    assert "deja-hooks" in result.out


def test_another_shell_is_wrong_use(deja: Run) -> None:
    result = deja("completion", "powershell")
    assert result.code == 2
    assert "'powershell' is not one of 'bash', 'zsh', 'fish'" in result.err


@pytest.mark.skipif(shutil.which("bash", path=os.defpath) is None, reason="needs bash")
def test_a_real_bash_completes_with_it(indexed: None, deja: Run, home: Path) -> None:
    script = home / "completion.bash"
    script.write_text(deja("completion", "bash").out)
    programs = home / "bin"
    programs.mkdir()
    program = programs / "deja-hooks"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m deja_hooks "$@"\n')
    program.chmod(0o755)
    asking = (
        f"source {script}; COMP_WORDS=(deja-hooks show b); COMP_CWORD=2;"
        ' _deja_hooks_completion deja-hooks b show; echo "${COMPREPLY[@]}"'
    )
    bash = str(shutil.which("bash", path=os.defpath))
    done = subprocess.run(
        [bash, "--norc", "-c", asking],
        env={**os.environ, "PATH": f"{programs}:{os.defpath}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"{OTHER}\n", "")
