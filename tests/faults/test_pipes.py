"""Pipes as hosts have them, and as they should never be: with the hook, a real process, at their end."""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.hosts.command import Program, posix_command
from tests.faults.table import row
from tests.support.world import ENTRY, World, asked, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")

OPEN = row("Pipes", "stdin open for ever, after a whole value, a part of one, nothing", "nothing")
CLOSED = row("Pipes", "stdin closed at once, absent, a folder, the null device", "`log`: no payload that can be read")
SLOW = row("Pipes", "one byte a second; two writes 300 ms apart", "nothing: whole where it comes within a second")
LARGE = row("Pipes", "256 KB, 1 MB and a byte, 10 MB", "nothing")
CUT = row("Pipes", "a payload that is cut at any byte", "nothing")
LATE = row("Pipes", "a writer that starts late, the hook switched off or not", "nothing: its pipe is read to the end")
STDOUT = row("Pipes", "stdout closed early, full, a full device, a file", "nothing")
NUMBERS = row("Pipes", "0, 1, 2 closed at the start in every combination; 64 leaked descriptors", "nothing")

OLD = "11111111-aaaa-4000-8000-000000000001"
DECIDED = "set retry_budget to 7"


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(OLD, asked("about retry_budget"), said("We decided to set retry_budget to 7 because it starved."))
    world.index()
    Path(world.layout.index_claim).touch()
    return world


_SIDS = iter(range(10**9))


def payload(world: World, text: str = "what was retry_budget?", **fields: Any) -> bytes:
    """A prompt of a session that nothing has been told yet."""
    value = {"hook_event_name": "UserPromptSubmit", "session_id": f"asking-{next(_SIDS)}", "cwd": str(world.project)}
    return json.dumps({**value, **fields, "prompt": text}).encode()


def command(world: World) -> list[str]:
    """The command as it is written into the hook file."""
    program = Program(sys.executable, str(ENTRY), world.layout.cache, world.layout.config)
    return ["sh", "-c", posix_command(program, "UserPromptSubmit")]


def started(world: World, **options: Any) -> subprocess.Popen[bytes]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command(world), **{"env": world.environment, **pipes, **options})


def fine(status: int | None, out: bytes, err: bytes) -> bool:
    """Exit 0, nothing on stderr, one document or nothing."""
    return (status, err) == (0, b"") and (not out or "additionalContext" in json.loads(out))


@pytest.mark.parametrize(("share", "speaks"), [(1.0, True), (0.5, False), (0.0, False)])
def test_open_for_ever(shop: World, share: float, speaks: bool) -> None:
    data = payload(shop)
    with started(shop) as hook:
        assert hook.stdin is not None
        assert hook.stdout is not None
        assert hook.stderr is not None
        os.write(hook.stdin.fileno(), data[: int(len(data) * share)])
        out, err = hook.stdout.read(), hook.stderr.read()  # to their ends, although ours stays open
        OPEN.holds(fine(hook.wait(10), out, err) and (DECIDED.encode() in out) == speaks, out)
        if share < 1:
            hook.stdin.write(b" " * 300_000)  # more than a pipe holds: somebody still reads
        hook.stdin.close()


@pytest.mark.parametrize("kind", ["closed", "null", "folder", "absent"])
def test_nothing_to_read(shop: World, tmp_path: Path, kind: str) -> None:
    words = command(shop)
    if kind == "absent":
        words = ["sh", "-c", f"exec <&-; {words[2]}"]
    stdin: int = subprocess.DEVNULL if kind == "null" else os.open(tmp_path, os.O_RDONLY)
    options: dict[str, Any] = {"input": b""} if kind == "closed" else {"stdin": stdin}
    done = subprocess.run(words, capture_output=True, env=shop.environment, timeout=20, check=False, **options)
    CLOSED.holds(fine(done.returncode, done.stdout, done.stderr) and not done.stdout)
    if kind != "folder":  # with which Python itself doesn't start
        last = json.loads(Path(shop.layout.ring).read_text().splitlines()[-1])
        CLOSED.holds(last["r"] == "no payload that can be read", last)


