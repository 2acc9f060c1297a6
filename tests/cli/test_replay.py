import json
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from deja_hooks.cli.replay_cases import Case
from deja_hooks.cli.replay_home import throwaway_home
from deja_hooks.system import environment

from .conftest import Result, Run
from .sessions import login_session

CONSTANT_MS = 1_767_225_600_000


class Handle:
    """A stand-in for `hook.main.handle`: it recalls what was asked, and notes what it saw."""

    def __init__(self) -> None:
        self.seen: list[dict[str, Any]] = []

    def __call__(self, value: dict[str, Any], event: str, layout: Any, **more: Any) -> SimpleNamespace:
        home = environment("HOME")
        self.seen.append({"value": value, "event": event, **more, "home": home, "cache": layout.cache})
        text = f"<deja-replay>\n{value.get('prompt')} in {value.get('cwd')}\n</deja-replay>"
        silent = not value.get("prompt")
        reply = b"" if silent else json.dumps({"additionalContext": text}).encode()
        reason = "no prompt" if silent else "recalled"
        return SimpleNamespace(
            event=event, host="cli", session_id="s", reply=reply, text="" if silent else text, reason=reason
        )


@pytest.fixture
def handle(home: Path, monkeypatch: pytest.MonkeyPatch) -> Handle:
    fake = Handle()
    module = ModuleType("deja_hooks.hook.main")
    module.handle = fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "deja_hooks.hook.main", module)
    monkeypatch.setattr("deja_hooks.cli.replay.time.perf_counter", iter(i * 0.0012 for i in range(99)).__next__)
    return fake


def _write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


@pytest.fixture
def samples(home: Path) -> Path:
    """Two payloads and a sample home with a session and a VS Code User folder."""
    folder = home / "samples"
    _write(folder / "cli" / "UserPromptSubmit-a.json", {"cwd": "@HOME@/app", "prompt": "why"})
    _write(
        folder / "cli" / "z.json",
        {"hook_event_name": "Stop", "timestamp": "2026-03-01T12:00:00.000Z", "cwd": "@HOME@/app"},
    )
    _write(folder / "home" / ".copilot" / "session-state" / "s1" / "events.jsonl", '{"cwd": "@HOME@/app"}\n')
    _write(
        folder / "home" / "Code" / "User" / "workspaceStorage" / "w" / "workspace.json",
        {"folder": "file://@HOME@"},
    )
    return folder


REPLY = {"additionalContext": "<deja-replay>\nwhy in @HOME@/app\n</deja-replay>"}


def test_what_is_shown(deja: Run, samples: Path, handle: Handle) -> None:
    assert deja("replay", str(samples)) == Result(
        0,
        f"{samples}/cli/UserPromptSubmit-a.json\n"
        '  cli  UserPromptSubmit  "why"\n'
        "  answered in 1.2 ms: recalled\n"
        "    <deja-replay>\n"
        "    why in @HOME@/app\n"
        "    </deja-replay>\n"
        "\n"
        f"{samples}/cli/z.json\n"
        "  cli  Stop\n"
        "  silent in 1.2 ms: no prompt\n"
        "\n"
        "2 payloads: 1 answered, 1 silent\n",
    )


@pytest.mark.parametrize(
    ("payload", "gist"),
    [
        ({"prompt": "why\n  so?"}, '"why so?"'),
        ({"prompt": "x" * 101}, '"' + "x" * 99 + '\u2026"'),
        ({"source": "new", "initial_prompt": "go"}, '"go"'),
        ({"source": "new"}, "new"),
        ({"toolName": "bash", "toolArgs": '{"command": "make", "path": "x"}'}, "bash: make"),
        ({"tool_name": "read_file", "tool_input": {"filePath": "/a.py", "startLine": 1}}, "read_file: /a.py"),
        ({"tool_name": "apply_patch", "tool_input": "*** Begin"}, "apply_patch: *** Begin"),
        ({"tool_name": "ask", "tool_input": {}}, "ask"),
        ({"cwd": "/"}, ""),
    ],
)
def test_what_a_payload_is_about(payload: dict[str, Any], gist: str) -> None:
    assert Case("x", Path("x"), "PreToolUse", payload, Path("y")).gist == gist


