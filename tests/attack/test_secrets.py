"""A secret of every kind, in everything that hosts write and send: of none is a byte kept or shown.

Public reports of other tools that this answers: thedotmack/claude-mem#1251 (keys and passwords kept as they are),
kitfunso/hippo-memory#117 (a production key put before the model of another project).
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from deja_hooks.doctor.every_text import check_every_text
from deja_hooks.doctor.own_files import own_files
from deja_hooks.hook import main as hook_main
from deja_hooks.hook.stdin import Received
from deja_hooks.redaction.redact import redact
from tests.attack.conftest import Deja, Printed
from tests.attack.counting import Tally
from tests.attack.planted import KINDS, around, left_of, lost, sid_of, word, write_chat, write_cli
from tests.attack.secret_kinds import Kind, kinds
from tests.support.world import World, asked, said


class Machine(NamedTuple):
    """A world with the secrets in it, and in how many places they are."""

    world: World
    places: int


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """Three sessions a kind, indexed once for all tests of this module."""
    with pytest.MonkeyPatch.context() as patch:
        made = World(tmp_path_factory.mktemp("secrets"))
        for name in ("COPILOT_HOME", "DEJA_COPILOT_ROOT", "DEJA_COPILOT_CHAT_ROOTS", "DEJA_RECALL"):
            patch.delenv(name, raising=False)
        patch.setenv("HOME", str(made.home))
        patch.setenv("DEJA_HOOKS_HOME", str(made.deja_home))
        places = sum(write(made, *each) for each in enumerate(KINDS) for write in (write_cli, write_chat))
        made.index()
        yield Machine(made, places)


@pytest.fixture
def world(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setenv("HOME", str(machine.world.home))
    monkeypatch.setenv("DEJA_HOOKS_HOME", str(machine.world.deja_home))
    return machine.world


def kept_bytes(world: World) -> bytes:
    """Every byte of every file of ours, and the files' names."""
    files = sorted(each for each in world.deja_home.rglob("*") if each.is_file())
    return b"\0".join(part for path in files for part in (os.fsencode(path), path.read_bytes()))


# -- the tests


def test_the_corpus_is_large_and_its_secrets_are_new_each_time() -> None:
    assert len(KINDS) >= 200
    assert len({kind.name for kind in KINDS}) == len(KINDS)
    assert len({kind.secret for kind in KINDS}) == len(KINDS)
    others = {kind.name: kind.secret for kind in kinds(7)}
    assert all(others[kind.name] != kind.secret for kind in KINDS)


def test_doctor_has_nothing_to_say_of_what_was_kept(world: World) -> None:
    """Marks that were cut short, or joined with what followed on the next line, are no secrets."""
    found = list(check_every_text(world.layout, own_files(world.layout), lambda _, __: None))
    assert [each.state for each in found] == ["ok"], found


def test_the_index_keeps_none(world: World, machine: Machine, tally: Tally) -> None:
    found = lost(kept_bytes(world))
    assert found == []
    tally.add(
        "secrets",
        f"{len(KINDS)} kinds in prompts, answers, commands, outputs, edits, arguments, titles of both hosts' logs",
        machine.places,
        len(found),
        "`[redacted:KIND]` in every file that we write",
    )


def test_the_words_around_are_found(world: World, deja: Deja, tally: Tally) -> None:
    places = ("askone", "asktwo", "sayone", "saytwo", "vaskone", "vasktwo", "vsayone", "tsaytwo")
    queries = [word(number, place) for number in range(len(KINDS)) for place in places]
    printed = deja("search", "--all", "-", stdin="\n".join(queries))
    answers = [json.loads(each) for each in printed.out.splitlines()]
    missing = [each["query"] for each in answers if not each["hits"]]
    assert (len(answers), missing) == (len(queries), [])
    assert lost(printed.out.encode()) == []
    tally.add("secrets", "words beside a secret, searched for", len(queries), len(missing), "the session that holds it")


def test_commands_print_none(world: World, deja: Deja, tally: Tally, tmp_path: Path) -> None:
    printed: list[Printed] = []
    for number in range(0, len(KINDS), 2):
        cli, chat = sid_of(number, "c0de"), sid_of(number, "cafe")
        printed += [
            deja("show", cli),
            deja("show", chat),
            deja("handoff", cli),
            deja("resume", cli),
            deja("export", cli),
            deja("export", chat, "--format", "json"),
        ]
    printed += [deja("sessions"), deja("sessions", "--json")]
    printed += [deja("sources", "--all"), deja("log"), deja("stats"), deja("usage")]
    assert [each for each in printed if each.code not in (0, 1) or each.err] == []
    found = lost("".join(each.out for each in printed).encode("utf-8", "surrogatepass"))
    assert found == []
    tally.add(
        "secrets",
        "what show, export, handoff, resume, sessions, sources, log, stats and usage print",
        len(printed),
        0,
        "`[redacted:KIND]`",
    )


