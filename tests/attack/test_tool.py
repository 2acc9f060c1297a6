"""The recall tool's answers, attacked as the packets are: both its forms, every mode.

Public reports of other tools that this answers: garudust-org/garudust-agent#36, bytedance/deer-flow#4119.
"""

from __future__ import annotations

import json

import pytest

from deja_hooks.tool.answers import Asker, answer
from deja_hooks.tool.arguments import Unusable, read_arguments
from tests.attack.counting import Tally
from tests.attack.hostile import ATTACKS, FAILED, OLD, UNSEEN, open_tags, poisoned
from tests.attack.planted import KINDS, around, left_of, word, write_cli
from tests.support.world import World


def calls(text: str) -> list[dict[str, object]]:
    """A call in each mode, with the text in it where a model might put it."""
    return [
        {"mode": "recall", "question": "why does load_rates stay at 7, gateway bans?"},
        {"mode": "recall", "question": f"why is load_rates {text}?"},
        {"mode": "search", "query": f"load_rates gateway {text}"},
        {"mode": "session", "session": OLD[:8]},
        {"mode": "session", "session": OLD[:8], "turn": 1},
        {"mode": "session", "session": f"{text}x"},
        {"mode": "file", "file": "pool.py"},
        {"mode": "file", "file": f"{text}/pool.py"},
        {"mode": "fix", "error": FAILED.format(text), "command": "pytest -q tests/test_pool.py"},
        {"mode": "recall", "question": "load_rates", "project": f"/{text}"},
        {"mode": text, "question": text},
        {text: text},
    ]


def test_no_answer_gives_it_power(tmp_path_factory: pytest.TempPathFactory, tally: Tally) -> None:
    lost: dict[str, list[str]] = {}
    count = fenced = 0
    for name, attack in ATTACKS.items():
        world = World(tmp_path_factory.mktemp("world"))
        poisoned(world, attack)
        asker = Asker([str(world.project)], "asking", world.now, "0")
        for call in calls(attack):
            count += 1
            try:
                text, result = answer(world.layout, asker, read_arguments(call))
            except Unusable as error:
                text, structured = str(error), ""
            else:
                structured = json.dumps(result.model_dump(), ensure_ascii=False)
            ends = text.count("<deja-0 "), text.count("</deja-0>")
            inside = text.replace("<deja-0 about=", "").replace("</deja-0>", "")
            fenced += ends == (1, 1)
            if (
                ends not in ((0, 0), (1, 1))
                or open_tags(inside)
                or open_tags(structured)
                or UNSEEN.search(text + structured)
            ):
                lost.setdefault(name, []).append(f"{call}: {text[:300]!r} {structured[:300]!r}")
    assert lost == {}
    assert fenced > count // 4
    tally.add(
        "the fence", "answers of the recall tool in every mode, both forms, and its errors", count, 0, "as in packets"
    )


def test_no_answer_holds_a_secret(world: World, tally: Tally) -> None:
    chosen = list(enumerate(KINDS))[::6]
    for number, kind in chosen:
        write_cli(world, number, kind)
    world.index()
    asker = Asker([str(world.project)], "asking", world.now, "0")
    count = 0
    for number, kind in chosen:
        for call in (
            {"mode": "recall", "question": f"what of {word(number, 'askone')} and {kind.text}?"},
            {"mode": "search", "query": around(number, "ask", kind)},
            {"mode": "session", "session": f"{number:08x}"},
            {"mode": "session", "session": kind.text[:150]},
            {"mode": "file", "file": f"settings{number}.txt"},
            {"mode": "file", "file": kind.text[:150]},
            {"mode": "fix", "error": f"error: it failed\n{kind.text}", "command": kind.text},
        ):
            count += 1
            try:
                text, result = answer(world.layout, asker, read_arguments(call))
                told = text + json.dumps(result.model_dump(), ensure_ascii=False)
            except Unusable as error:
                told = str(error)
            assert left_of(kind, told.encode()) == [], (kind.name, call["mode"], told[:400])
    tally.add("secrets", "answers of the recall tool, asked with one", count, 0, "what is around it")
