"""Whether a packet was taken up: real hook calls, then the session as the host wrote it, then a pass."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.feedback.judge import Verdict, judge_packets, verdicts
from deja_hooks.memory.read import open_memory
from deja_hooks.memory.write import MemoryWriter
from tests.support.world import World, asked, edited, ran, said

OLD = "11111111-aaaa-4000-8000-000000000001"
NEW = "22222222-bbbb-4000-8000-000000000002"
DECIDED = "We decided to set retry_budget to 7 in src/cart_pool.py because smaller values starved the checkout queue."
FAILING = "npx jest tests/cart.spec.js"
WORKING = "pnpm exec jest tests/cart.spec.js"


@pytest.fixture
def shop(world: World) -> World:
    """A session that settled something and found how its tests are run."""
    world.cli_session(
        OLD,
        asked("run the tests"),
        *ran(FAILING, 1, "Error: Cannot find module 'jest'"),
        *ran(WORKING, 0, "ok"),
        said(DECIDED),
    )
    world.index()
    return world


def found(world: World) -> list[tuple[str, Verdict]]:
    """Kind and verdict of each packet that has one, after a pass."""
    world.index()
    memory = open_memory(world.layout.memory)
    assert memory is not None
    try:
        return [(name[2], verdict) for name, verdict in sorted(verdicts(memory.db).items())]
    finally:
        memory.close()


def verdict(name: str, words: int = 0, files: int = 0, commands: int = 0, place: int = 0) -> Verdict:
    return Verdict(name, words, files, commands, place, None, None)


class TestCommand:
    """Before a command that failed here: told which form worked."""

    def played(self, shop: World, *after: tuple[str, dict[str, Any]], sid: str = NEW) -> list[tuple[str, Verdict]]:
        """The session in which the packet was told, half a second after the prompt."""
        outcome = shop.tool("PreToolUse", "bash", sid=sid, command=FAILING)
        assert WORKING in outcome.text
        shop.cli_session(sid, asked("test the cart"), *after, at=shop.now - 1_500)
        return found(shop)

    def test_that_then_runs_is_taken_up(self, shop: World) -> None:
        played = self.played(shop, *ran(FAILING, 1), *ran(f"cd web && {WORKING}", 0), said("They pass."))
        assert played == [("before_tool", verdict("taken", commands=1))]

    def test_that_is_not_run_is_left(self, shop: World) -> None:
        played = self.played(shop, *ran(FAILING, 1), *ran("npm ls", 0), said("It fails."))
        assert played == [("before_tool", verdict("left"))]

    def test_whose_turn_goes_on_is_not_known_yet(self, shop: World) -> None:
        assert self.played(shop, *ran(FAILING, 1)) == [("before_tool", verdict("open"))]

    def test_of_a_session_that_is_not_read_yet_has_no_verdict(self, shop: World) -> None:
        shop.tool("PreToolUse", "bash", sid=NEW, command=FAILING)
        assert found(shop) == []

    def test_told_after_all_that_is_read_is_not_known_yet(self, shop: World) -> None:
        shop.tool("PreToolUse", "bash", sid=NEW, command=FAILING)
        shop.cli_session(NEW, asked("hello"), said("Hello."), at=shop.now - 60_000)
        assert found(shop) == [("before_tool", verdict("open", place=-1))]

    def test_becomes_known_when_the_session_is_read_on(self, shop: World) -> None:
        assert self.played(shop, *ran(FAILING, 1)) == [("before_tool", verdict("open"))]
        records = [asked("test the cart"), *ran(FAILING, 1), said("It fails."), asked("again"), *ran(WORKING, 0)]
        shop.cli_session(NEW, *records, at=shop.now - 1_500)
        assert found(shop) == [("before_tool", verdict("taken", commands=1))]

    def test_that_ran_in_an_earlier_turn_proves_nothing(self, shop: World) -> None:
        shop.now += 8_000
        before = [*ran(WORKING, 0), said("Good."), asked("again")]
        shop.tool("PreToolUse", "bash", sid=NEW, command=FAILING)
        records = [asked("test the cart"), *before, *ran(FAILING, 1), *ran(WORKING, 0), said("Done.")]
        shop.cli_session(NEW, *records, at=shop.now - 5_500)
        assert found(shop) == [("before_tool", verdict("left", place=1))]

    def test_that_the_user_asks_for_is_not_taken_up(self, shop: World) -> None:
        shop.tool("PreToolUse", "bash", sid=NEW, command=FAILING)
        records = [
            asked("go"),
            *ran(FAILING, 1),
            said("No."),
            asked(f"use `{WORKING}`"),
            *ran(WORKING, 0),
            said("Yes."),
        ]
        shop.cli_session(NEW, *records, at=shop.now - 1_500)
        # The id of the session is left, so there is something to tell by.
        assert found(shop) == [("before_tool", verdict("left"))]

    def test_in_a_turn_whose_work_has_no_times_is_untellable(self, shop: World) -> None:
        """As in VS Code's chats of 0.37, where a request's calls have its own time."""
        self.played(shop, *ran(FAILING, 1), *ran(WORKING, 0), said("They pass."))
        with closing(MemoryWriter(shop.layout.memory)) as writer:
            writer.db.execute("UPDATE work SET at=(SELECT at FROM turn WHERE turn.id=work.turn)")
            writer.db.execute("DELETE FROM uptake")
            judge_packets(writer, shop.layout.state)
        assert found(shop) == [("before_tool", verdict("none"))]


class TestFailure:
    """After a failure: told what made the same one go away, of a command that was worded otherwise then."""

    OUTPUT = "src/cart.ts(3,7): error TS2304: Cannot find name 'cartTotal'."

    def played(self, world: World, *after: tuple[str, dict[str, Any]]) -> list[tuple[str, Verdict]]:
        failed, worked = ran("npx tsc -p web", 2, self.OUTPUT), ran("npx tsc -p web", 0)
        generated = ran("npm run generate types", 0)
        world.cli_session(OLD, asked("build"), *failed, *generated, *worked, said("It builds."))
        world.index()
        result = f"{self.OUTPUT}\n<shellId: 0 completed with exit code 2>"
        outcome = world.tool("PostToolUse", "bash", sid=NEW, command="npx tsc --noEmit", result=result)
        assert "About `npx tsc -p web` failing" in outcome.text, outcome.reason
        assert "`npm run generate types`" in outcome.text
        world.cli_session(NEW, asked("build"), *ran("npx tsc --noEmit", 2, self.OUTPUT), *after, at=world.now - 1_500)
        return found(world)

    def test_what_made_it_go_away_is_run(self, world: World) -> None:
        played = self.played(world, *ran("npm run generate types", 0), said("Done."))
        assert played == [("after_tool", verdict("taken", commands=1))]

    def test_what_failed_then_is_run(self, world: World) -> None:
        assert self.played(world, *ran("npx tsc -p web", 0), said("Done.")) == [("after_tool", verdict("left"))]


class TestPrompt:
    """A prompt that names `retry_budget`: told what was decided of it."""

    def played(
        self, shop: World, *after: tuple[str, dict[str, Any]], prompt: str = "what about retry_budget?"
    ) -> list[tuple[str, Verdict]]:
        outcome = shop.call("UserPromptSubmit", sid=NEW, prompt=prompt)
        assert DECIDED in outcome.text
        shop.cli_session(NEW, asked(prompt), *after, at=shop.now - 900)
        return found(shop)

    def test_the_decision_in_its_own_words(self, shop: World) -> None:
        answer = said("It was low: smaller values starved them.")
        assert self.played(shop, answer) == [("prompt", verdict("taken", words=1))]

    def test_the_prompts_own_name_proves_nothing(self, shop: World) -> None:
        assert self.played(shop, said("retry_budget is an option.")) == [("prompt", verdict("left"))]

    def test_the_file_that_it_named_is_edited(self, shop: World) -> None:
        edit = edited(shop.project / "src" / "cart_pool.py", "budget = 3", "budget = 7")
        played = self.played(shop, *edit, said("Done."))
        assert played == [("prompt", verdict("taken", files=2))]  # `cart_pool.py` and `cart_pool`

    def test_the_session_that_it_named_is_opened(self, shop: World) -> None:
        played = self.played(shop, *ran("deja-hooks show 11111111", 0), said("I see."))
        assert played == [("prompt", verdict("taken", commands=1))]

    def test_three_turns_later_is_too_late(self, shop: World) -> None:
        idle = [said("Well."), asked("b"), said("Well."), asked("c"), said("Well."), asked("d")]
        assert self.played(shop, *idle, said("See src/cart_pool.py.")) == [("prompt", verdict("left"))]

    def test_two_turns_later_is_not(self, shop: World) -> None:
        idle = [said("Well."), asked("b"), said("Well."), asked("c")]
        assert self.played(shop, *idle, said("See src/cart_pool.py.")) == [("prompt", verdict("taken", words=2))]

    def test_where_the_prompt_says_it_all_there_is_nothing_to_tell_by(self, shop: World) -> None:
        prompt = f"{DECIDED} Is retry_budget right? 11111111"
        assert self.played(shop, said(DECIDED), prompt=prompt) == [("prompt", verdict("none"))]

    def test_an_answer_that_is_still_to_come_is_not_known_yet(self, shop: World) -> None:
        assert self.played(shop) == [("prompt", verdict("open"))]

    def test_a_name_that_half_the_project_speaks_of_proves_nothing(self, shop: World) -> None:
        for number in range(4):
            shop.cli_session(f"3333333{number}-c", asked("look at cart_pool.py"), said("I did."))
        shop.index()
        assert self.played(shop, said("See src/cart_pool.py.")) == [("prompt", verdict("left"))]


class TestVSCode:
    def test_a_prompts_packet_in_a_transcript(self, shop: World) -> None:
        prompt = "what about retry_budget?"
        fields = {"prompt": prompt, "timestamp": "2026-11-30T12:00:00.000Z"}
        path = shop.vscode_transcript(NEW, asked(prompt), at=shop.now - 900)
        outcome = shop.call("UserPromptSubmit", sid=NEW, transcript_path=str(path), **fields)
        assert (outcome.host, DECIDED in outcome.text) == ("vscode", True)
        assert found(shop) == [("prompt", verdict("open"))]
        shop.vscode_transcript(NEW, asked(prompt), said("See cart_pool.py."), at=shop.now - 900)
        assert found(shop) == [("prompt", verdict("taken", words=2))]


class TestSessionStart:
    def test_waits_for_the_first_prompt(self, shop: World) -> None:
        assert DECIDED in shop.call("SessionStart", sid=NEW, source="new").text
        shop.cli_session(NEW, at=shop.now)
        assert found(shop) == [("session_start", verdict("open", place=-1))]
        shop.cli_session(NEW, asked("go on"), said("I set the retry_budget."), at=shop.now + 600_000)
        assert found(shop) == [("session_start", verdict("taken", words=1))]


class TestCompaction:
    def test_tells_nothing_new(self, shop: World) -> None:
        shop.cli_session(NEW, asked("Make cart_total exact"), said("We decided to use Decimal."), at=shop.now - 900)
        shop.index()
        shop.call("PreCompact", sid=NEW)
        outcome = shop.call("UserPromptSubmit", sid=NEW, prompt="go on")
        assert "Make cart_total exact" in outcome.text
        shop.cli_session(NEW, asked("Make cart_total exact"), said("Decimal."), asked("go on"), at=shop.now - 900)
        assert found(shop) == [("compaction", verdict("none", place=0))]


class TestPass:
    def test_a_verdict_goes_with_its_session(self, shop: World) -> None:
        shop.call("UserPromptSubmit", sid=NEW, prompt="what about retry_budget?")
        path = shop.cli_session(NEW, asked("what about retry_budget?"), said("Hm."), at=shop.now - 900)
        assert [kind for kind, _ in found(shop)] == ["prompt"]
        path.unlink()
        assert found(shop) == []

    @pytest.mark.parametrize("content", [b"", b"no database" * 100])
    def test_a_broken_state_changes_nothing(self, shop: World, content: bytes) -> None:
        Path(shop.layout.state).write_bytes(content)
        shop.cli_session(NEW, asked("hello"), said("Hm."))
        assert (shop.index().problems, found(shop)) == ((), [])

    def test_a_memory_that_is_built_anew_judges_again(self, shop: World) -> None:
        shop.call("UserPromptSubmit", sid=NEW, prompt="what about retry_budget?")
        shop.cli_session(NEW, asked("what about retry_budget?"), said("See cart_pool.py."), at=shop.now - 900)
        before = found(shop)
        Path(shop.layout.memory).unlink()
        assert found(shop) == before == [("prompt", verdict("taken", words=2))]

    @pytest.mark.parametrize(
        ("rows", "taken"),
        [
            ([("gpt", 3, 1_000), ("haiku", 1, 50)], (3, 1_050)),
            ([("gpt", 3, 1_000), ("haiku", 1, None)], (None, None)),
            ([], (None, None)),
        ],
    )
    def test_what_its_request_took_is_kept_beside_it(
        self, shop: World, rows: list[tuple[str, int, int | None]], taken: tuple[int | None, int | None]
    ) -> None:
        shop.call("UserPromptSubmit", sid=NEW, prompt="what about retry_budget?")
        shop.cli_session(NEW, asked("what about retry_budget?"), said("Hm."), at=shop.now - 900)
        shop.index()
        with closing(MemoryWriter(shop.layout.memory)) as writer:
            turn = writer.db.execute("SELECT id << 16 FROM session WHERE sid=?", (NEW,)).fetchone()[0]
            for seq, (model, rounds, tokens) in enumerate(rows):
                writer.db.execute(
                    "INSERT INTO usage(turn, seq, kind, request, at, model, rounds, input, exact, final)"
                    " VALUES (?, ?, 'request', 'r', 0, ?, ?, ?, 1, 1)",
                    (turn, seq, model, rounds, tokens),
                )
            writer.db.execute("DELETE FROM uptake")
            assert judge_packets(writer, shop.layout.state) == 1
            assert list(verdicts(writer.db).values()) == [Verdict("left", 0, 0, 0, 0, *taken)]

    def test_what_is_judged_is_not_judged_again(self, shop: World) -> None:
        shop.call("UserPromptSubmit", sid=NEW, prompt="what about retry_budget?")
        shop.cli_session(NEW, asked("what about retry_budget?"), said("Hm."), at=shop.now - 900)
        shop.index()
        with closing(MemoryWriter(shop.layout.memory)) as writer:
            assert judge_packets(writer, shop.layout.state) == 0


class TestOddTexts:
    @pytest.mark.parametrize(
        "name", ["müßig_wert", "日本_テスト", 'c"d_efg', "x\u0130y_z1", "it's_a_name", "a\\b_cd", "v1.2.3-rc_1"]
    )
    def test_are_no_failure(self, shop: World, name: str) -> None:
        shop.cli_session(
            "44444444-d",
            asked("note it"),
            said(f"We decided that checkout_lane needs {name} with {name} in {name} for {name}."),
        )
        shop.index()
        prompt = "what of checkout_lane?"
        assert shop.call("UserPromptSubmit", sid=NEW, prompt=prompt).text
        shop.cli_session(NEW, asked(prompt), said(f"{name} {name} {name} {name}"), at=shop.now - 900)
        ((kind, one),) = found(shop)
        assert (kind, one.verdict) == ("prompt", "taken")
