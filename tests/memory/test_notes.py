"""Which sentences are worth recalling, and as what."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.note_marks import OF_ASSISTANTS, OF_USERS
from deja_hooks.memory.notes import KINDS, LONGEST, MOST, find_notes
from deja_hooks.memory.rows import Note

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
    said = _bare(user + assistant)
    for note in found:
        assert note.kind in KINDS
        assert 12 <= len(note.text) <= LONGEST
        assert _bare(note.text.removesuffix("…")) in said.replace("```", "") or "```" in user + assistant


def _bare(text: str) -> str:
    """Without white space and emphasis, which a sentence loses at its ends."""
    return "".join(text.split()).translate(dict.fromkeys(map(ord, "*_#")))


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


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Settled: src/pool.py keeps the lock.", "decision"),
        ("Decided: sqlite, no server.", "decision"),
        ("Agreed: one queue for each tenant.", "decision"),
        ("Conclusion: the mock stays.", "decision"),
        ("Resolution: pin the compiler.", "decision"),
        ("Outcome: the old parser wins.", "decision"),
        ("Verdict: not worth a cache.", "decision"),
        ("Final: two workers, one queue.", "decision"),
        ("**Decision:** two workers.", "decision"),
        ("We take 4,150 ms, then.", "decision"),
        ("We stay with the vendored copy.", "decision"),
        ("We stick to the old layout.", "decision"),
        ("We leave it at 30 s.", "decision"),
        ("We set it to 12 for now.", "decision"),
        ("I set the pool size to 12.", "decision"),
        ("From now on the exporter writes UTF-8.", "decision"),
        ("Postgres it is.", "decision"),
        ("Agreed, 4 s it is for poll_timeout.", "decision"),
        ("`retry_budget` is now 7.", "decision"),
        ("pool_size stays at 9, as before.", "decision"),
        ("The crash came down to a race.", "cause"),
        ("The old linker was to blame.", "cause"),
        ("The deadlock is gone with that.", "fixed"),
        ("The upload no longer hangs.", "fixed"),
        ("What remains is the reminder mail.", "open"),
        ("The flat-field correction is not done yet.", "open"),
        ("Open: the printer cuts the last line.", "open"),
        ("The audio guide still lacks its French texts.", "open"),
        ("Next: calibrate the two sensors.", "open"),
        ("**Next**: calibrate the sensors.", "open"),
        ("The reader doesn\u2019t wake up after sleep yet.", "open"),
        ("Windows support is left for later.", "open"),
        ("The migration remains to be done.", "open"),
        ("We are blocked on the vendor's key.", "open"),
    ],
)
def test_of_an_answer_in_other_words(sentence: str, kind: str) -> None:
    said = sentence.replace("**", "")
    assert find_notes("", f"I had a look at all of it. {sentence}") == [Note(kind, said)]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("ok, let's make it 30 s then", "decision"),
        ("let's settle this: two workers", "decision"),
        ("we go with 5 for the pool, since the disk is slow", "decision"),
        ("We'll use tabs instead of spaces here.", "decision"),
        ("use 5 s for poll_timeout please", "rule"),
        ("keep retries at 4", "rule"),
        ("no, poll_timeout must be 7", "rule"),
        ("The importer doesn't read BOMs yet.", "open"),
    ],
)
def test_of_a_prompt_in_other_words(sentence: str, kind: str) -> None:
    assert find_notes(sentence, "") == [Note(kind, sentence)]


@pytest.mark.parametrize(
    "prompt",
    [
        "Delegate this to the task subagent instead of doing it yourself: ask it to write two sentences.",
        "I think we never chose pool_size deliberately, did we? Look at how the importer uses it",
        "Don't commit yet.",
        "set the title of the page to three words",
        "Keep going with it!",
        "please fix the remaining issues",
        "continue with the remaining steps",
    ],
)
def test_a_request_is_no_decision(prompt: str) -> None:
    assert find_notes(prompt, "") == []


@pytest.mark.parametrize(
    "answer",
    [
        "There is nothing left to do.",
        "No remaining issues.",
        "Open: none",
        "If the test still fails, tell me.",
        "I haven't looked at the file yet.",
        "It adds what the chat has not saved yet.",
        "That is the way it is.",
        "I left it as it is.",
        "Whatever it is, we need a test.",
        "I'd go with Kafka.",
        "The cake turned out really well.",
        "Stop when you are sure that the problem is solved.",
        "If an item is missing, the order is rolled back.",
        "The build is now 9 s faster.",
        "Outcome: 3 passed, 1 failed",
        "The file doesn't exist yet, so I'll create it.",
        "The tests still need a database, which I'll start now.",
        "Next: I'll read app.py.",
        "If the connection is not yet open, wait.",
        "Open: http://localhost:3000",
        "I can't see the screenshot yet.",
    ],
)
def test_what_only_sounds_like_a_note_is_none(answer: str) -> None:
    assert find_notes("", answer) == []


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("The culprit is pool_size. We take 4,150 ms from now on, because the disk is slow.", "decision"),
        ("The root cause was pool_size: it was 43. It is 1675 ms now, because two workers wrote.", "cause"),
        ("It turned out that the disk was full. So poll_timeout is now 5 s, and a test has it.", "decision"),
        ("Fixed. pool_size had been left at 9; with 12 the tests are stable.", "fixed"),
        ("I raised the pool size in pool.py. That fixed it.", "fixed"),
        ("The problem was the locale. Therefore we sort by bytes, since that is the same everywhere.", "cause"),
    ],
)
def test_a_sentence_that_goes_on_belongs_to_the_one_before(answer: str, kind: str) -> None:
    assert find_notes("", answer) == [Note(kind, answer)]


@pytest.mark.parametrize(
    ("answer", "notes"),
    [
        ("The problem was the locale. I will now run the tests.", ["The problem was the locale."]),
        ("The problem was the locale. All 41 tests pass.", ["The problem was the locale."]),
        ("The problem was the locale. `app.py` has 3 uses.", ["The problem was the locale."]),
        ("The problem was the locale. Shall we leave it at 3?", ["The problem was the locale."]),
        ("We decided to use ast. We decided to use lark.", ["We decided to use ast.", "We decided to use lark."]),
        ("The culprit is pool_size. " + "It is 9, " * 50, ["The culprit is pool_size."]),
    ],
)
def test_one_that_stands_alone_does_not(answer: str, notes: list[str]) -> None:
    assert [note.text for note in find_notes("", answer)] == notes


def test_what_stands_below_a_label_goes_with_it() -> None:
    answer = """All done.

## Next steps
- wire up the CLI
- write the docs
- tune it
- dream

**Remaining:**
1. the metrics

Conclusion:

We keep the old parser.
"""
    assert find_notes("", answer) == [
        Note("open", "Next steps: wire up the CLI"),
        Note("open", "Next steps: write the docs"),
        Note("open", "Next steps: tune it"),
        Note("open", "Remaining: the metrics"),
        Note("decision", "Conclusion: We keep the old parser."),
    ]


def test_each_mark_has_a_cue_with_a_whole_word() -> None:
    for mark in (*OF_ASSISTANTS, *OF_USERS):
        for cue in mark.cues:
            assert cue == cue.lower()
            assert any(len(word) > 1 for word in cue.replace("n't", "").replace("'ve", "").split())
