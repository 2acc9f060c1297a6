"""What the ranking knows beside words: days, marks, misspelling, sentences; and how sure it is."""

from __future__ import annotations

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.recall.asked import focus, idf, informative
from deja_hooks.recall.confidence import evidence, logistic
from deja_hooks.recall.dates import DAY_MS, without_dates
from deja_hooks.recall.rank import Ranking, Reach, rank
from deja_hooks.recall.thresholds import CONFIDENT, MOST_POSTINGS, NAMED, POSTINGS
from tests.support.world import World, asked, said

HOOK = Reach(160, 4, 2, likely=40, evidence=True)
SEARCH = Reach(600, 10, 4, likely=40, near=True)


def opened(world: World) -> Memory:
    world.index()
    memory = open_memory(world.layout.memory)
    assert memory is not None
    return memory


def ranked(memory: Memory, text: str, reach: Reach = SEARCH, today: date = date(2026, 11, 30)) -> Ranking:
    day = (today - date(1970, 1, 1)).days
    rest, dates = without_dates(text, day)
    return rank(memory, memory.projects(), informative(rest, trade=reach is SEARCH), reach, set(), dates)


def sids(memory: Memory, ranking: Ranking) -> list[str]:
    found = [memory.session(candidate.session) for candidate in ranking.candidates]
    return [session.sid for session in found if session is not None]


@pytest.fixture
def colours(world: World) -> World:
    for number, colour in enumerate(("copper", "nickel", "cobalt")):
        at = world.now - (30 - 10 * number) * DAY_MS
        world.cli_session(f"s-{colour}", asked(f"about {colour} and paint"), said(f"We like {colour} paint."), at=at)
    return world


class TestDays:
    def test_the_day_that_is_asked_about_leads(self, colours: World) -> None:
        memory = opened(colours)
        day = date.fromtimestamp((colours.now - 20 * DAY_MS) / 1000)
        assert sids(memory, ranked(memory, f"paint on {day.isoformat()}"))[0] == "s-nickel"
        assert sids(memory, ranked(memory, "paint"))[0] == "s-cobalt"

    def test_a_day_alone_finds_its_sessions(self, colours: World) -> None:
        memory = opened(colours)
        day = date.fromtimestamp((colours.now - 30 * DAY_MS) / 1000)
        ranking = ranked(memory, f"on {day.isoformat()}")
        assert sids(memory, ranking) == ["s-copper"]
        assert evidence(ranking, ranking.candidates[0]).words == []

    def test_of_a_prompt_is_no_evidence_and_hides_none(self, colours: World) -> None:
        opened(colours)
        colours.now -= 9 * DAY_MS  # the day after s-cobalt
        day = date.fromtimestamp((colours.now - DAY_MS) / 1000).isoformat()
        assert colours.call("UserPromptSubmit", sid="a", prompt="yesterday went well, zeppelins and all").text == ""
        assert "copper paint" in colours.call("UserPromptSubmit", sid="b", prompt=f"why copper on {day}?").text


class TestMarks:
    def mark(self, memory: Memory, world: World, sid: str, kind: str) -> Memory:
        memory.close()
        import sqlite3

        with sqlite3.connect(world.layout.memory) as db:
            db.execute("INSERT INTO mark VALUES (?, ?, 1, 'because')", (sid, kind))
        db.close()
        again = open_memory(world.layout.memory)
        assert again is not None
        return again

    def test_a_promoted_session_stands_above_an_equal_one(self, colours: World) -> None:
        memory = self.mark(opened(colours), colours, "s-copper", "promote")
        ranking = ranked(memory, "paint")
        assert sids(memory, ranking) == ["s-copper", "s-cobalt", "s-nickel"]
        assert [(c.mark, c.note) for c in ranking.candidates] == [("promote", "because"), ("", ""), ("", "")]

    def test_but_not_above_one_that_says_more(self, colours: World) -> None:
        memory = self.mark(opened(colours), colours, "s-copper", "promote")
        assert sids(memory, ranked(memory, "nickel paint"))[0] == "s-nickel"

    def test_a_rejected_session_stands_last(self, colours: World) -> None:
        memory = self.mark(opened(colours), colours, "s-copper", "reject")
        ranking = ranked(memory, "copper paint")
        assert sids(memory, ranking) == ["s-cobalt", "s-nickel", "s-copper"]
        assert ranking.candidates[-1].mark == "reject"

    def test_no_hook_puts_a_rejected_session_before_the_model(self, colours: World) -> None:
        memory = opened(colours)
        assert "copper" in colours.call("UserPromptSubmit", sid="a", prompt="what about copper?").text
        self.mark(memory, colours, "s-copper", "reject")
        outcome = colours.call("UserPromptSubmit", sid="b", prompt="what about copper?")
        assert (outcome.text, outcome.reason) == ("", "rejected by the user")


