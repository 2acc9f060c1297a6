"""The memory keeps within its limit: what goes, in which order, and what stays."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.indexer import budget
from deja_hooks.indexer.budget import DEFAULT_MB, LimitError, is_over, limit_of, sure_limit_of
from deja_hooks.indexer.run import Report, index, run_pass
from deja_hooks.memory import trim
from deja_hooks.memory.terms import TermCache
from deja_hooks.memory.write import MemoryWriter
from deja_hooks.sources.places.roots import find_roots
from tests.faults.history import sid_of, write_history
from tests.faults.sound import is_sound
from tests.indexer.dump import expected_postings, postings
from tests.support.world import World, asked, said

MB = 1_000_000


def run(world: World, limit: int) -> Report:
    roots = find_roots({}, world.home, "linux", [])
    report = run_pass(world.layout, roots, limit=limit)
    assert postings(world.layout.memory) == expected_postings(world.layout.memory)
    assert is_sound(world.layout.memory)
    return report


def rows(world: World, query: str) -> list[Any]:
    with contextlib.closing(sqlite3.connect(world.layout.memory)) as db:
        return db.execute(query).fetchall()


def size(world: World) -> int:
    return Path(world.layout.memory).stat().st_size


@pytest.fixture
def large(world: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """24 sessions, of which the last 4 are spared; their memory is between 1 and 2 MB. Nothing is too recent."""
    monkeypatch.setattr(trim, "SPARED", 4)
    write_history(world, 24)
    for path in world.store.rglob("events.jsonl"):
        os.utime(path, (time.time() - 9_999, time.time() - 9_999))
    run(world, 0)
    assert MB < size(world) < 2 * MB
    return world


@pytest.mark.parametrize(
    ("text", "limit"),
    [("", DEFAULT_MB * MB), (" ", DEFAULT_MB * MB), ("0", 0), ("10", 10 * MB), (" 500 ", 500 * MB)],
)
def test_the_limit_as_the_environment_says_it(text: str, limit: int) -> None:
    assert limit_of({"DEJA_HOOKS_MAX_MB": text}) == sure_limit_of({"DEJA_HOOKS_MAX_MB": text}) == limit
    assert limit_of({}) == DEFAULT_MB * MB


@pytest.mark.parametrize("text", ["9", "1e3", "-1", "2 GB", "\u0663\u0660", "9" * 400])
def test_a_limit_that_says_nothing(text: str) -> None:
    with pytest.raises(LimitError, match=r"DEJA_HOOKS_MAX_MB is .*: set it to whole megabytes \(10 or more; 0"):
        limit_of({"DEJA_HOOKS_MAX_MB": text})
    assert sure_limit_of({"DEJA_HOOKS_MAX_MB": text}) == DEFAULT_MB * MB


def test_the_lines_and_both_sides_of_old_edits_go_first(large: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_MOST_TURNS", 12)  # a session of two counts as three
    with contextlib.closing(sqlite3.connect(large.layout.memory)) as db, db:
        db.execute("INSERT INTO written SELECT id, 1, 'a.py', x'00' FROM turn")
    run(large, 100_000)
    assert rows(large, "SELECT sid, trimmed FROM session WHERE trimmed>0 ORDER BY updated") == [
        (sid_of(n), trim.LINES) for n in range(4)
    ]
    assert len(rows(large, "SELECT DISTINCT turn >> 16 FROM written")) == 20, "hosts that say which lines"
    assert len(rows(large, "SELECT 1 FROM work WHERE kind='edit' AND new<>''")) == 20
    assert len(rows(large, "SELECT 1 FROM work WHERE kind='edit'")) == 24


def test_then_work_then_texts_and_notes_and_fixes_last(large: World) -> None:
    """Among equals the oldest go first; the latest keep theirs until the others have only notes left."""
    seen = set()
    for limit in (1_200_000, 1_000_000, 800_000, 500_000, 440_000, 1):
        run(large, limit)
        stages = [row[0] for row in rows(large, "SELECT trimmed FROM session ORDER BY updated")]
        old, spared = stages[:20], stages[20:]
        for those in (old, spared):
            assert those == sorted(those, reverse=True)
            assert those[0] - those[-1] <= 1
        assert not any(spared) or min(old) >= trim.TEXTS
        assert len(rows(large, "SELECT 1 FROM fix")) >= sum(stage < trim.NOTES for stage in stages)
        assert len(rows(large, "SELECT 1 FROM note WHERE kind='decision'")) == sum(s < trim.NOTES for s in stages)
        assert len(rows(large, "SELECT 1 FROM session WHERE title LIKE 'What about limit_%'")) == 24
        seen |= set(stages)
    assert {0, trim.WORK, trim.TEXTS, trim.NOTES} <= seen


def test_the_file_shrinks_and_keeps_within(large: World) -> None:
    run(large, 600_000)
    assert size(large) <= 600_000


def test_what_was_noted_is_found_quoted_and_opened_long_after(large: World) -> None:
    before = large.call("UserPromptSubmit", prompt="What was limit_3 again?")
    run(large, 600_000)
    assert rows(large, f"SELECT trimmed FROM session WHERE sid='{sid_of(3)}'") == [(trim.TEXTS,)]
    after = large.call("UserPromptSubmit", "another", prompt="What was limit_3 again?")
    assert "We decided to set limit_3 to 3 because the gateway bans us." in after.text
    assert "set limit_3 to 3" in before.text
    turn = rows(
        large, f"SELECT user, assistant FROM turn JOIN session ON session.id=turn.id>>16 WHERE sid='{sid_of(3)}'"
    )
    assert turn[0][0].startswith("What about limit_3?")
    assert len(turn[0][0]) == 120
    assert turn[0][1] == "We decided to set limit_3 to 3 because the gateway bans us."
    fixed = large.tool("PreToolUse", "bash", command="make target_3")
    assert fixed.reason != "", "a lookup in what is left fails nowhere"
    assert len(rows(large, "SELECT 1 FROM fix WHERE form LIKE '%target_3'")) == 1
    assert rows(large, "SELECT count(*) FROM changed WHERE path='src/n3.py'") == [(1,)]


def test_what_was_taken_out_is_not_read_again(large: World) -> None:
    run(large, 500_000)
    before = rows(large, "SELECT sid, trimmed FROM session ORDER BY id")
    again = run(large, 500_000)
    assert (again.changed, again.bytes_read, again.trimmed) == (0, 0, 0)
    assert rows(large, "SELECT sid, trimmed FROM session ORDER BY id") == before


def test_a_session_that_goes_on_is_whole_again(large: World) -> None:
    run(large, 500_000)
    path = large.store / sid_of(0) / "events.jsonl"
    with path.open("a") as log:
        log.write(path.read_text().splitlines(keepends=True)[-1].replace("Done.", "Going on."))
    report = run(large, 5 * MB)
    assert (report.changed, report.trimmed) == (1, 0)
    assert rows(large, f"SELECT trimmed FROM session WHERE sid='{sid_of(0)}'") == [(0,)]
    assert len(rows(large, "SELECT 1 FROM work WHERE command='make target_0'")) == 2


def test_notes_of_the_user_and_promoted_sessions_are_never_touched(large: World) -> None:
    with contextlib.closing(sqlite3.connect(large.layout.memory)) as db, db:
        db.execute("INSERT INTO mark VALUES (?, 'promote', 1, '')", (sid_of(0),))
        db.execute("UPDATE session SET store='notes' WHERE sid=?", (sid_of(1),))
    run(large, 100_000)
    kept = rows(large, "SELECT sid FROM session WHERE trimmed=0 ORDER BY sid")
    assert kept == [(sid_of(0),), (sid_of(1),)]
    assert rows(large, "SELECT DISTINCT trimmed FROM session WHERE trimmed>0") == [(trim.NOTES,)]


def test_a_call_does_a_bounded_amount_and_the_next_goes_on(large: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_MOST_TURNS", 9)
    monkeypatch.setattr(budget, "_BATCH_TURNS", 3)
    counts = [run(large, 500_000).trimmed for _ in range(3)]
    assert counts == [3, 3, 3], "a session of two turns counts as three"
    assert rows(large, "SELECT count(*) FROM session WHERE trimmed>0") == [(9,)]


def test_a_first_pass_keeps_within_while_it_reads(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deja_hooks.indexer.passing.BATCH_BYTES", 200_000)
    largest = 0
    keep = budget.keep_within

    def watched(writer: Any, limit: int) -> int:
        nonlocal largest
        found = keep(writer, limit)
        largest = max(largest, int(writer.db.execute("PRAGMA page_count").fetchone()[0]) * 4096)
        return found

    monkeypatch.setattr("deja_hooks.indexer.passing.keep_within", watched)
    write_history(world, 60)
    run(world, 800_000)
    assert largest < 1_200_000
    assert size(world) <= 800_000


def test_a_smaller_limit_is_followed_at_the_next_index_though_nothing_is_new(large: World) -> None:
    def once(limit: str) -> Report:
        return index(large.layout, environment={"DEJA_HOOKS_MAX_MB": limit}, home=large.home, platform="linux")

    assert not is_over(large.layout.memory, 10 * MB)
    assert is_over(large.layout.memory, MB)
    assert once("10").trimmed == 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(budget, "LEAST_MB", 1)
        assert once("1").trimmed > 0
    assert size(large) <= MB


def test_the_prompts_own_notes_stay_with_the_prompt(world: World) -> None:
    """A rule that the user gave is quoted as the user's."""
    filler = "more words that nobody needs again " * 40
    world.cli_session(
        sid_of(0),
        asked(f"{filler}\nNever use tabs in config_loader files.\n{filler}"),
        said(f"We decided to keep config_loader strict because users asked.\n{filler}"),
    )
    run(world, 0)
    with contextlib.closing(MemoryWriter(world.layout.memory)) as writer, writer.transaction():
        trim.trim_session(writer.db, trim.Candidate(1, 1, 1), trim.TEXTS, TermCache())
    assert postings(world.layout.memory) == expected_postings(world.layout.memory)
    (turn,) = rows(world, "SELECT user, assistant FROM turn")
    first, *rest = turn[0].splitlines()
    assert (first[:20], first[-1], len(first)) == ("more words that nobo", "…", 120)
    assert rest == ["Never use tabs in config_loader files."]
    assert turn[1] == "We decided to keep config_loader strict because users asked."
