"""Which of two decisions stands, and which say the same."""

from __future__ import annotations

import pytest

from deja_hooks.memory.stopwords import TRADE_STEMS
from deja_hooks.memory.terms import stem
from deja_hooks.recall.overturned import _DECIDING, Subject, overturns, same_subject, says_the_same
from tests.support.world import NOON, World, asked, said

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


@pytest.mark.parametrize(
    ("kind", "later", "earlier_kind", "earlier", "expected"),
    [
        ("decision", "We decided to set retry_budget to 7.", "decision", "We set retry_budget to 3.", True),
        ("decision", "We keep gateway_token out of URLs.", "decision", "We log gateway_token in JSON.", False),
        ("decision", "We no longer log gateway_token.", "decision", "We log gateway_token in JSON.", True),
        ("rule", "Always format with ruff.", "rule", "Always format Python code with black.", False),
        ("rule", "From now on format Python code with ruff.", "rule", "Always format Python code with black.", True),
        ("decision", "We set retry_budget to 7.", "cause", "The culprit is retry_budget.", True),
        ("decision", "We set retry_budget to 7.", "fixed", "Fixed: retry_budget is 3.", True),
        ("cause", "Root cause: retry_budget. It is 9 now.", "decision", "We set retry_budget to 3.", True),
        ("rule", "retry_budget must be 9.", "decision", "We set retry_budget to 3.", True),
        ("decision", "We decided to keep retry_budget in core.", "cause", "Root cause: retry_budget was unset.", False),
        ("decision", "We set retry_budget to 7.", "rule", "Never touch retry_budget by hand.", False),
        ("decision", "We set pool_size to 7.", "cause", "The culprit is retry_budget.", False),
        ("decision", "We keep 7 backups of the job queue.", "cause", "The culprit was the job queue.", False),
        ("open", "retry_budget still needs 9.", "decision", "We set retry_budget to 3.", False),
        ("decision", "We set retry_budget to 7.", "said", "retry_budget is read at 3 places.", False),
    ],
)
def test_which_sentence_overturns_which(kind: str, later: str, earlier_kind: str, earlier: str, expected: bool) -> None:
    assert overturns(kind, Subject(later), earlier_kind, Subject(earlier)) is expected


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The culprit is retry_budget.", "We decided to set retry_budget to 7."),
        ("Root cause: retry_budget was 3. It is 5 now.", "I talked to the team, retry_budget is now 7."),
        ("We decided to set retry_budget to 3.", "Root cause: retry_budget was too low. It is 7 now."),
    ],
)
def test_the_newer_value_leads_the_packet(world: World, older: str, newer: str) -> None:
    day = 86_400_000
    world.cli_session("old", asked("what is it?"), said(older), at=NOON - 9 * day)
    world.cli_session("new", asked("and now?"), said(newer), at=NOON - 2 * day)
    world.index()
    lines = world.call("UserPromptSubmit", prompt="what is retry_budget?").text.splitlines()
    assert len([line for line in lines if line.startswith("- ")]) == 1
    assert f'"{newer}" [deja-hooks show new] (overturns ' in lines[2]


def test_the_newer_one_stands_also_where_it_was_read_first(world: World) -> None:
    day = 86_400_000
    world.cli_session("new", asked("and now?"), said("We set retry_budget to 7."), at=NOON - 2 * day)
    world.index()
    world.cli_session("old", asked("what is it?"), said("We set retry_budget to 3."), at=NOON - 9 * day)
    world.index()
    assert world.call("UserPromptSubmit", prompt="what is retry_budget?").text.splitlines()[2] == (
        '- 2026-11-28 decided: "We set retry_budget to 7." [deja-hooks show new]'
        ' (overturns 2026-11-21 decided: "We set retry_budget to 3." [deja-hooks show old])'
    )


def test_the_deciding_words_that_are_written_down() -> None:
    words = (
        "decided decision decide going settled agreed chose choose chosen keep kept stick switch switched drop dropped"
        " replace replaced because since therefore finally actually longer anymore rather always never"
    ).split()
    assert {stem(word) for word in words} | TRADE_STEMS == _DECIDING
