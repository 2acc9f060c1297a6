"""What the first session settled reaches the model's requests of the second, in the real CLI.

Where each packet lands is the CLI's doing (seen in 1.0.102): the text around it is compared whole.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from . import scenario
from .copilot import cache_folder
from .model import Request
from .packets import Packet, packets
from .played import Played
from .timing import measure

pytestmark = pytest.mark.live

BEFORE_TOOL = "Additional context from preToolUse hook:\n"
AFTER_TOOL = '\n\nTool "bash" succeeded. Additional guidance from postToolUse hooks:\n'


def only(request: Request, *, role: str, before_ends: str = "", before: str | None = None) -> Packet:
    """The request's last packet in a message of this role, after this text."""
    found = [
        packet
        for packet in packets(request)
        if packet.role == role and packet.before.endswith(before_ends) and (before is None or packet.before == before)
    ]
    assert found, f"no such packet in {request.name!r}: {[(m.role, m.text[-300:]) for m in request.messages]}"
    return found[-1]


def test_both_runs_go_to_their_end(played: Played) -> None:
    assert [run.exit_code for run in played.runs] == [0, 0], [run.output for run in played.runs]
    assert len(played.sessions) == 2
    assert played.model.replies == []
    assert "unscripted" not in [request.name for request in played.model.requests]


def test_at_session_start(played: Played) -> None:
    packet = only(played.model.request("prompt"), role="user", before="")
    assert (packet.index, packet.after) == (1, "")
    assert played.sessions[0][:8] in packet.text
    assert "retry_budget" in packet.text


def test_at_the_prompt(played: Played) -> None:
    packet = only(
        played.model.request("prompt"),
        role="user",
        before_ends=f"{scenario.SECOND_PROMPT}\n\n<system_reminder>\n",
    )
    assert packet.after == "\n</system_reminder>"
    assert played.sessions[0][:8] in packet.text
    assert "set retry_budget to 7" in packet.text


def test_after_a_failure(played: Played) -> None:
    packet = only(played.model.request("failure"), role="tool", before_ends=AFTER_TOOL)
    assert "BudgetStarvedError: retry_budget 3 starves the pool" in packet.before
    assert packet.after == ""
    assert played.sessions[0][:8] in packet.text
    assert scenario.SETTINGS in packet.text


def test_before_an_edit(played: Played) -> None:
    request = played.model.request("filling 1")
    packet = only(request, role="user", before=BEFORE_TOOL)
    assert (packet.index, packet.after) == (len(request.messages) - 1, "")
    assert played.sessions[0][:8] in packet.text
    assert "set retry_budget to 7" in packet.text


def test_after_a_compaction(played: Played) -> None:
    """The tool call that runs while the CLI compacts in the background carries the packet, and the summary leaves it.
    The log lags in such a fast run, so the failure and the edit stand there only because PreCompact waited for it.
    """
    told = [p for p in packets(played.after_compaction()[0]) if scenario.SECOND_PROMPT in p.text]
    assert [(packet.role, packet.before) for packet in told] == [("user", BEFORE_TOOL)]
    assert f"`{scenario.CHECK}`: failed, exit status 1: BudgetStarvedError" in told[0].text
    assert f"- Files changed: {scenario.SETTINGS}" in told[0].text


def test_what_a_compaction_dropped_is_said_again(played: Played) -> None:
    request = played.model.request("edit after compaction")
    assert request in played.after_compaction()
    packet = only(request, role="user", before=BEFORE_TOOL)
    assert packet.index == len(request.messages) - 1
    assert played.sessions[0][:8] in packet.text
    assert "retry_budget" in packet.text


def test_no_hook_shows_an_error(played: Played) -> None:
    records = [record for session in played.sessions for record in played.box.records(session)]
    ended = [record["data"] for record in records if record["type"] == "hook.end"]
    assert {end["hookType"] for end in ended} == {
        "sessionStart",
        "userPromptSubmitted",
        "preToolUse",
        "postToolUse",
        "postToolUseFailure",
        "preCompact",
        "agentStop",
        "sessionEnd",
    }
    assert [end for end in ended if not end["success"] or "error" in end] == []
    assert played.box.hook_complaints() == []


def test_no_tool_is_denied(played: Played) -> None:
    records = [record for session in played.sessions for record in played.box.records(session)]
    done = [record["data"]["success"] for record in records if record["type"] == "tool.execution_complete"]
    assert done == [False] + [True] * 10  # the first looks for a file that isn't there
    assert [run.output for run in played.runs if "Denied by" in run.output] == []


def test_one_indexer_at_most_and_none_stays(played: Played) -> None:
    assert len(played.most_indexers) == 1, played.most_indexers
    assert played.left_over == []


def test_takes_no_longer_than_hooks_that_do_nothing(cli: Path, tmp_path: Path) -> None:
    timing = measure(tmp_path, cli, cache_folder(os.environ), rounds=3)
    # Nine rounds on a quiet machine are what `python -m tests.live` is for; here only a gross loss shows.
    assert timing.ratio < 1.5, timing
