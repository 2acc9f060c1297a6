"""The settings at work: which packets are made, how long they are, and that nothing else changes."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.hook.events import EVENTS, packet_name
from deja_hooks.marks.hook_settings import refresh_hook_settings
from deja_hooks.memory.hook_settings import PACKETS
from deja_hooks.memory.state import State
from deja_hooks.recall.thresholds import BUDGET_BOUNDS
from deja_hooks.tools import AGENT_TOOLS, COMMAND_TOOLS, EDIT_TOOLS
from tests.support.world import ENTRY, World, asked, edited, ran, said

OLD = "11111111-aaaa-4000-8000-000000000001"
LATER = "22222222-aaaa-4000-8000-000000000002"
FAILED = "app.py: error: no pool for retry_budget\n<shellId: 0 completed with exit code 1>"


@pytest.fixture
def shop(world: World) -> World:
    """A history that has something to say at each event."""
    pool = world.project / "src" / "pool.py"
    world.cli_session(
        OLD,
        asked("about retry_budget, always keep pool.py small"),
        *ran("flake8 src", 1, "app.py: error: no pool for retry_budget"),
        *ran("python -m flake8 src", 0),
        *edited(pool, "a = 1", "retry_budget = 7  # measured\n"),
        said("We decided to set retry_budget to 7 in pool.py because it starved."),
    )
    world.index()
    return world


def settle(world: World, **settings: Any) -> None:
    path = Path(world.layout.settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings))
    refresh_hook_settings(world.layout)


def replies(world: World, sid: str) -> dict[str, tuple[bool, str]]:
    """Packet → whether it was made, and the reason."""
    pool = str(world.project / "src" / "pool.py")
    path = world.cli_session(sid, asked("always use tabs"), said("We decided to use tabs."), at=world.now)
    start = world.call("SessionStart", sid, source="new")
    prompt = world.call("UserPromptSubmit", sid, prompt="why retry_budget?")
    edit = world.tool("PreToolUse", "edit", sid, path=pool, old_str="retry_budget", new_str="x")
    command = world.tool("PreToolUse", "bash", sid, command="flake8 src")
    failure = world.tool("PostToolUse", "bash", sid, result=FAILED, command="flake8 src")
    world.call("PreCompact", sid, transcript_path=str(path))
    compaction = world.tool("PreToolUse", "view", sid, path="x")
    outcomes = (start, prompt, edit, command, failure, compaction)
    return {name: (bool(each.text), each.reason) for name, each in zip(PACKETS, outcomes, strict=True)}


def test_each_packet_is_made_where_nothing_is_set(shop: World) -> None:
    assert [name for name, (made, _) in replies(shop, LATER).items() if not made] == []


@pytest.mark.parametrize("name", PACKETS)
def test_one_that_is_switched_off_is_not_made_and_all_others_are(shop: World, name: str) -> None:
    settle(shop, events={name: False})
    found = replies(shop, LATER)
    assert [each for each, (made, _) in found.items() if not made] == [name]
    why = "a tool that needs no memory" if name == "after_compaction" else f"silenced by settings: events.{name}"
    assert found[name] == (False, why)


def test_a_session_is_followed_all_the_same(shop: World) -> None:
    settle(shop, events=dict.fromkeys(PACKETS, False))
    assert [made for made, _ in replies(shop, LATER).values()] == [False] * len(PACKETS)
    assert Path(shop.layout.live(LATER)).exists()
    fields = {"tool_name": "run_in_terminal", "tool_input": {"command": "npm test"}, "tool_use_id": "call_7"}
    shop.call("PostToolUse", LATER, tool_response="Command exited with code 1", **fields)
    with closing(State(shop.layout.state)) as state:
        assert state.outcomes(LATER) == {"call_7": True}
        assert state.cursor(LATER).offset > 0


def test_sub_agents_are_announced_all_the_same(shop: World) -> None:
    settle(shop, events={"before_edit": False, "before_command": False})
    shop.tool("PreToolUse", "task", prompt="why retry_budget?")
    assert shop.call("UserPromptSubmit", "its-agent", prompt="why retry_budget?").reason == "a sub-agent's prompt"


def test_what_a_compaction_drops_is_unsaid_without_its_packet(shop: World) -> None:
    settle(shop, events={"after_compaction": False})
    assert shop.call("UserPromptSubmit", prompt="why retry_budget?").text
    assert shop.call("UserPromptSubmit", prompt="why retry_budget?").reason == "already said"
    assert shop.call("PreCompact").reason == "silenced by settings: events.after_compaction"
    assert not Path(shop.layout.pending("asking")).exists()
    assert shop.call("UserPromptSubmit", prompt="why retry_budget?").text


def test_a_waiting_packet_is_dropped_once_it_is_switched_off(shop: World) -> None:
    path = shop.cli_session(LATER, asked("always use tabs"), said("We decided to use tabs."), at=shop.now)
    shop.call("PreCompact", LATER, transcript_path=str(path))
    settle(shop, events={"after_compaction": False})
    assert shop.tool("PreToolUse", "view", LATER, path="x").text == ""
    settle(shop)
    assert not Path(shop.layout.pending(LATER)).exists()
    assert shop.tool("PreToolUse", "view", LATER, path="x").text == ""


def test_a_packet_that_waits_comes_with_a_call_that_is_silenced(shop: World) -> None:
    path = shop.cli_session(LATER, asked("always use tabs"), said("We decided to use tabs."), at=shop.now)
    shop.call("PreCompact", LATER, transcript_path=str(path))
    settle(shop, events={"before_command": False})
    outcome = shop.tool("PreToolUse", "bash", LATER, command="flake8 src")
    assert "use tabs" in outcome.text
    assert "flake8" not in outcome.text


@pytest.mark.parametrize("name", [name for name in PACKETS if name != "after_compaction"])
@pytest.mark.parametrize("which", [0, 1], ids=["least", "most"])
def test_a_budget_is_kept(world: World, name: str, which: int) -> None:
    """And with the least there is room for a line all the same."""
    long = "because the gateway of the partner bans a client for an hour whenever it is asked too often in a row, " * 3
    pool = world.project / "src" / "pool.py"
    failure = f"app.py: error: no pool for retry_budget {long}"
    for i in range(3):
        world.cli_session(
            f"{i}1111111-aaaa",
            asked(f"about retry_budget {i}"),
            *ran("flake8 src", 1, failure),
            *ran("python -m flake8 src", 0),
            *edited(pool, "a = 1", "retry_budget = 7\n"),
            said(f"We decided to set retry_budget to {i} in pool.py {long}. Still to do: measure part {i} {long}."),
        )
    world.index()
    budget = BUDGET_BOUNDS[name][which]
    settle(world, budgets={name: budget})
    result = f"{failure}\n<shellId: 0 completed with exit code 1>"
    call = {
        "session_start": lambda: world.call("SessionStart", LATER, source="new"),
        "prompt": lambda: world.call("UserPromptSubmit", LATER, prompt="why retry_budget?"),
        "before_edit": lambda: world.tool("PreToolUse", "edit", LATER, path=str(pool), old_str="x", new_str="y"),
        "before_command": lambda: world.tool("PreToolUse", "bash", LATER, command="flake8 src"),
        "after_failure": lambda: world.tool("PostToolUse", "bash", LATER, result=result, command="flake8 src"),
    }[name]
    assert 0 < len(call().text) <= budget


def test_what_had_no_room_is_said_the_next_time(world: World) -> None:
    long = "because the gateway of the partner bans a client for an hour whenever it is asked too often, " * 3
    for i in (1, 2):
        world.cli_session(
            f"{i}1111111-aaaa", asked(f"part {i}"), said(f"We decided to keep the retry_budget of part {i} {long}.")
        )
    world.index()
    settle(world, budgets={"prompt": 600})
    first = world.call("UserPromptSubmit", prompt="why retry_budget?").text
    second = world.call("UserPromptSubmit", prompt="why retry_budget?").text
    told = [[part for part in ("part 1", "part 2") if part in text] for text in (first, second)]
    assert sorted(told) == [["part 1"], ["part 2"]]


def test_a_reply_is_never_over_its_limit(world: World) -> None:
    """A long compaction packet and a long packet of the event itself share it; nothing of the latter is lost."""
    rules = " ".join(f"Always keep the rule number {i} about {'word ' * 12}." for i in range(120))
    path = world.cli_session(LATER, asked(rules), said("done"), at=world.now)
    long = "because the gateway of the partner bans a client for an hour whenever it is asked too often, " * 4
    for i in range(6):
        world.cli_session(f"{i}1111111-aaaa", asked(f"part {i}"), said(f"We decided on retry_budget {i}, {long}."))
    world.index()
    settle(world, budgets={"prompt": 3_000, "after_compaction": 7_000})
    world.call("PreCompact", LATER, transcript_path=str(path))
    text = world.call("UserPromptSubmit", LATER, prompt="why retry_budget?").text
    assert 5_000 < len(text) <= 9_000
    assert text.count("</deja-0>") == 2


def test_every_call_has_a_packet_that_the_settings_name(world: World) -> None:
    found = {packet_name(event, tool) for event in EVENTS for tool in EDIT_TOOLS | COMMAND_TOOLS}
    assert found == {*PACKETS, ""}
    assert {packet_name("PreToolUse", tool) for tool in (*AGENT_TOOLS, "view", "")} == {""}
    assert set(BUDGET_BOUNDS) == set(PACKETS)


def test_what_a_call_loads_and_opens_for_them(shop: World) -> None:
    """Nothing where all is as by default; never anything for a tool that needs no memory."""
    code = (
        "import sys\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, given: name == 'open' and opened.append(str(given[0])))\n"
        f"sys.path.append({str(ENTRY.parents[2])!r})\n"
        "from deja_hooks.hook.main import handle\n"
        "from deja_hooks.memory.layout import Layout\n"
        "payload = {'hook_event_name': 'PreToolUse', 'session_id': 's', 'cwd': sys.argv[3], 'tool_name': sys.argv[4]}\n"
        "handle(payload, 'PreToolUse', Layout(*sys.argv[1:3]), now_ms=1, nonce='0', live=False)\n"
        "print(*[m for m in sys.modules if 'settings' in m], *[p for p in opened if p.startswith(sys.argv[2])])\n"
    )
    command = [sys.executable, "-I", "-S", "-c", code, shop.layout.cache, shop.layout.config, str(shop.project)]

    def loaded(tool: str) -> str:
        done = subprocess.run([*command, tool], capture_output=True, text=True, check=True, env=shop.environment)
        return done.stdout.strip()

    assert (loaded("bash"), loaded("read_file")) == ("", "")
    settle(shop, events={"prompt": False})
    assert (loaded("bash"), loaded("read_file")) == (
        f"deja_hooks.memory.hook_settings {shop.layout.hook_settings}",
        "",
    )


def test_a_real_process_follows_them(shop: World) -> None:
    data = {
        "hook_event_name": "UserPromptSubmit",
        "session_id": "s1",
        "cwd": str(shop.project),
        "prompt": "retry_budget?",
    }
    assert shop.process("UserPromptSubmit", json.dumps(data).encode()).stdout
    settle(shop, events={"prompt": False})
    done = shop.process("UserPromptSubmit", json.dumps({**data, "session_id": "s2"}).encode())
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    Path(shop.layout.hook_settings).write_bytes(b"\xff\0silent\n" * 1_000)
    assert shop.process("UserPromptSubmit", json.dumps({**data, "session_id": "s3"}).encode()).stdout
    reasons = [json.loads(line)["r"] for line in Path(shop.layout.ring).read_text().splitlines()]
    recalled = "recalled: retry_budget (confidence 0.98)"
    assert reasons == [recalled, "silenced by settings: events.prompt", recalled]
