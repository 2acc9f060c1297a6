"""A session's start: what stands, for the branch and the files at hand; after a resume, what is new."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

from deja_hooks.cli.main import main
from deja_hooks.marks.log import append, locked
from deja_hooks.marks.model import Mark
from tests.support.world import NOON, World, asked, edited, line, ran, said

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


def on_branch(path: Path, name: str) -> None:
    """Says that a written session was on that branch."""
    path.write_text(path.read_text().replace('"context": {', f'"context": {{"branch": "{name}", ', 1))


@pytest.fixture
def noon(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the commands in a test; each is a minute after the one before."""
    times = itertools.count(NOON, 60_000)
    monkeypatch.setattr("deja_hooks.cli.context.time.time_ns", lambda: next(times) * 1_000_000)


@pytest.mark.usefixtures("noon")
def test_what_the_user_asked_to_remember_leads(world: World) -> None:
    settled(world, "new", 2, "We decided to log in JSON.")
    world.index()
    for text in ("the deploy key is on the build server", "releases are made on Tuesdays"):
        assert main(["remember", "--project", str(world.project), text]) == 0
    lines = told(world)
    assert [each.partition(" [")[0] for each in lines] == [
        '- 2026-11-30 remembered: "releases are made on Tuesdays"',
        '- 2026-11-30 remembered: "the deploy key is on the build server"',
        '- 2026-11-28 decided: "We decided to log in JSON."',
    ]


@pytest.mark.usefixtures("noon")
def test_a_rejected_session_is_left_out(world: World) -> None:
    settled(world, "kept", 3, "We decided to log in JSON.")
    settled(world, "wrong", 2, "We decided to set retry_budget to 7.")
    world.index()
    assert main(["reject", "wrong"]) == 0
    assert told(world) == ['- 2026-11-27 decided: "We decided to log in JSON." [deja-hooks show kept]']


def test_an_open_item_is_not_told_once_it_is_done(world: World) -> None:
    settled(world, "old", 9, "The `csv_import` is not done yet.")
    assert told(world) == ['- 2026-11-21 left open: "The `csv_import` is not done yet." [deja-hooks show old]']
    settled(world, "new", 2, "I fixed `csv_import` for good.")
    assert told(world, sid="another") == [
        '- 2026-11-28 fixed: "I fixed `csv_import` for good." [deja-hooks show new]',
    ]


FAILED, WORKED = (2, "app.py:3: error: no pool"), (0, "fine")


def broken(world: World, sid: str, days: int, *commands: tuple[str, tuple[int, str]], branch: str = "") -> None:
    """A session that ran these commands."""
    records = [record for command, ended in commands for record in ran(command, *ended)]
    path = world.cli_session(sid, asked("run it"), *records, said("See above."), at=NOON - days * DAY)
    if branch:
        on_branch(path, branch)


def last_failed(world: World, sid: str) -> list[str]:
    return [each for each in told(world, sid=sid) if "last failed" in each]


def test_what_the_last_session_left_failing(world: World) -> None:
    broken(world, "old", 3, ("make docs", FAILED))
    broken(world, "new", 2, ("make app", FAILED), ("cat app.py", WORKED))
    assert last_failed(world, "a") == [
        '- 2026-11-28 last failed: "make app → app.py:3: error: no pool" [deja-hooks show new]'
    ]


def test_a_command_that_worked_later_or_in_another_form_is_not_broken(world: World) -> None:
    broken(world, "new", 2, ("make app", FAILED), ("make app CC=gcc", WORKED))
    broken(world, "newer", 1, ("flake8 src", FAILED), ("python -m flake8 src", WORKED))
    assert last_failed(world, "a") == []


def test_the_branchs_last_session_comes_before_the_newest(world: World) -> None:
    broken(world, "mine", 3, ("make app", FAILED), branch="main")
    broken(world, "theirs", 2, ("make docs", FAILED), branch="other")
    assert last_failed(world, "a") == [
        '- 2026-11-27 last failed: "make app → app.py:3: error: no pool" [deja-hooks show mine]'
    ]
    broken(world, "later", 1, ("make app", WORKED), branch="other")
    assert last_failed(world, "b") == []


def test_what_is_open_and_broken_is_kept_where_room_is_short(world: World) -> None:
    for days in range(2, 6):
        words = " ".join(f"thing_{days}_{n}" for n in range(40))
        settled(world, f"s{days}", days, f"We decided to keep {words}.")
    settled(world, "left", 6, "The CSV import is not done yet.")
    broken(world, "new", 1, ("make app", FAILED))
    world.index()
    outcome = world.call("SessionStart", sid="asking", source="new")
    assert [each.rpartition("show ")[2] for each in outcome.text.splitlines()[2:-1]] == [
        "s2]",
        "s3]",
        "s4]",
        "left]",
        "new]",
    ]
    assert 1_500 < len(outcome.text) < 2_000


def test_a_promoted_session_leads_and_says_so(world: World) -> None:
    settled(world, "old", 9, "We decided to log in JSON.")
    settled(world, "new", 2, "We decided to set retry_budget to 7.")
    world.index()
    with locked(world.layout):
        append(world.layout, Mark("p1", NOON, "promote", session="old"))
    assert told(world) == [
        '- 2026-11-21 decided: "We decided to log in JSON." [deja-hooks show old] (promoted by the user)',
        '- 2026-11-28 decided: "We decided to set retry_budget to 7." [deja-hooks show new]',
    ]
