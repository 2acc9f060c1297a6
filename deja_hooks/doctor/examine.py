"""All checks in their order: first those that only look, then the run of the commands.

A check that fails itself is a finding of its own: a doctor must not fall ill.
"""

import getpass
import os
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple, TypeAlias

from deja_hooks.doctor.bounds import check_bounds
from deja_hooks.doctor.companions import check_companions, lists_of_servers
from deja_hooks.doctor.copies import check_copies, wired_projects
from deja_hooks.doctor.copilot_settings import check_copilot_settings
from deja_hooks.doctor.database import check_engine, check_memory, check_state
from deja_hooks.doctor.decisions import check_decisions
from deja_hooks.doctor.every_text import check_every_text
from deja_hooks.doctor.finding import BROKEN, Finding, broken
from deja_hooks.doctor.hosts import check_calls, check_hosts, check_seen
from deja_hooks.doctor.index import check_claim, check_fault, check_index, check_limit, claim_is_stale
from deja_hooks.doctor.interpreter import check_interpreters
from deja_hooks.doctor.ledger import check_ledger
from deja_hooks.doctor.leftovers import check_leftovers
from deja_hooks.doctor.looks import Looks
from deja_hooks.doctor.machine import Machine
from deja_hooks.doctor.own_files import check_own_files, own_files
from deja_hooks.doctor.permissions import check_folders, check_hook_modes, check_permissions
from deja_hooks.doctor.run import check_run
from deja_hooks.doctor.secrets import check_secrets
from deja_hooks.doctor.shared_place import check_place
from deja_hooks.doctor.stores import check_stores
from deja_hooks.doctor.switches import check_recording, check_switches
from deja_hooks.doctor.tokens import check_tokens
from deja_hooks.doctor.vscode_settings import check_policy, check_vscode_settings
from deja_hooks.doctor.windows import check_remote, check_trust
from deja_hooks.doctor.wiring import check_wiring, installed, served_files

__all__ = ["Group", "examine", "examine_passively", "examine_privacy"]

#: The name of a check that fails itself → the check, in the order in which they are made.
_Checks: TypeAlias = dict[str, Callable[[], Iterable[Finding]]]
#: Where the system's own files lie (`/etc`, `/Library`).
SYSTEM_ROOT = Path("/")


class Group(NamedTuple):
    """Findings of one family.

    Attributes:
        title: as a person calls it.
        findings: in their order.
    """

    title: str
    findings: list[Finding]

    @property
    def broken(self) -> int:
        """How many faults are among them."""
        return sum(finding.state == BROKEN for finding in self.findings)


def examine(machine: Machine, local_time: Callable[[float], str]) -> Iterator[Group]:
    """Every check; group by group as they end.

    Args:
        machine: what is examined.
        local_time: how a time (epoch ms) is written.
    """
    yield from examine_passively(machine, local_time)
    alone = _wired_alone(Looks(machine))
    yield _group("The commands, run as the hosts run them", {"run": lambda: check_run(machine, alone)})


def examine_passively(machine: Machine, local_time: Callable[[float], str]) -> Iterator[Group]:
    """The checks that only look: nothing is run, nothing is changed."""
    looks = Looks(machine)
    yield _group("Wiring", _wiring(machine, looks))
    yield _group("What would silence it", _silencers(machine, looks))
    yield _group("Hosts", _hosts(machine, looks, local_time))
    yield _group("Memory", _memory(machine, looks))
    yield _group("Privacy", _privacy(machine))


def examine_privacy(machine: Machine, progress: Callable[[int, int], None]) -> Iterator[Group]:
    """What SECURITY.md says of our files, checked on all of them; it only looks.

    Args:
        machine: what is examined.
        progress: is told how many bytes of texts have been looked at, and how many there are.
    """
    layout, looks = machine.layout, Looks(machine)
    found = own_files(layout)
    around: _Checks = {
        "place": lambda: check_place(_folders(machine), machine.platform),
        "permissions": lambda: check_permissions(_folders(machine), machine.platform, _uid()),
        "own-files": lambda: check_own_files(layout, found),
        "bounds": lambda: check_bounds(layout, found, machine.now_ms),
    }
    servers = lists_of_servers(looks.users, machine.copilot_home)
    inside: _Checks = {
        "decisions": lambda: check_decisions(layout),
        "kept-out": lambda: check_leftovers(layout, found, machine.home),
        "recording": lambda: check_recording(layout),
        "tokens": lambda: check_tokens([path for path, _ in servers], found),
        "secrets": lambda: check_every_text(layout, found, progress),
    }
    yield _group("Our files", around)
    yield _group("What is in them", inside)


