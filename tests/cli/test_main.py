import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from deja_hooks import __version__
from deja_hooks.cli import main as front_door
from deja_hooks.cli.errors import DejaError

from .conftest import Result, Run

HELP = """Usage: deja-hooks [OPTIONS] COMMAND [ARGS]...

  Gives GitHub Copilot the memory of its earlier sessions.

  Start with:
    deja-hooks install          hooks for VS Code Copilot Chat and Copilot CLI
    deja-hooks sessions         what both hosts left on this machine
    deja-hooks search "login timeout"
    deja-hooks log              what the hooks did, and why

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.

Commands:
  install     Let Copilot call deja-hooks.
  uninstall   Take out what install put in.
  index       Read what is new in the hosts' sessions.
  search      Find earlier sessions, ranked as the hooks rank.
  sessions    List the sessions, the last active first.
  show        Print one session: what was said, edited and run.
  export      Write one session as a document, Markdown or JSON.
  resume      Say how to open a session again, or open it.
  handoff     Hand a session's work to a new one.
  usage       Sum up turns, model calls, tokens and credits.
  sources     Show where sessions lie, and what was read of them.
  log         List the last hook calls, and why they spoke or not.
  stats       Sum up how often hooks spoke, and what came of it.
  doctor      Check the installation; say what to do about faults.
  status      Say on one screen whether all is well.
  remember    Keep a note for this project.
  promote     Rank a session above its equals.
  reject      Keep a session from the model.
  undo        Take a note, a promotion or a rejection back.
  forget      Erase sessions for good.
  config      Settings: exclusions, which events speak, budgets.
  off         Silence the hooks, here or everywhere.
  on          Let the hooks speak again.
  mcp         Serve the recall tool, for agent mode.
  replay      Answer saved payloads, and show why or why not.
  completion  Print the script for completion in a shell.
  hook        Answer one payload from stdin, as a host calls it.
"""


def test_help(deja: Run) -> None:
    assert deja("--help") == Result(0, HELP)


def test_version(deja: Run) -> None:
    assert deja("--version") == Result(0, f"deja-hooks {__version__}\n")


@pytest.mark.parametrize("name", list(front_door.cli.list_commands(click.Context(front_door.cli))))
def test_every_command_has_help(deja: Run, name: str) -> None:
    result = deja(name, "--help")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(f"Usage: deja-hooks {name} ")


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("instal", "No such command 'instal'. Did you mean install?"),
        ("xyzzy", "No such command 'xyzzy'."),
        ("config lst", "No such command 'lst'. Did you mean list?"),
    ],
)
def test_a_command_that_is_none(deja: Run, words: str, error: str) -> None:
    result = deja(*words.split())
    assert (result.code, result.out) == (2, "")
    assert result.err.endswith(f"\nError: {error}\n")


def test_wrong_use(deja: Run) -> None:
    result = deja("log", "--limit", "none")
    assert result == Result(
        2,
        "",
        "Usage: deja-hooks log [OPTIONS]\n"
        "Try 'deja-hooks log --help' for help.\n\n"
        "Error: Invalid value for '--limit': 'none' is not a valid integer range.\n",
    )


@pytest.mark.parametrize(
    ("raised", "result"),
    [
        (DejaError("no."), Result(1, "", "Error: no.\n")),
        (DejaError("no \x1b[31m\nbut."), Result(1, "", "Error: no \ufffd[31m\nbut.\n")),
        (PermissionError(13, "Permission denied", "/x/y"), Result(1, "", "Error: /x/y: Permission denied.\n")),
        (FileNotFoundError(2, "No such file or directory"), Result(1, "", "Error: No such file or directory.\n")),
        (KeyboardInterrupt(), Result(130, "")),
        (
            KeyError("x"),
            Result(
                3,
                "",
                "Unexpected error: KeyError: 'x'\n"
                "This is a fault of deja-hooks. DEJA_HOOKS_TRACE=1 shows where, for a report.\n",
            ),
        ),
    ],
)
def test_the_failure_boundary(
    deja: Run, monkeypatch: pytest.MonkeyPatch, raised: BaseException, result: Result
) -> None:
    def fail(*_: Any) -> None:
        raise raised

    monkeypatch.setattr("deja_hooks.cli.log.calls", fail)
    got = deja("log")
    assert got._replace(err=got.err.lstrip("\n")) == result


