"""What is stored of a turn: redacted first, cut afterwards."""

from __future__ import annotations

from typing import Any

import pytest

from deja_hooks.memory.admit import COMMAND_LIMIT, FAILURE_LIMIT, SPAN_LIMIT, SPEECH_LIMIT, turn_row
from deja_hooks.sources.model import Turn, Work

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
KEY = "\n".join(
    ["-----BEGIN RSA PRIVATE" + " KEY-----", *["MIIEow" + "Qx7Zk" * 11] * 25, "-----END RSA PRIVATE" + " KEY-----"]
)


def row(user: str = "", work: tuple[Work, ...] = ()) -> Any:
    return turn_row(Turn(0, 1, user, "", work, True), "/p", {})


def command(text: str, output: str = "", status: int | None = 0) -> Work:
    return Work("command", 1, "bash", "", "", "", text, status, output, "c")


@pytest.mark.parametrize("before", range(SPEECH_LIMIT // 2 - 45, SPEECH_LIMIT // 2 + 5, 7))
def test_a_token_at_the_cut_of_a_long_prompt(before: int) -> None:
    kept = row("x " * (before // 2) + TOKEN + " y" * SPEECH_LIMIT).user
    assert not any(TOKEN[i : i + 8] in kept for i in range(len(TOKEN) - 8))


def test_a_key_whose_beginning_is_cut_away() -> None:
    kept = row("x " * 20_000 + KEY + " y" * (SPEECH_LIMIT // 4)).user
    assert "MIIEow" not in kept


@pytest.mark.parametrize("limit", [COMMAND_LIMIT])
def test_a_token_at_the_end_of_a_long_command(limit: int) -> None:
    (kept,) = row(work=(command("x" * (limit - 20) + " " + TOKEN),)).work
    assert TOKEN[:8] not in kept.command
    assert len(kept.command) <= limit


def test_a_token_at_the_end_of_an_edits_text() -> None:
    text = "x" * (SPAN_LIMIT - 20) + " " + TOKEN
    (kept,) = row(work=(Work("edit", 1, "edit", "/p/a", text, text, "", None, "", "c"),)).work
    assert TOKEN[:8] not in kept.old + kept.new


def test_a_token_at_the_end_of_a_failures_line() -> None:
    (kept,) = row(work=(command("x", "ValueError: " + "x" * (FAILURE_LIMIT - 30) + " " + TOKEN, 1),)).work
    assert TOKEN[:8] not in kept.failure


def test_fixed_is_no_note_of_a_turn_that_ends_failing() -> None:
    turn = Turn(0, 1, "", "All 12 tests pass now.", (command("pytest", "x", 1),), True)
    assert turn_row(turn, "/p", {}).notes == ()
    fine = turn._replace(work=(command("pytest", "x", 0),))
    assert [n.kind for n in turn_row(fine, "/p", {}).notes] == ["fixed"]


def test_errors_of_a_turn_and_the_tools_of_its_work() -> None:
    """An error is quoted by its first line, redacted, and is no failure that a command could mend."""
    said = f"\n429 slow down, {TOKEN}\nCheck that the service is running."
    work = (
        Work("error", 1, "", "", "", "", "", None, said, ""),
        Work("failure", 2, "view", "/p/missing.py", "", "", "", None, "Path does not exist", "c"),
        Work("edit", 3, "", "/p/a.py", "", "x", "", None, "", ""),
        command("ls")._replace(at=4),
    )
    error, *others = row(work=work).work
    assert (error.kind, error.path, error.command, error.exit, error.signature) == ("error", "", "", None, "")
    assert error.failure.startswith("429 slow down, ")
    assert TOKEN[:8] not in error.failure
    assert not error.failed
    assert [(each.kind, each.path, each.tool) for each in others] == [
        ("failure", "missing.py", "view"),
        ("edit", "a.py", ""),
        ("command", "", "bash"),
    ]
