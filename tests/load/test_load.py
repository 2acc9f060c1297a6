"""The long runs, small: nothing lost, every reply whole, within the bounds of memory. Times are left to the others."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest

from deja_hooks.indexer.places import places_to_look
from deja_hooks.indexer.run import run_pass
from deja_hooks.memory.layout import Layout
from tests.benchmarks.chats import generate_chats
from tests.load.__main__ import main
from tests.load.crowd import Crowd, crowd
from tests.load.histories import many_sessions, one_log
from tests.load.report import crowd_table, load_table
from tests.load.scenarios import HOOK_LIMIT, INDEXER_LIMIT, SCENARIOS, Load

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")


@pytest.mark.parametrize(("name", "scale"), [("transcript", 0.03), ("sessions", 0.01), ("files", 0.005)])
def test_large_histories(tmp_path: Path, name: str, scale: float) -> None:
    found = SCENARIOS[name](tmp_path, scale)
    assert found.holds, found


def test_many_hooks_at_once(tmp_path: Path) -> None:
    found = crowd(tmp_path, 3, 72, at_once=24)
    assert found.whole, found
    assert (found.hooks, found.killed) == (72, 9)


def test_memory_does_not_grow_with_what_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass runs without the collector of cycles, so nothing that it reads may be in one."""
    copilot_home, facts, _ = many_sessions(tmp_path / "history", 20, 3)
    generate_chats(tmp_path / "home" / ".config" / "Code" / "User", [facts[0].project], 3, 20_000)
    layout = Layout(str(tmp_path / "cache"), str(tmp_path / "config"))
    roots = places_to_look(layout, {"COPILOT_HOME": str(copilot_home)}, tmp_path / "home", "linux")
    run_pass(layout, roots)  # loads all modules, which make cycles of their own
    Path(layout.memory).unlink()
    gc.collect()
    with monkeypatch.context() as patch:
        patch.setattr(gc, "enable", lambda: None)  # else what the pass leaves is collected before it is counted
        assert run_pass(layout, roots).sessions == 23
        left = gc.collect()
    gc.enable()
    assert left < 20


def test_what_is_made(tmp_path: Path) -> None:
    copilot_home, facts, size = many_sessions(tmp_path / "many", 60, 1)
    logs = {path.parent.name: path for path in copilot_home.glob("session-state/*/events.jsonl")}
    assert set(logs) == {fact.session for fact in facts}
    assert len({fact.topic for fact in facts}) == 60
    assert size == sum(path.stat().st_size for path in logs.values())
    for fact in facts:
        text = logs[fact.session].read_text("utf-8")
        assert f"We decided to set {fact.topic} to {fact.value} in {fact.file} because" in text
    _, log = one_log(tmp_path / "one", 3_000_000)
    text = log.path.read_text("utf-8")
    assert text.count('"type": "user.message"') == log.turns
    assert abs(log.size - 3_000_000) < 2_800_000
    assert log.fact.topic in text.splitlines()[-2]


def test_tables() -> None:
    load = Load("20 sessions", 2_000_000, 3.2, 50_000_000, 15_100_000, 0, "nothing new: 1 s")
    assert load.holds
    assert load_table([load]).splitlines()[2] == "| 20 sessions | 2 | 3 | 50 | 15.1 | 0 | nothing new: 1 s |"
    for worse in ({"lost": 1}, {"indexer": INDEXER_LIMIT + 1}, {"hook": HOOK_LIMIT + 1}):
        assert not load._replace(**worse).holds
    found = Crowd(128, 16, 2, 0, 0, 0, 0, [0.2] * 112, [0.1] * 128)
    assert found.holds
    assert "| times bare | 2.00 |" in crowd_table(found)
    assert not found._replace(seconds=[0.4] * 112).holds
    for worse in ("bad", "silent", "lost", "broken"):
        assert not found._replace(**{worse: 1}).holds


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "argv", ["load", "files", "--scale", "0.0001", "--folder", str(tmp_path)])
    assert main() == 0
    assert "| 10 sessions of 1 turn |" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
