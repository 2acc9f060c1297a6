"""Ids, folders, paths, project names and queries that want to be paths, options, SQL or FTS5: they are data.

Public reports of other tools that this answers: Yeachan-Heo/oh-my-claudecode#1267, supermemoryai/codex-supermemory#38
and mrlesmithjr/claude-context-manager#29 (a session id that names a file elsewhere), spences10/ccrecall#23 and #29,
NousResearch/hermes-agent#1770, arabold/docs-mcp-server#262 (searches that fail over quotes, hyphens, slashes).
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.attack.conftest import Deja, tree
from tests.attack.counting import Tally
from tests.support.world import World, asked, edited, ran, said

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders of these names can't be made there")
HOSTILE = (
    "..",
    ".",
    "../../../../etc/passwd",
    "..\\..\\windows\\system32",
    "/etc/passwd",
    "/",
    "~/.ssh/id_rsa",
    "a/b",
    "C:\\Windows\\win.ini",
    "\\\\server\\share",
    "file:///etc/passwd",
    "a\0b",
    "\0",
    "a\nb",
    "a\rb\tc",
    "'; DROP TABLE session; --",
    '" OR 1=1 --',
    "x') UNION SELECT sql FROM sqlite_master --",
    "%' ESCAPE '_",
    "user:* AND NOT (body) OR NEAR(a b, 2)",
    '"unbalanced',
    "a^2 AND -b",
    "s1_load_rates OR t*",
    "body : load_rates",
    "{user assistant} : x",
    "--help",
    "-rf",
    "--all=x",
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "| touch pwned",
    "${HOME}",
    "%s%n%x",
    "{0.__class__}",
    "<script>alert(1)</script>",
    "\x1b[31mred",
    "\u202egnp.exe",
    "\ud800",
    "\uff0e\uff0e/",
    "con",
    "nul.txt",
    "index.lock",
    "memory.db",
    "A" * 5_000,
    "é" * 300,
    "",
    " ",
)
OLD = "11111111-aaaa-4000-8000-000000000001"
#: Where our files may lie, relative to our home, and what they may be called.
_OURS = re.compile(
    r"(?:cache/(?:memory\.db|state\.db|ring\.jsonl|index\.(?:json|lock|claim|wanted))(?:-wal|-shm|-journal|\.1)?"
    r"|cache/(?:live|pending)/[\w-]{1,64}|cache/recordings/\d+-\d+-\w*\.json"
    r"|config/(?:marks\.jsonl|marks\.lock|settings\.json|user-folders|record|off|kept-out/[\w/-]{1,80}|off\.d/[\w-]{1,64}))"
)


@pytest.fixture
def shop(world: World) -> World:
    world.cli_session(
        OLD,
        asked("about load_rates"),
        *ran("pytest -q tests/test_pool.py", 1, "FAILED tests/test_pool.py::test_load - AssertionError: starved"),
        *edited(world.project / "pool.py", "load_rates = 3\n", "load_rates = 7\n"),
        *ran("pytest -q tests/test_pool.py", 0, "1 passed"),
        said("We decided to keep load_rates at 7 in pool.py."),
    )
    world.index()
    return world


def events(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Every event, the text in all that it says beside its ids."""
    command = {"tool_name": "bash", "tool_input": {"command": text}, "tool_use_id": text}
    return [
        ("SessionStart", {"source": text, "initial_prompt": text}),
        ("UserPromptSubmit", {"prompt": f"load_rates {text}"}),
        ("PreToolUse", command),
        ("PreToolUse", {"tool_name": "edit", "tool_input": {"path": text, "old_str": text}}),
        ("PreToolUse", {"tool_name": "apply_patch", "tool_input": {"input": f"*** Update File: {text}\n@@\n-{text}"}}),
        ("PreToolUse", {"tool_name": "task", "tool_input": {"prompt": text}}),
        ("PostToolUse", {**command, "tool_result": {"result_type": "failure", "text_result_for_llm": text}}),
        ("PostToolUseFailure", {**command, "error": {"message": text}}),
        ("PreCompact", {"trigger": text, "custom_instructions": text}),
        ("Stop", {"stop_reason": text}),
        ("SessionEnd", {"reason": text}),
        (text, {"prompt": text}),
    ]


@pytest.mark.parametrize("field", ["session_id", "cwd", "transcript_path", "agent_id", "all"])
def test_hooks_take_them_as_data(shop: World, tally: Tally, field: str) -> None:
    before = tree(shop.home)
    lost: list[str] = []
    count = 0
    for text in HOSTILE:
        ids = {"session_id": "asking", "cwd": str(shop.project)}
        ids.update(dict.fromkeys(("session_id", "cwd", "transcript_path"), text) if field == "all" else {field: text})
        for event, fields in events(text):
            count += 1
            named = dict(ids)
            outcome = shop.call(event, named.pop("session_id"), **{**named, **fields})
            if outcome.reason.startswith("failed"):
                lost.append(f"{text[:40]!r} {event}: {outcome.reason}")
    assert lost == []
    assert tree(shop.home) == before
    names = [str(each.relative_to(shop.deja_home)) for each in shop.deja_home.rglob("*") if each.is_file()]
    assert [name for name in names if not _OURS.fullmatch(name)] == []
    with sqlite3.connect(shop.layout.memory) as db:
        assert db.execute("SELECT count(*) FROM session").fetchone()[0] == 1
    db.close()
    tally.add(
        "names",
        f"`{field}` of payloads, every event" if field != "all" else "all of them at once",
        count,
        0,
        "nothing, or this project's packet",
    )


