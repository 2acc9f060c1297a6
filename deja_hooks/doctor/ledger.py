"""What installing has written down: whether that can be understood, and whether the files in it are still there.

A hook file that is gone is a fault by itself (see `wiring`). The other files may be absent: only where the ledger has
one was it there once.
"""

from collections.abc import Iterator

from deja_hooks.doctor.finding import Finding, broken
from deja_hooks.doctor.looking import is_there
from deja_hooks.doctor.machine import Machine
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.ledger import Ledger, broken_ledger, ledger_path, read_ledger
from deja_hooks.hosts.places import HOSTS
from deja_hooks.hosts.wanted import removable_parts

__all__ = ["check_ledger"]

_INSTALL = "run deja-hooks install"
_ANEW = "delete it, then run deja-hooks uninstall and deja-hooks install, which writes it anew"


def check_ledger(machine: Machine) -> Iterator[Finding]:
    """Faults only: there is nothing to say of a ledger that isn't there, or that is as it should be."""
    path = ledger_path(machine.layout)
    try:
        if broken_ledger(machine.layout) is not None:
            seen = "it can't be understood: uninstall would not know what stood in the hosts' files before"
            yield broken("ledger", path, seen, _ANEW)
            return
        ledger = read_ledger(machine.layout)
    except HostsError as error:
        yield broken("ledger", path, str(error), "use the newer deja-hooks")
        return
    seen = "it is not there: install wrote it, and something has deleted it"
    for file in _lost(machine, ledger, "server"):
        yield broken("mcp", file, seen, _INSTALL, fixable=True)
    for file in _lost(machine, ledger, "text"):
        yield broken("instructions", file, seen, _INSTALL, fixable=True)


def _lost(machine: Machine, ledger: Ledger, kind: str) -> Iterator[str]:
    """The files of a kind that `install` would write for the user again; those of a project go with it."""
    for part in removable_parts(HOSTS, machine.environment, machine.home, machine.platform):
        path = str(part.path)
        if ledger.files.get(path, {}).get("kind") == kind and not is_there(path):
            yield path
