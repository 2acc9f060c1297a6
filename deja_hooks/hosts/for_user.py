"""Wiring the user's own files, for whoever asks: `deja-hooks install`, or a repair."""

from collections.abc import Mapping
from pathlib import Path

from deja_hooks.hosts.install import Plan, plan_install
from deja_hooks.hosts.places import host_found
from deja_hooks.hosts.wanted import Wiring, user_parts
from deja_hooks.memory.layout import Layout

__all__ = ["plan_for_user"]


def plan_for_user(
    hosts: tuple[str, ...],
    wiring: Wiring,
    layout: Layout,
    environment: Mapping[str, str],
    home: Path,
    platform: str,
    *,
    by_name: bool = False,
) -> Plan:
    """What makes these hosts know us in all projects.

    The hook file is written for a host that is yet to come, too; a host's own files only where it is, or is meant.

    Args:
        hosts: names from `places.HOSTS`.
        wiring: what is put into the files.
        layout: of the installation.
        environment: environment variables.
        home: the user's home folder.
        platform: as `sys.platform`.
        by_name: whether the user named the hosts.

    Raises:
        HostsError: a file is there and can't be understood.
    """
    found = hosts if by_name else tuple(host for host in hosts if host_found(host, environment, home, platform))
    return plan_install(user_parts(found, hosts, wiring, environment, home, platform), layout)
