"""Which sentences are worth recalling, and as what."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.notes import KINDS, LONGEST, MOST, Note, find_notes

BOUNDARY = "a sentence that is longer than twelve characters"


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("We decided to set retry_budget to 7.", "decision"),
        ("The decision is to keep the queue in memory.", "decision"),
        ("I am going with sqlite for the cache.", "decision"),
        ("We settled on port 8080.", "decision"),
        ("Settled: pool.go reads its limits from the environment.", "decision"),
        ("Agreed: the cache stays in memory.", "decision"),
        ("They agreed to ship on Friday.", "decision"),
        ("I chose the smaller model.", "decision"),
        ("We'll keep the old endpoint for a year.", "decision"),
        ("I used a deque instead of a list.", "decision"),
        ("The timeout is short on purpose.", "decision"),
        ("Root cause: the pool was too small.", "cause"),
        ("It turned out that the clock was wrong.", "cause"),
        ("The crash was caused by a missing index.", "cause"),
        ("The problem was the locale.", "cause"),
        ("I fixed the race in pool.go.", "fixed"),
        ("The test passes now.", "fixed"),
        ("All tests now pass.", "fixed"),
        ("That did not work on Windows.", "failed"),
        ("The patch doesn't work with 3.10.", "failed"),
        ("I reverted the commit.", "failed"),
        ("Still to do: tune the jitter.", "open"),
        ("The docs are not yet written.", "open"),
        ("Next steps are the metrics.", "open"),
        ("TODO: handle the empty list.", "open"),
        ("We will store it in the cache.", "decision"),
        ("Rather than a lock we have a queue.", "decision"),
        ("It is deliberately slow.", "decision"),
        ("It is solved by the patch.", "fixed"),
        ("The fix was one line in pool.go.", "fixed"),
        ("It works now on macOS.", "fixed"),
        ("The suite now passes.", "fixed"),
        ("A bigger pool didn't help.", "failed"),
        ("We rolled back the release.", "failed"),
        ("I gave up on the mock.", "failed"),
        ("Left to do is the README.", "open"),
        ("A follow-up is the metrics page.", "open"),
        ("The remaining work is in docs.", "open"),
    ],
)
def test_of_an_answer(sentence: str, kind: str) -> None:
    assert find_notes("", f"Well. {sentence} Fine.") == [Note(kind, sentence)]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Let's use postgres for that.", "decision"),
        ("lets go with the second plan", "decision"),
        ("Always run black before a commit.", "rule"),
        ("Never touch the public API.", "rule"),
        ("From now on write tests first.", "rule"),
        ("Make sure the names stay short.", "rule"),
        ("I prefer tabs in Makefiles.", "rule"),
        ("Don't ever push to the main branch.", "rule"),
        ("Do not ever push to main.", "rule"),
        ("Remember to run the linter.", "rule"),
        ("We'll go that way.", "decision"),
        ("Later we want the dark theme.", "open"),
        ("The parser still fails on BOMs.", "open"),
    ],
)
def test_of_a_prompt(sentence: str, kind: str) -> None:
    assert find_notes(sentence, "") == [Note(kind, sentence)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "The pool has three workers and a queue.",
        "What did we decide about the pool?",
        "Fixed.",
        "The undecided prefixed indecision is unreverted.",
        "```\nWe decided to set x to 7.\n```",
        "```python\n# the root cause: never closed\n",
        "I know now where snow falls and nobody knows.",
    ],
)
def test_nothing_is_noted(text: str) -> None:
    assert find_notes("", text) == []


def test_a_prompt_and_an_answer_have_their_own_marks() -> None:
    assert find_notes("The problem was the locale.", "Always run black.") == []


def test_bullets_headings_and_marks_are_taken_off() -> None:
    answer = "# Result\n- **We decided to use sqlite.**\n2. `pool.go` is fixed now\n* Root cause: a leak"
    assert find_notes("", answer) == [
        Note("decision", "We decided to use sqlite."),
        Note("fixed", "`pool.go` is fixed now"),
        Note("cause", "Root cause: a leak"),
    ]


def test_the_prompt_comes_first_and_each_sentence_once() -> None:
    assert find_notes("Never use eval.", "We decided to use ast. We decided to use ast. Next steps: the docs.") == [
        Note("rule", "Never use eval."),
        Note("decision", "We decided to use ast."),
        Note("open", "Next steps: the docs."),
    ]


def test_the_weightiest_are_kept_in_their_order() -> None:
    answer = " ".join(
        [
            *(f"Next step is part {i}." for i in range(4)),
            *(f"We decided on plan {i}." for i in range(4)),
            "I fixed part 9.",
        ]
    )
    found = find_notes("", answer)
    assert [n.text for n in found] == [
        "Next step is part 3.",
        "We decided on plan 0.",
        "We decided on plan 1.",
        "We decided on plan 2.",
        "We decided on plan 3.",
        "I fixed part 9.",
    ]
    assert len(found) == MOST


def test_a_long_sentence_is_cut_at_a_word() -> None:
    (note,) = find_notes("", "We decided to " + "word " * 200)
    assert note.kind == "decision"
    assert note.text.endswith("word…")
    assert LONGEST - 10 < len(note.text) <= LONGEST


def test_cjk_sentences_end_at_their_own_stop() -> None:
    assert find_notes("", "これは decided で。次は別。") == [Note("decision", "これは decided で。")]


PIECES = st.sampled_from(
    [
        "We decided ",
        "now ",
        "fixed ",
        "```",
        "\n",
        ". ",
        "! ",
        "- ",
        "。",
        "still ",
        "fails ",
        "x" * 50,
        "?",
        "*_#",
        "\0",
    ]
)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.one_of(PIECES, st.text(max_size=10)), max_size=40).map("".join),
    st.lists(PIECES, max_size=20).map("".join),
)
def test_notes_are_few_short_and_made_of_the_words_said(user: str, assistant: str) -> None:
    found = find_notes(user, assistant)
    assert len(found) <= MOST
    said = "".join((user + assistant).split())
    for note in found:
        assert note.kind in KINDS
        assert 12 <= len(note.text) <= LONGEST
        assert "".join(note.text.removesuffix("…").split()) in said.replace("```", "") or "```" in user + assistant


@pytest.mark.parametrize(
    "text", ["we decided " * 20_000, "now. " * 40_000, "```" * 30_000, "\n- " * 60_000, "A. " * 60_000, "'. '" * 50_000]
)
def test_takes_time_in_proportion(text: str) -> None:
    started = time.monotonic()
    find_notes(text, text)
    assert time.monotonic() - started < 3.0


@pytest.mark.parametrize(
    "answer",
    [
        "The importer bug in the loader is not fixed.",
        "The flaky upload has not been resolved.",
        "If we raised POOL_SIZE this might be fixed.",
        "The report uses fixed width columns now.",
        "Nothing is decided between Redis and memcached.",
        "I suggest going with Kafka here, but it is your call.",
        "It might be caused by the cache.",
        'From memory: - 2026-10-01 decided: "We decided to use redis." [deja-hooks show 00000001]',
    ],
)
def test_what_says_the_opposite_or_less_is_no_note(answer: str) -> None:
    assert find_notes("", answer) == []


@pytest.mark.parametrize(
    "prompt", ["Never mind the CSV export.", "It never worked before on Windows.", "is there a TODO left?"]
)
def test_what_only_sounds_like_a_rule_is_none(prompt: str) -> None:
    assert find_notes(prompt, "") == []
