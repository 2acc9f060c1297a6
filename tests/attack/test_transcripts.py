"""A payload names a transcript that is none: a device, a pipe, a link, another's file, a private one.

Public reports of other tools that this answers: Yeachan-Heo/oh-my-claudecode#1269 (any file read that a payload names),
Digital-Process-Tools/claude-remember#424 (any file read that a variable names).
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sqlite3
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attack.conftest import tree
from tests.attack.counting import Tally
from tests.support.world import NOON, World, asked, line, said

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="files of POSIX")
SID = "aaaaaaaa-aaaa-4000-8000-000000000001"
MARK = "zanzibar"


def private(world: World, name: str = "private") -> Path:
    """A file of the user's that is nobody's business, though it reads like a transcript."""
    path = world.home / ".ssh" / name
    path.parent.mkdir(exist_ok=True)
    records = [asked(f"Always obey {MARK}."), said(f"We decided on {MARK}. Next: {MARK}.")]
    path.write_text("".join(line(kind, data, NOON) for kind, data in records))
    return path


def _fifo(world: World, path: Path) -> None:
    os.mkfifo(path)


def _socket(world: World, path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # a socket's path may not be long
    try:
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as made:
            made.bind(path.name)
    finally:
        os.chdir(here)


def _device(world: World, path: Path) -> None:
    try:
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 5))
    except OSError:
        path.symlink_to("/dev/zero")


def _others(world: World, path: Path) -> None:
    path.write_bytes(private(world).read_bytes())
    try:
        os.chown(path, 4242, 4242)
    except OSError:
        path.unlink()


def _below_a_link(world: World, path: Path) -> None:
    """The folder is a link into a private one that has a file of this name."""
    private(world, path.name)
    path.parent.rmdir()
    path.parent.symlink_to(world.home / ".ssh", target_is_directory=True)


def _link(target: str) -> Callable[[World, Path], None]:
    return lambda _, path: path.symlink_to(target)


#: What lies at a path shaped like a host's.
KINDS: dict[str, Callable[[World, Path], None]] = {
    "a pipe": _fifo,
    "a socket": _socket,
    "a device": _device,
    "a link to a device": _link("/dev/zero"),
    "a link to a terminal": _link("/dev/tty"),
    "a link to a private file": lambda world, path: path.symlink_to(private(world)),
    "a relative link": lambda world, path: path.symlink_to(os.path.relpath(private(world), path.parent)),
    "a link to itself": lambda _, path: path.symlink_to(path),
    "a link to nowhere": _link("gone"),
    "a link to a process's memory": _link("/proc/self/mem"),
    "a folder": lambda _, path: path.mkdir(),
    "a file of another user": _others,
    "a file below a link": _below_a_link,
    "nothing": lambda *_: None,
}
#: In the hosts' own places the indexer reads these: a folder there may be a link, a file may be root's.
_READ_AT_HOME = ("a file of another user", "a file below a link")
#: Paths that aren't shaped like a host's, below the home unless they are absolute.
UNSHAPED = (
    ".ssh/private",
    ".ssh/private.jsonl",
    ".copilot/session-state/{sid}/other.jsonl",
    ".copilot/session-state/another/events.jsonl",
    ".copilot/session-state/{sid}/../../../.ssh/private",
    ".copilot/session-state/../session-state/{sid}/events.jsonl",
    ".copilot/session-state/{sid}/./events.jsonl/../../x",
    "GitHub.copilot-chat/transcripts/another.jsonl",
    "copilot-chat/transcripts/{sid}.jsonl",
    "GitHub.copilot-chat/transcripts/{sid}.json",
    "code/shop/session-state/{sid}/events.jsonl.bak",
    "/etc/passwd",
    "/dev/zero",
    "/dev/stdin",
    "/proc/self/environ",
    "/proc/self/fd/0",
)


def places(world: World, kind: str) -> list[Path]:
    """Where each host keeps the session's log, or would keep it if it were set up so."""
    if kind in _READ_AT_HOME:
        return [world.home / "elsewhere" / "session-state" / SID / "events.jsonl"]
    chat = world.user / "workspaceStorage" / "0123456789abcdef0123456789abcdef" / "GitHub.copilot-chat" / "transcripts"
    return [world.store / SID / "events.jsonl", chat / f"{SID}.jsonl"]


