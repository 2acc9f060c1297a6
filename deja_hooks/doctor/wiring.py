"""Whether the hook files are there, valid for each host, and say what `install` would write now."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from deja_hooks.doctor.entries import Entry, command_of, our_entries, program_of
from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.machine import Machine
from deja_hooks.hook.events import EVENTS, canonical_event
from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.files import read
from deja_hooks.hosts.hook_file import ours, parse
from deja_hooks.hosts.places import HOSTS, TITLES, host_found, own_file

__all__ = ["check_wiring", "installed", "served_files"]

_FILE, _ENTRIES = "hook-file", "hook-entries"
_INSTALL = "run deja-hooks install"


def served_files(machine: Machine) -> dict[Path, list[str]]:
    """Hook file → the hosts that read it; each file once.

    The runtime behind VS Code's Copilot harness reads the CLI's; with `COPILOT_HOME` elsewhere there are two.
    """
    found: dict[Path, list[str]] = {}
    names: dict[Path, Path] = {}
    for host in HOSTS:
        path = own_file(host, machine.environment, machine.home)
        found.setdefault(names.setdefault(path.resolve(), path), []).append(host)
    return found


def installed(machine: Machine, projects: Iterable[Path] = ()) -> list[tuple[Path, Entry]]:
    """Our entries in the hook files that can be read.

    Args:
        machine: whose hook files.
        projects: hook files of projects, which are wired alone.
    """
    found = []
    for path in (*served_files(machine), *projects):
        try:
            document = parse(path, read(path) or b"")
        except HookFileError:
            continue
        found += [(path, entry) for entry in our_entries(document)]
    return found


def check_wiring(machine: Machine, elsewhere: bool) -> Iterator[Finding]:
    """Each hook file: that it is there and valid, and what stands in it.

    Args:
        machine: what they are to be wired to.
        elsewhere: whether single projects are wired, so that the user's own file may be missing on purpose.
    """
    for path, hosts in served_files(machine).items():
        yield from _hook_file(path, hosts, elsewhere, machine)


def _hook_file(path: Path, hosts: list[str], elsewhere: bool, machine: Machine) -> Iterator[Finding]:
    titles = " and ".join(TITLES[host] for host in hosts)
    try:
        data = read(path)
        document = parse(path, data or b"")
    except HookFileError as error:
        yield broken(_FILE, path, f"{titles} can't use it", str(error))
        return
    if data is None:
        yield _missing(path, hosts, elsewhere, machine)
        return
    faults = list(_faults(path, document))
    yield from faults or [ok(_FILE, path, f"valid for {titles}")]
    yield from _entries(path, document, machine)


def _missing(path: Path, hosts: list[str], elsewhere: bool, machine: Machine) -> Finding:
    titles = " and ".join(TITLES[host] for host in hosts)
    if elsewhere:
        return note(_FILE, path, "it is not there: only single projects are wired", f"{_INSTALL} for all of them")
    there = [host for host in hosts if host_found(host, machine.environment, machine.home, machine.platform)]
    if not there and len(hosts) < len(HOSTS):
        return note(_FILE, path, f"it is not there, and neither is {titles}", f"{_INSTALL} if you mean to use it")
    return broken(_FILE, path, f"it is not there: {titles} can't call deja-hooks", _INSTALL, fixable=True)


def _faults(path: Path, document: dict[str, Any]) -> Iterator[Finding]:
    version = document.get("version", 1)
    if version != 1 or isinstance(version, bool) or not isinstance(version, int):
        seen = f'its "version" is {version!r}: Copilot CLI rejects the whole file'
        yield broken(_FILE, path, seen, f'{_INSTALL}, which writes "version": 1', fixable=True)
    if document.get("disableAllHooks") is True:
        yield broken(_FILE, path, "disableAllHooks is true in it", "take that line out")
    spellings: dict[str, list[str]] = {}
    for event in document.get("hooks", {}):
        spellings.setdefault(canonical_event(event), []).append(event)
    for names in spellings.values():
        if len(names) > 1:
            seen = f"{' and '.join(names)} are one event: VS Code reads only the last of them, Copilot CLI all"
            yield broken(_FILE, path, seen, f"put their entries together under {canonical_event(names[0])}")


def _entries(path: Path, document: dict[str, Any], machine: Machine) -> Iterator[Finding]:
    found = our_entries(document)
    runs = {program_of(command_of(entry.value, machine.platform)) for entry in found}
    program = next(iter(runs)) if len(runs) == 1 else None
    if program is None or not Path(program.python).exists() or not Path(program.script).exists():
        program = machine.program  # what they should run
    wrong = list(_differences(found, ours(program)))
    if wrong:
        yield broken(_ENTRIES, path, "; ".join(wrong), _INSTALL, fixable=True)
    elif program[:2] != machine.program[:2]:
        seen = f"all {len(EVENTS)} events call the deja-hooks of another environment ({program.python})"
        yield note(_ENTRIES, path, seen, f"{_INSTALL} to have this one called")
    else:
        yield ok(_ENTRIES, path, f"all {len(EVENTS)} events, once each")
    if program[2:] != machine.program[2:]:
        seen = f"hooks keep their memory in {program.cache}, this command looks in {machine.layout.cache}"
        do = "set DEJA_HOOKS_HOME as it was at install, or unset it; deja-hooks install takes the one that is set"
        yield note(_ENTRIES, path, seen, do)


def _differences(found: list[Entry], expected: dict[str, Any]) -> Iterator[str]:
    """What is otherwise than `install` would write it."""
    by_event: dict[str, list[Entry]] = {}
    for entry in found:
        by_event.setdefault(entry.event, []).append(entry)
    missing = [event for event in expected["hooks"] if event not in by_event]
    if missing:
        yield f"not called at {', '.join(missing)}"
    twice = [event for event, entries in by_event.items() if len(entries) > 1]
    if twice:
        yield f"called more than once at {', '.join(twice)}"
    unknown = [event for event in by_event if event not in expected["hooks"]]
    if unknown:
        yield f"called at {', '.join(unknown)}, which is not ours to answer"
    stale = [
        event
        for event, entries in by_event.items()
        if len(entries) == 1 and event in expected["hooks"]
        if entries[0].grouped or [entries[0].value] != expected["hooks"][event]
    ]
    if stale:
        yield f"not as this deja-hooks writes it at {', '.join(stale)}"
