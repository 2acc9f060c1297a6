"""The CLI, and the two sessions that the tests look at, played once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .copilot import Sandbox, cache_folder, find_cli
from .played import Played, play


@pytest.fixture(scope="session")
def cli() -> Path:
    """The real Copilot CLI."""
    found = find_cli(os.environ)
    if found is None:
        pytest.skip("the Copilot CLI isn't installed: `npm install -g @github/copilot`, or set COPILOT_BIN")
    return found


@pytest.fixture(scope="session")
def played(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Both sessions."""
    return play(Sandbox(tmp_path_factory.mktemp("live") / "box", cli, cache_folder(os.environ)))
