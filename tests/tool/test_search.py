from __future__ import annotations

from deja_hooks.recall.thresholds import SEARCH_BUDGET
from deja_hooks.tool.results import Hit
from tests.support.world import World, asked, said

from .conftest import DECISION, Call, fenced


def test_hits_whole(shop: World, deja: Call) -> None:
    text, result = deja("search", query="retry_budget")
    (hit,) = result.hits
    assert text == fenced(
        "a search in code/shop",
        f'- 2026-11-29 in "The importer gives up too early." (turn 1, confidence {hit.confidence:.2f}):'
        f' "{DECISION}" [deja-hooks show 5eed0001]',
    )
    assert hit == Hit(
        session="5eed0001",
        host="cli",
        date="2026-11-29",
        title="The importer gives up too early.",
        turn=1,
        text=DECISION,
        confidence=hit.confidence,
    )
    assert 0.8 < hit.confidence <= 1


def test_it_never_abstains(shop: World, deja: Call) -> None:
    assert [hit.session for hit in deja("search", query="the port please")[1].hits] == ["5eed0002"]


def test_nothing_at_all(shop: World, deja: Call) -> None:
    assert deja("search", query="zebra")[0] == "No session shares a word with that."
    assert deja("search", [str(shop.home)], query="zebra")[0] == "There is no history of this project."


def test_a_hits_turn_opens_it(shop: World, deja: Call) -> None:
    turns = [each for n in range(6) for each in (asked(f"step {n}"), said(f"Did part{n}."))]
    shop.cli_session("long0001-x", *turns, asked("and the thumbnails?"), said("We decided to cache thumbnails."))
    shop.index()
    (hit,) = deja("search", query="thumbnails")[1].hits
    assert (hit.session, hit.turn) == ("long0001", 7)
    shown = deja("session", session=hit.session, turn=hit.turn)[1].turns
    assert [turn.turn for turn in shown] == [5, 6, 7]
    assert shown[-1].answered == "We decided to cache thumbnails."


def test_within_the_budget_and_both_forms_alike(shop: World, deja: Call) -> None:
    for number in range(12):
        words = " ".join(f"word{number}x{n}" for n in range(60))
        shop.cli_session(
            f"many{number:04d}", asked(f"thumbnail_cache {words}"), said(f"We use thumbnail_cache. {words}")
        )
    shop.index()
    text, result = deja("search", query="thumbnail_cache")
    assert len(text) <= SEARCH_BUDGET
    assert 0 < len(result.hits) < 10
    assert result.left_off == 10 - len(result.hits)
    assert text.endswith(f"</deja-0>\n{result.left_off} more: rarer words find fewer.")
    assert [text.count(f"[deja-hooks show {hit.session}]") for hit in result.hits] == [1] * len(result.hits)