def test_the_projects_own_name_is_no_evidence(world: World) -> None:
    world.cli_session("s", asked("what is shop for?"), said("The shop sells tea."))
    world.index()
    outcome = world.call("UserPromptSubmit", prompt="why is shop like that?")
    assert (outcome.text, outcome.reason) == ("", "no term of the prompt is known here")
    assert "sells tea" in world.call("UserPromptSubmit", prompt="why does shop sell tea?").text


def test_a_search_forgives_a_slip_and_a_hook_does_not(colours: World) -> None:
    memory = opened(colours)
    assert sids(memory, ranked(memory, "nickle")) == ["s-nickel"]
    assert sids(memory, ranked(memory, "nickle", HOOK)) == []


def test_a_name_in_one_sentence_is_what_a_hook_looks_for(world: World) -> None:
    world.cli_session("s-named", asked("about retry_budget"), said("We decided to set retry_budget to 7."))
    world.cli_session("s-talk", asked("move the parser, the printer and the reader"), said("The parser moved."))
    memory = opened(world)
    text = "First move the parser. Then the printer and the reader. And what was retry_budget for?"
    assert sids(memory, ranked(memory, text, HOOK)) == ["s-named"]
    assert [term.key for term in focus(informative(text))] == [term.key for term in informative(text)]


def test_a_long_text_reads_fewer_postings_of_each_word(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.cli_session("s", asked("alpha"), said("beta"))
    memory = opened(world)
    limits: set[int] = set()
    lookup = Memory.postings_of_all

    def noted(self: Memory, prefix: str, projects: list[int], term: str, limit: int) -> list[int]:
        limits.add(limit)
        return lookup(self, prefix, projects, term, limit)

    monkeypatch.setattr(Memory, "postings_of_all", noted)
    ranked(memory, "alpha")
    ranked(memory, " ".join(f"name_{i}x" for i in range(30)))
    ranked(memory, " ".join([*(f"name_{i}x" for i in range(40)), *(f"{chr(97 + i)}lpha" for i in range(20))]))
    assert max(limits) == 600
    assert all(POSTINGS <= limit <= MOST_POSTINGS for limit in limits)
    assert len(limits) == 3


class TestConfidence:
    def of(self, memory: Memory, text: str) -> float:
        ranking = ranked(memory, text)
        return round(evidence(ranking, ranking.candidates[0]).confidence, 2)

    def test_falls_with_what_is_not_there(self, colours: World) -> None:
        memory = opened(colours)
        found = [self.of(memory, text) for text in ("copper", "copper zeppelins", "copper zeppelins in Mongolia")]
        assert found == [0.91, 0.15, 0.05]
        assert found[0] >= CONFIDENT > found[1]

    def test_a_rare_name_is_enough(self, world: World) -> None:
        world.cli_session("s", asked("about retry_budget"), said("We set retry_budget to 7."))
        memory = opened(world)
        assert NAMED <= self.of(memory, "zeppelins over Mongolia without retry_budget") < 1

    def test_of_the_sentence_that_fits_best(self, colours: World) -> None:
        memory = opened(colours)
        assert self.of(memory, "Zeppelins over Mongolia are loud. What about copper?") == self.of(memory, "copper")


@given(st.floats(min_value=-12, max_value=12))
def test_logistic(x: float) -> None:
    assert math.isclose(logistic(x), 1 / (1 + math.exp(-x)), abs_tol=1e-4)


@given(st.integers(min_value=0, max_value=10**6), st.integers(min_value=1, max_value=10**6))
def test_rarity_in_bits(found: int, count: int) -> None:
    assert math.isclose(idf(found, count), math.log2(1 + (max(0, count - found) + 0.5) / (found + 0.5)), abs_tol=0.01)
