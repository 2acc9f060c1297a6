"""The command around the server; the server itself is asked in `tests/tool`."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from deja_hooks.cli.main import main

from .conftest import Run

MISSING = "Error: The recall tool needs the MCP SDK, 2.0 or later: pip install 'deja-hooks[mcp]'\n"


@pytest.fixture
def no_server(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our server has not been imported yet."""
    monkeypatch.delitem(sys.modules, "deja_hooks.tool.server", raising=False)


@pytest.mark.usefixtures("no_server")
def test_without_the_sdk(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert deja("mcp") == (1, "", MISSING)


@pytest.mark.usefixtures("no_server")
def test_with_an_sdk_of_the_first_generation(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", ModuleType("mcp"))
    assert deja("mcp") == (1, "", MISSING)


@pytest.mark.usefixtures("no_server")
def test_another_import_that_fails_is_a_fault_of_ours(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "deja_hooks.tool.answers", None)
    assert deja("mcp").code == 3


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("home")
def test_a_person_is_told_what_it_waits_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("deja_hooks.tool.server.serve", lambda _installation: None)
    monkeypatch.setattr("signal.signal", lambda *_: None)  # this process keeps its own
    for stdin, told in ((io.StringIO(), ""), (Terminal(), "Waiting for a host on stdin; Ctrl-C ends it.\n")):
        monkeypatch.setattr(sys, "stdin", stdin)
        assert main(["mcp"]) == 0
        assert capsys.readouterr() == ("", told)


def test_arguments_are_wrong_use(deja: Run) -> None:
    assert deja("mcp", "now").code == 2


@pytest.mark.parametrize("arguments", [["--help"], ["mcp", "--help"], ["--version"]])
def test_help_does_not_load_the_sdk(home: Path, arguments: list[str]) -> None:
    program = (
        "import sys; from deja_hooks.cli.main import main; code = main(sys.argv[1:]);"
        " sys.exit(code or sorted({'mcp', 'mcp_types', 'anyio', 'pydantic'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"deja-hooks" in done.stdout
