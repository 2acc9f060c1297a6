"""A session's start: what stands, for the branch and the files at hand; after a resume, what is new."""

from __future__ import annotations

import os
from pathlib import Path

from tests.support.world import NOON, World, asked, edited, line, said

DAY = 86_400_000


def settled(world: World, sid: str, days: int, *sentences: str, branch: str = "") -> None:
    """A session that many days ago, which said these things."""
    at = NOON - days * DAY
    path = world.cli_session(sid, *[r for s in sentences for r in (asked("what now?"), said(s))], at=at)
    if branch:
        lines = path.read_text().splitlines(keepends=True)
        start = {
            "sessionId": sid,
            "startTime": "2026-01-01T00:00:00Z",
            "context": {"cwd": str(world.project), "branch": branch},
        }
        path.write_text(line("session.start", start, at) + "".join(lines[1:]))


def told(world: World, source: str = "new", sid: str = "asking") -> list[str]:
    world.index()
    text = world.call("SessionStart", sid=sid, source=source).text
    return [each for each in text.splitlines() if each.startswith("- ")]


def test_the_later_decision_stands(world: World) -> None:
    settled(world, "old", 9, "We decided to set retry_budget to 3.", "Always run black.")
    settled(world, "new", 2, "We decided to set retry_budget to 7 instead.")
    assert told(world) == [
        '- 2026-11-28 decided: "We decided to set retry_budget to 7 instead." [deja-hooks show new]',
    ]


def test_also_where_the_branch_puts_the_older_one_first(world: World) -> None:
    settled(world, "old", 9, "We decided to set retry_budget to 3.", "We decided to log in JSON.", branch="main")
    settled(world, "new", 2, "We decided to set retry_budget to 7 instead.", branch="other")
    assert told(world) == [
        '- 2026-11-21 decided: "We decided to log in JSON." [deja-hooks show old]',
        '- 2026-11-28 decided: "We decided to set retry_budget to 7 instead." [deja-hooks show new]',
    ]


def test_a_resumed_session_is_told_what_is_new_since(world: World) -> None:
    settled(world, "before", 9, "We decided to cache tokens.")
    settled(world, "mine", 5, "We decided to log in JSON.")
    settled(world, "since", 2, "We decided to set retry_budget to 7.")
    assert told(world, "resume", "mine") == [
        '- 2026-11-28 decided: "We decided to set retry_budget to 7." [deja-hooks show since]',
    ]
    outcome = world.call("SessionStart", sid="mine", source="resume")
    assert 'about="what code/shop settled since this session was left"' in outcome.text


def test_a_resumed_session_that_nothing_followed_is_told_nothing(world: World) -> None:
    settled(world, "before", 9, "We decided to cache tokens.")
    settled(world, "mine", 5, "We decided to log in JSON.")
    world.index()
    outcome = world.call("SessionStart", sid="mine", source="resume")
    assert (outcome.text, outcome.reason) == ("", "nothing new since this session was left")


def test_of_the_branchs_sessions_that_whose_files_have_changed_leads(world: World) -> None:
    at = {"first": 9, "second": 5}
    for sid, days in at.items():
        file = world.project / f"{sid}.py"
        file.write_text("x = 1\n")
        when = (NOON - days * DAY) / 1000 - 60
        os.utime(file, (when, when))
        path = world.cli_session(
            sid, asked("do it"), *edited(file, "x = 1\n", "x = 2\n"), said(f"We decided to keep {sid}_thing small."),
            at=NOON - days * DAY,
        )  # fmt: skip
        text = path.read_text().replace('"context": {', '"context": {"branch": "main", ')
        path.write_text(text)
    first = [
        '- 2026-11-25 decided: "We decided to keep second_thing small." [deja-hooks show second]',
        '- 2026-11-21 decided: "We decided to keep first_thing small." [deja-hooks show first]',
    ]
    assert told(world) == first
    Path(world.project / "first.py").touch()
    assert told(world, sid="another") == first[::-1]
