"""`doctor --privacy`: a healthy home word for word, and faults planted in it, each found by name."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.doctor.own_files import CACHE, CONFIG
from deja_hooks.hook.ring import LIMIT
from tests.support.world import World, asked, said

from .conftest import Deja, made_folder
from .plants import SECRET, Plant, json_file, ring_line, sql, text_file

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes and links")

CHECKOUT = Path(__file__).parents[2]
OLD = time.time() - 100 * 86_400

REPORT = """\
Our files
  ok       place         DEJA/cache: in no folder that others can write, nor a synchronised one
  ok       permissions   DEJA/cache: this user's alone
  ok       own-files     DEJA/cache: 10 files and folders there and in DEJA/config, each one that SECURITY.md names
  ok       bounds        DEJA/cache: SIZE MB in all; nothing is more, or older, than said

What is in them
  ok       decisions     DEJA/config: settings and marks can be understood
  ok       kept-out      DEJA/config: nothing is forgotten or excluded
  ok       tokens        the hosts' lists of servers: nothing of the 0 tokens there was kept
  ok       secrets       DEJA/cache: 0 in NUMBER texts, which are all

Nothing is broken.
"""


def _masked(text: str, world: World) -> str:
    text = re.sub(r"[\d.]+ MB", "SIZE MB", text.replace(str(world.deja_home), "DEJA"))
    return re.sub(r"0 in \d+ texts", "0 in NUMBER texts", text)


def test_a_healthy_home(healthy: World, deja: Deja) -> None:
    result = deja("doctor", "--privacy")
    assert (result.code, result.err, _masked(result.out, healthy)) == (0, "", REPORT)


def test_json(healthy: World, deja: Deja) -> None:
    value = json.loads(deja("doctor", "--privacy", "--json").out)
    assert value["broken"] == 0
    text = [line.split()[1] for line in REPORT.splitlines() if line.startswith("  ")]
    assert [(each["check"], each["state"]) for each in value["findings"]] == [(check, "ok") for check in text]


def test_an_empty_home(healthy: World, deja: Deja, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(tmp_path / "deja"))
    result = deja("doctor", "--privacy")
    assert (result.code, "BROKEN" in result.out, (tmp_path / "deja").exists()) == (0, False, False)


def _linked(world: World) -> None:
    """What hooks write to the log of calls would stand in a shared folder."""
    shared = made_folder(world.home / "shared") / "log"
    Path(world.layout.ring).rename(shared)
    Path(world.layout.ring).symlink_to(shared)


def _recordings(world: World) -> None:
    folder = made_folder(Path(world.layout.recordings))
    folder.chmod(0o700)
    for number in range(501):
        (folder / f"{number}-1-Stop.json").touch(mode=0o600)


def _recording(world: World) -> None:
    made_folder(Path(world.layout.recordings)).chmod(0o700)
    text_file(lambda w: w.layout.recordings + "/1-1-Stop.json", f'{{"prompt": "\\u0067hp_{SECRET[4:]}"}}')(world)


def _aged(*names: str) -> Plant:
    def plant(world: World) -> None:
        path = made_folder(Path(world.layout.in_cache(*names)).parent) / names[-1]
        path.parent.chmod(0o700)
        path.touch(mode=0o600)
        os.utime(path, (OLD, OLD))

    return plant


def _old_ring(world: World) -> None:
    for name in ("ring.jsonl", "ring.jsonl.1"):
        text_file(lambda world, name=name: world.layout.in_cache(name), " " * (LIMIT + LIMIT // 4))(world)  # type: ignore[misc]


def _state_session(sid: str, last: float) -> Plant:
    """A session that the state has not heard of since then (epoch seconds)."""
    values = f"'{sid}','cli','','',{int(last * 1000)},{int(last * 1000)},1,0,'',0,0,0,0,0,0"
    return sql("state.db", f"INSERT INTO session VALUES ({values})")


def _made(path: str) -> str:
    Path(path).touch(mode=0o600)
    return path


def _mark(**values: Any) -> Plant:
    line = {"id": "abc", "at": int(time.time() * 1000), **values}
    return text_file(lambda world: world.layout.marks, json.dumps(line) + "\n")


FORGOTTEN = _mark(kind="forget", sessions=[["lost", 1]])


def _both(*plants: Plant) -> Plant:
    return lambda world: [plant(world) for plant in plants]


def _forgotten_recording(world: World) -> None:
    FORGOTTEN(world)
    made_folder(Path(world.layout.recordings)).chmod(0o700)
    text_file(lambda w: w.layout.recordings + "/1-1-Stop.json", '{"session_id": "lost"}')(world)


def _forgotten_marker(world: World) -> None:
    FORGOTTEN(world)
    Path(world.layout.live("lost")).parent.mkdir(mode=0o700, exist_ok=True)
    Path(world.layout.live("lost")).touch(mode=0o600)


def _excluded_by_hand(world: World) -> None:
    """The settings were edited, and no pass has followed them yet."""
    text = json.dumps({"exclude": {"paths": [str(world.project)]}})
    text_file(lambda world: world.layout.settings, text)(world)


def _kept_token(world: World) -> None:
    """What no redaction knows by itself, but by its name in the host's list."""
    token = "quiet-brown-otter-42"
    servers = {"x": {"command": "y", "env": {"X_API_KEY": token, "MODE": "production-mode"}}}
    json_file(".copilot", "mcp-config.json", mcpServers=servers)(world)
    sql("memory.db", f"UPDATE turn SET assistant='it is {token}, in production-mode'")(world)


