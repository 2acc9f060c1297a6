"""The arms' history is the same every time, uneven, and each answer is in one session of one project."""

from __future__ import annotations

import dataclasses
from collections import Counter
from pathlib import Path

from .arms import chosen, questions
from .history import Planted, plant
from .idle import FILLER, OFF_TOPIC
from .told import Told
from .vocabulary import ABSENT, HEADS, PROJECTS


def planted(sessions: int = 300, seed: int = 4) -> Planted:
    return plant({project.name: Path("/code") / project.name for project in PROJECTS}, sessions, seed)


def said(told: Told) -> str:
    return " ".join(f"{turn.user} {turn.assistant}" for turn in told.turns)


def test_same_seed_same_history() -> None:
    assert planted() == planted()
    assert planted() != planted(seed=5)


def test_projects_are_uneven_and_hosts_mixed() -> None:
    told = planted(1500).told
    sizes = Counter(each.project.name for each in told)
    assert (len(told), len(sizes), max(sizes.values()), min(sizes.values())) == (1500, 20, 300, 5)
    assert 0.3 < sum(each.host == "vscode" for each in told) / len(told) < 0.5


def test_an_answer_is_in_its_session_alone() -> None:
    made = planted()
    for known in chosen(made):
        own = [each for each in made.told if each.project.name == known.project]
        assert [each.id for each in own if known.value in said(each)] == [known.session]
        assert known.name in next(said(each) for each in own if each.id == known.session)


def test_a_longer_history_goes_on_where_the_shorter_ends() -> None:
    short, long = (planted(sessions) for sessions in (300, 600))
    assert {dataclasses.replace(each, overturned="") for each in short.known} <= {
        dataclasses.replace(each, overturned="") for each in long.known
    }


def test_arms_ask_60_prompts_each() -> None:
    made = planted(1500)
    arms = dict(questions(made))
    assert {name: len(asked) for name, asked in arms.items()} == dict.fromkeys(arms, 60)
    assert len(arms) == 10
    heads = {
        project.name: {known.head for known in made.known if known.project == project.name} for project in PROJECTS
    }
    for asked in arms["another project's"]:
        assert not any(head in asked.text.lower() for head in heads[asked.project] if len(head) > 4)
    assert not set(ABSENT) & set(HEADS)
    assert len(set(FILLER)) == len(set(OFF_TOPIC)) == 60
