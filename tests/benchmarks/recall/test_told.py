"""What a benchmark tells is what both hosts' readers find."""

from __future__ import annotations

import json
from pathlib import Path

from .machine import NOW, Machine
from .told import CHAT, CLI, Edited, Ran, Told, Turn, identity


def story(machine: Machine, host: str) -> Told:
    turn = Turn(
        "why is retry_budget 2?",
        "We decided to set retry_budget to 5, because the partner throttles.",
        (Ran("pytest -q", 1, "E   ValueError: no"), Edited("shop/retry.py", "retry_budget = 2", "retry_budget = 5")),
    )
    return Told(identity("story", host), machine.project("shop"), NOW - 86_400_000, (turn, Turn("ok", "Done.")), host)


def shown(machine: Machine, sid: str) -> dict[str, object]:
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "deja_hooks", "export", sid, "--format", "json"],
        env=machine.installation.environment(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    exported = json.loads(done.stdout)
    assert isinstance(exported, dict)
    return exported


def test_both_hosts_stores_give_the_same_session(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    told = [story(machine, host) for host in (CLI, CHAT)]
    machine.remember(told)
    found = [shown(machine, each.id) for each in told]
    texts = [
        [(turn["user"], turn["assistant"]) for turn in each["turns"]]  # type: ignore[attr-defined]
        for each in found
    ]
    assert texts[0] == [(turn.user, turn.assistant) for turn in told[0].turns]
    assert texts[0] == texts[1]


def test_a_packet_is_the_same_from_a_process(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.remember([story(machine, CLI)])
    folder = machine.project("shop")
    packet = machine.call("UserPromptSubmit", "one", folder, prompt="what is retry_budget set to?")
    payload = {"session_id": "two", "cwd": str(folder), "prompt": "what is retry_budget set to?"}
    assert "retry_budget to 5" in packet
    assert machine.process("UserPromptSubmit", payload).splitlines()[1:-1] == packet.splitlines()[1:-1]
