"""What is gathered of a session is bounded: its beginning, its last turns, and the rules from in between."""

from __future__ import annotations

from pathlib import Path

import pytest

from deja_hooks.memory.read import open_memory
from deja_hooks.recall import capture
from deja_hooks.recall.capture import Capture, from_memory
from tests.support.built import Built

RULE = "Never touch the migrations."


def gathered(path: Path, turns: int, places: int | None = None) -> Capture:
    built = Built(path)
    session = built.session("11111111-a", *[{"user": f"prompt {n}", "at": 1_000 + n} for n in range(turns)])
    for place, rule in ((3, RULE), (4, "Use tabs."), (1, "Ask first.")):
        built._insert("note", {"turn": session << 16 | place, "kind": "rule", "text": rule})
    built._insert("note", {"turn": session << 16 | 5, "kind": "decision", "text": "We decided to wait."})
    built.close()
    memory = open_memory(str(path))
    assert memory is not None
    whole = Capture()
    from_memory(memory, session, turns if places is None else places, whole)
    memory.close()
    return whole


@pytest.mark.parametrize(("most", "left_out"), [(4, range(1, 6)), (9, ()), (10, ()), (11, ())])
def test_the_first_and_the_last_turns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, left_out: range | tuple[()]
) -> None:
    monkeypatch.setattr(capture, "_MOST_TURNS", most)
    whole = gathered(tmp_path / "memory.db", 10)
    assert whole.prompts == [f"prompt {n}" for n in range(10) if n not in left_out]
    assert whole.rules == ["Ask first.", RULE, "Use tabs."]
    assert whole.at[RULE] == 1_003
    assert whole.decided == ([] if left_out else ["We decided to wait."])


def test_the_latest_of_many_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "_MOST_TURNS", 4)
    monkeypatch.setattr(capture, "_MOST_RULES", 2)
    assert gathered(tmp_path / "memory.db", 10).rules == [RULE, "Use tabs."]


def test_what_comes_later_is_the_transcripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capture, "_MOST_TURNS", 4)
    assert gathered(tmp_path / "memory.db", 10, places=8).prompts == ["prompt 0", "prompt 6", "prompt 7"]
    assert gathered(tmp_path / "other.db", 10, places=2).prompts == ["prompt 0"]
