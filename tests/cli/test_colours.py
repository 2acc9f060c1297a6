"""Colours and bold letters: on a terminal, unless NO_COLOR; elsewhere only where they are forced."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.cli.colours import colours

from .conftest import Run
from .sessions import login_session

VARIABLES = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TERM", "TTY_COMPATIBLE", "TTY_INTERACTIVE")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, None),
        ({"TERM": "xterm-256color"}, None),
        ({"TERM": "dumb"}, False),
        ({"NO_COLOR": ""}, None),
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "3", "TERM": "dumb"}, True),
        ({"FORCE_COLOR": ""}, None),
        ({"FORCE_COLOR": "0"}, None),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"CLICOLOR_FORCE": "0"}, None),
        ({"NO_COLOR": "", "CLICOLOR_FORCE": "1"}, True),
    ],
)
def test_what_the_environment_says(environment: dict[str, str], expected: bool | None) -> None:
    assert colours(environment) is expected


#: Printed by click (bold and dim), by click in a table, and by rich.
COMMANDS = (["show", "aaaa"], ["sessions"], ["usage"], ["config", "list"])


def environment(**more: str) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    return {**plain, "TERM": "xterm-256color", **more}


def in_a_pipe(arguments: list[str], **more: str) -> bytes:
    command = [sys.executable, "-m", "deja_hooks", *arguments]
    return subprocess.run(command, env=environment(**more), capture_output=True, timeout=60, check=True).stdout


def on_a_terminal(arguments: list[str], **more: str) -> bytes:
    pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "deja_hooks", *arguments]
    with subprocess.Popen(command, env=environment(**more), stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65_536)
            except OSError:  # Linux says so at the end of a terminal
                break
            if not part:
                break
            parts.append(part)
        os.close(ours)
        assert process.wait(60) == 0
    return b"".join(parts)


@pytest.fixture
def indexed(deja: Run, home: Path) -> None:
    login_session(home)
    deja("index")


@pytest.mark.usefixtures("indexed")
@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
class TestCommands:
    """Each way in which a command prints, as a real process."""

    def test_a_terminal_has_them(self, arguments: list[str]) -> None:
        assert b"\x1b[1m" in on_a_terminal(arguments)

    @pytest.mark.parametrize("value", ["1", "0", "no"])
    def test_no_color_wins(self, arguments: list[str], value: str) -> None:
        assert b"\x1b" not in on_a_terminal(arguments, NO_COLOR=value, FORCE_COLOR="1", CLICOLOR_FORCE="1")

    def test_an_empty_no_color_says_nothing(self, arguments: list[str]) -> None:
        assert b"\x1b[1m" in on_a_terminal(arguments, NO_COLOR="")

    def test_a_dumb_terminal_has_none(self, arguments: list[str]) -> None:
        assert b"\x1b" not in on_a_terminal(arguments, TERM="dumb")

    def test_a_pipe_has_none_unless_they_are_forced(self, arguments: list[str]) -> None:
        plain = in_a_pipe(arguments)
        assert b"\x1b" not in plain
        assert in_a_pipe(arguments, NO_COLOR="1", FORCE_COLOR="1") == plain
        for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
            forced = in_a_pipe(arguments, **{name: "1"})
            assert (b"\x1b[1m" in forced) == (arguments != ["sessions"])  # in a pipe that is one plain line a session


@pytest.mark.parametrize("variable", ["NO_COLOR", "FORCE_COLOR"])
def test_json_has_none(indexed: None, variable: str) -> None:
    assert b"\x1b" not in in_a_pipe(["sessions", "--json"], **{variable: "1"})
    assert b"\x1b" not in on_a_terminal(["sessions", "--json"], **{variable: "1"})
