"""A fault in every function of the hot program in turn: exit 0, silence or the whole answer, one record of it.

(No record where there is nothing to tell of: the call does without what failed, and comes to the same.)
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.faults import own_faults
from tests.faults.table import row
from tests.support.world import ENTRY, World, asked, edited, line, ran, said

pytestmark = pytest.mark.skipif(not hasattr(own_faults.os, "fork"), reason="POSIX processes")

FUNCTION = row(
    "Our own code",
    "an exception in each function that a call of each event runs, the loading of modules included",
    "nothing where it happens; `deja-hooks log`: `failed: ...`, one line",
)

OLD = "11111111-aaaa-4000-8000-000000000001"


class Broken(NamedTuple):
    """A call with a fault in one function."""

    name: str
    status: int
    out: bytes
    err: bytes
    ring: list[dict[str, Any]]


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(
        OLD,
        asked("about retry_budget in src/pool.py"),
        *ran("make fast", 2, "make: *** [fast] Error 2: no rule"),
        *edited(world.project / "src" / "pool.py", "retry_budget = 0", "retry_budget = 7"),
        *ran("make slow", 0),
        *ran("pytest tests/pool", 1, "E   ModuleNotFoundError: No module named 'acme_pool'"),
        *ran("pip install acme_pool", 0),
        *ran("pytest tests/pool", 0),
        said("We decided to set retry_budget to 7 in src/pool.py because it starved."),
    )
    world.index()
    Path(world.layout.index_claim).touch()
    return world


def transcript(world: World) -> str:
    """A session in progress, with something to keep of it."""
    path = world.store / "asking" / "events.jsonl"
    path.parent.mkdir(parents=True)
    said_before = ("user.message", {"content": "Never touch vendor/. Now mend the pool."})
    path.write_text("".join(line(kind, data, world.now) for kind, data in (said_before, *ran("make", 2, "boom"))))
    return str(path)


def broken_calls(world: World, folder: Path, event: str, fields: dict[str, Any]) -> tuple[Broken, list[Broken]]:
    """What the call comes to, and what it comes to with a fault in each of its functions in turn."""
    folder.mkdir()
    payload = {"hook_event_name": event, "session_id": "asking", "cwd": str(world.project), **fields}
    arguments = [str(ENTRY), str(folder), event, world.layout.cache, world.layout.config]
    done = subprocess.run(
        [sys.executable, "-I", "-S", own_faults.__file__, *arguments],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=world.environment,
        timeout=120,
        check=True,
    )
    assert done.stderr == b""
    names = [each.rsplit(" ", 1) for each in done.stdout.decode().splitlines()]
    found = [_came_to(folder, str(number), name, int(status)) for number, (name, status) in enumerate(names)]
    return _came_to(folder, "plain", "", 0), found


def _came_to(folder: Path, stem: str, name: str, status: int) -> Broken:
    out, err, ring = (folder / f"{stem}.{kind}" for kind in ("out", "err", "ring"))
    calls = [json.loads(text) for text in ring.read_text().splitlines()] if ring.exists() else []
    return Broken(name, status, out.read_bytes(), err.read_bytes(), calls)


def told(reply: bytes) -> str:
    """The packet without its nonce."""
    if not reply:
        return ""
    text = str(json.loads(reply)["additionalContext"])
    return text.replace(text[6:14], "NONCE")


@pytest.mark.parametrize(
    ("event", "fields", "speaks"),
    [
        ("SessionStart", {"source": "new"}, True),
        ("UserPromptSubmit", {"prompt": "what was retry_budget?"}, True),
        ("PreToolUse", {"tool_name": "view", "tool_input": {}}, False),
        (
            "PreToolUse",
            {"tool_name": "edit", "tool_input": {"path": "src/pool.py", "old_str": "retry_budget = 7"}},
            True,
        ),
        ("PreToolUse", {"tool_name": "bash", "tool_input": {"command": "make fast"}}, False),
        (
            "PostToolUseFailure",
            {"tool_name": "bash", "error": "E   ModuleNotFoundError: No module named 'acme_pool'"},
            True,
        ),
        ("PreCompact", {}, False),
        ("Stop", {}, False),
        ("SessionEnd", {}, False),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_in_every_function(shop: World, tmp_path: Path, event: str, fields: dict[str, Any], speaks: bool) -> None:
    if event == "PreCompact":
        fields = {"transcript_path": transcript(shop)}
    plain, calls = broken_calls(shop, tmp_path / "faults", event, fields)
    assert bool(plain.out) == speaks
    assert len(calls) > 70
    for call in calls:
        if call.name.endswith(":_integer"):
            continue  # called by the scanner of JSON: whatever that raises means a line that is no JSON
        records = [each["r"] for each in call.ring if each["r"].startswith("failed: InjectedError")]
        as_without = told(call.out) == told(plain.out) and call.ring[0]["r"] == plain.ring[0]["r"]
        noted = len(records) == 1 or (not records and as_without)
        status = call.status == 0 or (call.status == 1 and not call.out)
        FUNCTION.holds(status and not call.err and noted and told(call.out) in ("", told(plain.out)), call)


def test_what_fails_before_the_payload_is_read_leaves_the_rest_to_the_shell(shop: World, tmp_path: Path) -> None:
    """Exit 1 has the command's shell read on; exit 0 means that nothing is left in the pipe."""
    _, calls = broken_calls(shop, tmp_path / "faults", "PreToolUse", {"tool_name": "view", "tool_input": {}})
    by_name = {call.name.partition(":")[0] + call.name[call.name.rindex(":") :]: call.status for call in calls}
    assert by_name["hook/stdin.py:read_value"] == 1
    assert by_name["hook/stdin.py:finish"] == 1
    assert by_name["hook/main.py:run"] == by_name["hook/ring.py:note"] == 0
