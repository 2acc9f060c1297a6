"""What hooks have kept beside the databases, and that what is taken out leaves the rest as it is."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.feedback.erase import erase_told
from deja_hooks.indexer.traces import ring_without
from deja_hooks.memory.erase import EraseError, erase_from_state, scrub
from deja_hooks.memory.opening import open_for_writing
from deja_hooks.memory.state import Cursor, State

GONE = "11111111-aaaa-4000-8000-000000000001"


def line(sid: str, text: str = "", reason: str = "2 lines") -> bytes:
    packet = {"c": len(text), "p": text} if text else {"c": 0}
    return json.dumps({"t": 1, "e": "Stop", "h": "", "s": sid, "ms": 1.5, "r": reason, **packet}).encode() + b"\n"


def cleaned(*lines: bytes) -> bytes:
    return ring_without(b"".join(lines), {GONE})


class TestRing:
    def test_its_own_lines_go_and_packets_that_cite_it(self) -> None:
        other = line("asking", '- 2026-11-30 decided: "x" [deja-hooks show 22222222]')
        citing = line("asking", '- 2026-11-30 decided: "zanzibar" [deja-hooks show 11111111]')
        left = json.loads(cleaned(citing))
        assert cleaned(line(GONE), other, line("x"), b'{"torn": "zanz', b"\n") == other + line("x")
        assert left == {
            "t": 1, "e": "Stop", "h": "", "s": "asking", "ms": 1.5, "r": "told of a session that is forgotten",
            "c": json.loads(citing)["c"],
        }  # fmt: skip

    @given(st.lists(st.tuples(st.sampled_from([GONE, "a", "b"]), st.text(max_size=20))))
    def test_all_other_lines_stay_as_they_are(self, calls: list[tuple[str, str]]) -> None:
        lines = [line(*call) for call in calls]
        assert cleaned(*lines) == b"".join(each for each, call in zip(lines, calls, strict=True) if call[0] != GONE)


def test_the_state_without_a_session_and_its_agents(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    state = State(str(path))
    for sid in (GONE, "agent", "asking"):
        state.enter(sid, "cli", "dir:/x", 5, prompt=True)
        state.advance(sid, Cursor(f"/logs/{sid}", 1, 1, 1, 1, 1, 1), [(0, 5, "user")], anew=False)
        state.keep_packet(sid, f"the words of {sid}", 6)
    state.set_parent("agent", GONE)
    state.say("asking", "prompt", [f"{GONE}:0:decision:7", "other:0:decision:8"], 1)
    state.hold("asking", f"- {GONE} decided", 6)
    state.take_packet(GONE)  # its text lies in a free page now
    state.close()
    assert erase_from_state(path, lambda *_: False, [GONE], erase_told) == {GONE, "agent"}
    data = path.read_bytes()
    assert (b"the words of asking" in data, b"the words of " + GONE.encode() in data, GONE.encode() in data) == (
        True, False, False,
    )  # fmt: skip
    state = State(str(path))
    assert state.said("asking", "prompt") == {"other:0:decision:8"}
    assert state.take_packet("asking") == "the words of asking"
    assert state.take_held("asking") == ""
    state.close()


def test_a_broken_state_goes(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    path.write_bytes(b"zanzibar " * 900)
    assert erase_from_state(path, lambda *_: False, [GONE], erase_told) == {GONE}
    assert not path.exists()


class TestScrub:
    def memory(self, tmp_path: Path) -> tuple[Path, sqlite3.Connection]:
        path = tmp_path / "memory.db"
        db = open_for_writing(path)
        for turn in range(200):
            db.execute("INSERT INTO turn VALUES (?,0,1,?,'')", (turn, f"zanzibar {turn}" * 20))
            db.execute("INSERT INTO terms(rowid, body) VALUES (?, ?)", (turn, f"s1_zanzibar s1_t{turn}"))
        for turn in range(200):
            db.execute(
                "INSERT INTO terms(terms, rowid, body) VALUES ('delete', ?, ?)", (turn, f"s1_zanzibar s1_t{turn}")
            )
        db.execute("DELETE FROM turn")
        return path, db

    def test_nothing_is_left(self, tmp_path: Path) -> None:
        path, db = self.memory(tmp_path)
        assert b"zanzibar" in path.read_bytes() + Path(f"{path}-wal").read_bytes()
        scrub(db)
        assert b"zanzibar" not in path.read_bytes()
        assert Path(f"{path}-wal").stat().st_size == 0
        db.close()

    def test_a_reader_is_waited_for(self, tmp_path: Path) -> None:
        path, db = self.memory(tmp_path)
        reader = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM turn").fetchone()
        with pytest.raises(EraseError, match="another program keeps the memory open"):
            scrub(db, patience=0.2)
        threading.Timer(0.3, reader.execute, ("COMMIT",)).start()
        scrub(db)
        assert b"zanzibar" not in path.read_bytes() + Path(f"{path}-wal").read_bytes()
        reader.close()
        db.close()
