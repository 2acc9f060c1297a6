"""Some of each target in seconds; `python -m tests.fuzz` tries them for longer."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_some(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("COPILOT_HOME", "DEJA_COPILOT_ROOT", "DEJA_COPILOT_CHAT_ROOTS", "DEJA_RECALL"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(tmp_path / "deja"))
    check = TARGETS[name].make(tmp_path)
    settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))(
        given(TARGETS[name].inputs)(lambda value: check(value))
    )()
