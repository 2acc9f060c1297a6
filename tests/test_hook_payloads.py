"""The sample payloads: every reply is exactly the expected one, quoted from a session of the sample home."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from deja_hooks.contract.payloads import PAYLOADS, OtherEvent, parse_payload
from deja_hooks.contract.replies import Reply
from deja_hooks.hook.events import EVENTS, canonical_event

FOLDER = Path(__file__).parents[1] / "hook_payloads"
HOME = FOLDER / "home"
#: Events that a host has: VS Code raises neither of the other two.
VSCODE_EVENTS = set(EVENTS) - {"PostToolUseFailure", "SessionEnd"}
_QUOTED = re.compile(r': "(.+?)"(?= \[deja-hooks show | \(seen |$)|`([^`]+)`')
_CITED = re.compile(r"\[deja-hooks show ([0-9a-f]{8})\]")


def _files(pattern: str) -> list[Path]:
    return sorted(path for path in FOLDER.rglob(pattern) if HOME not in path.parents)


EXPECTED = _files("*.expected.json")
PAYLOAD_FILES = [path for path in _files("*.json") if path not in EXPECTED]


def _replay(home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "deja_hooks", "replay", *arguments, str(FOLDER)],
        env={"HOME": str(home), "DEJA_HOOKS_HOME": str(home / "deja"), "PATH": "", "PYTHONUTF8": "1"},
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    result = _replay(tmp_path_factory.mktemp("home"), "--json")
    assert (result.returncode, result.stderr) == (0, "")
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


@cache
def _sessions() -> dict[str, str]:
    """Session id → all that its transcript says, on one line."""
    logs = {path.parent.name: path for path in HOME.rglob("events.jsonl")}
    logs |= {path.stem: path for path in HOME.rglob("transcripts/*.jsonl")}
    return {
        sid: " ".join(" ".join(_texts([json.loads(line) for line in log.read_text("utf-8").splitlines()])).split())
        for sid, log in logs.items()
    }


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]


def _packet_lines(reply: dict[str, Any]) -> list[str]:
    text: str = reply["additionalContext"]
    return [line for line in text.split("\n") if line.startswith("- ")]


def test_every_reply_is_the_expected_one(tmp_path: Path) -> None:
    result = _replay(tmp_path, "--check")
    assert (result.stderr, result.returncode) == (f"{len(PAYLOAD_FILES)} as expected\n", 0)
    assert list(tmp_path.iterdir()) == []


def test_there_are_enough_of_them(answers: list[dict[str, Any]]) -> None:
    assert len(answers) == len(PAYLOAD_FILES) >= 14
    assert sum(answer["reply"] is not None for answer in answers) >= 6
    assert [path.name for path in EXPECTED] == [f"{path.stem}.expected.json" for path in PAYLOAD_FILES]


def test_every_event_of_both_hosts_is_there(answers: list[dict[str, Any]]) -> None:
    seen = {host: {a["event"] for a in answers if a["host"] == host} for host in ("vscode", "cli")}
    assert seen["vscode"] == VSCODE_EVENTS
    assert seen["cli"] == {*EVENTS, "Notification"}


def test_every_speaking_event_speaks_somewhere(answers: list[dict[str, Any]]) -> None:
    spoke = {answer["event"] for answer in answers if answer["reply"]}
    # PostToolUseFailure brings the errors that everyone meets: none of the recorded ones has a fix worth a word.
    assert spoke == {name for name, event in EVENTS.items() if event.speaks} - {"PostToolUseFailure"}


def test_what_is_recalled_was_said(answers: list[dict[str, Any]]) -> None:
    everything = " ".join(_sessions().values())
    checked = 0
    for answer in answers:
        for line in _packet_lines(answer["reply"]) if answer["reply"] else []:
            cited = _CITED.search(line)
            said = " ".join(text for sid, text in _sessions().items() if cited and sid.startswith(cited[1]))
            for spoken, command in _QUOTED.findall(line):
                assert (spoken or command).removesuffix("\u2026") in (said if cited else everything), line
                checked += 1
    assert checked >= 40


@pytest.mark.parametrize("path", PAYLOAD_FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_contract_holds(path: Path) -> None:
    model = parse_payload(json.loads(path.read_text("utf-8")), path.stem.split("-")[1].split(".")[0])
    event = canonical_event(model.hook_event_name or path.stem.split("-")[1].split(".")[0])
    assert type(model) is PAYLOADS.get(event, OtherEvent)
    if model.transcript_path:
        assert Path(model.transcript_path.replace("@HOME@", str(HOME))).is_file()
    reply = json.loads(path.with_name(f"{path.stem}.expected.json").read_text("utf-8"))
    if reply is not None:
        assert Reply.model_validate(reply).hook_specific_output.hook_event_name == event


def test_no_path_of_a_machine_is_left() -> None:
    for path in (p for p in FOLDER.rglob("*") if p.is_file()):
        assert "/home/user" not in path.read_text("utf-8"), path
