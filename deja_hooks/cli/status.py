"""`deja-hooks status`: the short form of `doctor`, one screen, from the checks that only look."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from deja_hooks import __version__
from deja_hooks.cli.context import Here
from deja_hooks.cli.doctor import machine_of
from deja_hooks.cli.errors import ERROR, OK
from deja_hooks.cli.output import iso_time, local_time, one_line, print_json
from deja_hooks.history.calls import calls
from deja_hooks.hosts.places import HOSTS, TITLES, host_found, own_file

if TYPE_CHECKING:
    from pathlib import Path

    from deja_hooks.doctor.finding import Finding

__all__ = ["status"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def status(here: Here, as_json: bool) -> int:
    """Say on one screen whether hosts call deja-hooks, and what it knows. Exit 1 if something is broken.

    It only looks; `deja-hooks doctor` also runs the commands, and says what to do about each fault.

    \b
    Examples:
      deja-hooks status
      deja-hooks status --json
    """
    from deja_hooks.doctor.examine import examine_passively

    groups = examine_passively(machine_of(here), local_time)
    findings = [finding for group in groups for finding in group.findings]
    broken = [finding for finding in findings if finding.state == "broken"]
    hosts = _hosts(here)
    if as_json:
        names = list(dict.fromkeys(finding.check for finding in broken))
        value = {"version": __version__, "broken": len(broken), "checks": names, "hosts": hosts}
        told = {"memory": _seen(findings, "index"), "limit": _told(findings, "index-limit")}
        print_json({**value, **told, "indexer": _told(findings, "index-error"), "off": _off(findings)})
    else:
        _show(hosts, findings, broken)
    return ERROR if broken else OK


def _hosts(here: Here) -> list[dict[str, Any]]:
    from deja_hooks.doctor.hosts import last_seen

    seen = last_seen(calls(here.layout))
    found = []
    in_project = _is_wired_here(here)
    for host in HOSTS:
        times = {event: at for (name, event), at in seen.items() if name == host}
        last = max(times, key=lambda event: times[event], default=None)
        found.append(
            {
                "name": host,
                "found": host_found(host, here.environment, here.home, here.platform),
                "wired": _is_wired(own_file(host, here.environment, here.home)),
                "wired_in_project": in_project,
                "last_event": last,
                "last_seen": iso_time(int(times[last])) if last else None,
            }
        )
    return found


def _local(time: str) -> str:
    return local_time(datetime.fromisoformat(time).timestamp() * 1000)


def _is_wired(path: "Path") -> bool:
    from deja_hooks.doctor.entries import our_entries
    from deja_hooks.hosts.errors import HookFileError
    from deja_hooks.hosts.files import read
    from deja_hooks.hosts.hook_file import parse

    try:
        return bool(our_entries(parse(path, read(path) or b"")))
    except HookFileError:
        return False


def _is_wired_here(here: Here) -> bool:
    """Whether the project of the current folder is wired, which counts for every host."""
    from pathlib import Path

    from deja_hooks.hosts.wanted import workspace_hooks
    from deja_hooks.memory.scope import project_root

    roots = {project_root(folder) for folder in machine_of(here).folders}
    return any(_is_wired(workspace_hooks(Path(root))) for root in roots if root)


def _seen(findings: "list[Finding]", check: str) -> str:
    return next((one_line(finding.seen) for finding in findings if finding.check == check), "")


def _told(findings: "list[Finding]", check: str) -> str:
    """What a check found that is worth a line, with what to do; "" where all is well."""
    found = (each for each in findings if each.check == check and each.state != "ok")
    return next((one_line(f"{each.seen}: {each.do}") for each in found), "")


def _off(findings: "list[Finding]") -> list[str]:
    """What is switched off, in words; nothing where all is on."""
    return [
        one_line(f"{finding.about}: {finding.seen}")
        for finding in findings
        if finding.check == "switched-off" and finding.state != "ok"
    ]


def _show(hosts: list[dict[str, Any]], findings: "list[Finding]", broken: "list[Finding]") -> None:
    rows = [("deja-hooks", __version__)]
    for host in hosts:
        alone = "wired in this project" if host["wired_in_project"] else "not wired"
        wired = "wired" if host["wired"] else alone
        here = "" if host["found"] else ", not found on this machine"
        last = (
            f", last event {host['last_event']} {_local(host['last_seen'])}"
            if host["last_event"]
            else ", no event seen yet"
        )
        rows.append((TITLES[host["name"]], f"{wired}{here}{last}"))
    rows.append(("memory", _seen(findings, "index") or "can't be read"))
    told = (("", "index-limit"), ("indexer", "index-error"))
    rows += [(name, what) for name, check in told if (what := _told(findings, check))]
    rows += [("recall", what) for what in _off(findings) or ["on"]]
    names = ", ".join(dict.fromkeys(finding.check for finding in broken))
    rows.append(("faults", f"{len(broken)} ({names}): see deja-hooks doctor" if broken else "none that looking finds"))
    width = max(len(name) for name, _ in rows)
    for name, what in rows:
        click.echo(f"{name:<{width}}  {what}")
