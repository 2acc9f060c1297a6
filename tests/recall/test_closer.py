"""What is read of a turn: how often it has the terms, and how well its best sentence does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.recall.asked import Term, informative
from deja_hooks.recall.closer import Reading, Wanted, read_turn, root, turn_score
from deja_hooks.recall.slips import one_slip
from tests.support.world import World, asked, said


@pytest.mark.parametrize(
    "family",
    [
        ["mentor", "mentors", "mentoring", "mentorship"],
        ["organize", "organized", "organizer", "organizing"],
        ["agency", "agencies"],
        ["retry", "retries"],
        ["plan", "plans"],
    ],
)
def test_a_family_has_one_root(family: list[str]) -> None:
    assert len({root(word) for word in family}) == 1


@given(st.text(alphabet="abcdeginorsty", max_size=14))
def test_a_root_is_a_beginning_of_some_length(word: str) -> None:
    found = root(word)
    assert word.startswith(found)
    assert len(found) >= min(len(word), 4)


@pytest.mark.parametrize(
    ("word", "other", "expected"),
    [
        ("thumbnial", "thumbnail", True),
        ("thumbnal", "thumbnail", True),
        ("thumbnaiil", "thumbnail", True),
        ("thumbnoil", "thumbnail", True),
        ("humbnail", "thumbnail", False),
        ("thmubnial", "thumbnail", False),
        ("redis", "rust", False),
        ("cat", "car", False),
    ],
)
def test_one_slip(word: str, other: str, expected: bool) -> None:
    assert one_slip(word, other) is expected
    assert one_slip(other, word) is expected


class TestReading:
    def read(self, world: World, user: str, answer: str, query: str) -> tuple[Reading, list[Term]]:
        world.cli_session("s", asked(user), said(answer))
        world.index()
        memory = open_memory(world.layout.memory)
        assert isinstance(memory, Memory)
        session = memory.session_of("s")
        assert session is not None
        terms = [term for term in informative(query, trade=True) if not term.joined]
        for term in terms:
            term.weight = 1.0
        return read_turn(memory, session.id << TURN_BITS, terms, Wanted(terms)), terms

    def test_counts_words_names_and_families(self, world: World) -> None:
        reading, terms = self.read(
            world, "the mentor likes retry_budget.", "Mentors, mentorship. And retryBudget!", "mentor retry_budget"
        )
        assert [(term.key, count) for term, count in zip(terms, reading.counts, strict=True)] == [
            ("retrybudget", 2.0),
            ("mentor", 2.3),
        ]
        assert reading.length == 8

    def test_terms_in_one_sentence_and_side_by_side_are_worth_more(self, world: World) -> None:
        together, _ = self.read(world, "copper nickel is here.", "Fine now.", "copper nickel")
        apart, _ = self.read(World(world.home.parent / "b"), "copper is here.", "nickel it was.", "copper nickel")
        assert together.counts == apart.counts == [1.0, 1.0]
        assert together.best > 1.5 * apart.best

    def test_a_turn_that_is_gone_says_nothing(self, world: World) -> None:
        world.cli_session("s", asked("x"), said("y"))
        world.index()
        memory = open_memory(world.layout.memory)
        assert memory is not None
        terms = informative("copper")
        assert read_turn(memory, 1 << 40, terms, Wanted(terms)).counts == [0.0]


def test_a_turns_score_grows_with_its_terms_and_falls_with_its_length() -> None:
    terms = informative("copper nickel")[1:]
    for term in terms:
        term.weight = 2.0

    def score(counts: list[float], length: int, unread: list[float]) -> float:
        reading = Reading(2)
        reading.counts, reading.length = counts, length
        return turn_score(reading, unread, terms, 20.0)

    assert score([0.0, 0.0], 20, [0.0, 0.0]) == 0.0
    assert score([1.0, 0.0], 20, [0.0, 0.0]) < score([2.0, 0.0], 20, [0.0, 0.0]) < score([1.0, 1.0], 20, [0.0, 0.0])
    assert score([1.0, 0.0], 80, [0.0, 0.0]) < score([1.0, 0.0], 20, [0.0, 0.0])
    assert score([0.0, 0.0], 20, [0.0, 1.0]) == 1.0