def test_the_times_of_files_are_those_of_their_records(home: Path) -> None:
    log = '{"timestamp": "2026-03-01T11:00:00Z"}\n{"timestamp":"2026-03-01T12:00:00.000Z","id":"@HOME@"}\n'
    _write(home / "sample" / "logs" / "a.jsonl", log)
    _write(home / "sample" / "b.py", "")
    with throwaway_home(home / "sample") as throwaway:
        times = {path.name: path.stat().st_mtime for path in throwaway.path.rglob("*.*")}
        stamp = _write(Path(throwaway.layout.live("s")), "")
        throwaway.set_clock("s", 1_772_366_400_000)
        throwaway.set_clock("", 5)
        assert (times, stamp.stat().st_mtime) == ({"a.jsonl": 1_772_366_400, "b.py": 946_684_800}, 1_772_366_400)


def test_json(deja: Run, samples: Path, handle: Handle) -> None:
    result = deja("replay", "--json", str(samples))
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == [
        {
            "path": f"{samples}/cli/UserPromptSubmit-a.json",
            "host": "cli",
            "event": "UserPromptSubmit",
            "ms": 1.2,
            "reply": REPLY,
            "reason": "recalled",
        },
        {
            "path": f"{samples}/cli/z.json",
            "host": "cli",
            "event": "Stop",
            "ms": 1.2,
            "reply": None,
            "reason": "no prompt",
        },
    ]


def test_the_throwaway_home(deja: Run, home: Path, samples: Path, handle: Handle) -> None:
    before = dict(os.environ), environment("HOME")
    deja("replay", str(samples))
    first, second = handle.seen
    throwaway = first["home"]
    assert throwaway not in (str(home), str(samples / "home"))
    assert first["value"] == {"cwd": f"{throwaway}/app", "prompt": "why"}
    assert (first["now_ms"], second["now_ms"]) == (CONSTANT_MS, 1_772_366_400_000)
    assert (first["nonce"], first["live"], first["home"]) == ("replay", False, second["home"])
    assert first["cache"].startswith(str(Path(throwaway).parent))
    assert not Path(throwaway).exists()
    assert (dict(os.environ), environment("HOME")) == before
    assert not (home / "deja").exists()


