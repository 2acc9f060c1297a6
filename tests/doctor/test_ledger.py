"""What installing has written down."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from deja_hooks.hosts.ledger import ledger_path
from tests.support.world import World

from .conftest import Deja

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def _faults(deja: Deja) -> list[dict[str, object]]:
    findings = json.loads(deja("status", "--json").out)
    assert set(findings) >= {"broken", "checks"}
    found = json.loads(deja("doctor", "--json").out)["findings"]
    return [each for each in found if each["state"] == "broken"]


@pytest.fixture(autouse=True)
def _one_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.doctor.run.EVENTS", ["Stop"])


def test_a_file_that_was_deleted(healthy: World, deja: Deja) -> None:
    mcp = healthy.user / "mcp.json"
    mcp.unlink()
    assert _faults(deja) == [
        {
            "check": "mcp",
            "state": "broken",
            "about": str(mcp),
            "seen": "it is not there: install wrote it, and something has deleted it",
            "do": "run deja-hooks install",
            "fixable": True,
        }
    ]
    ledger_path(healthy.layout).unlink()  # nothing says that it ever was there
    assert _faults(deja) == []


def test_what_to_do_about_a_damaged_one_helps(healthy: World, deja: Deja) -> None:
    path = ledger_path(healthy.layout)
    path.write_text("{")
    (fault,) = _faults(deja)
    assert (fault["check"], fault["about"], fault["do"]) == (
        "ledger",
        str(path),
        "delete it, then run deja-hooks uninstall and deja-hooks install, which writes it anew",
    )
    path.unlink()
    assert deja("uninstall").code == 0
    assert deja("install", "--no-index").code == 0
    assert _faults(deja) == []
    assert str(healthy.user / "mcp.json") in json.loads(Path(path).read_text())["files"]
