"""What is fuzzed: for each target the inputs, and what must hold whatever they are."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from deja_hooks.hook.events import EVENTS
from deja_hooks.hook.main import handle
from deja_hooks.hook.ring import note
from deja_hooks.hook.salvage import salvage
from deja_hooks.memory.read import open_memory
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.memory.state import Cursor
from deja_hooks.recall.search import search
from deja_hooks.recall.transcript import read_on
from deja_hooks.redaction.redact import redact_counted
from deja_hooks.scan import parse
from deja_hooks.sources.patch import patch_spans
from tests.fuzz.mutations import mutated, recorded, texts
from tests.support.world import NOON, World, asked, edited, ran, said

__all__ = ["TARGETS", "Target"]


class Target(NamedTuple):
    """What is fuzzed.

    Attributes:
        inputs: what is tried.
        make: gives the check for a folder of its own: called with each input, it raises where something doesn't hold.
    """

    inputs: st.SearchStrategy[Any]
    make: Callable[[Path], Callable[[Any], None]]


def _world(folder: Path) -> World:
    """A machine with a history, which this process's environment points to."""
    world = World(folder)
    os.environ["HOME"] = str(world.home)
    os.environ["DEJA_HOOKS_HOME"] = str(world.deja_home)
    world.cli_session(
        "11111111-aaaa-4000-8000-000000000001",
        asked("Why does load_rates starve? Always run black."),
        *ran("pytest -q", 1, "FAILED tests/test_pool.py::test_load - AssertionError: starved"),
        *edited(world.project / "pool.py", "load_rates = 3\n", "load_rates = 7\n"),
        *ran("pytest -q", 0, "1 passed"),
        said("We decided to keep load_rates at 7 in pool.py. Next: measure it."),
    )
    world.index()
    return world


# -- payloads


def _payloads(folder: Path) -> Callable[[Any], None]:
    world = _world(folder)

    def check(drawn: tuple[bytes, str]) -> None:
        data, event = drawn
        data = data.replace(b"/work/project", os.fsencode(world.project))
        try:
            value = parse(data)
        except ValueError:
            value = salvage(data) or None
        outcome = handle(value, event, world.layout, now_ms=world.now, nonce="0", live=False)
        assert not outcome.reason.startswith("failed"), outcome.reason
        if outcome.reply:
            reply = json.loads(outcome.reply)
            assert outcome.reply.isascii()
            assert set(reply) == {"additionalContext", "hookSpecificOutput"}
            text = reply["additionalContext"]
            assert (text.count("<deja-0 "), text.count("</deja-0>")) in ((1, 1), (2, 2))
            assert len(text) <= 9_000
        note(world.layout, 1, outcome.event, outcome.host, outcome.session_id, 1.0, outcome.reason, outcome.text)

    return check


# -- the hosts' files

#: What SQLite 3.40 says, wrongly, of tables without row ids whose key's columns don't stand first (3.41 doesn't).
_NO_FAULT = "NULL value in "


def _cli_logs(folder: Path) -> Callable[[Any], None]:
    world = _world(folder)
    path = world.store / "fuzzed" / "events.jsonl"
    return lambda data: _indexed(world, path, data)


def _transcripts(folder: Path) -> Callable[[Any], None]:
    world = _world(folder)
    path = world.vscode_transcript("fuzzed")
    return lambda data: _indexed(world, path, data)


def _chats(folder: Path) -> Callable[[Any], None]:
    world = _world(folder)
    path = world.vscode_transcript("other").parents[2] / "chatSessions" / "fuzzed.jsonl"
    return lambda data: _indexed(world, path, data)


def _indexed(world: World, path: Path, data: bytes) -> None:
    """A pass reads it: nothing is raised, the memory is whole, and a hook follows it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    report = world.index()
    for _, why in report.problems:
        assert "can't be stored" not in why, why
        assert not re.search(r"\b(?:Type|Key|Attribute|Index|Recursion|Assertion)Error\b", why), why
    with contextlib.closing(sqlite3.connect(world.layout.memory)) as db:
        found = {row[0] for row in db.execute("PRAGMA quick_check")}
        assert {fault for fault in found if not fault.startswith(_NO_FAULT)} <= {"ok"}, found
        orphans = f"SELECT count(*) FROM turn WHERE id>>{TURN_BITS} NOT IN (SELECT id FROM session)"
        assert db.execute(orphans).fetchone()[0] == 0
    if path.suffix == ".jsonl" and "chatSessions" not in path.parts:
        reading = read_on(Cursor("", 0, 0, 0, 0, 0, 0), str(path), 1 << 20)
        assert reading is None or reading.cursor.offset <= len(data)


# -- patches, queries, redaction


def _patches(folder: Path) -> Callable[[Any], None]:
    world = _world(folder)

    def check(data: bytes) -> None:
        patch = data.decode("utf-8", "surrogateescape")
        lines = {line[1:] for line in patch.replace("\r\n", "\n").split("\n")}
        for path, old, new in patch_spans(patch):
            assert path
            assert {*old.split("\n")[:-1], *new.split("\n")[:-1]} <= lines
        for name, arguments in (("apply_patch", {"input": patch}), ("edit", {"path": patch[:80], "old_str": patch})):
            outcome = world.tool("PreToolUse", name, sid="patching", **arguments)
            assert not outcome.reason.startswith("failed"), outcome.reason

    return check


def _queries(folder: Path) -> Callable[[Any], None]:
    world = _world(folder)
    memory = open_memory(world.layout.memory)
    assert memory is not None

    def check(query: str) -> None:
        for key in (None, f"git:{world.project}/.git", query):
            hits = search(memory, query, project_key=key, limit=3, now_ms=NOON)
            assert len(hits) <= 3
        outcome = world.call("UserPromptSubmit", sid=query, prompt=query)
        assert not outcome.reason.startswith("failed"), outcome.reason

    return check


def _redaction(folder: Path) -> Callable[[Any], None]:
    def check(data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        once, _ = redact_counted(text)
        assert redact_counted(once) == (once, 0)

    return check


_PATCH = b"""*** Begin Patch
*** Update File: /work/project/pool.py
*** Move to: /work/project/new.py
@@ def load():
 context
-load_rates = 7
+load_rates = 8
*** Add File: a b.py
+one
*** Delete File: gone.py
*** End Patch
"""
_SIGNS = 'load_rates pool.py "load rates" AND OR NOT NEAR( ) * ^ - -- \' " ; : + { } s1_load % _ \\ 日本 müßig'
_WORDS = st.sampled_from([*_SIGNS.split(" "), "\u202e", "\0", "\ud800"])
_SECRETS = [
    line.encode()
    for line in (Path(__file__).parents[1] / "attack" / "secret_kinds.txt").read_text("utf-8").splitlines()
]

TARGETS = {
    "payloads": Target(
        st.tuples(mutated(recorded(".json", below="hook_payloads")), st.sampled_from([*EVENTS, "agentStop", "x"])),
        _payloads,
    ),
    "cli-logs": Target(mutated(recorded("events.jsonl")), _cli_logs),
    "transcripts": Target(mutated(recorded(".jsonl", below="transcripts")), _transcripts),
    "mutation-logs": Target(mutated(recorded(".jsonl", ".json", below="chatSessions")), _chats),
    "patches": Target(mutated([_PATCH, _PATCH * 2, _PATCH.replace(b"\n", b"\r\n")]), _patches),
    "queries": Target(st.lists(_WORDS | texts, max_size=12).map(" ".join), _queries),
    "redaction": Target(mutated(_SECRETS, most=4), _redaction),
}
