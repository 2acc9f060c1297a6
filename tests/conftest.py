from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.world import World


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """A throwaway machine; this process's environment points into it."""
    made = World(tmp_path)
    for name in ("COPILOT_HOME", "DEJA_COPILOT_ROOT", "DEJA_COPILOT_CHAT_ROOTS", "DEJA_RECALL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(made.home))
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(made.deja_home))
    return made
