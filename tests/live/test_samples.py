"""The sample sessions of `hook_payloads` are ones that the real CLI takes for its own."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from .copilot import Sandbox, cache_folder
from .model import Model, Reply, serve

pytestmark = pytest.mark.live

SAMPLES = Path(__file__).parents[2] / "hook_payloads" / "home" / ".copilot" / "session-state"


@pytest.mark.parametrize("sid", sorted(folder.name for folder in SAMPLES.iterdir()))
def test_a_sample_is_resumed(cli: Path, tmp_path: Path, sid: str) -> None:
    box = Sandbox(tmp_path / "box", cli, cache_folder(os.environ))
    box.lay_out({"README.md": "A shop.\n"})
    shutil.copytree(SAMPLES / sid, box.copilot_home / "session-state" / sid)
    log = box.copilot_home / "session-state" / sid / "events.jsonl"
    log.write_text(log.read_text("utf-8").replace("@HOME@/project", str(box.project)), encoding="utf-8")
    with serve(Model([Reply("asked", "Gladly.")])) as model:
        done = box.ask("Go on, please.", model, "--resume", sid)
    assert (done.exit_code, "Gladly." in done.output) == (0, True), done.output
    assert box.sessions() == [sid]