@pytest.mark.parametrize(("pause", "pieces", "speaks"), [(0.3, 2, True), (1.0, 4, False)])
def test_slow(shop: World, pause: float, pieces: int, speaks: bool) -> None:
    data = payload(shop)
    size = -(-len(data) // pieces) if pieces == 2 else 1
    with started(shop) as hook:
        assert hook.stdin is not None
        for number in range(pieces):
            hook.stdin.write(data[number * size : (number + 1) * size])
            hook.stdin.flush()
            time.sleep(pause)
        out, err = hook.communicate(timeout=20)
        SLOW.holds(fine(hook.returncode, out, err) and (DECIDED.encode() in out or not speaks), out)


@pytest.mark.parametrize("size", [256 << 10, (1 << 20) - 300, (1 << 20) + 1, 10 << 20])
@pytest.mark.parametrize("close", [True, False])
def test_large(shop: World, size: int, close: bool) -> None:
    """The question stands at the beginning; the fields after the text are found too."""
    data = payload(shop, "what was retry_budget? " + "x" * size)
    with started(shop) as hook:
        assert hook.stdin is not None
        assert hook.stdout is not None
        assert hook.stderr is not None
        hook.stdin.write(data)
        hook.stdin.flush()
        if close:
            hook.stdin.close()
        out, err = hook.stdout.read(), hook.stderr.read()
        LARGE.holds(fine(hook.wait(10), out, err) and DECIDED.encode() in out, out)


def test_cut_at_any_byte(shop: World) -> None:
    """Forty places of a payload, the same ones each time; where session, folder and question are whole, it speaks."""
    chance = random.Random(7)
    for _ in range(40):
        data = payload(shop)
        place = chance.randrange(len(data))
        done = shop.process("UserPromptSubmit", data[:place])
        spoken = DECIDED.encode() in done.stdout
        CUT.holds(
            fine(done.returncode, done.stdout, done.stderr) and spoken == (place > data.rindex(b"budget") + 5), place
        )


@pytest.mark.parametrize("switch", ["", "off"])
def test_a_late_writer(shop: World, switch: str) -> None:
    environment = {**shop.environment, **({"DEJA_RECALL": switch} if switch else {})}
    with started(shop, env=environment) as hook:
        assert hook.stdin is not None
        assert hook.stdout is not None
        assert hook.stderr is not None
        out, err = hook.stdout.read(), hook.stderr.read()
        LATE.holds(fine(hook.wait(10), out, err) and not out)
        hook.stdin.write(payload(shop) + b" " * 300_000)  # the hook is long gone; no EPIPE all the same
        hook.stdin.close()
        LATE.holds(True)


@pytest.mark.parametrize("kind", ["closed", "full pipe", "/dev/full", "file"])
def test_stdout(shop: World, tmp_path: Path, kind: str) -> None:
    reading, writing = os.pipe()
    if kind == "full pipe":
        os.set_blocking(writing, False)
        try:
            while True:
                os.write(writing, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(writing, True)
    elif kind == "closed":
        os.close(reading)
    if kind == "/dev/full" and not Path(kind).exists():
        pytest.skip("no such device here")
    target = {"/dev/full": kind, "file": str(tmp_path / "out")}.get(kind)
    stdout = os.open(target, os.O_WRONLY | os.O_CREAT, 0o600) if target else writing
    done = subprocess.run(
        command(shop),
        input=payload(shop),
        stdout=stdout,
        stderr=subprocess.PIPE,
        env=shop.environment,
        timeout=20,
        check=False,
    )
    STDOUT.holds((done.returncode, done.stderr) == (0, b""), done)
    if kind == "file":
        STDOUT.holds(DECIDED in (tmp_path / "out").read_text())
    last = json.loads(Path(shop.layout.ring).read_text().splitlines()[-1]) if kind != "full pipe" else None
    STDOUT.holds(last is None or bool(last["r"]), "a record of each call")


@pytest.mark.parametrize("closed", range(1, 8))
def test_closed_and_leaked_descriptors(shop: World, closed: int) -> None:
    """What the host has left open stays the host's, and nobody else holds it afterwards."""
    ends = [os.pipe() for _ in range(32)]
    script = "".join(f"exec {n}>&-; " for n in range(3) if closed >> n & 1) + command(shop)[2]
    done = subprocess.run(
        ["sh", "-c", script],
        input=payload(shop),
        capture_output=True,
        env=shop.environment,
        timeout=20,
        check=False,
        pass_fds=[each for pair in ends for each in pair],
    )
    speaks = not closed & 3
    NUMBERS.holds(done.returncode == 0 and done.stderr == b"" and (DECIDED.encode() in done.stdout) == speaks, done)
    for reading, writing in ends:
        os.close(writing)
        NUMBERS.holds(os.read(reading, 1) == b"", "a descriptor of the host's is held")
        os.close(reading)


def test_the_written_command_is_what_was_tried(shop: World) -> None:
    assert shlex.quote(str(ENTRY)) in command(shop)[2]
