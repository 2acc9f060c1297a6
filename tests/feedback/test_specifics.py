"""What of a packet can be known again: hashes of what its call didn't say itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given as given_values
from hypothesis import strategies as st

from deja_hooks.feedback.specifics import Words, command_key, given, key, runs, source_key, specifics, without_source
from deja_hooks.hook.payload import read_payload

QUOTED = (
    '- 2026-11-29 decided: "Set retry_budget to 7 since smaller values starved the queue." [deja-hooks show 1234abcd]'
)
FAILED = (
    "- 2026-11-29 here this failed: `npx jest x`; this worked instead (seen once): `pnpm jest x` [deja-hooks show s1]"
)


def packet(*lines: str) -> str:
    return "\n".join(['<deja-0 about="x">', "Recalled by deja-hooks …", *lines, "</deja-0>"])


def run(*terms: str) -> str:
    return "r" + key(" ".join(terms))


class TestSpecifics:
    def test_are_names_runs_and_the_sessions_id(self) -> None:
        found = specifics(packet(QUOTED), "what about the queue?")
        assert found.split() == [
            "s" + key("1234abcd"),
            "n" + key("1234abcd"),
            "n" + key("retrybudget"),
            run("set", "retrybudget", "sinc"),
            run("retrybudget", "sinc", "smaller"),
            run("sinc", "smaller", "valu"),
            run("smaller", "valu", "starv"),
            run("valu", "starv", "queu"),
        ]

    def test_are_commands_and_not_our_own_words(self) -> None:
        found = specifics(packet(FAILED), "npx jest x")
        assert found.split() == ["s" + key("s1"), "c" + command_key("pnpm  jest x")]

    @pytest.mark.parametrize("said", ["retry_budget?", "the retry budget", "RETRY-BUDGET", "config.retryBudget"])
    def test_leave_out_what_the_call_says(self, said: str) -> None:
        assert "n" + key("retrybudget") not in specifics(packet(QUOTED), said.lower()).split()

    def test_are_nothing_where_the_call_says_it_all(self) -> None:
        assert specifics(packet(QUOTED, FAILED), f"{QUOTED}\n{FAILED}".lower()) == ""

    def test_are_nothing_of_lines_that_name_no_session(self) -> None:
        assert specifics(packet(QUOTED.partition(" [")[0], "- Files changed: a_b.py"), "") == ""

    def test_are_kept_by_line(self) -> None:
        both = specifics(packet(QUOTED, FAILED), "")
        assert len(both.split("\n")) == 2
        assert without_source(both, "1234abcd-0000-4000-8000-000000000001") == both.split("\n")[1]
        assert without_source(both, "s1") == both.split("\n")[0]
        assert without_source(both, "other") == both

    @given_values(st.text(), st.text(), st.text())
    def test_are_hashes_whatever_the_text(self, quoted: str, sid: str, said: str) -> None:
        kept = specifics(f'- 2026-11-29 decided: "{quoted}" `{said}` [deja-hooks show {sid}]', said)
        assert re.fullmatch(r"(s[0-9a-f]{8}( [snrc][0-9a-f]{8})+\n?)*", kept)


def test_a_source_is_the_session_as_packets_name_it() -> None:
    assert source_key("1234abcd-0000-4000-8000-000000000001") == key("1234abcd")


def test_runs_are_three_informative_words_in_a_row() -> None:
    assert runs("Set the retry_budget to 7 for all of the busy queues", Words()) == {
        key("set retrybudget busi"): ("set", "retrybudget", "busi"),
        key("retrybudget busi queu"): ("retrybudget", "busi", "queu"),
    }
    assert runs("two words", Words()) == {}


class TestGiven:
    @pytest.mark.parametrize(
        ("event", "fields", "text"),
        [
            ("UserPromptSubmit", {"prompt": "Why RETRY?"}, "why retry?"),
            ("SessionStart", {"initial_prompt": "Go"}, "go"),
            ("PreToolUse", {"tool_input": {"path": "A.py", "edits": [{"old": "B"}], "n": 1}}, "a.py\nb\n\n\n"),
            ("PostToolUse", {"tool_input": {"command": "M"}, "tool_response": "No M"}, "m\n\n\nno m"),
            ("PostToolUseFailure", {"error": {"message": "Bad"}}, "\nbad\n"),
        ],
    )
    def test_is_all_that_the_call_says(self, event: str, fields: dict[str, object], text: str) -> None:
        payload = read_payload({"hook_event_name": event, "session_id": "s", **fields}, event)
        assert payload is not None
        assert given(payload) == text

    def test_is_bounded(self) -> None:
        payload = read_payload({"prompt": "a" * 90_000 + "z"}, "UserPromptSubmit")
        assert payload is not None
        said = given(payload)
        assert (len(said), said[-1]) == (16_385, "z")