def test_hooks_say_and_keep_none(world: World, deja: Deja, tally: Tally, monkeypatch: pytest.MonkeyPatch) -> None:
    """All events of both dialects, with recording on: stdout, the log of calls, the state, the recordings."""
    assert deja("replay", "--record").code == 0
    monkeypatch.setattr(hook_main, "_wake", lambda *_, **__: None)
    printed: list[bytes] = []
    monkeypatch.setattr(hook_main.calls, "write", _to(printed, hook_main.calls.write))
    count = 0
    for number, kind in enumerate(KINDS):
        for payload in payloads(world, number, kind)[number % 3]:
            data = json.dumps(payload).encode()
            received = Received(data, b"", json.loads(data), complete=True, ended=True, oversized=False)
            hook_main.run(payload["hook_event_name"], received, world.layout, time.monotonic())
            count += 1
    out = b"\n".join(printed)
    decoded = "\n".join(json.loads(each)["additionalContext"] for each in printed).encode()
    found = lost(out) + lost(decoded) + lost(kept_bytes(world)) + lost(deja("log", "--all").out.encode())
    assert found == []
    assert len(printed) > len(KINDS) // 2, "most of the calls are to speak"
    assert len(list(Path(world.layout.recordings).iterdir())) == 500
    tally.add(
        "secrets", "hook calls with one in the payload, recorded", count, len(found), "packets of what is around it"
    )


def payloads(world: World, number: int, kind: Kind) -> list[list[dict[str, Any]]]:
    """A session's calls with the secret in each, in three groups of which each kind gets one."""
    sid = sid_of(number, "feed")
    text = f"What of {word(number, 'askone')} and {kind.text}?"
    log = world.cli_session(sid, asked(around(number, "live", kind)), said(around(number, "lsay", kind)))
    common = {"session_id": sid, "cwd": str(world.project), "transcript_path": str(log)}
    command = {"tool_name": "bash", "tool_input": {"command": kind.text}, "tool_use_id": f"u{number}"}
    failed = {"result_type": "failure", "text_result_for_llm": f"error: it failed\n{kind.text}"}
    edit = {"path": str(world.project / f"settings{number}.txt"), "old_str": kind.text, "new_str": kind.text}
    agent = {"tool_name": "task", "tool_input": {"prompt": kind.text}}
    groups: list[list[dict[str, Any]]] = [
        [
            {"hook_event_name": "SessionStart", "source": "new", "initial_prompt": text},
            {"hook_event_name": "UserPromptSubmit", "prompt": text},
            {"hook_event_name": "PreToolUse", **command},
            {"hook_event_name": "PreToolUse", "tool_name": "edit", "tool_input": edit},
        ],
        [
            {"hook_event_name": "UserPromptSubmit", "prompt": text},
            {"hook_event_name": "PreToolUse", **agent},
            {"hook_event_name": "PostToolUse", **command, "tool_result": failed},
            {"hook_event_name": "PostToolUseFailure", **command, "error": {"message": kind.text}},
            {"hook_event_name": "Stop", "stop_reason": kind.text},
        ],
        [
            {"hook_event_name": "PreCompact", "trigger": "auto", "custom_instructions": kind.text},
            {"hook_event_name": "UserPromptSubmit", "prompt": "go on"},
        ],
    ]
    return [[{**payload, **common} for payload in group] for group in groups]


def _to(printed: list[bytes], write: Any) -> Any:
    """A `write` that keeps what goes to stdout."""

    def taken(descriptor: int, data: bytes) -> int:
        if descriptor != 1:
            written: int = write(descriptor, data)
            return written
        printed.append(bytes(data))
        return len(data)

    return taken


def test_error_messages_hold_none(world: World, deja: Deja, tally: Tally) -> None:
    """What was typed is a secret as well: wrong use, an unknown session, a file that isn't there."""
    printed = []
    for kind in (each for each in KINDS[::2] if "\n" not in each.text):
        line = kind.text
        printed += [
            deja("show", line),
            deja("export", "--", line),
            deja("promote", line),
            deja("handoff", "--", line),
            deja("resume", "--", line),
            deja("config", "set", "--", line, line),
            deja("sessions", "--since", line),
            deja("usage", line),
            deja(line),
            deja("search", f"--no-such-option={line}", "x"),
            deja("replay", "--", line),
        ]
    assert {each.code for each in printed} <= {1, 2}
    found = lost("".join(each.out + each.err for each in printed).encode("utf-8", "surrogatepass"))
    assert found == []
    tally.add("secrets", "commands that fail over one", len(printed), len(found), "the message, with `[redacted:KIND]`")


def test_what_the_user_notes_is_kept_without(world: World, deja: Deja, tally: Tally) -> None:
    printed = [deja("remember", around(number, "note", kind)) for number, kind in list(enumerate(KINDS))[::12]]
    assert {each.code for each in printed} == {0}
    found = lost(kept_bytes(world)) + lost("".join(each.out + each.err for each in printed).encode())
    assert found == []
    tally.add("secrets", "notes of the user's", len(printed), len(found), "`[redacted:KIND]`, said back")


def test_other_secrets_of_the_same_kinds_are_known_too() -> None:
    """Eight more of each kind, by redaction alone: no rule fits one value only."""
    found = [
        f"{kind.name}: {part}"
        for seed in range(10, 18)
        for kind in kinds(seed)
        for part in left_of(kind, redact(f"a b\n{kind.text}\nc d").encode())
    ]
    assert len(found) <= 8 * len(KINDS) // 1000, found
