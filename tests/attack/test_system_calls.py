"""What hooks, the indexer and commands touch on the disk, by tracing their system calls: their own roots, no other.

And that nothing is sent: no process opens a socket.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.attack.counting import Tally
from tests.support.world import ENTRY, World, asked, edited, ran, said

STRACE = shutil.which("strace")
pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="strace is Linux's"),
    pytest.mark.skipif(STRACE is None, reason="strace isn't installed"),
]
SID = "11111111-aaaa-4000-8000-000000000001"
#: A call with a path: its name, the folder that the path is relative to, the path, the rest of the line.
_CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?\"((?:[^\"\\]|\\.)*)\"(.*)$")
_OUTCOME = re.compile(r"= (-?\d+)")
_WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")
_CHANGING = frozenset(
    "mkdir mkdirat unlink unlinkat rename renameat renameat2 rmdir link linkat symlink symlinkat chmod fchmodat "
    "fchmodat2 utimensat utime utimes truncate mknod mknodat chown".split()
)
#: The kernel's, and the machine's own: none holds anything of the user's.
_SYSTEM = (
    "/lib",
    "/usr/lib",
    "/usr/share/",
    "/usr/local/lib",
    "/proc/",
    "/sys/",
    "/dev/",
    "/etc/ld.so.",
    "/etc/localtime",
)


class Traced:
    """The paths that a process and its children touched."""

    def __init__(self, log: str) -> None:
        self.touched: set[str] = set()
        self.written: set[str] = set()
        self.sockets = [line for line in log.splitlines() if re.search(r"\b(socket|connect|sendto|bind)\(", line)]
        for line in log.splitlines():
            call = _CALL.match(line)
            if not call or "execve" in call[1]:
                continue
            path = call[3].encode().decode("unicode_escape").encode("latin-1").decode("utf-8", "replace")
            path = path and os.path.normpath(f"{call[2] or ''}/{path}" if call[2] and path[0] != "/" else path)
            outcome = _OUTCOME.search(call[4])
            self.touched.add(path)
            changes = call[1] in _CHANGING or (call[1] in ("open", "openat", "creat") and _WRITES.search(call[4]))
            if changes and outcome and int(outcome[1]) >= 0:
                self.written.add(path)


def _scratch(world: World) -> Path:
    """The folder for temporary files: filelock (4.1, when it is loaded) tries links there, and tidies up."""
    folder = world.home.parent / "scratch"
    folder.mkdir(exist_ok=True)
    return folder


def traced(world: World, command: list[str], stdin: bytes = b"", cwd: Path | None = None) -> Traced:
    """Runs a command under strace, with all its children."""
    log = world.home.parent / "trace"
    options = ["-f", "-y", "-qq", "-s", "4096", "-e", "trace=%file,%network", "-o", str(log)]
    assert STRACE is not None
    done = subprocess.run(
        [STRACE, *options, *command],
        input=stdin,
        capture_output=True,
        env={**world.environment, "PYTHONDONTWRITEBYTECODE": "1", "TMPDIR": str(_scratch(world))},
        cwd=cwd or world.project,
        timeout=120,
        check=False,
    )
    if not log.exists() or "Operation not permitted" in done.stderr.decode():
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    return Traced(log.read_text(errors="replace"))


def strangers(paths: set[str], allowed: list[str], start: Path) -> list[str]:
    """The paths outside of the allowed roots; a root's own parents may be looked at on the way."""
    found = []
    for path in sorted(paths):
        full = os.path.normpath(start / path)
        inside = any(full == root or full.startswith(root + "/") for root in allowed)
        on_the_way = any(root.startswith(full.rstrip("/") + "/") for root in allowed)
        if path and not full.startswith(_SYSTEM) and not inside and not on_the_way:
            found.append(full)
    return found


def python(world: World) -> list[str]:
    """Where Python and its packages lie, and what it touches when it does nothing (by the way it is started)."""
    paths = {
        *sysconfig.get_paths().values(),
        sys.prefix,
        sys.base_prefix,
        str(ENTRY.parents[2]),
        *filter(None, sys.path),
    }
    nothing = [["-I", "-S", "-c", "pass"], ["-c", "import click, rich, pydantic, sqlite3, subprocess, uuid"]]
    for arguments in nothing:
        paths |= traced(world, [sys.executable, *arguments]).touched
    return sorted(
        {os.path.normpath(path) for path in paths if path} | {os.path.realpath(path) for path in paths if path}
    )


@pytest.fixture
def shop(world: World) -> World:
    pool = world.project / "pool.py"
    pool.write_text("load_rates = 7\n")
    world.cli_session(
        SID,
        asked("Why does load_rates starve?"),
        *ran("pytest -q", 1, "FAILED tests/test_pool.py::test_load - AssertionError: starved"),
        *edited(pool, "load_rates = 3\n", "load_rates = 7\n"),
        *ran("pytest -q", 0, "1 passed"),
        said("We decided to keep load_rates at 7 in pool.py."),
    )
    world.vscode_transcript("22222222-aaaa-4000-8000-000000000001", asked("hello"), said("We decided on chats."))
    world.index()
    (world.home / ".ssh").mkdir()
    (world.home / ".ssh" / "id_rsa").write_text("private")
    (world.project / ".env").write_text("A_TOKEN=abc")
    (world.project / "json.py").write_text("raise SystemExit('imported from an untrusted folder')")
    return world


