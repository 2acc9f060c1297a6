"""What the packet after a compaction must hold, of each recorded session: written by hand from reading the sessions."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["RECORDED", "Recorded"]


class Recorded(NamedTuple):
    """One session.

    Attributes:
        path: of its log; below the data folder, or below the checkout for `hook_payloads/`.
        asked: of each instruction of the user words that nothing else has.
        failed: the commands that failed.
    """

    path: str
    asked: tuple[str, ...]
    failed: tuple[str, ...] = ()


_CLI = "copilot_cli/events/events"
_OLD = "copilot_cli/recorded_1.0.78"
_LIVE = "vscode/live_0.67"
_SEEN = "vscode/transcripts"
_SHOP = "hook_payloads/home/.copilot/session-state/5eed000"
_CHAT = (
    "hook_payloads/home/.config/Code/User/workspaceStorage/3b1f0c6a9d2e4f5a8b7c6d5e4f3a2b1c/GitHub.copilot-chat/"
    "transcripts/5eed000"
)
_HARNESS = "hook_payloads/home/.copilot/session-state/9f914c04-796f-4ad1-98ea-063103e106b4/events.jsonl"
_IMPORT = "python3 -c 'import nope'"

RECORDED = (
    Recorded(f"{_CLI}.main.jsonl", ("Fix the failing test", "Summarize what changed"), ("python3 test_app.py",)),
    Recorded(f"{_CLI}.compact.jsonl", ("Fix the failing test",)),
    Recorded(f"{_CLI}.error.jsonl", ("Fix the failing test",)),
    Recorded(f"{_CLI}.forced.jsonl", ("Fix the failing test", "Check once more")),
    Recorded(f"{_CLI}.interactive.jsonl", ("Say hello", "Build it")),
    Recorded(f"{_OLD}/aborted_turn.events.jsonl", ("Reply with exactly the word: ok",)),
    Recorded(
        f"{_OLD}/compaction.events.jsonl",
        ("Reply with exactly the word: ok", "Reply with exactly the word: still-here"),
    ),
    Recorded(
        f"{_OLD}/resumed.events.jsonl",
        ("Reply with exactly the word: ok", "Reply with exactly the word: again"),
    ),
    Recorded(
        f"{_OLD}/self_correction.events.jsonl",
        ("run the shell command `false`", "retry with the bash tool running `echo recovered`", "reply with just: done"),
        ("`false`: failed",),
    ),
    Recorded(f"{_OLD}/session_start.events.jsonl", ("Reply with exactly the word: ok",)),
    Recorded(
        f"{_OLD}/subagent.events.jsonl",
        ("Delegate this to the task subagent", "Wait for the subagent to finish", "reply with exactly: done"),
    ),
    Recorded(f"{_OLD}/tool_call.events.jsonl", ("Run the shell command `echo hello`", "reply with just: done")),
    Recorded(f"{_LIVE}/cancelled", ("SCRIPT:slow then cancel",)),
    Recorded(f"{_LIVE}/compaction", ("SCRIPT:huge read it all",)),
    Recorded(f"{_LIVE}/failing_tools", ("SCRIPT:bad clean payloads",), ("echo out; echo err >&2; exit 3",)),
    Recorded(f"{_LIVE}/model_error", ("SCRIPT:err please",)),
    Recorded(f"{_LIVE}/parallel", ("SCRIPT:par clean payloads",)),
    Recorded(f"{_LIVE}/resumed", ("SCRIPT:one slow hooks", "SCRIPT:one resumed after reload")),
    Recorded(
        f"{_LIVE}/second_turn",
        ("SCRIPT:tools please do the scripted steps", "SCRIPT:tools nested only"),
        ("ls /nonexistent-dir-xyz", _IMPORT),
    ),
    Recorded(f"{_LIVE}/subagent", ("SCRIPT:sub clean payloads",)),
    Recorded(f"{_LIVE}/tools", ("SCRIPT:tools clean payloads",), (_IMPORT,)),
    Recorded(f"{_SEEN}/event_stream_0.37.jsonl", ("add some jokes to jokes.csv",)),
    Recorded(f"{_SEEN}/event_stream_0.47.jsonl", ("Add a comment to the file",)),
    Recorded(f"{_SEEN}/host_run_0.42.jsonl", ("make the failing test pass", "thanks, now document it")),
    Recorded(
        f"{_SHOP}1-0000-4000-8000-000000000001/events.jsonl",
        ("Webhook deliveries stop too early", "make tests/test_retry.py pass"),
        ("python3 -m pytest -q tests/test_retry.py",),
    ),
    Recorded(
        f"{_SHOP}3-0000-4000-8000-000000000003/events.jsonl",
        ("Run the whole test suite before we tag the release",),
        ("`pytest -q`",),
    ),
    Recorded(
        f"{_SHOP}5-0000-4000-8000-000000000005/events.jsonl",
        ("Add idempotency keys to the orders API", "Never change the response format", "Now the refund endpoint"),
        ("python3 -m pytest -q tests/test_orders.py", "tests/test_refunds.py`: failed"),
    ),
    Recorded(
        f"{_CHAT}2-0000-4000-8000-000000000002.jsonl",
        ("load_rates asks the bank", "never call the live rates API from a test", "keep them where all workers see"),
    ),
    Recorded(
        f"{_CHAT}4-0000-4000-8000-000000000004.jsonl",
        ("Can greet move out of app.py", "what is left of the deliveries migration"),
    ),
    Recorded(
        f"{_CHAT}6-0000-4000-8000-000000000006.jsonl",
        ("Split the nightly report into one file per partner", "Make sure that the columns keep their order"),
    ),
    Recorded(_HARNESS, ("SCRIPT:cli in the agent host runtime both",), (_IMPORT,)),
)
