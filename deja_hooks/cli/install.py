"""`deja-hooks install` and `deja-hooks uninstall`."""

import difflib
from collections.abc import Callable
from pathlib import Path

import click

import deja_hooks
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line, print_json, quoted_text
from deja_hooks.hosts.command import Program
from deja_hooks.hosts.compiled import byte_compile
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.files import Change
from deja_hooks.hosts.install import Plan, apply, plan_install, plan_uninstall
from deja_hooks.hosts.interpreter import real_interpreter
from deja_hooks.hosts.places import HOSTS, TITLES, host_found

__all__ = ["install", "uninstall"]

_DONE = {"create": "created", "update": "updated", "remove": "removed", "unchanged": "unchanged"}
_PACKAGE = Path(deja_hooks.__file__).parent

_hosts_argument = click.argument("hosts", type=click.Choice([*HOSTS, "all"]), default="all")
_dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would be written; write nothing.")
_json_option = click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")


@click.command()
@_hosts_argument
@_dry_run_option
@_json_option
@click.option("--no-index", is_flag=True, help="Don't start the background indexer.")
@click.pass_obj
def install(here: Here, hosts: str, dry_run: bool, as_json: bool, no_index: bool) -> None:
    """Let Copilot call deja-hooks (HOSTS: vscode, copilot or all).

    Writes the hook file ~/.copilot/hooks/deja.json ($COPILOT_HOME/hooks/deja.json), which serves both hosts,
    and starts to read this machine's sessions in the background. Doing it again changes nothing.

    \b
    Examples:
      deja-hooks install
      deja-hooks install copilot --dry-run
    """
    names = _names(hosts)
    try:
        program = _program(here)
        plan, _ = _carried_out(lambda: plan_install(names, program, here.environment, here.home), here, dry_run)
    except HostsError as error:
        raise DejaError(str(error)) from error
    indexer = "skipped" if dry_run or no_index else _start_indexer(here)
    if not dry_run:
        byte_compile(_PACKAGE)
    if as_json:
        print_json({**_report(plan, dry_run, here, names), "indexer": indexer})
        return
    _say_hosts(here, names)
    _say_changes(plan, dry_run)
    _say_installed(plan, dry_run, indexer)


@click.command()
@_hosts_argument
@_dry_run_option
@_json_option
@click.pass_obj
def uninstall(here: Here, hosts: str, dry_run: bool, as_json: bool) -> None:
    """Take the hooks out again (HOSTS: vscode, copilot or all).

    Removes our entries, the hook file if nothing else is in it, and the folders that installing made if they
    are empty. What the memory holds stays; its folder is named.

    \b
    Examples:
      deja-hooks uninstall
      deja-hooks uninstall --dry-run
    """
    names = _names(hosts)
    try:
        plan, removed = _carried_out(
            lambda: plan_uninstall(names, here.layout, here.environment, here.home), here, dry_run
        )
    except HostsError as error:
        raise DejaError(str(error)) from error
    if as_json:
        rest = {"kept": list(map(str, plan.kept)), "folders": list(map(str, removed))}
        print_json({**_report(plan, dry_run, here, names), **rest})
        return
    _say_changes(plan, dry_run)
    for folder in removed:
        click.echo(f"removed {folder}")
    for path in plan.kept:
        click.echo(f"kept {path}: it holds more than our entries")
    if not plan.pending:
        click.echo("Nothing of ours is installed: nothing was changed.")
    click.echo(f"The memory stays in {here.layout.cache}; delete that folder to forget it.")


def _carried_out(planner: Callable[[], Plan], here: Here, dry_run: bool) -> tuple[Plan, list[Path]]:
    return (planner(), []) if dry_run else apply(planner, here.layout)


def _names(hosts: str) -> tuple[str, ...]:
    return HOSTS if hosts == "all" else (hosts,)


def _program(here: Here) -> Program:
    script = _PACKAGE / "hook" / "entry.py"
    return Program(real_interpreter(here.executable), str(script), here.layout.cache, here.layout.config)


def _start_indexer(here: Here) -> str:
    from deja_hooks.indexer.start import start

    try:
        return "started" if start(here.layout, here.executable) else "running"
    except OSError as error:
        return f"failed: {error.strerror}"


def _report(plan: Plan, dry_run: bool, here: Here, names: tuple[str, ...]) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "hosts": [
            {"name": name, "found": host_found(name, here.environment, here.home, here.platform)} for name in names
        ],
        "changes": [{"path": str(change.path), "action": change.verb} for change in plan.changes],
    }


def _say_hosts(here: Here, names: tuple[str, ...]) -> None:
    for name in names:
        if not host_found(name, here.environment, here.home, here.platform):
            click.echo(f"{TITLES[name]} was not found on this machine; it is served as soon as it is there.")


def _say_changes(plan: Plan, dry_run: bool) -> None:
    for change in plan.changes:
        if dry_run and change.verb != "unchanged":
            click.echo(f"would {change.verb} {one_line(str(change.path))}")
            if change.after is not None:
                click.echo(quoted_text("".join(_difference(change)), ""))
        elif change.before is not None or change.after is not None:
            click.echo(f"{_DONE[change.verb]} {one_line(str(change.path))}")


def _difference(change: Change) -> list[str]:
    before = (change.before or b"").decode("utf-8", "replace").splitlines(keepends=True)
    after = (change.after or b"").decode("utf-8", "replace").splitlines(keepends=True)
    return [line if line.endswith("\n") else line + "\n" for line in difflib.unified_diff(before, after, n=1)]


def _say_installed(plan: Plan, dry_run: bool, indexer: str) -> None:
    if dry_run:
        return
    if not plan.pending:
        click.echo("Already installed: nothing was changed.")
    else:
        click.echo("Installed: from the next prompt in VS Code, and the next session in Copilot CLI.")
    if indexer == "started":
        click.echo("The background indexer has started to read this machine's sessions.")
    elif indexer == "running":
        click.echo("The background indexer is already reading this machine's sessions.")
    elif indexer != "skipped":
        click.echo(f"The background indexer could not be started ({indexer}): run deja-hooks index.")