def test_the_sample_home_is_indexed_first(
    deja: Run, samples: Path, handle: Handle, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: dict[str, Any] = {}

    def index(layout: Any, *, environment: dict[str, str], home: Path, platform: str) -> None:
        user = Path(environment["DEJA_COPILOT_CHAT_ROOTS"])
        seen["log"] = (Path(environment["DEJA_COPILOT_ROOT"]) / "s1" / "events.jsonl").read_text()
        seen["workspace"] = (user / "workspaceStorage" / "w" / "workspace.json").read_text()
        seen["home"] = str(home)

    monkeypatch.setattr("deja_hooks.cli.replay.run_index", index)
    deja("replay", str(samples / "cli" / "z.json"))  # found above a single file too
    assert seen["log"] == f'{{"cwd": "{seen["home"]}/app"}}\n'
    assert seen["workspace"] == f'{{"folder": "file://{seen["home"]}"}}'


def test_another_home_and_clock(deja: Run, home: Path, samples: Path, handle: Handle) -> None:
    _write(home / "other" / "note.json", '"@HOME@"')
    deja("replay", "--home", str(home / "other"), "--now", "2026-03-01T12:00:00Z", str(samples))
    assert [seen["now_ms"] for seen in handle.seen] == [1_772_366_400_000] * 2
    assert deja("replay", "--now", "noon", str(samples)).code == 2


def test_a_file_of_many_and_a_file_that_is_none(deja: Run, home: Path, handle: Handle) -> None:
    lines = '{"hookEventName": "userPromptSubmitted", "prompt": "one"}\n\n{"prompt": "two"}\n'
    many = _write(home / "p" / "PreToolUse" / "many.jsonl", lines)
    bad = _write(home / "p" / "bad.json", "{")
    array = _write(home / "p" / "array.json", "[]")
    result = deja("replay", "--json", str(home / "p"))
    assert [(each["path"], each["event"]) for each in json.loads(result.out)] == [
        (f"{many}:1", "UserPromptSubmit"),
        (f"{many}:3", "PreToolUse"),
    ]
    assert result.code == 1
    assert result.err == (
        f"Error: {array} is no payload: not a JSON object\n"
        f"Error: {bad} is no payload: not JSON (Expecting property name enclosed in double quotes: "
        "line 1 column 2 (char 1))\n"
    )


def test_update_then_check(deja: Run, samples: Path, handle: Handle) -> None:
    assert deja("replay", "--update", str(samples)).code == 0
    expected = samples / "cli" / "UserPromptSubmit-a.expected.json"
    assert json.loads(expected.read_text()) == REPLY
    assert (samples / "cli" / "z.expected.json").read_text() == "null\n"
    result = deja("replay", "--check", str(samples))
    assert (result.code, result.err) == (0, "2 as expected\n")


def test_check_says_what_differs(deja: Run, samples: Path, handle: Handle) -> None:
    deja("replay", "--update", str(samples))
    expected = _write(samples / "cli" / "UserPromptSubmit-a.expected.json", "null")
    missing = samples / "cli" / "z.expected.json"
    missing.unlink()
    result = deja("replay", "--check", str(samples))
    text = json.dumps(REPLY["additionalContext"])
    assert result.code == 1
    assert result.err == (
        f"--- {expected}\n"
        f"+++ {samples}/cli/UserPromptSubmit-a.json\n"
        "@@ -1 +1,3 @@\n"
        "-null\n"
        "+{\n"
        f'+  "additionalContext": {text}\n'
        "+}\n"
        f"Error: {missing} can't be read: [Errno 2] No such file or directory: '{missing}'\n"
        "2 checked, 2 failed\n"
    )


def test_recording(deja: Run, home: Path) -> None:
    marker, kept = home / "deja" / "config" / "record", home / "deja" / "cache" / "recordings"
    assert deja("replay", "--record") == Result(
        0, f"The hooks keep redacted payloads in {kept},\nuntil deja-hooks replay --record-off.\n"
    )
    assert marker.exists()
    assert deja("replay", "--record-off") == Result(
        0, f"The hooks keep no more payloads; what was kept is in {kept}.\n"
    )
    assert not marker.exists()


def test_nothing_to_replay(deja: Run) -> None:
    assert deja("replay").code == 2
    assert deja("replay", "nowhere.json").code == 2


def test_the_real_hook_recalls_from_the_sample_home(deja: Run, home: Path) -> None:
    folder = home / "samples"
    (folder / "home" / "src" / "app").mkdir(parents=True)
    login_session(folder / "home")
    for log in folder.rglob("events.jsonl"):
        log.write_text(log.read_text().replace(str(folder / "home"), "@HOME@"))
    prompt = {"session_id": "new", "cwd": "@HOME@/src/app", "prompt": "Which RetryPolicy for refresh_session?"}
    _write(folder / "UserPromptSubmit.json", {"hook_event_name": "UserPromptSubmit", **prompt})
    result = deja("replay", str(folder))
    assert result.code == 0
    assert "We decided to use `RetryPolicy` with 3 tries." in result.out
    assert deja("replay", "--update", str(folder)).code == 0
    assert deja("replay", "--check", str(folder)).err == "1 as expected\n"
    assert not (home / "deja").exists()


@pytest.mark.parametrize("more", [[], ["--check"]])
def test_a_folder_without_payloads_is_named(deja: Run, samples: Path, handle: Handle, more: list[str]) -> None:
    empty = samples.parent / "empty"
    _write(empty / "lines.jsonl", "\n")
    said = f"Error: {empty} holds no payloads (*.json, *.jsonl).\n"
    assert deja("replay", *more, str(samples), str(empty)) == Result(1, "", said)


def test_a_marker_that_cannot_be_written(deja: Run, home: Path) -> None:
    (home / "deja").mkdir()
    config = home / "deja" / "config"
    config.write_text("a file in the way")
    said = f"Error: {config}/record can't be written (Not a directory).\n"
    assert deja("replay", "--record") == Result(1, "", said)
    assert deja("replay", "--record-off") == Result(1, "", said)
