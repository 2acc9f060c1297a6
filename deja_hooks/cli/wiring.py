"""What `install` and `uninstall` share: which hosts are meant, and how the changes are told."""

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line, quoted_text
from deja_hooks.hosts.files import Change
from deja_hooks.hosts.install import Plan, apply
from deja_hooks.hosts.places import HOSTS, host_found
from deja_hooks.memory.scope import git_dir, normal_path

__all__ = [
    "carried_out",
    "dry_run_option",
    "found_hosts",
    "hosts_argument",
    "json_option",
    "names_of",
    "report",
    "say_changes",
    "say_remarks",
    "scope_option",
    "work_tree",
]

_ASIDE = "this record of what was installed is broken, and is put aside as installed.json.broken"
_DONE = {"create": "created", "update": "updated", "remove": "removed", "unchanged": "unchanged"}
#: As other tools name hosts with their hooks; ours always come with them.
_ALIASES = {f"{host}-auto": host for host in HOSTS}

hosts_argument = click.argument(
    "hosts", metavar="[HOSTS]", type=click.Choice([*HOSTS, *_ALIASES, "all"]), default=None, required=False
)
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
scope_option = click.option(
    "--scope",
    type=click.Choice(["user", "workspace"]),
    default=None,
    help="The user's own files, or those in the work tree of the current folder.",
)


def names_of(hosts: str | None) -> tuple[str, ...]:
    """The hosts that are meant by an argument; all of them without one."""
    return HOSTS if hosts in (None, "all") else (_ALIASES.get(str(hosts), str(hosts)),)


def found_hosts(here: Here, names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the hosts that are on this machine."""
    return tuple(name for name in names if host_found(name, here.environment, here.home, here.platform))


def work_tree(here: Here) -> Path:
    """The work tree of the working directory, else that directory.

    Raises:
        DejaError: it is the home folder, whose `.github` and `.vscode` no host reads as a project's, or the root of
            all folders.
    """
    folder = working_folders(here.environment)[0]
    tree = Path(git_dir(folder)[0] or normal_path(folder))
    if tree == tree.parent:
        raise DejaError(f"{tree} holds all projects and is none: go to a project's folder, or leave --scope out.")
    if tree.resolve() == here.home.resolve():
        raise DejaError(f"{tree} is the home folder, not a project: go to a project's folder, or leave --scope out.")
    return tree


def carried_out(planner: Callable[[], Plan], here: Here, dry_run: bool) -> tuple[Plan, list[Path]]:
    """The plan, and the folders that were removed. Raises HostsError."""
    return (planner(), []) if dry_run else apply(planner, here.layout)


def report(plan: Plan, dry_run: bool, here: Here, names: tuple[str, ...]) -> dict[str, Any]:
    """What both commands print as JSON."""
    found = found_hosts(here, names)
    return {
        "dry_run": dry_run,
        "hosts": [{"name": name, "found": name in found} for name in names],
        "changes": [{"path": str(change.path), "action": change.verb} for change in plan.changes],
        "notes": [
            {"path": str(change.path), "note": note}
            for change in plan.changes
            for note in (change.note, change.remark)
            if note
        ]
        + ([{"path": str(plan.aside), "note": _ASIDE}] if plan.aside else []),
    }


def say_changes(changes: tuple[Change, ...], dry_run: bool) -> None:
    """A line for each file that is or was of ours; in a dry run with what would change in it."""
    for change in changes:
        if change.verb == "unchanged" and change.record is None and not change.note:
            continue
        if dry_run and change.verb != "unchanged":
            click.echo(f"would {change.verb} {one_line(str(change.path))}")
            if shown := "".join(_difference(change)):
                click.echo(quoted_text(shown, ""))
        elif change.before is not None or change.after is not None:
            click.echo(f"{_DONE[change.verb]} {one_line(str(change.path))}")


def say_remarks(plan: Plan) -> None:
    """What else is to be known of the changes, a line each."""
    for change in plan.changes:
        if change.remark:
            click.echo(f"note {one_line(str(change.path))}: {change.remark}")
    if plan.aside:
        click.echo(f"note {one_line(str(plan.aside))}: {_ASIDE}")


def _difference(change: Change) -> list[str]:
    if change.after is None:
        return []
    if change.private:  # what was put in, and nothing that stood there
        pieces = change.record.get("pieces", []) if change.record else []
        return [f"+{line}\n" for _, text in pieces for line in text.strip("\r\n").splitlines()]
    before = (change.before or b"").decode("utf-8", "replace").splitlines(keepends=True)
    after = change.after.decode("utf-8", "replace").splitlines(keepends=True)
    return [line if line.endswith("\n") else line + "\n" for line in difflib.unified_diff(before, after, n=1)]
