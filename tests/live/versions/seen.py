"""What two played sessions show: which events the host raised, and which packets reached the model.

Our ring says what was said at which event; the model's requests say what arrived. A packet counts as delivered only
where one of them has the whole of it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deja_hooks.memory.layout import Layout
from tests.live.copilot import Finished
from tests.live.model import Request
from tests.live.packets import fenced, packets
from tests.live.played import Played

__all__ = ["PACKETS", "Evidence", "Seen", "evidence", "seen"]

#: The packets, in the table's order, and the event at which a host of today hears each.
PACKETS = {
    "session start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "before an edit": "PreToolUse",
    "after a failure": "PostToolUse",
    "after a compaction": "PreCompact",
}
_TITLE = re.compile(r"<deja-\w+ about=\"([^\"]*)\"")
_REFUSED = ("Invalid hook config", "will be skipped")


@dataclass(frozen=True)
class Evidence:
    """What two sessions left behind, of which `seen` makes its findings.

    Attributes:
        version: that the CLI's own log names.
        wanted: the events of the installed hook file.
        ring: the lines of our ring.
        requests: of the second session.
        records: of both sessions' logs.
        complaints: what the CLI logged about hooks.
        runs: both runs of the CLI.
    """

    version: str
    wanted: tuple[str, ...]
    ring: Sequence[Mapping[str, Any]]
    requests: Sequence[Request]
    records: Sequence[Mapping[str, Any]]
    complaints: Sequence[str]
    runs: Sequence[Finished]


@dataclass(frozen=True)
class Seen:
    """The findings, in the table's words.

    Attributes:
        hook_file: "accepted", or what the host said against it.
        events: which of the hook file's events the host raised: "all", "none", "all but …".
        packets: each of `PACKETS` → whether and how it was delivered.
        errors: what makes the run a failure, a line each.
    """

    hook_file: str
    events: str
    packets: Mapping[str, str]
    errors: tuple[str, ...]
    exit_codes: tuple[int, ...]


def evidence(played: Played) -> Evidence:
    """Reads what was left behind."""
    box = played.box
    ring = Path(Layout(str(box.deja_home / "cache"), str(box.deja_home / "config")).ring)
    lines = ring.read_text(encoding="utf-8").splitlines() if ring.exists() else []
    records = [record for session in played.sessions for record in box.records(session)]
    started = [record["data"] for record in records if record["type"] == "session.start"]
    return Evidence(
        version=str(started[0].get("copilotVersion", "")) if started else "",
        wanted=tuple(json.loads(box.hook_file.read_text(encoding="utf-8"))["hooks"]),
        ring=[json.loads(line) for line in lines],
        requests=played.model.requests,
        records=records,
        complaints=box.hook_complaints(),
        runs=played.runs,
    )


def seen(found: Evidence) -> Seen:
    """The findings."""
    events = {str(call["e"]) for call in found.ring}
    return Seen(
        hook_file=_hook_file(found, events),
        events=_raised(found.wanted, events),
        packets=_delivered(found, events),
        errors=tuple(_errors(found)),
        exit_codes=tuple(run.exit_code for run in found.runs),
    )


def _hook_file(found: Evidence, events: set[str]) -> str:
    for line in found.complaints:
        if any(words in line for words in _REFUSED):
            return f"rejected: {_message(line)}"
    return "accepted" if events else "not read"


def _raised(wanted: Sequence[str], events: set[str]) -> str:
    missing = [event for event in wanted if event not in events]
    if not missing:
        return "all"
    return f"all but {', '.join(missing)}" if len(missing) < len(wanted) else "none"


def _delivered(found: Evidence, events: set[str]) -> dict[str, str]:
    arrived = {packet.text for request in found.requests for packet in packets(request)}
    told: dict[str, list[tuple[str, bool]]] = {name: [] for name in PACKETS}
    for call in found.ring:
        for text in fenced(str(call.get("p", ""))):
            told[_name(text)].append((str(call["e"]), text in arrived))
    return {name: _verdict(name, told[name], events) for name in PACKETS}


def _verdict(name: str, told: Sequence[tuple[str, bool]], events: set[str]) -> str:
    event = PACKETS[name]
    if not told:
        return "nothing to say" if event in events else "not sent"
    by = [each for each, arrived in told if arrived]
    if not by:
        return "dropped"
    return "yes" if event in by or event == "PreCompact" else f"yes, with {by[0]}"


def _name(packet: str) -> str:
    """Which packet it is: its title says so, but for a prompt's, which names the subject."""
    found = _TITLE.match(packet)
    title = found[1] if found else ""
    if title.startswith("what ") and title.endswith(" last settled"):
        return "session start"
    titles = {
        "before an edit of ": "before an edit",
        "a failure met before": "after a failure",
        "this session before its compaction": "after a compaction",
    }
    return next((name for start, name in titles.items() if title.startswith(start)), "prompt")


def _errors(found: Evidence) -> list[str]:
    errors = [_message(line) for line in found.complaints]
    for record in found.records:
        data = record["data"]
        if record["type"] == "hook.end" and (not data.get("success") or "error" in data):
            errors.append(f"{data.get('hookType')}: {_text(data.get('error')) or 'no success'}")
        elif record["type"] == "tool.execution_complete" and "Denied by" in _text(data.get("error")):
            errors.append(f"a tool was denied: {_text(data.get('error'))}")
    errors += [f"a run ended with {run.exit_code}: {run.output[-200:]}" for run in found.runs if run.exit_code]
    return [" ".join(error.split()) for error in dict.fromkeys(errors)]


def _text(error: object) -> str:
    if isinstance(error, Mapping):
        error = error.get("message")
    return error if isinstance(error, str) else ""


def _message(line: str) -> str:
    """A line of the CLI's log without its time and level."""
    return re.sub(r"^\S+ \[[A-Z]+\] (?:\[rust:hooks\] )?", "", line)