FAULTS: dict[str, tuple[Plant, str]] = {
    "a database that others can read": (lambda world: Path(world.layout.memory).chmod(0o644), "permissions"),
    "a folder that others can enter": (lambda world: Path(world.layout.config).chmod(0o711), "permissions"),
    "a folder above that others can write": (lambda world: world.deja_home.chmod(0o777), "place"),
    "a folder above that the group can write": (lambda world: world.deja_home.chmod(0o770), "place"),
    "a link that leads out": (_linked, "own-files"),
    "a log of calls that grows": (_old_ring, "bounds"),
    "too many recordings": (_recordings, "bounds"),
    "an old marker of a turn": (_aged("live", "s"), "bounds"),
    "an old marker of a packet": (_aged("pending", "s"), "bounds"),
    "a session that the state should have forgotten": (_state_session("s", OLD), "bounds"),
    "too many known folders": (text_file(lambda world: world.layout.user_folders, "/a\n" * 17), "bounds"),
    "a secret in an old turn": (
        sql("memory.db", f"UPDATE turn SET user='use {SECRET}' WHERE id=(SELECT min(id) FROM turn)"),
        "secrets",
    ),
    "a secret in a path": (
        sql("memory.db", f"INSERT INTO changed VALUES (1, 1, 'password={SECRET}')"),
        "secrets",
    ),
    "a secret in a packet": (sql("state.db", f"INSERT INTO packet VALUES ('c1', 'use {SECRET}', 1)"), "secrets"),
    "a secret in the log of calls": (ring_line({"e": "Stop", "p": f"use {SECRET}"}), "secrets"),
    "a secret in a torn line of the log": (
        text_file(lambda world: world.layout.ring + ".1", f'{{"p": "use {SECRET}'),
        "secrets",
    ),
    "a secret in a recording": (_recording, "secrets"),
    "a secret in a mark": (_mark(kind="reject", session="c1", text=f"it had {SECRET}"), "secrets"),
    "a secret in a note": (_mark(kind="remember", text=f"use {SECRET}"), "secrets"),
    "a secret in the ledger": (
        text_file(lambda w: w.layout.in_config("installed.json"), json.dumps({"files": {"f": {"first": SECRET}}})),
        "secrets",
    ),
    "a secret in a database put aside": (
        lambda world: [
            sql("memory.db.aside-1", "CREATE TABLE turn(user)", f"INSERT INTO turn VALUES ('{SECRET}')")(world),
            Path(world.layout.in_cache("memory.db.aside-1")).chmod(0o600),
        ],
        "secrets",
    ),
    "settings that can't be used": (text_file(lambda w: w.layout.settings, '{"exclude": 1}'), "decisions"),
    "a forgotten session in the memory": (_mark(kind="forget", sessions=[["c1", 1]]), "kept-out"),
    "a forgotten session in the state": (_both(FORGOTTEN, _state_session("lost", time.time())), "kept-out"),
    "what another session was told of a forgotten one": (
        _both(FORGOTTEN, sql("state.db", "INSERT INTO said VALUES ('c9', 'prompt', 'lost:1', 0)")),
        "kept-out",
    ),
    "a forgotten session in the log of calls": (_both(FORGOTTEN, ring_line({"e": "Stop", "s": "lost"})), "kept-out"),
    "a packet that cites a forgotten session": (
        _both(FORGOTTEN, ring_line({"e": "Stop", "p": "x [deja-hooks show lost]"})),
        "kept-out",
    ),
    "a recording of a forgotten session": (_forgotten_recording, "kept-out"),
    "a marker of a forgotten session": (_forgotten_marker, "kept-out"),
    "an excluded project in the memory": (_excluded_by_hand, "kept-out"),
    "a host's token": (_kept_token, "tokens"),
}


