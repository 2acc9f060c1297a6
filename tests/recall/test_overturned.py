"""Which of two decisions stands, and which say the same."""

from __future__ import annotations

import pytest

from deja_hooks.recall.overturned import Subject, same_subject, says_the_same

SAME = [
    ("We decided to set retry_budget to 3.", "We decided to set retry_budget to 7 instead."),
    ("Going with PostgreSQL for the job queue.", "We will keep the job queue in Redis after all."),
    ("We decided to keep `pool.size` at 4 because of the laptops.", "We settled on 16 for `pool.size`."),
    ("We decided to set retry_budget to 3.", "We decided to read retry_budget from the environment."),
    ("Always format Python code with black.", "From now on format Python code with ruff."),
]
OTHER = [
    ("We decided to set retry_budget to 3.", "We decided to set pool_size to 3."),
    ("Going with PostgreSQL for the job queue.", "Going with PostgreSQL for the audit log."),
    ("We decided to cache tokens.", "We decided to write the changelog by hand."),
    ("We decided to keep it.", "We decided to drop it."),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_thing(one: str, other: str) -> None:
    assert same_subject(Subject(one), Subject(other))
    assert same_subject(Subject(other), Subject(one))
    assert Subject(one).may_share(other)
    assert not says_the_same(Subject(one), Subject(other))


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_thing(one: str, other: str) -> None:
    assert not same_subject(Subject(one), Subject(other))
    assert not same_subject(Subject(other), Subject(one))


def test_nearly_the_same_words_say_the_same() -> None:
    one = Subject("We decided to set retry_budget to 7 because the pool starved.")
    assert says_the_same(one, Subject("Decided: set `retry_budget` to 7, because the pool starved!"))
    assert not says_the_same(one, Subject("We decided to set retry_budget to 9 because the pool starved."))
