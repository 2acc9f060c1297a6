"""How a memory is worded."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.terms import TermCache, index_terms
from deja_hooks.recall.quote import best_sentence, day, item, sentences, short_id
from tests.support.world import NOON


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 253_402_300_799_999))
def test_day_is_that_of_datetime(at: int) -> None:
    moment = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc) + datetime.timedelta(milliseconds=at)
    assert day(at) == moment.strftime("%Y-%m-%d").zfill(10)


@pytest.mark.parametrize("text", ["1970-01-01", "2000-02-29", "2024-02-29", "2024-12-31", "2026-03-01", "2100-02-28"])
def test_day_changes_at_midnight(text: str) -> None:
    start = int(datetime.datetime.fromisoformat(f"{text}T00:00:00+00:00").timestamp() * 1000)
    assert (day(start), day(start + 86_399_999)) == (text, text)
    assert day(start + 86_400_000) > text


@pytest.mark.parametrize(
    ("sid", "expected"),
    [
        ("11111111-aaaa-4000", "11111111"),
        ("short", "short"),
        ("", ""),
        ("</deja-0>x", "\u2039/deja-0"),
        ("a\nb\x1b[1m", "a b [1m"),
    ],
)
def test_short_id(sid: str, expected: str) -> None:
    assert short_id(sid) == expected


def test_item() -> None:
    assert (
        item("decision", NOON, "Use\n sqlite.", "11111111-a")
        == '- 2026-11-30 decided: "Use sqlite." [deja-hooks show 11111111]'
    )
    assert item("answered", NOON, "x" * 99, "s", 20) == f'- 2026-11-30 answered: "{"x" * 19}…" [deja-hooks show s]'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three? four. 5 e.g. so", ["One.", "Two!", "Three? four.", "5 e.g. so"]),
        ("One. pool_size is two. poolSize three.", ["One.", "pool_size is two.", "poolSize three."]),
        ("a\n\n b \nc", ["a", "b", "c"]),
        ("before\n```py\ncode. More\n```\nafter", ["before", "after"]),
        ("```\nnever closed", []),
        ("", []),
        (".", ["."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="aB. !?\n`-日", max_size=60))
def test_sentences_lose_no_word_outside_of_fences(text: str) -> None:
    if "```" not in text:
        assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_best_sentence_is_the_first_with_most() -> None:
    cache = TermCache()

    def terms_of(text: str) -> set[str]:
        return index_terms(text, cache)

    text = "The pool is small. The retry budget of the pool is 7. A budget for retry in the pool. Nothing."
    assert best_sentence(text, {"retri", "budget", "pool"}, terms_of) == ("The retry budget of the pool is 7.", 3)
    assert best_sentence(text, {"absent"}, terms_of) == ("", 0)
    assert best_sentence("", {"pool"}, terms_of) == ("", 0)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("The pool starved. It has 9 workers now.", "The pool starved. It has 9 workers now."),
        ("The pool starved. So we wait, because it is slow.", "The pool starved. So we wait, because it is slow."),
        ("The pool starved. It is slow.", "The pool starved."),
        ("The pool starved. Nine of 12 tests pass.", "The pool starved."),
        ("The pool starved. Is it 9?", "The pool starved."),
        ("I'll change the pool. The pool was changed.", "The pool was changed."),
        ("The pool was changed. The pool has 9 workers.", "The pool has 9 workers."),
        ("This is not about the pool this time, I checked.", ""),
        ("The pool is unrelated to this. Look at the pool again.", "Look at the pool again."),
        ("(I saw the pool, it has nothing to do with this)", ""),
    ],
)
def test_best_sentence_says_what_came_of_it(text: str, quoted: str) -> None:
    cache = TermCache()
    assert best_sentence(text, {"pool"}, lambda each: index_terms(each, cache)) == (quoted, int(bool(quoted)))