@pytest.mark.parametrize("fault", list(FAULTS))
def test_a_fault_is_found(healthy: World, deja: Deja, fault: str) -> None:
    plant, check = FAULTS[fault]
    plant(healthy)
    result = deja("doctor", "--privacy", "--json")
    assert SECRET not in result.out
    assert "otter" not in result.out
    faults = [each for each in json.loads(result.out)["findings"] if each["state"] == "broken"]
    assert (result.code, {each["check"] for each in faults}) == (1, {check}), result.out
    assert all(each["do"] for each in faults)


#: What is planted → the checks that find it, and what the first says.
NOTES: dict[str, tuple[Plant, tuple[str, str]]] = {
    "a file that is not ours": (
        text_file(lambda world: world.layout.in_cache("recipes.txt"), "leeks"),
        ("own-files", "deja-hooks didn't make it (SECURITY.md names all that it makes)"),
    ),
    "a link that leads to ours": (
        lambda world: Path(world.layout.in_cache("x")).symlink_to(world.layout.ring),
        ("own-files", "deja-hooks didn't make it (SECURITY.md names all that it makes)"),
    ),
    "a pipe in a file's place": (
        lambda world: (Path(world.layout.ring).unlink(), os.mkfifo(world.layout.ring, 0o600)),
        ("own-files", "deja-hooks didn't make it (SECURITY.md names all that it makes)"),
    ),
    "a pipe for the rules": (
        lambda world: (
            made_folder(Path(world.layout.kept_out)).chmod(0o700),
            os.mkfifo(world.layout.kept_out_rules, 0o600),
        ),
        ("own-files kept-out", "deja-hooks didn't make it (SECURITY.md names all that it makes)"),
    ),
    "recording": (
        lambda world: Path(world.layout.record).touch(mode=0o600),
        ("recording", "every payload is kept, redacted: each call takes 50 ms longer"),
    ),
    "a synchronised folder": (
        lambda world: (world.deja_home / ".stfolder").mkdir(),
        ("place", "it looks synchronised with other machines: who reads it there reads your history"),
    ),
    "a folder's name that looks like a secret": (
        sql("memory.db", f"UPDATE session SET cwd='/home/{SECRET}'"),
        (
            "secrets",
            "2 of its names of folders, projects or sessions look like a secret; these are kept as they are",
        ),
    ),
    "a database that can't be read": (
        text_file(lambda world: world.layout.state, "no database"),
        ("secrets", "not looked into: it can't be read (file is not a database)"),
    ),
    "a file that is far too large": (
        lambda world: os.truncate(_made(world.layout.index_report), 65 << 20),
        ("secrets", "not looked into: it can't be read ([Errno 27] File too large)"),
    ),
    "a list of servers that is no JSON": (
        text_file(lambda world: str(world.home / ".copilot" / "mcp-config.json"), "{"),
        ("tokens", ""),
    ),
}


@pytest.mark.parametrize("what", list(NOTES))
def test_what_is_worth_a_note(healthy: World, deja: Deja, what: str) -> None:
    plant, (checks, seen) = NOTES[what]
    plant(healthy)
    result = deja("doctor", "--privacy", "--json")
    found = [(each["check"], each["seen"]) for each in json.loads(result.out)["findings"] if each["state"] == "note"]
    assert (result.code, [each for each, _ in found]) == (0, checks.split()), result.out
    assert found[0][1].startswith(seen)


