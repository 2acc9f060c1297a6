"""What the attacks share: the table that they count for, and the command run in the world's home."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from deja_hooks.cli.main import main
from tests.attack.counting import KEPT, Tally
from tests.support.world import World


class Printed(NamedTuple):
    """What a command printed."""

    code: int
    out: str
    err: str


Deja = Callable[..., Printed]


def pytest_configure(config: pytest.Config) -> None:
    config.stash.setdefault(KEPT, Tally())


@pytest.fixture(scope="session")
def tally(pytestconfig: pytest.Config) -> Tally:
    """The rows of the table."""
    return pytestconfig.stash.setdefault(KEPT, Tally())


@pytest.fixture
def deja(world: World, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Deja:
    """Runs `deja-hooks` with these arguments, in this process, in the world's home."""
    world.project.mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(world.project)
    monkeypatch.delenv("PWD", raising=False)
    monkeypatch.setenv("USERPROFILE", str(world.home))

    def run(*arguments: str, stdin: str = "") -> Printed:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(list(arguments))
        out, err = capsys.readouterr()
        return Printed(code, out, err)

    return run


def tree(*folders: Path) -> dict[str, bytes]:
    """Every file below the folders with its bytes; of what is no regular file, what it is."""
    found = {}
    for folder in folders:
        for top, _, names in os.walk(folder):
            for name in names:
                path = Path(top, name)
                found[str(path)] = path.read_bytes() if path.is_file() and not path.is_symlink() else b"(special)"
    return found
