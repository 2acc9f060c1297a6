"""One line a call, bounded, whole under several writers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.hook.ring import LIMIT, note
from deja_hooks.memory.layout import Layout
from deja_hooks.system import calls
from tests.support.world import ENTRY, NOON, World, asked, said

if TYPE_CHECKING:
    from collections.abc import Callable


def lines(world: World) -> list[dict[str, object]]:
    return [json.loads(line) for line in Path(world.layout.ring).read_bytes().splitlines()]


def test_a_line_for_a_call_that_speaks_and_one_that_is_silent(world: World) -> None:
    note(world.layout, NOON, "PreToolUse", "cli", "s1", 12.345, "not known to fail here", "")
    note(world.layout, NOON + 1, "UserPromptSubmit", "", "s1", 7.0, 'recalled: "x"\n', "packet\n\u65e5 \ud800")
    assert lines(world) == [
        {"t": NOON, "e": "PreToolUse", "h": "cli", "s": "s1", "ms": 12.3, "r": "not known to fail here", "c": 0},
        {
            "t": NOON + 1,
            "e": "UserPromptSubmit",
            "h": "",
            "s": "s1",
            "ms": 7.0,
            "r": 'recalled: "x"\n',
            "c": 10,
            "p": "packet\n\u65e5 \ud800",
        },
    ]
    assert Path(world.layout.ring).read_bytes().isascii()
    assert oct(Path(world.layout.ring).stat().st_mode & 0o777) == "0o600"
    assert oct(Path(world.layout.cache).stat().st_mode & 0o777) == "0o700"


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=100), st.floats(0, 1e6))
def test_any_text_is_one_line_of_json(
    tmp_path_factory: pytest.TempPathFactory, session: str, reason: str, text: str, ms: float
) -> None:
    folder = tmp_path_factory.mktemp("ring")
    layout = Layout(str(folder), str(folder))
    note(layout, NOON, "E", "h", session, ms, reason, text)
    (line,) = Path(layout.ring).read_bytes().splitlines()
    found = json.loads(line)
    assert (found["s"], found["r"], found.get("p", "")) == (session[:80], reason[:200], text)


def test_is_bounded(world: World) -> None:
    for i in range(260):
        note(world.layout, NOON + i, "E", "h", "s", 1.0, "r", "x" * 9_000)
    ring, old = Path(world.layout.ring), Path(world.layout.ring + ".1")
    assert old.stat().st_size <= LIMIT + 10_000
    assert not ring.exists() or ring.stat().st_size <= LIMIT + 10_000
    kept = [
        json.loads(line)["t"] - NOON for each in (old, ring) if each.exists() for line in each.read_bytes().splitlines()
    ]
    assert kept == list(range(260 - len(kept), 260))
    assert len(kept) > 100


#: What may stand in the place of the file.
ODD_PLACES: dict[str, Callable[[Path], None]] = {
    "a pipe": os.mkfifo,
    "a folder": Path.mkdir,
    "a device": lambda path: path.symlink_to("/dev/null"),
    "a full device": lambda path: path.symlink_to("/dev/full"),
    "a loop of links": lambda path: path.symlink_to(path),
}


@pytest.mark.parametrize("place", ODD_PLACES)
def test_what_is_no_file_keeps_no_hook_waiting_and_silences_none(world: World, place: str) -> None:
    """A real process: the reply comes as if the ring could be written, and what stands there stays."""
    world.cli_session("11111111-a", asked("about retry_budget"), said("We decided to set retry_budget to 7."))
    world.index()
    ring = Path(world.layout.ring)
    ODD_PLACES[place](ring)
    before = ring.lstat()
    payload = {"hook_event_name": "SessionStart", "session_id": "s1", "cwd": str(world.project), "source": "new"}
    done = world.process("SessionStart", json.dumps(payload).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"retry_budget to 7" in done.stdout
    assert (ring.lstat().st_ino, ring.lstat().st_mode) == (before.st_ino, before.st_mode)


def test_a_pipe_that_somebody_reads_gets_nothing(world: World) -> None:
    Path(world.layout.cache).mkdir(parents=True)
    os.mkfifo(world.layout.ring)
    reader = os.open(world.layout.ring, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(OSError, match="Not a regular file"):
            note(world.layout, NOON, "E", "h", "s", 1.0, "r", "")
        assert os.read(reader, 100) == b""
    finally:
        os.close(reader)


def test_a_line_takes_four_system_calls(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    note(world.layout, NOON, "E", "h", "s", 1.0, "r", "")
    made: list[str] = []

    class Counted:
        def __getattr__(self, name: str) -> object:
            made.append(name)
            return getattr(calls, name)

    monkeypatch.setattr("deja_hooks.hook.ring.calls", Counted())
    note(world.layout, NOON, "E", "h", "s", 1.0, "r", "")
    assert made == ["open", "fstat", "write", "close"]


def test_no_line_is_lost_or_torn_under_several_writers(world: World) -> None:
    """Four processes, over the ring's turn: all that is kept is whole, and the last megabyte is there."""
    code = (
        "import sys; sys.path.append(sys.argv[1])\nfrom deja_hooks.hook.ring import note\n"
        "from deja_hooks.memory.layout import Layout\nlayout = Layout(sys.argv[2], sys.argv[2])\n"
        "for i in range(100): note(layout, int(sys.argv[3]) * 1000 + i, 'E', 'h', 's', 1.0, 'r', 'x' * 3000)\n"
    )
    command = [sys.executable, "-I", "-S", "-c", code, str(ENTRY.parent.parent.parent), world.layout.cache]
    running = [subprocess.Popen([*command, str(i)], stderr=subprocess.PIPE) for i in range(4)]
    assert [each.communicate(timeout=30)[1] for each in running] == [b""] * 4
    files = [Path(world.layout.ring + ".1"), Path(world.layout.ring)]
    kept = [json.loads(line)["t"] for each in files if each.exists() for line in each.read_bytes().splitlines()]
    assert len(kept) == len(set(kept))
    assert len(kept) > LIMIT // 3_100 - 2