def test_what_is_closed_to_us(healthy: World, deja: Deja, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is for others than root, who may read everything."""
    FORGOTTEN(healthy)
    real_access, real_read = os.access, Path.read_bytes

    def refuse(path: Path) -> bytes:
        if path == Path(healthy.layout.marks):
            raise PermissionError(13, "Permission denied")
        return real_read(path)

    monkeypatch.setattr(os, "access", lambda path, how: str(path) != healthy.layout.cache and real_access(path, how))
    monkeypatch.setattr(Path, "read_bytes", refuse)
    lines = [line.split(": ", 1)[1] for line in deja("doctor", "--privacy").out.splitlines() if "  note " in line]
    assert lines == [
        "it can't be looked into",
        "what is forgotten or excluded can't be read (Permission denied)",
        "not looked into: it can't be read ([Errno 13] Permission denied)",
    ]


def test_what_index_mends(healthy: World, deja: Deja) -> None:
    """What the report says to run does away with it."""
    _excluded_by_hand(healthy)
    for plant in (_aged("live", "s"), _aged("pending", "s"), _state_session("s", OLD)):
        plant(healthy)
    found = deja("doctor", "--privacy")
    assert (found.code, found.out.splitlines()[-1]) == (1, "7 broken: bounds, kept-out.")
    assert deja("index").code == 0
    assert deja("doctor", "--privacy").code == 0


def test_fix_closes_what_is_open(healthy: World, deja: Deja) -> None:
    Path(healthy.layout.memory).chmod(0o644)
    result = deja("doctor", "--privacy", "--fix")
    assert result.out.startswith("Mended (permissions): ")
    assert (result.code, "Wiring" in result.out) == (0, False)


def test_nothing_is_left_of_what_was_forgotten(healthy: World, deja: Deja) -> None:
    """Also where the session goes on afterwards."""
    store = healthy.cli_session("gone-1", asked("What of the kettle?"), said("We decided to descale it on Mondays."))
    os.utime(store, (time.time() - 3600, time.time() - 3600))
    assert deja("index").code == 0
    for event in ("UserPromptSubmit", "PreToolUse"):  # none that starts an indexer
        payload = {"hook_event_name": event, "session_id": "gone-1", "prompt": "kettle", "cwd": str(healthy.project)}
        assert healthy.process(event, json.dumps(payload).encode()).returncode == 0
    assert deja("forget", "gone-1", "--yes").code == 0
    payload = {"hook_event_name": "UserPromptSubmit", "session_id": "gone-1", "prompt": "kettle"}
    assert healthy.process("UserPromptSubmit", json.dumps(payload).encode()).returncode == 0
    result = deja("doctor", "--privacy")
    assert result.code == 0, result.out
    assert "  ok       kept-out" in result.out


def test_a_call_of_a_forgotten_session_that_goes_on_is_no_trace(healthy: World, deja: Deja) -> None:
    """What it was told is one, and so is a call from before."""
    FORGOTTEN(healthy)
    now = int(time.time() * 1000) + 5000
    ring_line({"e": "PreToolUse", "s": "lost", "t": now, "r": "a tool that needs no memory"})(healthy)
    assert deja("doctor", "--privacy").code == 0
    ring_line({"e": "PreToolUse", "s": "lost", "t": now, "p": "told"})(healthy)
    ring_line({"e": "PreToolUse", "s": "lost", "t": 1})(healthy)
    assert "ring.jsonl: 2 traces of what is forgotten" in deja("doctor", "--privacy").out


def test_more_than_the_usual_run_looks_at(healthy: World, deja: Deja) -> None:
    """The oldest of thousands of texts."""
    with closing(sqlite3.connect(healthy.layout.memory)) as db:
        span = 1 << 40
        rows = [(span + n, 0, 0, f"use {SECRET}" if n == 0 else "fine", "") for n in range(2_500)]
        db.executemany("INSERT INTO turn VALUES (?,?,?,?,?)", rows)
        db.commit()
    assert "BROKEN   secrets" not in deja("doctor").out
    assert "1 of its" in deja("doctor", "--privacy").out


def test_progress_on_a_terminal(healthy: World, deja: Deja, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bar is drawn on stderr, and the report is whole on stdout."""
    terminal = sys.stderr
    monkeypatch.setattr(type(terminal), "isatty", lambda stream: stream is terminal)
    monkeypatch.setenv("TERM", "xterm")
    result = deja("doctor", "--privacy")
    assert "reading what is kept" in result.err
    assert _masked(result.out, healthy) == REPORT


def test_looking_changes_nothing(healthy: World, deja: Deja) -> None:
    def files() -> dict[str, tuple[bytes, int]]:
        found = sorted(path for path in healthy.deja_home.rglob("*") if path.is_file())
        kept = [path for path in found if not path.name.endswith(("-shm", "-wal"))]
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in kept}

    before = files()
    assert deja("doctor", "--privacy").code == 0
    assert files() == before


def test_the_list_is_that_of_security_md() -> None:
    text = (CHECKOUT / "SECURITY.md").read_text()
    table = text.partition("| file |")[2].partition("\n\n")[0]
    cells = [line.split("|")[1] for line in table.splitlines()[2:]]
    named = re.findall(r"`([^`]+)`", " ".join(cells))
    assert sorted(named) == sorted(["~/.copilot/hooks/deja.json", *CACHE, *CONFIG])
