from __future__ import annotations

import sqlite3

import pytest

from deja_hooks.recall.thresholds import ITEM_LIMIT, SESSION_BUDGET
from deja_hooks.tool.arguments import Unusable
from deja_hooks.tool.results import Reason, Result, Session, Turn
from tests.support.world import World, asked, edited, ran, said

from .conftest import CAUSE, DECISION, PORT, RAISED, Call, begun, fenced
from .test_recall import NOTE

ASKED = "The importer gives up too early."
DID = (
    "edited shop/settings.py; ran `python3 check.py` (exit 1: BudgetStarvedError: budget 3 starves),"
    " `python3 check.py` (exit 0)"
)
LINES = [
    f'- turn 1, 2026-11-29 asked: "{ASKED}"',
    f'- turn 1, 2026-11-29 answered: "{CAUSE} {DECISION}"',
    f"- turn 1, 2026-11-29 did: {DID}",
    '- turn 2, 2026-11-29 asked: "thanks"',
    '- turn 2, 2026-11-29 answered: "Bye."',
]
TURNS = [
    Turn(turn=1, date="2026-11-29", asked=ASKED, answered=f"{CAUSE} {DECISION}", did=DID),
    Turn(turn=2, date="2026-11-29", asked="thanks", answered="Bye."),
]


def test_a_session_whole(shop: World, deja: Call) -> None:
    text, result = deja("session", session="5eed0001")
    assert text == fenced(
        "session 5eed0001",
        f'- 2026-11-29 "{ASKED}" (cli, code/shop, 2 turns) [deja-hooks show 5eed0001]',
        f'- decided: "{DECISION}"',
        f'- found: "{CAUSE}"',
        *LINES,
    )
    settled = [Reason(kind="decided", text=DECISION), Reason(kind="found", text=CAUSE)]
    about = Session(
        session="5eed0001",
        host="cli",
        project="code/shop",
        branch="",
        title=ASKED,
        date="2026-11-29",
        turns=2,
        settled=settled,
    )
    assert result == Result(mode="session", status="found", project="code/shop", note=NOTE, session=about, turns=TURNS)


def long_session(world: World, turns: int, words: int) -> None:
    said_all = [
        each for n in range(1, turns + 1) for each in (asked(f"Do step {n}."), said(f"Part{n}. " + "so " * words))
    ]
    world.cli_session("long0001-x", *said_all)
    world.index()


def test_the_turns_around_one(shop: World, deja: Call) -> None:
    long_session(shop, 9, 3)
    for turn, numbers in ((5, [3, 4, 5, 6, 7]), (1, [1, 2, 3]), (9, [7, 8, 9])):
        text, result = deja("session", session="long0001", turn=turn)
        assert [each.turn for each in result.turns] == numbers
        assert '"Do step 1." (cli, code/shop, 9 turns) [deja-hooks show long0001]' in text
        assert result.left_off == 0


def test_a_long_session_is_cut_and_says_how_to_go_on(shop: World, deja: Call) -> None:
    long_session(shop, 60, 300)
    text, result = deja("session", session="long0001")
    assert len(text) <= SESSION_BUDGET
    assert [turn.turn for turn in result.turns] == list(range(1, len(result.turns) + 1))
    assert result.left_off == 60 - len(result.turns) > 0
    assert text.endswith(f"{result.left_off} turns left off: `turn` shows one with those around it.")
    assert max(map(len, text.split("\n"))) <= ITEM_LIMIT


def test_few_turns_are_told_at_length(shop: World, deja: Call) -> None:
    long_session(shop, 60, 300)
    text, result = deja("session", session="long0001", turn=30)
    assert [len(turn.answered) > 400 for turn in result.turns] == [True] * 5
    assert len(text) <= SESSION_BUDGET


def test_by_its_whole_id_or_in_another_case(shop: World, deja: Call) -> None:
    for sid in (RAISED, "5EED0001", "5eed0001-r"):
        assert deja("session", session=sid)[1].session.session == "5eed0001"  # type: ignore[union-attr]


def test_of_another_project(shop: World, deja: Call) -> None:
    result = deja("session", [str(shop.home / "other")], session="5eed0001")[1]
    assert result.session is not None
    assert result.session.project == "code/shop"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"session": "ffff"}, "`session`: no session has an id that begins so; mode search names ids."),
        (
            {"session": "5eed"},
            "`session`: several sessions have an id that begins so;"
            " give more of one of 5eed0001-raised, 5eed0002-port.",
        ),
        ({"session": "5eed0001", "turn": 3}, "`turn`: that session has 2; give one from 1 to 2."),
    ],
)
def test_what_is_not_there(shop: World, deja: Call, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(Unusable) as raised:
        deja("session", **arguments)
    assert sorted(str(raised.value)) == sorted(message)


def test_a_turn_in_progress_is_left_out(shop: World, deja: Call) -> None:
    begun(shop, RAISED)
    text, result = deja("session", session="5eed0001")
    assert [turn.turn for turn in result.turns] == [1]
    assert "Bye." not in text


def test_a_session_that_is_nothing_but_a_turn_in_progress(shop: World, deja: Call) -> None:
    begun(shop, PORT)
    text, result = deja("session", session="5eed0002")
    assert text == "Nothing of that can be told: the turn is still in progress."
    assert (result.status, result.session, result.turns) == ("nothing", None, [])


def test_the_asking_session(shop: World, deja: Call) -> None:
    text = deja("session", session="5eed0001", session_id=RAISED)[0]
    assert text == "That session is the one that asks, or was forked with it: what it said is no memory."


def test_a_turn_without_a_time_is_of_the_sessions_day(shop: World, deja: Call) -> None:
    with sqlite3.connect(shop.layout.memory) as db:
        db.execute("UPDATE turn SET at=0")
    assert [turn.date for turn in deja("session", session="5eed0001")[1].turns] == ["2026-11-29"] * 2


def test_a_turn_without_a_prompt(shop: World, deja: Call) -> None:
    work = [*ran("make", 0), *edited(shop.project / "a.py", "a", "b")]
    shop.cli_session("alone001-x", *work, said("Made it."))
    shop.index()
    text = deja("session", session="alone001")[0]
    assert "- turn 1, 2026-11-29 no prompt: the agent ran by itself\n" in text
    assert "- turn 1, 2026-11-29 did: edited a.py; ran `make` (exit 0)\n" in text
