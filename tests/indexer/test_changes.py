"""One pass after another over logs that hosts append to, rewind, truncate, replace, delete: the memory is always that
of the logs as they are now.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.indexer.machine import PIECES, Machine, Step

STEPS = st.lists(
    st.tuples(
        st.integers(0, 6),
        st.sampled_from(
            ["append", "append", "append", "torn", "rewind", "truncate", "cut", "replace", "delete", "restore"]
        ),
        st.integers(0, 10_000),
        st.lists(st.sampled_from([*PIECES, "ask", "say", "fail"]), min_size=1, max_size=6),
        st.booleans(),
    ),
    min_size=1,
    max_size=10,
)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    phases=(Phase.explicit, Phase.generate),
)
@given(steps=STEPS)
def test_many_passes_give_what_one_gives(tmp_path_factory: pytest.TempPathFactory, steps: list[Step]) -> None:
    machine = Machine(tmp_path_factory.mktemp("machine"))
    machine.passes(steps)
    machine.check()


@pytest.mark.parametrize(
    "steps",
    [
        # a torn header at the first look
        [(0, "append", 0, ["ask"], False), (0, "truncate", 0, ["ask"], True), (0, "append", 0, ["ask", "say"], True)],
        [(0, "append", 0, ["ask", "say"], True), (0, "append", 0, ["move"], True), (0, "append", 0, ["ask"], True)],
        [
            (0, "append", 0, ["ask", "fail"], True),
            (0, "append", 0, ["edit", "pass"], True),
            (0, "append", 0, ["ask"], True),
        ],
        [(0, "append", 0, ["ask", "say", "ask", "say"], True), (0, "rewind", 2, ["ask", "fail"], True)],
        [(2, "append", 0, ["ask", "say"], True), (2, "delete", 0, ["ask"], True), (2, "restore", 0, ["ask"], True)],
        [(0, "append", 0, ["ask", "say"], True), (0, "delete", 0, ["ask"], True), (0, "restore", 0, ["ask"], True)],
        [(2, "append", 0, ["ask", "start"], True), (2, "append", 0, ["ask", "say"], True)],
        [(0, "append", 0, ["ask", "say"], True), (0, "replace", 0, ["move", "ask"], True)],
    ],
)
def test_steps_that_were_thought_of(tmp_path: Path, steps: list[Step]) -> None:
    machine = Machine(tmp_path)
    machine.passes(steps)
    machine.check()


def test_a_log_cut_at_every_byte(tmp_path: Path) -> None:
    """Each prefix is indexed once: header, speech and tool calls are torn in every place."""
    machine = Machine(tmp_path)
    path = machine.paths[0]
    path.parent.mkdir(parents=True)
    whole = machine.start(0) + machine.records(["ask", "fail", "edit", "pass", "say", "ask"])
    for cut in [*range(0, len(whole), 61), len(whole)]:
        path.write_bytes(whole[:cut])
        machine.run()
    machine.check()
