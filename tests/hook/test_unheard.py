"""What an older Copilot CLI drops at its own event is said at the next call that it hears.

The payloads are recorded from 1.0.48; the session id and the folders are replaced.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.hook import main, session
from deja_hooks.hook.main import Outcome, handle
from tests.support.world import ENTRY, World, asked, edited, ran, said

OLD = "11111111-aaaa-4000-8000-000000000001"
ASKING = "00000000-0000-4000-8000-000000000048"
PAYLOADS = (Path(__file__).parent / "fixtures" / "copilot_cli_1.0.48.jsonl").read_text(encoding="utf-8")
CHECK = "python3 tools/check_budget.py"
ERROR = "BudgetStarvedError: retry_budget {} starves the pool"
PROMPT, START, FAILURE, EDIT = (
    "retry_budget in code/shop",
    "what code/shop last settled",
    "a failure met before",
    "before an edit of settings.py",
)


@pytest.fixture
def shop(world: World) -> World:
    path = str(world.project / "shop" / "settings.py")
    world.cli_session(
        OLD,
        asked("make the check pass"),
        *ran(CHECK, 1, ERROR.format(2)),
        *edited(path, "retry_budget = 2", "retry_budget = 7"),
        *ran(CHECK, 0),
        said("We decided to set retry_budget to 7 in shop/settings.py because the slowest node needs six attempts."),
    )
    world.index()
    Path(world.layout.index_claim).touch()  # keeps these tests from starting an indexer
    return world


def recorded(world: World) -> list[dict[str, object]]:
    return [json.loads(line.replace("@PROJECT@", str(world.project))) for line in PAYLOADS.splitlines()]


def titles(text: str) -> list[str]:
    return re.findall(r'<deja-[0-9a-f]+ about="([^"]+)">', text)


def replies(world: World, version: str) -> list[tuple[str, list[str]]]:
    """The event and the packets in the reply of each call, made by real processes."""
    seen = []
    for value in recorded(world):
        event = str(value["hook_event_name"])
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(ENTRY), event, world.layout.cache, world.layout.config],
            input=json.dumps(value).encode(),
            capture_output=True,
            env={**world.environment, "COPILOT_CLI_BINARY_VERSION": version},
            timeout=20,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        seen.append((event, titles(json.loads(done.stdout)["additionalContext"]) if done.stdout else []))
    return seen


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX processes")
@pytest.mark.parametrize(
    ("version", "prompt", "start", "failure", "edit"),
    [
        ("1.0.48", [], [PROMPT, START], [], [FAILURE, EDIT]),
        ("1.0.60", [], [PROMPT, START], [FAILURE], [EDIT]),
        ("1.0.102", [PROMPT], [START], [FAILURE], [EDIT]),
    ],
)
def test_each_packet_is_said_once_where_it_is_heard(
    shop: World, version: str, prompt: list[str], start: list[str], failure: list[str], edit: list[str]
) -> None:
    assert replies(shop, version) == [
        ("UserPromptSubmit", prompt),
        ("SessionStart", start),
        ("PreToolUse", []),
        ("PostToolUse", failure),
        ("PreToolUse", edit),
    ]


@pytest.fixture
def deaf(shop: World, monkeypatch: pytest.MonkeyPatch) -> World:
    """Prompts are not heard in it."""
    monkeypatch.setattr(session, "hears", lambda event, _: event != "UserPromptSubmit")
    monkeypatch.setattr(main, "_wake", lambda *_, **__: None)  # no indexer for this machine
    return shop


def call(world: World, event: str, *, live: bool = True, **fields: object) -> Outcome:
    payload = {"hook_event_name": event, "session_id": ASKING, "cwd": str(world.project), **fields}
    return handle(payload, event, world.layout, now_ms=world.now, nonce="0", live=live)


def test_the_ring_says_where_a_packet_is(deaf: World) -> None:
    kept = call(deaf, "UserPromptSubmit", prompt="why retry_budget?")
    assert (kept.text, kept.reason) == (
        "",
        "kept until this version of the host hears it: recalled: retry_budget (confidence 0.98)",
    )
    assert Path(deaf.layout.pending(ASKING)).exists()
    handed_on = call(deaf, "PreToolUse", tool_name="view", tool_input={})
    assert titles(handed_on.text) == [PROMPT]
    assert handed_on.reason == "handed on what the host had not heard"
    assert not Path(deaf.layout.pending(ASKING)).exists()
    assert call(deaf, "PreToolUse", tool_name="view", tool_input={}).text == ""


def test_a_replay_knows_no_version(deaf: World) -> None:
    assert titles(call(deaf, "UserPromptSubmit", live=False, prompt="why retry_budget?").text) == [PROMPT]


def test_a_compaction_waits_for_a_call_that_is_heard(deaf: World) -> None:
    log = deaf.cli_session(ASKING, asked("Always run black. Port the parser"), *ran("pytest", 0))
    call(deaf, "PreCompact", transcript_path=str(log))
    assert call(deaf, "UserPromptSubmit", prompt="why retry_budget?").text == ""
    handed_back = call(deaf, "PreToolUse", tool_name="view", tool_input={})
    assert titles(handed_back.text) == ["this session before its compaction", PROMPT]
    assert handed_back.reason == "handed back what the compaction dropped"


@pytest.mark.parametrize("session_id", [ASKING, ""])
def test_without_a_state_or_a_session_nothing_is_kept(deaf: World, session_id: str) -> None:
    if session_id:
        Path(deaf.layout.state).unlink(missing_ok=True)
        Path(deaf.layout.state).mkdir(parents=True)
    kept = call(deaf, "UserPromptSubmit", session_id=session_id, prompt="why retry_budget?")
    assert not Path(deaf.layout.in_cache("pending")).exists()
    assert (kept.text, kept.reason) == (
        "",
        "not heard by this version of the host: recalled: retry_budget (confidence 0.98)",
    )


def test_a_folder_that_cannot_be_written(deaf: World) -> None:
    Path(deaf.layout.in_cache("pending")).write_text("a file is in the way")
    kept = call(deaf, "UserPromptSubmit", prompt="why retry_budget?")
    assert (kept.text, kept.reason) == (
        "",
        "not heard by this version of the host: recalled: retry_budget (confidence 0.98)",
    )