def test_a_trace_on_request(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEJA_HOOKS_TRACE", "1")
    monkeypatch.setattr("deja_hooks.cli.log.calls", lambda _: 1 // 0)
    result = deja("log")
    assert result.code == 3
    assert result.err.startswith("Traceback (most recent call last):\n")
    assert result.err.endswith("ZeroDivisionError: integer division or modulo by zero\n")


def _process(*arguments: str, code: str, **more: Any) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, **more)


IMPORTED = """
import sys
from deja_hooks.cli.main import main
code = main(sys.argv[1:])
heavy = ["rich", "pydantic", "orjson", "filelock", "sqlite3", "platformdirs"]
heavy += ["deja_hooks.hosts", "deja_hooks.memory"]
print(code, *[name for name in heavy if name in sys.modules])
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--version"], "0"),
        (["--help"], "0"),
        (["log"], "0 deja_hooks.memory"),
        (["off", "--for", "1h"], "0 deja_hooks.memory"),
        (["search", "x"], "1 deja_hooks.memory"),
        (["sessions"], "1 deja_hooks.memory"),
        (["usage"], "1 deja_hooks.memory"),
        (["show", "x"], "1 deja_hooks.memory"),
        (["install", "--dry-run"], "0 deja_hooks.hosts deja_hooks.memory"),
    ],
)
def test_each_command_imports_its_own(home: Path, arguments: list[str], said: str) -> None:
    result = _process(*arguments, code=IMPORTED)
    assert result.stdout.splitlines()[-1] == said


def test_a_reader_who_goes_away_is_no_fault(home: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    result = subprocess.run(
        [sys.executable, "-m", "deja_hooks", "--help"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
        timeout=60,
    )
    os.close(write_end)
    assert (result.returncode, result.stderr) == (1, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("arguments", [["--help"], ["log"], ["log", "--json"]])
def test_an_output_that_is_full_is_said(home: Path, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "deja_hooks", *arguments]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False, timeout=60)
    said = b"Error: The output can't be written (No space left on device).\n"
    assert (result.returncode, result.stderr) == (1, said)


@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
@pytest.mark.parametrize("closed", [">&-", ">&- 2>&-"])
@pytest.mark.parametrize("arguments", ["status", "--version", "stats", "install --dry-run"])
def test_a_closed_output_is_no_fault(home: Path, arguments: str, closed: str) -> None:
    command = ["/bin/sh", "-c", f'"$0" -m deja_hooks {arguments} {closed}', sys.executable]
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (result.returncode in (0, 1), result.stdout, result.stderr) == (True, "", "")


def test_a_relative_home_is_refused(deja: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEJA_HOOKS_HOME", "deja")
    said = "Error: DEJA_HOOKS_HOME is 'deja': set it to an absolute path, or unset it.\n"
    assert deja("log") == Result(1, "", said)
    assert deja("install") == Result(1, "", said)
    assert not (home / ".copilot").exists()


def test_text_that_the_terminal_cannot_say_is_no_fault(home: Path) -> None:
    ring = home / "deja" / "cache" / "ring.jsonl"
    ring.parent.mkdir(parents=True)
    ring.write_text('{"t": 1, "e": "Stop", "h": "", "s": "", "ms": 1, "r": "", "c": 3, "p": "\\u2713 \\ud800"}\n')
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    run = "import sys; from deja_hooks.cli.main import main; main(sys.argv[1:])"
    result = _process("log", "--show", "1", code=run, env=environment)
    assert (result.stdout, result.stderr) == ("? ?\n", "")
