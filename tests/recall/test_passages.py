"""What a found session has to say: what came of the matter, once."""

from __future__ import annotations

import pytest

from tests.support.world import NOON, World, asked, said

OTHER = "22222222-bbbb-4000-8000-000000000002"


def told(world: World, prompt: str, *turns: tuple[str, str]) -> list[str]:
    """What a prompt is told of one session."""
    world.cli_session(OTHER, *[record for user, answer in turns for record in (asked(user), said(answer))], at=NOON)
    world.index()
    text = world.call("UserPromptSubmit", prompt=prompt).text
    return [line for line in text.splitlines() if line.startswith("- ")]


def line(lead: str, text: str) -> str:
    return f'- 2026-11-30 {lead}: "{text}" [deja-hooks show 22222222]'


def test_the_outcome_comes_with_what_it_is_about(world: World) -> None:
    answer = "I looked at the traces. The culprit is retry_budget. We take 4,150 ms from now on, as the disk is slow."
    assert told(world, "what about retry_budget?", ("it is slow again", answer)) == [
        line("decided", "The culprit is retry_budget. We take 4,150 ms from now on, as the disk is slow.")
    ]


@pytest.mark.parametrize("between", [0, 1])
def test_what_was_settled_leads_not_the_question(world: World, between: int) -> None:
    turns = [("what should retry_budget be for the importer?", "I will look at the metrics of last week first.")]
    if between:
        turns.append(("and?", "We decided to set it to 7, because the upstream is slow."))
    else:
        turns = [(turns[0][0], "We decided to set it to 7, because the upstream is slow.")]
    assert told(world, "what is retry_budget?", *turns) == [
        line("decided", "We decided to set it to 7, because the upstream is slow."),
        line("asked", turns[0][0]),
    ]


def test_what_was_settled_about_another_thing_is_no_answer(world: World) -> None:
    turns = ("what should retry_budget be for the importer?", "We decided to set `pool_size` to 7 instead.")
    assert told(world, "what is retry_budget?", turns) == [
        line("asked", turns[0]),
        line("said", turns[1]),
    ]


def test_a_mention_in_passing_is_not_quoted(world: World) -> None:
    turn = ("run the tests. This is not about retry_budget this time, I checked", "All of the tests pass again.")
    assert told(world, "what is retry_budget?", turn) == []


def test_what_was_said_twice_is_told_once(world: World) -> None:
    sentence = "We decided to set retry_budget to 7, because the upstream is slow."
    world.cli_session(OTHER, asked("a"), said(sentence), asked("b"), said(sentence), at=NOON)
    world.index()
    first = world.call("UserPromptSubmit", prompt="what is retry_budget?")
    assert [each for each in first.text.splitlines() if each.startswith("- ")] == [line("decided", sentence)]
    again = world.call("UserPromptSubmit", prompt="is retry_budget still right?")
    assert (again.text, again.reason) == ("", "already said")


def test_a_short_request_without_an_answer_says_nothing(world: World) -> None:
    world.cli_session(OTHER, asked("Look at retry_budget"), at=NOON)
    world.index()
    assert world.call("UserPromptSubmit", prompt="what is retry_budget?").text == ""
