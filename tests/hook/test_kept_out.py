"""Hooks in an excluded project, or of a forgotten session: silent, and nothing is kept of the call but its line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.marks.rules import keep_out_sessions, make_rules, refresh_rules
from deja_hooks.memory.kept_out import EXCLUDED, FORGOTTEN
from tests.support.world import ENTRY, World, asked, said

OLD = "11111111-aaaa-4000-8000-000000000001"


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(OLD, asked("about retry_budget"), said("We decided to set retry_budget to 7 because it starved."))
    world.index()
    return world


def exclude(world: World, **exclusions: list[str]) -> None:
    path = Path(world.layout.settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"exclude": exclusions}))
    refresh_rules(world.layout, world.home)


def ask(world: World, sid: str = "asking", event: str = "UserPromptSubmit", **fields: Any) -> bytes:
    value = {"hook_event_name": event, "session_id": sid, "cwd": str(world.project), "prompt": "retry_budget?"}
    done = world.process(event, json.dumps({**value, **fields}).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def reasons(world: World) -> list[str]:
    return [json.loads(line)["r"] for line in Path(world.layout.ring).read_text().splitlines()]


EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop", "SessionEnd", "Else")


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("exclusions", [{"projects": ["~/code/shop"]}, {"paths": ["~/code/*"]}, {"paths": ["sh?p"]}])
def test_an_excluded_project_is_not_followed(shop: World, exclusions: dict[str, list[str]], event: str) -> None:
    exclude(shop, **exclusions)
    Path(shop.layout.record).touch()
    fields = {"tool_name": "bash", "tool_input": {"command": "make"}, "tool_use_id": "c1", "tool_response": "exit 1"}
    assert ask(shop, event=event, transcript_path=str(shop.store / OLD / "events.jsonl"), **fields) == b""
    assert reasons(shop) == ["an event that is not used" if event == "Else" else f"kept out: {EXCLUDED}"]
    kept = {path.name for path in Path(shop.layout.cache).iterdir()}
    assert kept.isdisjoint({"state.db", "live", "pending", "recordings"})


def test_a_forgotten_session_that_goes_on(shop: World) -> None:
    keep_out_sessions(shop.layout, ["asking"])
    assert ask(shop) == b""
    assert reasons(shop) == [f"kept out: {FORGOTTEN}"]
    assert not Path(shop.layout.state).exists()
    assert b"set retry_budget to 7" in ask(shop, "another")


def test_its_sub_agent_is_none_of_the_users(shop: World) -> None:
    """Its prompt comes under an id of its own; nothing of the forgotten session is noted for it."""
    keep_out_sessions(shop.layout, ["asking"])
    prompt = "what is retry_budget set to?"
    assert ask(shop, event="PreToolUse", tool_name="task", tool_input={"prompt": prompt}) == b""
    assert ask(shop, "its-agent", prompt=prompt) == b""
    assert reasons(shop) == [f"kept out: {FORGOTTEN}", "a sub-agent's prompt"]
    assert b"asking" not in Path(shop.layout.state).read_bytes()
    assert b"set retry_budget to 7" in ask(shop, "another", prompt="why is retry_budget what it is?")


def test_a_folder_below_a_project_that_a_link_leads_to(shop: World) -> None:
    below = shop.project / "private"
    below.mkdir()
    link = shop.home / "lnk"
    link.symlink_to(shop.project.parent, target_is_directory=True)
    exclude(shop, paths=["~/code/shop/private"])
    assert ask(shop, cwd=str(link / "shop" / "private")) == b""
    assert reasons(shop) == [f"kept out: {EXCLUDED}"]


def test_another_project_is_answered(shop: World) -> None:
    exclude(shop, projects=["~/code/other"], paths=["*-private"])
    keep_out_sessions(shop.layout, ["gone"])
    assert b"set retry_budget to 7" in ask(shop)


def test_what_a_call_loads_for_it(shop: World) -> None:
    """Nothing where nothing is kept out; never anything for a tool that needs no memory."""
    code = (
        "import sys\n"
        f"sys.path.append({str(ENTRY.parents[2])!r})\n"
        "from deja_hooks.hook.main import handle\n"
        "from deja_hooks.memory.layout import Layout\n"
        "payload = {'hook_event_name': 'PreToolUse', 'session_id': 's', 'cwd': sys.argv[3], 'tool_name': sys.argv[4]}\n"
        "handle(payload, 'PreToolUse', Layout(*sys.argv[1:3]), now_ms=1, nonce='0', live=False)\n"
        "print(*[m for m in sys.modules if m.endswith('kept_out')])\n"
    )
    command = [sys.executable, "-I", "-S", "-c", code, shop.layout.cache, shop.layout.config, str(shop.project)]

    def loaded(tool: str) -> str:
        done = subprocess.run([*command, tool], capture_output=True, text=True, check=True, env=shop.environment)
        return done.stdout.strip()

    assert (loaded("bash"), loaded("read_file")) == ("", "")
    exclude(shop, projects=["~/code/other"])
    assert (loaded("bash"), loaded("read_file")) == ("deja_hooks.memory.kept_out", "")


def test_rules_of_a_folder_that_is_gone(world: World) -> None:
    rules = make_rules(["~/gone"], ["~/x/*", "name"], world.home)
    gone = f"{world.home}/gone"
    assert set(rules.projects) == {f"dir:{gone}", f"git:{gone}/.git"}
    assert (rules.folders, rules.paths) == ((gone,), (f"{world.home}/x/*", "name"))
