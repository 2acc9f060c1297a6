"""The ranking on small memories made by hand, as search shows it: whole hits."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.memory.read import Memory, open_memory
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.scope import project_key
from deja_hooks.recall.asked import informative
from deja_hooks.recall.rank import Reach, rank
from deja_hooks.recall.search import search
from deja_hooks.recall.thresholds import MOST_WORDS, POSTINGS, PROMPT_WINDOW
from tests.support.world import World, asked, edited, ran, said

DAY = 86_400_000
#: 2026-11-30, the world's day.
NOW = 1_796_040_000_000
REACH = Reach(POSTINGS, 4, 2, likely=40)


def opened(world: World) -> Memory:
    world.index()
    memory = open_memory(world.layout.memory)
    assert memory is not None
    return memory


def hits(memory: Memory, query: str, project: str | None = None, limit: int = 10) -> list[dict[str, Any]]:
    found = search(memory, query, project_key=project, limit=limit, now_ms=NOW)
    return [{name: getattr(hit, name) for name in hit.__slots__} for hit in found]


def ids(memory: Memory, query: str, project: str | None = None, limit: int = 10) -> list[str]:
    return [hit["session_id"] for hit in hits(memory, query, project, limit)]


@pytest.fixture
def library(world: World) -> Memory:
    other = world.home / "code" / "other"
    world.git(other)
    world.cli_session(
        "s-decided",
        asked("which cache for the thumbnails?"),
        said("Well. We decided to keep thumbnails in redis because the disk was slow."),
    )
    world.cli_session(
        "s-mentioned",
        asked("write the changelog"),
        said("I wrote it: thumbnails, login page, dark theme, colour picker."),
        asked("and the login page?"),
        said("It has the new colours."),
    )
    world.cli_session(
        "s-worked",
        asked("make it green"),
        *edited(world.project / "src" / "thumbnail_cache.py", "a", "b"),
        *ran("make test", 1, "ModuleNotFoundError: No module named 'zstandard'"),
        said("Done."),
    )
    world.cli_session("s-other", asked("thumbnails here too?"), said("Here they are made by pillow."), cwd=other)
    world.vscode_transcript("v-japanese", asked("検索の索引を直して"), said("索引は転置索引です。"))
    return opened(world)


def test_a_hit_whole(library: Memory) -> None:
    (hit,) = hits(library, "thumbnails redis", limit=1)
    score = hit.pop("score")
    assert hit == {
        "session_id": "s-decided",
        "host": "cli",
        "project": "code/shop",
        "title": "which cache for the thumbnails?",
        "date": "2026-11-29",
        "text": "We decided to keep thumbnails in redis because the disk was slow.",
        "turn": 1,
        "confidence": 0.91,
        "reasons": ["thumbnails", "redis"],
        "mark": "",
        "note": "",
    }
    assert score > 0


def test_what_may_not_be_quoted_makes_room_for_the_next(library: Memory) -> None:
    best = library.session_of("s-decided")
    assert best is not None

    def allowed(turn: int) -> bool:
        return turn >> TURN_BITS != best.id

    found = search(library, "thumbnails redis", project_key=None, limit=1, now_ms=NOW, allowed=allowed)
    assert [hit.session_id for hit in found] == ["s-other"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("thumbnails redis", ["s-decided", "s-other", "s-mentioned"]),
        ("Thumbnail", ["s-decided", "s-other", "s-mentioned"]),
        ("thumbnail_cache", ["s-worked"]),
        ("thumbnail_cache.py", ["s-worked"]),
        ("src/thumbnail_cache.py", ["s-worked"]),
        ("zstandard", ["s-worked"]),
        ("転置索引", ["v-japanese"]),
        ("login page", ["s-mentioned"]),
        ("kubernetes", []),
        ("the follow-up plan", []),
        ("self-made page/by hand, x-ray/to zstandard", ["s-other", "s-mentioned", "s-worked"]),
        ("the of and", []),
        ("", []),
        ('\0 \ud800 " OR * NEAR(', []),
    ],
)
def test_ranks_and_never_abstains(library: Memory, query: str, expected: list[str]) -> None:
    found = ids(library, query)
    assert set(found) == set(expected)
    assert found[:1] == expected[:1]


def test_one_project_or_all(library: Memory, world: World) -> None:
    key = project_key(str(world.home / "code" / "other"))
    assert ids(library, "thumbnails", key) == ["s-other"]
    assert ids(library, "thumbnails", "git:/nowhere") == []
    assert len(ids(library, "thumbnails", None, 2)) == 2


def test_scores_fall_and_confidence_is_a_probability(library: Memory) -> None:
    found = hits(library, "thumbnails redis colours disk")
    scores = [hit["score"] for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < hit["confidence"] <= 1 for hit in found)


def test_between_equals_the_later_session_leads(world: World) -> None:
    for i in range(3):
        world.cli_session(f"s{i}", asked("about the jitter"), said("The jitter is 3."), at=world.now - (9 - i) * DAY)
        os.utime(world.store / f"s{i}" / "events.jsonl", (1_700_000_000 + i, 1_700_000_000 + i))
    assert ids(opened(world), "jitter") == ["s2", "s1", "s0"]


class TestRank:
    def test_a_decision_outranks_a_mention(self, world: World) -> None:
        world.cli_session("s-decision", asked("jitter?"), said("We decided to set the jitter to 3 seconds."))
        world.cli_session("s-mention", asked("jitter?"), said("The jitter has three seconds in here."))
        assert ids(opened(world), "jitter") == ["s-decision", "s-mention"]

    def test_all_words_in_one_turn_outrank_the_same_words_apart(self, world: World) -> None:
        world.cli_session(
            "s-apart",
            asked("about copper"),
            said("x1."),
            asked("fine"),
            said("y1."),
            asked("about nickel"),
            said("z1."),
        )
        world.cli_session("s-together", asked("about copper and nickel"), said("x1."))
        assert ids(opened(world), "copper nickel") == ["s-together", "s-apart"]

    def test_the_excluded_session_counts_nowhere(self, world: World) -> None:
        world.cli_session("s-own", asked("about copper"), said("It is green."))
        memory = opened(world)
        session = memory.session_of("s-own")
        assert session is not None
        ranking = rank(memory, memory.projects(), informative("copper"), REACH, {session.id})
        assert ranking.candidates == []
        assert [(t.key, t.spoken, t.rare, t.sessions) for t in ranking.terms] == [("copper", True, False, set())]

    def test_a_word_of_every_session_weighs_next_to_nothing(self, world: World) -> None:
        for i in range(POSTINGS + 5):
            world.cli_session(f"s{i}", asked(f"the weather topic{i}x"), said("Fine."))
        memory = opened(world)
        (project,) = memory.projects()
        ranking = rank(memory, [project], informative("weather topic7x"), REACH, set())
        terms = {t.key: t for t in ranking.terms if t.key in ("weather", "topic7x")}
        assert (terms["weather"].common, terms["weather"].rare) == (True, False)
        assert (terms["topic7x"].common, terms["topic7x"].rare) == (False, True)
        assert terms["weather"].weight < terms["topic7x"].weight / 20
        best = memory.session(ranking.candidates[0].session)
        assert best is not None
        assert best.sid == "s7"


TEXTS = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "thumbnails",
                "follow-up",
                "a/by",
                "x-ray",
                "login",
                "page.",
                "_cache",
                "it's",
                "\u691c\u7d22",
                "-",
                "THE",
                "v1.2",
            ]
        ),
        st.text(max_size=8),
    ),
    max_size=12,
).map(" ".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=TEXTS)
def test_any_query_is_answered(library: Memory, query: str) -> None:
    assert len(search(library, query, project_key=None, limit=3, now_ms=NOW)) <= 3


class TestInformative:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("fix the retry_budget in pool.go", ["retrybudget", "poolgo"]),
            ("retry budget", ["retrybudget", "retri", "budget"]),
            ("please fix this failing test", []),
            ("run the tests", []),
            ("", []),
        ],
    )
    def test_keys(self, text: str, expected: list[str]) -> None:
        assert [t.key for t in informative(text)] == expected

    def test_reads_the_head_and_the_tail_of_a_long_text(self) -> None:
        text = "head_word " + "filler " * 5_000 + "middle_word " + "filler " * 5_000 + "tail_word"
        assert len(text) > 2 * PROMPT_WINDOW
        names = [t.key for t in informative(text) if t.identifier]
        assert names == ["headword", "tailword"]

    def test_takes_a_bounded_number_names_first(self) -> None:
        text = " ".join(
            [*(f"plain{chr(97 + i % 26)}{chr(97 + i // 26)}x" for i in range(100)), *(f"name_{i}x" for i in range(100))]
        )
        found = informative(text)
        assert len([t for t in found if t.identifier]) == MOST_WORDS
        assert len(found) <= 2 * MOST_WORDS
