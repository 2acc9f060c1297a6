"""Before a prompt: what stands leads, what was overturned says so, near-copies count once, nothing comes twice."""

from __future__ import annotations

from pathlib import Path

from deja_hooks.marks.log import append, locked
from deja_hooks.marks.model import Mark
from tests.support.world import NOON, World, asked, said

DAY = 86_400_000
OLD = '"We decided to set retry_budget to 3." [deja-hooks show old]'
NEW = '"We decided to set retry_budget to 7 instead." [deja-hooks show new]'


def session(world: World, sid: str, days: int, *sentences: str) -> None:
    """A session that many days ago, which said these things."""
    records = [record for each in sentences for record in (asked("what now?"), said(each))]
    world.cli_session(sid, *records, at=NOON - days * DAY)


def told(world: World, prompt: str, sid: str = "asking") -> list[str]:
    text = world.call("UserPromptSubmit", sid=sid, prompt=prompt).text
    return [line for line in text.splitlines() if line.startswith("- ")]


def filler(world: World) -> None:
    for number in range(20):
        session(world, f"filler{number}", 30 + number, f"The {number}th page of the handbook is done.")


def test_a_later_decision_leads_and_says_what_it_overturns(world: World) -> None:
    filler(world)
    session(world, "old", 9, "We decided to set retry_budget to 3.")
    session(world, "new", 2, "We decided to set retry_budget to 7 instead.")
    world.index()
    assert told(world, "what is retry_budget now?") == [
        f"- 2026-11-28 decided: {NEW} (overturns 2026-11-21 decided: {OLD})",
    ]
    assert told(world, "what is retry_budget now?") == []


def test_a_near_copy_counts_once(world: World) -> None:
    filler(world)
    session(world, "old", 9, "We decided to set retry_budget to 3, because the gateway bans us.")
    session(world, "new", 2, "Decided: set `retry_budget` to 3 because the gateway bans us!")
    world.index()
    assert told(world, "why is retry_budget what it is?") == [
        '- 2026-11-28 decided: "Decided: set `retry_budget` to 3 because the gateway bans us!" [deja-hooks show new]',
    ]


def test_two_things_that_were_decided_both_stand(world: World) -> None:
    filler(world)
    session(
        world, "old", 9, "We decided to set retry_budget to 3.", "We decided to call jitter_seed from retry_budget."
    )
    world.index()
    assert len(told(world, "how do jitter_seed and retry_budget go together?")) == 2


def test_an_overturned_decision_is_not_told_later_in_its_own_right(world: World) -> None:
    filler(world)
    session(world, "old", 9, "We decided to set retry_budget to 3.")
    session(world, "new", 2, "We decided to set retry_budget to 7 instead.")
    world.index()
    assert told(world, "what is retry_budget now?")
    assert told(world, "and why retry_budget of 3?") == []


def test_a_turn_in_progress_overturns_nothing(world: World) -> None:
    filler(world)
    session(world, "old", 9, "We decided to set retry_budget to 3.")
    session(world, "new", 2, "We decided to set retry_budget to 7 instead.")
    world.index()
    world.call("UserPromptSubmit", sid="new", prompt="go on")
    world.now = int(Path(world.layout.live("new")).stat().st_mtime * 1000)
    assert told(world, "what is retry_budget now?") == [f"- 2026-11-21 decided: {OLD}"]


def test_the_same_words_of_two_sessions_count_once_also_where_nothing_was_decided(world: World) -> None:
    filler(world)
    for sid, days in (("old", 9), ("new", 2)):
        session(world, sid, days, "The frobnicator needs its gateway_token in the header of each call.")
    world.index()
    quoted = '"The frobnicator needs its gateway_token in the header of each call." [deja-hooks show new]'
    assert told(world, "where does gateway_token go?") == [f"- 2026-11-28 said: {quoted}"]


def test_a_promoted_session_leads_and_says_so(world: World) -> None:
    filler(world)
    session(world, "old", 9, "We decided to log gateway_token in JSON.")
    session(world, "new", 2, "We decided to keep gateway_token out of the URL of each call that we make.")
    world.index()
    prompt = "what about gateway_token in JSON logs?"
    with locked(world.layout):
        append(world.layout, Mark("p1", NOON, "promote", session="old", text="the team's word"))
    world.index()
    assert told(world, prompt)[0] == (
        '- 2026-11-21 decided: "We decided to log gateway_token in JSON." [deja-hooks show old]'
        ' (promoted by the user: "the team\'s word")'
    )


def test_a_rejected_session_is_not_told(world: World) -> None:
    filler(world)
    session(world, "old", 9, "We decided to log gateway_token in JSON.")
    world.index()
    with locked(world.layout):
        append(world.layout, Mark("r1", NOON, "reject", session="old"))
    world.index()
    outcome = world.call("UserPromptSubmit", prompt="what about gateway_token in JSON logs?")
    assert (outcome.text, outcome.reason) == ("", "rejected by the user")