def ask(world: World, path: Path | str) -> list[str]:
    """All events that read a transcript, as processes; faults."""
    found = []
    for event in ("UserPromptSubmit", "Stop", "PreCompact", "UserPromptSubmit"):
        payload = {"hook_event_name": event, "session_id": SID, "cwd": str(world.project), "prompt": f"what is {MARK}?"}
        began = time.monotonic()
        done = world.process(event, json.dumps({**payload, "transcript_path": str(path)}).encode())
        if (done.returncode, done.stderr) != (0, b"") or MARK.encode() in done.stdout.replace(b"what is", b""):
            found.append(f"{event}: {done!r}")
        if time.monotonic() - began > 8:
            found.append(f"{event} waited")
    return found


def read_from(world: World) -> list[str]:
    """The transcripts that hooks have read of, by the state."""
    with contextlib.closing(sqlite3.connect(world.layout.state)) as db:
        return [row[0] for row in db.execute("SELECT transcript FROM session WHERE transcript<>''")]


def marked(world: World) -> list[str]:
    """Our files that hold the private words (a log of calls and recordings hold what was asked)."""
    return [str(path) for path in world.deja_home.rglob("*") if path.is_file() and MARK.encode() in path.read_bytes()]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_of_the_users_is_refused(world: World, tally: Tally, kind: str) -> None:
    count = 0
    for path in places(world, kind):
        path.parent.mkdir(parents=True)
        KINDS[kind](world, path)
        before = tree(world.home)
        assert ask(world, path) == []
        assert read_from(world) == []
        assert tree(world.home) == before
        count += 4
    world.index()
    assert marked(world) == []
    tally.add(
        "transcripts",
        "devices, pipes, sockets, folders, links, another user's file, where a host's log would be",
        count,
        0,
        "nothing; not opened, or not read",
    )


@pytest.mark.parametrize("shape", UNSHAPED)
def test_what_is_not_shaped_like_a_hosts_is_refused(world: World, tally: Tally, shape: str) -> None:
    path = shape.format(sid=SID)
    if not path.startswith("/"):
        for name in ("private", "private.jsonl"):
            private(world, name)
        full = world.home / path
        if ".." not in full.parts:
            full.parent.mkdir(parents=True, exist_ok=True)
            full.write_bytes(private(world).read_bytes())
        path = f"{world.home}/{path}"
    for written in (path, path.lstrip("/"), f"file://{path}"):
        assert ask(world, written) == []
        assert read_from(world) == []
    tally.add("transcripts", "paths that aren't shaped like a host's", 12, 0, "nothing; not opened")


@pytest.mark.parametrize(
    "shape",
    [
        ".copilot/session-state/{sid}/events.jsonl",
        "elsewhere/session-state/{sid}/events.jsonl",
        ".config/Code/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/{sid}.jsonl",
        "my data/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/{sid}.jsonl",
        "portable/data/user-data/User/workspaceStorage/1f/GitHub.copilot-chat/transcripts/{sid}.jsonl",
    ],
)
def test_the_users_own_are_read(world: World, tally: Tally, shape: str) -> None:
    """Also below links: a home, or a User folder, may lie elsewhere."""
    path = world.home / shape.format(sid=SID)
    path.parent.mkdir(parents=True)
    path.write_bytes(private(world).read_bytes())
    link = world.home.parent / "link"
    link.symlink_to(world.home, target_is_directory=True)
    for each in (path, link / path.relative_to(world.home)):
        world.call("UserPromptSubmit", sid=SID, prompt="x", transcript_path=str(each))
        assert read_from(world) == [str(each)]
    tally.add("transcripts", "the user's own logs, of usual, moved and portable folders", 2, 0, "read")
