"""What `--fix` does: only what is safe, and nothing is deleted that can't be made again.

A database that is broken, or none of ours, is put aside under another name; another is built from what the hosts keep.
"""

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import deja_hooks
from deja_hooks.doctor.database import MEMORY_TABLES, state_of
from deja_hooks.doctor.finding import Finding
from deja_hooks.doctor.index import claim_is_stale
from deja_hooks.doctor.machine import Machine
from deja_hooks.doctor.permissions import too_wide
from deja_hooks.hosts.compiled import byte_compile
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.for_user import plan_for_user
from deja_hooks.hosts.install import apply
from deja_hooks.hosts.interpreter import real_interpreter
from deja_hooks.hosts.places import HOSTS
from deja_hooks.hosts.wanted import Wiring
from deja_hooks.indexer.report import keep_report
from deja_hooks.indexer.run import index, locked

__all__ = ["Mended", "mend"]

_SUFFIXES = ("", "-wal", "-shm", "-journal")


class Mended(NamedTuple):
    """What came of one mend.

    Attributes:
        checks: whose findings it was to mend.
        did: what was done, or why it could not be.
        done: whether it was.
    """

    checks: tuple[str, ...]
    did: str
    done: bool


def mend(machine: Machine, findings: Iterable[Finding]) -> Iterator[Mended]:
    """Mends what can be mended of these findings, one kind of mend after the other."""
    found: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.fixable:
            found.setdefault(finding.check, []).append(finding)
    mends: list[tuple[tuple[str, ...], Callable[[Machine, list[Finding]], str]]] = [
        (("folders",), _open_folders),
        (("permissions",), _close),
        (("hook-modes",), _close_hook_files),
        (("index-claim",), _drop_claim),
        (("hook-file", "hook-entries", "interpreter", "mcp", "instructions"), _rewire),
        (("state-db",), _put_state_aside),
        (("memory-db",), _put_memory_aside),
        (("memory-db", "index", "index-error"), _index),
    ]
    for checks, do in mends:
        those = [finding for check in checks for finding in found.get(check, ())]
        if not those:
            continue
        named = tuple(dict.fromkeys(finding.check for finding in those))
        try:
            did = do(machine, those)
        except (OSError, HostsError, sqlite3.Error) as error:
            yield Mended(named, str(error), False)
            continue
        if did:
            yield Mended(named, did, True)


def _open_folders(_: Machine, findings: list[Finding]) -> str:
    for finding in findings:
        Path(finding.about).chmod(0o700)
    return f"gave this user {', '.join(finding.about for finding in findings)} back"


def _close(machine: Machine, _: list[Finding]) -> str:
    closed, failure = 0, None
    for each in too_wide([Path(machine.layout.cache), Path(machine.layout.config)]):
        try:
            each.path.chmod(each.wanted)
            closed += 1
        except OSError as error:  # another user's; the rest may still be closed
            failure = error
    if failure is not None and not closed:
        raise failure
    return f"made {_number(closed, 'file or folder', 'files and folders')} this user's alone"


def _close_hook_files(_: Machine, findings: list[Finding]) -> str:
    for finding in findings:
        path = Path(finding.about)
        path.chmod(path.stat().st_mode & 0o7755)
    return f"took the right to write {', '.join(finding.about for finding in findings)} from other users"


def _drop_claim(machine: Machine, _: list[Finding]) -> str:
    path = Path(machine.layout.index_claim)
    if not claim_is_stale(machine.layout, int(time.time() * 1000)):
        return ""  # another indexer has taken it over meanwhile
    path.unlink(missing_ok=True)
    return f"deleted {path}"


def _rewire(machine: Machine, _: list[Finding]) -> str:
    real_interpreter(machine.executable)
    layout, environment, home, platform = machine.layout, machine.environment, machine.home, machine.platform
    wiring = Wiring.of(machine.program, environment, platform, hooks=True, server=find_spec("mcp") is not None)
    plan, _made = apply(lambda: plan_for_user(HOSTS, wiring, layout, environment, home, platform), layout)
    byte_compile(Path(deja_hooks.__file__).parent)
    return f"wrote {', '.join(str(change.path) for change in plan.pending)}" if plan.pending else ""


def _put_state_aside(machine: Machine, _: list[Finding]) -> str:
    return _aside(Path(machine.layout.state), machine.now_ms)


def _put_memory_aside(machine: Machine, _: list[Finding]) -> str:
    path = Path(machine.layout.memory)
    if path.is_file() and state_of(path, MEMORY_TABLES)[0] not in ("broken", "foreign"):
        return ""  # of another version: the pass takes along what the hosts don't have any more
    with locked(machine.layout, True, None):
        return _aside(path, machine.now_ms)


def _aside(path: Path, now_ms: int) -> str:
    """Renames a database, and what SQLite keeps beside it."""
    name = f"{path.name}.aside-{now_ms}"
    for suffix in _SUFFIXES:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(path.with_name(name + suffix))
    return f"put {path} aside as {name}"


def _index(machine: Machine, _: list[Finding]) -> str:
    layout = machine.layout
    report = index(layout, environment=machine.environment, home=machine.home, platform=machine.platform)
    keep_report(layout, report)
    return f"read {_number(report.changed, 'file')} of the hosts ({_number(report.sessions, 'session')})"


def _number(count: int, noun: str, plural: str = "") -> str:
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"