def test_a_real_process_takes_them_too(shop: World, tally: Tally) -> None:
    before = tree(shop.home)
    hostile = [*HOSTILE[:12], *HOSTILE[-9:-5], "\ud800"]
    for text in hostile:
        payload = {"hook_event_name": "UserPromptSubmit", "session_id": text, "cwd": text, "transcript_path": text}
        done = shop.process("UserPromptSubmit", json.dumps({**payload, "prompt": text}).encode())
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        # As the command line's own arguments: a host may give any event's name.
        if "\0" not in text and "\ud800" not in text:
            done = shop.process(text, json.dumps(payload).encode())
            assert (done.returncode, done.stderr) == (0, b"")
    assert tree(shop.home) == before
    tally.add("names", "the same in real processes", 2 * len(hostile) - 3, 0, "nothing; exit 0, empty stderr")


def test_the_index_takes_them(world: World, deja: Deja, tally: Tally) -> None:
    """As ids, folders, titles, branches and file names of sessions on disk."""
    storable = [
        text for text in HOSTILE if "\0" not in text and "/" not in text and text.strip(". ") and len(text) < 200
    ]
    storable = [text for text in storable if "\ud800" not in text]
    for number, text in enumerate(HOSTILE):
        path = world.cli_session(f"{number:08d}-aaaa", asked(f"what of quay{number} {text}"), said(text))
        lines = path.read_text(encoding="utf-8").splitlines()
        start = json.loads(lines[0])
        start["data"]["context"] = {"cwd": text, "branch": text}
        path.write_text("\n".join([json.dumps(start), *lines[1:]]) + "\n", encoding="utf-8")
    for text in storable:
        world.cli_session(text, asked("by id"), said(f"We decided {text}"))
    before = tree(world.home)
    report = world.index()
    assert report.problems == ()
    assert tree(world.home) == before
    found = json.loads(deja("sessions", "--json", "--limit", "1000").out)
    ids = {each["session_id"] for each in found}
    assert ids >= set(storable)
    for sid in storable:
        assert deja("show", "--", sid).code == 0
        assert deja("export", "--", sid).code == 0
    tally.add(
        "names",
        "ids, folders and branches of sessions on disk, indexed and shown",
        len(HOSTILE) + len(storable),
        0,
        "the session, its name made visible",
    )


def test_queries_are_words(shop: World, deja: Deja, tally: Tally) -> None:
    count = 0
    for text in HOSTILE:
        for query in (text, f"load_rates {text}", f'"{text}"', f"{text}*"):
            if "\0" in query or not query.strip():
                continue
            printed = deja("search", "--", query)
            assert (printed.code, printed.err) == (0, ""), query
            printed = deja("search", "--all", "-", stdin=query.replace("\n", " ").replace("\r", " ") + "\n")
            assert (printed.code, printed.err) == (0, ""), query
            outcome = shop.call("UserPromptSubmit", sid=f"q{count}", prompt=query)
            assert not outcome.reason.startswith("failed"), query
            count += 3
    for text in HOSTILE:
        if "\0" not in text and text:
            printed = deja("sessions", "--text", text)
            assert printed.code in (0, 1), text
            printed = deja("sessions", "--file", text)
            assert printed.code in (0, 1), text
            printed = deja("show", "--", text)
            assert printed.code == 1, text
            count += 3
    assert deja("search", "load_rates").out.count("11111111") == 1
    tally.add(
        "names",
        "queries with FTS5's, SQL's and the shell's signs, by command, stdin and prompt",
        count,
        0,
        "hits of their words, or none",
    )


def test_projects_are_called_so(world: World, deja: Deja, tally: Tally) -> None:
    """Folders of these names, each a project with a history: recalled there, and nowhere else."""
    names = [text for text in HOSTILE if text.strip(". ") and not set("/\0\ud800") & set(text)]
    names = [text for text in names if len(text.encode()) < 200]
    for number, name in enumerate(names):
        folder = world.home / "code" / "odd" / name
        world.git(folder)
        sid = f"{number:08d}-cccc-4000-8000-000000000001"
        decided = f"We decided that load_rates is {number + 100}."
        world.cli_session(sid, asked("about load_rates"), said(decided), cwd=folder)
    world.index()
    for number, name in enumerate(names):
        folder = world.home / "code" / "odd" / name
        text = world.call("UserPromptSubmit", sid=f"n{number}", cwd=str(folder), prompt="what is load_rates?").text
        assert re.findall(r"load_rates is \d+", text) == [f"load_rates is {number + 100}"], name
        assert text.count("<") == 2, name
    assert deja("sessions").code == deja("stats").code == deja("usage").code == 0
    tally.add("names", "projects whose folders are called so", len(names), 0, "their own packet")


def test_nothing_was_run(shop: World) -> None:
    """No file `pwned` anywhere: nothing of the above went through a shell."""
    for text in HOSTILE:
        shop.call("PreToolUse", "s", tool_name="bash", tool_input={"command": text})
    assert not list(Path(shop.home).parent.rglob("pwned"))
