"""A home of its own for each test, and the command run in it."""

import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from deja_hooks.cli.main import main

#: The time of every command in these tests: 2026-03-01T12:00:00Z.
NOW_MS = 1_772_366_400_000


class Result(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str = ""


Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, in UTC, at NOW_MS; the working directory is a project in it."""
    for name in (
        "COPILOT_HOME",
        "DEJA_RECALL",
        "DEJA_COPILOT_ROOT",
        "DEJA_COPILOT_CHAT_ROOTS",
        "DEJA_HOOKS_TRACE",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(tmp_path / "deja"))
    monkeypatch.setenv("PATH", str(tmp_path / "no-programs"))
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()
    monkeypatch.setattr("deja_hooks.cli.context.time.time_ns", lambda: NOW_MS * 1_000_000)
    project = tmp_path / "src" / "app"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    monkeypatch.delenv("PWD", raising=False)
    return tmp_path


@pytest.fixture
def deja(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `deja-hooks` with these arguments, in this process."""

    def run(*arguments: str, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return run