def _wiring(machine: Machine, looks: Looks) -> _Checks:
    files = list(served_files(machine))
    return {
        "hook-file": lambda: check_wiring(machine, bool(wired_projects(looks.hooks))),
        "hook-copies": lambda: check_copies(looks.hooks, files),
        "hook-modes": lambda: check_hook_modes(files, _around(machine), machine.platform),
        "interpreter": lambda: check_interpreters(
            installed(machine, _wired_alone(looks)), machine.platform, machine.executable
        ),
        "mcp": lambda: check_companions(looks.users, machine.copilot_home, find_spec("mcp") is not None),
        "ledger": lambda: check_ledger(machine),
    }


def _wired_alone(looks: Looks) -> list[Path]:
    try:
        return wired_projects(looks.hooks)
    except Exception:  # `hook-copies` fails of it, and says so: the user's own hooks are looked at all the same
        return []


def _silencers(machine: Machine, looks: Looks) -> _Checks:
    return {
        "switched-off": lambda: check_switches(machine.layout, machine.environment, machine.now_ms),
        "cli-hooks": lambda: check_copilot_settings(machine.copilot_home, looks.projects),
        "vscode-hooks": lambda: check_vscode_settings(looks.users, looks.projects),
        "vscode-policy": lambda: check_policy(machine.platform, SYSTEM_ROOT, _user()),
        "vscode-trust": lambda: check_trust(looks.users, machine.folders),
        "vscode-remote": lambda: check_remote(looks.users, machine.home, list(machine.environment)),
    }


def _hosts(machine: Machine, looks: Looks, local_time: Callable[[float], str]) -> _Checks:
    return {
        "host": lambda: check_hosts(machine.environment, machine.home, machine.platform),
        "seen": lambda: check_seen(looks.calls, local_time),
        "calls": lambda: check_calls(machine.layout, looks.calls),
        "stores": lambda: check_stores(looks.memory.sources if looks.memory else []),
    }


def _memory(machine: Machine, looks: Looks) -> _Checks:
    layout, now_ms = machine.layout, machine.now_ms
    return {
        "folders": lambda: check_folders(_folders(machine), _uid()),
        "sqlite": lambda: check_engine(layout.cache),
        "memory-db": lambda: check_memory(layout, claim_is_stale(layout, now_ms) is False),
        "state-db": lambda: check_state(layout),
        "index": lambda: check_index(layout, looks.memory, now_ms),
        "index-limit": lambda: check_limit(layout, looks.memory),
        "index-error": lambda: check_fault(layout, looks.memory),
        "index-claim": lambda: check_claim(layout, now_ms),
    }


def _privacy(machine: Machine) -> _Checks:
    return {
        "permissions": lambda: check_permissions(_folders(machine), machine.platform, _uid()),
        "decisions": lambda: check_decisions(machine.layout),
        "secrets": lambda: check_secrets(machine.layout),
    }


def _group(title: str, checks: _Checks) -> Group:
    found: list[Finding] = []
    for name, check in checks.items():
        try:
            found += check()
        except Exception as error:  # the boundary: the other checks go on, and this is told
            seen = f"the check {name} failed: {type(error).__name__}: {error}"
            found.append(broken(name, "this check", seen, "report it: it is a fault of deja-hooks"))
    return Group(title, found)


def _folders(machine: Machine) -> list[Path]:
    return [Path(machine.layout.cache), Path(machine.layout.config)]


def _around(machine: Machine) -> list[Path]:
    """The folder that `DEJA_HOOKS_HOME` names; without it our folders lie among those of other programs."""
    return [Path(machine.layout.cache).parent] if machine.environment.get("DEJA_HOOKS_HOME") else []


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""


def _uid() -> int | None:
    return os.getuid() if hasattr(os, "getuid") else None