def payloads(world: World) -> list[dict[str, object]]:
    """Calls that speak, and calls that name what is none of ours."""
    log = str(world.store / SID / "events.jsonl")
    common = {"session_id": "asking", "cwd": str(world.project)}
    private = {
        "session_id": "id_rsa",
        "cwd": str(world.home / ".ssh"),
        "transcript_path": str(world.home / ".ssh/id_rsa"),
    }
    edit = {"tool_name": "edit", "tool_input": {"path": str(world.project / "pool.py"), "old_str": "load_rates = 7"}}
    other = {"tool_name": "edit", "tool_input": {"path": str(world.project / ".env"), "old_str": "A_TOKEN"}}
    command = {"tool_name": "bash", "tool_input": {"command": "cat ~/.ssh/id_rsa"}}
    failed = {
        "tool_result": {
            "result_type": "failure",
            "text_result_for_llm": "FAILED tests/test_pool.py::test_load - AssertionError: starved",
        }
    }
    return [
        {"hook_event_name": "SessionStart", **common},
        {"hook_event_name": "UserPromptSubmit", "prompt": "why is load_rates 7?", **common},
        {"hook_event_name": "UserPromptSubmit", "prompt": "load_rates?", **private},
        {"hook_event_name": "PreToolUse", **edit, **common},
        {"hook_event_name": "PreToolUse", **other, **common},
        {"hook_event_name": "PreToolUse", **command, **common},
        {
            "hook_event_name": "PreToolUse",
            "tool_name": "read_file",
            "tool_input": {"filePath": "/etc/shadow"},
            **common,
        },
        {"hook_event_name": "PostToolUse", **command, **failed, **common},
        {"hook_event_name": "PreCompact", **common, "session_id": SID, "transcript_path": log},
        {"hook_event_name": "UserPromptSubmit", "prompt": "go on", **common, "session_id": SID, "transcript_path": log},
        {"hook_event_name": "Stop", **private},
    ]


def test_the_trace_sees_what_is_touched(shop: World) -> None:
    """Else the tests below would show nothing."""
    private, made = shop.home / ".ssh" / "id_rsa", shop.home / "made"
    code = f"import os, socket; open({str(private)!r}); os.mkdir({str(made)!r}); socket.socket().close()"
    seen = traced(shop, [sys.executable, "-c", code])
    assert strangers(seen.touched, python(shop), shop.project) == [str(private), str(made)]
    assert strangers(seen.written, [], shop.project) == [str(made)]
    assert seen.sockets


def test_hooks(shop: World, tally: Tally) -> None:
    """Each event: only our folders, the session's own log and git's are opened; only our folders are written."""
    ours = str(shop.deja_home)
    allowed = [*python(shop), ours, str(shop.project / ".git"), str(shop.store), str(shop.project / "pool.py")]
    # The claim of an indexer that runs: none is started, which would be traced as well (see below).
    command = [sys.executable, "-I", "-S", "-B", str(ENTRY)]  # (installing compiles the package)
    count = paths = 0
    for payload in payloads(shop):
        Path(shop.layout.index_claim).touch()
        arguments = [str(payload["hook_event_name"]), shop.layout.cache, shop.layout.config]
        seen = traced(shop, [*command, *arguments], json.dumps(payload).encode())
        # Whether a folder is a checkout is asked of it and its parents, by `.git`; whether it is a link, of itself.
        touched = {path for path in seen.touched if not path.endswith("/.git") and path != payload["cwd"]}
        assert strangers(touched, allowed, shop.project) == [], payload
        assert strangers(seen.written, [ours], shop.project) == [], payload
        assert seen.sockets == []
        count += 1
        paths += len(seen.touched)
    assert paths > 10 * count
    tally.add(
        "system calls",
        "hook calls: every path that is opened, looked at or written; sockets",
        count,
        0,
        "our folders, the session's log, `.git`, Python",
    )


def test_the_indexer_and_commands(shop: World, tally: Tally) -> None:
    """The hosts' stores are read, nothing is written but our own; nothing else of the home is looked into."""
    ours = str(shop.deja_home)
    stores = [
        str(shop.home / name)
        for name in (".copilot", ".config", ".vscode-server", "snap", ".var", ".local/share/code-server")
    ]
    stores += [str(shop.home / f".{name}") for name in ("vscode-server-insiders", "vscode-server-oss", "vscode-remote")]
    stores += [str(shop.home / f".vscodium-server{end}") for end in ("", "-insiders")]
    allowed = [*python(shop), ours, *stores, str(shop.project / ".git"), str(_scratch(shop))]
    background = str(ENTRY.parents[1] / "indexer" / "background.py")
    runs = [
        [sys.executable, "-ISB", background, shop.layout.cache, shop.layout.config],
        *(
            [sys.executable, "-m", "deja_hooks", *arguments]
            for arguments in (["index"], ["search", "load_rates"], ["show", SID[:8]], ["stats"])
        ),
    ]
    shop.cli_session("33333333-aaaa-4000-8000-000000000001", asked("new"), said("We decided on something new."))
    Path(shop.layout.index_wanted).touch()
    for command in runs:
        start = shop.home.parent
        seen = traced(shop, command, cwd=start)
        touched = {path for path in seen.touched if not path.endswith("/.git")} - {str(start)}
        assert strangers(touched, allowed, start) == [], command
        assert strangers(seen.written, [ours, str(_scratch(shop))], start) == [], command
        assert list(_scratch(shop).iterdir()) == []
        assert [line for line in seen.sockets if "AF_UNIX" not in line and "AF_NETLINK" not in line] == [], command
    tally.add(
        "system calls",
        "the background indexer, index, search, show, stats",
        len(runs),
        0,
        "the hosts' stores read, our folders written, no socket",
    )
