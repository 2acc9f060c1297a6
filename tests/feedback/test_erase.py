"""A forgotten session leaves nothing in what is kept of packets."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from deja_hooks.feedback.erase import erase_told, erase_verdicts
from deja_hooks.feedback.judge import verdicts
from deja_hooks.feedback.specifics import source_key
from deja_hooks.feedback.told import told_packets
from tests.support.world import World, asked, said

FIRST = "11111111-aaaa-4000-8000-000000000001"
SECOND = "22222222-bbbb-4000-8000-000000000002"
ASKING = "33333333-cccc-4000-8000-000000000003"


def test_neither_what_it_was_told_nor_what_told_of_it(world: World) -> None:
    world.cli_session(FIRST, asked("about pool_size"), said("We decided to set pool_size to 9 for the busy_worker."))
    world.index()
    assert world.call("UserPromptSubmit", sid=SECOND, prompt="pool_size?").text
    world.cli_session(SECOND, asked("pool_size?"), said("We decided to set pool_size to 3 for lazy_worker."))
    world.index()
    assert world.call("UserPromptSubmit", sid=ASKING, prompt="pool_size?").text
    world.cli_session(ASKING, asked("pool_size?"), said("Let me see."))
    world.index()

    before = told_packets(world.layout.state) or []
    assert {packet.sid for packet in before} == {SECOND, ASKING}
    assert all(f"s{source_key(sid)}" in before[-1].specifics for sid in (FIRST, SECOND))
    with closing(sqlite3.connect(world.layout.state)) as state, closing(sqlite3.connect(world.layout.memory)) as memory:
        with state, memory:
            erase_told(state, [SECOND])
            erase_verdicts(memory, [SECOND])
        (left,) = told_packets(world.layout.state) or []
        assert left.sid == ASKING
        assert left.specifics == "\n".join(
            line for line in before[-1].specifics.split("\n") if f"s{source_key(FIRST)}" in line
        )
        assert {name[0] for name in verdicts(memory)} <= {ASKING}


def test_a_session_that_is_not_there(world: World) -> None:
    world.call("UserPromptSubmit", prompt="hello")
    with closing(sqlite3.connect(world.layout.state)) as state, state:
        erase_told(state, ["nobody", ""])
    assert told_packets(world.layout.state) == []
