"""Which hosts are here, and when each has called us last, from the ring of calls."""

import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.history.calls import Call
from deja_hooks.hook.events import EVENTS
from deja_hooks.hosts.places import HOSTS, TITLES, host_found
from deja_hooks.memory.layout import Layout

__all__ = ["check_calls", "check_hosts", "check_seen", "last_seen"]

#: How the ring names the hosts.
_RING_NAMES = {"vscode": "vscode", "copilot": "cli"}
_LOCAL_EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreCompact", "Stop")
#: The events that a host can raise (VS Code 1.139's Local harness, Copilot CLI 1.0.102).
_EVENTS = {"vscode": _LOCAL_EVENTS, "copilot": tuple(EVENTS)}
_FAILED = "failed: "


def check_hosts(environment: Mapping[str, str], home: Path, platform: str) -> Iterator[Finding]:
    """Whether each host is on this machine."""
    for host in HOSTS:
        if host_found(host, environment, home, platform):
            yield ok("host", TITLES[host], "on this machine")
        else:
            yield note("host", TITLES[host], "not found on this machine; it is served as soon as it is there")


def last_seen(calls: list[Call]) -> dict[tuple[str, str], float]:
    """(host as in `HOSTS`, event) → when it was seen last, epoch ms.

    Args:
        calls: the newest first.
    """
    names = {ring: host for host, ring in _RING_NAMES.items()}
    found: dict[tuple[str, str], float] = {}
    for call in calls:
        if call.host in names and call.event in EVENTS and call.at_ms is not None:
            found.setdefault((names[call.host], call.event), call.at_ms)
    return found


def check_seen(calls: list[Call], local_time: Callable[[float], str]) -> Iterator[Finding]:
    """When each event was seen last from each host. One that was never seen is no fault.

    Args:
        calls: the newest first.
        local_time: how a time is written.
    """
    seen = last_seen(calls)
    for host in HOSTS:
        times = {event: seen[host, event] for event in _EVENTS[host] if (host, event) in seen}
        never = [event for event in _EVENTS[host] if event not in times]
        if not times:
            yield note("seen", TITLES[host], "no event seen yet", "ask it something in a new session, and look again")
            continue
        parts = [f"{event} {local_time(at)}" for event, at in sorted(times.items(), key=lambda each: -each[1])]
        yield ok("seen", TITLES[host], ", ".join(parts) + (f"; not yet: {', '.join(never)}" if never else ""))


def check_calls(layout: Layout, calls: list[Call]) -> Iterator[Finding]:
    """Whether the ring can be read, and whether calls failed. An event of which the last call failed is broken."""
    ring = Path(layout.ring)
    try:
        if not stat.S_ISREG(ring.stat().st_mode):
            seen = "it is not a regular file: hooks can't note their calls"
            yield broken("calls", ring, seen, "move it away; the next call makes a new one")
            return
    except OSError:
        yield note("calls", ring, "no hook has been called yet")
        return
    failed = [call for call in calls if call.reason.startswith(_FAILED)]
    newest: dict[str, Call] = {}
    for call in calls:
        newest.setdefault(call.event, call)
    failing = {event: call.reason for event, call in newest.items() if call.reason.startswith(_FAILED)}
    for event, reason in failing.items():
        yield broken("calls", event, f"its last call {reason}", "see deja-hooks log; report it if it comes back")
    if failed and not failing:
        number = f"{len(failed)} of {len(calls):,} calls failed, no event's last one"
        yield note("calls", ring, f"{number} ({failed[0].reason.removeprefix(_FAILED)})", "see deja-hooks log")
    elif not failing:
        yield ok("calls", ring, f"{len(calls):,} calls, none failed")
