import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.indexer.run import Report

from .conftest import Result, Run
from .sessions import answered, login_session, said, write_session

SESSIONS = Path(__file__).parents[1] / "sources" / "fixtures" / "copilot" / "session-state"


def _report(**changes: object) -> Report:
    nothing = Report(3, 0, 0, 0, 0, 0, (), 0.04, False)
    return nothing._replace(**changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("report", "out", "err"),
    [
        (_report(), "Nothing new in 3 files (0.0 s).\n", ""),
        (
            _report(changed=1, sessions=1, turns=2, bytes_read=1_240_000, seconds=1.26),
            "Read 1 changed file of 3 (1.2 MB): 1 session (1.3 s).\n",
            "",
        ),
        (
            _report(changed=2, bad_lines=1, problems=(("/a", "OSError: no"),)),
            "Read 2 changed files of 3 (0.0 MB): 0 sessions (0.0 s). 1 line could not be understood.\n",
            "could not be read: /a (OSError: no)\n",
        ),
    ],
)
def test_what_is_said(deja: Run, monkeypatch: pytest.MonkeyPatch, report: Report, out: str, err: str) -> None:
    monkeypatch.setattr("deja_hooks.cli.index.run_index", lambda *_, **__: report)
    assert deja("index") == Result(0, out, err)


def test_many_problems_are_counted(deja: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    report = _report(problems=tuple((f"/{n}", "no") for n in range(12)))
    monkeypatch.setattr("deja_hooks.cli.index.run_index", lambda *_, **__: report)
    assert deja("index").err.splitlines()[-1] == "and 2 more (--json names all)"
    assert len(json.loads(deja("index", "--json").out)["problems"]) == 12


def test_real_sessions(deja: Run, home: Path) -> None:
    shutil.copytree(SESSIONS, home / ".copilot" / "session-state")
    first = json.loads(deja("index", "--json").out)
    count = len(list(SESSIONS.glob("*/events.jsonl")))
    assert (first["files"], first["changed"], first["problems"], first["waited"]) == (count, count, [], False)
    assert first["turns"] > 0
    assert (home / "deja" / "cache" / "memory.db").exists()


def _seconds(text: str) -> str:
    return re.sub(r"\d+\.\d s\)", "0.0 s)", text)


def _settle(home: Path) -> None:
    """Makes the sessions old: a file that may still be changing is read again."""
    for path in home.glob(".copilot/session-state/*/events.jsonl"):
        os.utime(path, (1e9, 1e9))


def test_the_turns_are_those_that_sessions_counts(deja: Run, home: Path) -> None:
    login_session(home)
    _settle(home)
    assert _seconds(deja("index").out) == (
        "Read 1 changed file of 1 (0.0 MB): 1 session (0.0 s). The memory has 1 session with 2 turns.\n"
    )
    assert [each["turns"] for each in json.loads(deja("sessions", "--json").out)] == [2]
    assert json.loads(deja("index", "--json").out)["memory"] == {"sessions": 1, "turns": 2}
    assert _seconds(deja("index").out) == "Nothing new in 1 file (0.0 s).\n"


def test_sessions_that_were_dropped_are_counted(deja: Run, home: Path) -> None:
    login_session(home)
    other = write_session(home, "bbbb", home / "src" / "app", said("Hello"), answered("Yes."))
    _settle(home)
    deja("index")
    other.unlink()
    assert _seconds(deja("index").out) == (
        "Nothing new in 1 file, dropped 1 session whose files are gone (0.0 s). "
        "The memory has 1 session with 2 turns.\n"
    )
    (home / ".copilot" / "session-state" / "aaaa1111-0000-4000-8000-000000000001" / "events.jsonl").unlink()
    write_session(home, "cccc", home / "src" / "app", said("Hello"), answered("Yes."))
    assert _seconds(deja("index").out) == (
        "Read 1 changed file of 1 (0.0 MB): 1 session; dropped 1 session whose files are gone (0.0 s). "
        "The memory has 1 session with 1 turn.\n"
    )
    (home / ".copilot" / "session-state" / "cccc" / "events.jsonl").unlink()
    report = json.loads(deja("index", "--json").out)
    assert (report["dropped"], report["memory"]) == (1, {"sessions": 0, "turns": 0})


HOLD = """
import sys, time, filelock
with filelock.FileLock(sys.argv[1]):
    print("held", flush=True)
    time.sleep(0.5)
"""


def test_it_waits_for_a_running_indexer_and_says_so(deja: Run, home: Path) -> None:
    lock = home / "deja" / "cache" / "index.lock"
    lock.parent.mkdir(parents=True)
    with subprocess.Popen([sys.executable, "-c", HOLD, str(lock)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        result = deja("index", "--json")
    assert (result.code, json.loads(result.out)["waited"]) == (0, True)
    assert result.err == "Another indexer is running: waiting for it to end.\n"


def test_a_cache_that_cannot_be_made(deja: Run, home: Path) -> None:
    login_session(home)
    cache = home / "deja" / "cache"
    cache.parent.mkdir()
    cache.write_text("a file in the way")
    assert deja("index") == Result(1, "", f"Error: {cache} can't be written (Not a directory).\n")
    cache.unlink()
    cache.symlink_to(home / "nowhere" / "cache")
    assert deja("index") == Result(1, "", f"Error: {cache} can't be written (File exists).\n")


def test_a_full_disk(deja: Run, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("deja_hooks.cli.index.run_index", fail)
    why = f"Error: {home}/deja/cache/memory.db can't be written (database or disk is full).\n"
    assert deja("index") == Result(1, "", why)


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_what_is_made_is_private(deja: Run, home: Path) -> None:
    login_session(home)
    deja("index")
    folders = (home / "deja", home / "deja" / "cache")
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in folders] == [0o700, 0o700]


def test_decisions_that_cannot_be_understood_are_named(deja: Run, home: Path) -> None:
    config = home / "deja" / "config"
    config.mkdir(parents=True)
    (config / "settings.json").write_text('{"exclude": {"paths": ["a/b"]}}')
    (config / "marks.jsonl").write_text('\n{"id": "a1", "kind": "promote"\n')
    done = deja("index")
    assert done.code == 0
    assert done.err.splitlines() == [
        f"{config / 'settings.json'} can't be used:",
        *[line for line in done.err.splitlines() if line.startswith("  exclude.paths.0: ")],
        "Mend it there; deja-hooks config schema prints all that it may hold.",
        "Until then, what can't be used of it stays as it was before.",
        f"{config / 'marks.jsonl'}, line 2: it can't be understood, and counts for nothing.",
    ]
    assert "  exclude.paths.0: " in done.err
