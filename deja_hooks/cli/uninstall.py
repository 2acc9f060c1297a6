"""`deja-hooks uninstall`."""

from collections.abc import Callable
from pathlib import Path

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import ERROR, DejaError
from deja_hooks.cli.output import one_line, print_json
from deja_hooks.cli.wiring import (
    carried_out,
    dry_run_option,
    hosts_argument,
    json_option,
    names_of,
    report,
    say_changes,
    say_remarks,
    scope_option,
    work_tree,
)
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.install import Plan, plan_uninstall
from deja_hooks.hosts.places import HOSTS
from deja_hooks.hosts.shared import needed_by_others, needed_by_others_in_workspace
from deja_hooks.hosts.wanted import is_workspace_file, removable_parts, removable_workspace_parts

__all__ = ["uninstall"]


@click.command()
@hosts_argument
@scope_option
@click.option("--purge", is_flag=True, help="Erase the memory, state, marks and settings too. This can't be undone.")
@dry_run_option
@json_option
@click.option("--yes", is_flag=True, help="Don't ask before --purge; needed where there is no terminal to ask on.")
@click.pass_obj
def uninstall(
    here: Here, hosts: str | None, scope: str | None, purge: bool, dry_run: bool, as_json: bool, yes: bool
) -> None:
    """Take out what install put in (HOSTS: vscode, copilot or all; vscode-auto and copilot-auto mean the same).

    Removes our entries, the files of ours that were not changed since, and the folders that installing made if they
    are empty. What stays is named, with the reason; exit 1 if a file could not be read or understood. What the memory
    holds stays too, unless --purge erases it; its folder is named.

    Without --scope everything that was ever wired goes; user leaves work trees alone, and workspace takes out only
    what is in the work tree of the current folder.

    \b
    Examples:
      deja-hooks uninstall
      deja-hooks uninstall --dry-run
      deja-hooks uninstall --scope workspace
      deja-hooks uninstall --purge --yes
    """
    names = names_of(hosts)
    if purge and (set(names) != set(HOSTS) or scope is not None):
        raise click.UsageError("--purge goes with everything: leave HOSTS and --scope out.")
    if purge and not dry_run and not yes:
        _ask(here)
    try:
        plan, removed = carried_out(_planner(here, names, scope), here, dry_run)
    except HostsError as error:
        raise DejaError(str(error)) from error
    erased, left = _purge(here, dry_run) if purge else ([], [])
    if as_json:
        rest = {"kept": list(map(str, plan.kept)), "folders": list(map(str, removed))}
        gone = {"erased": list(map(str, erased)), "left": [{"path": str(path), "why": why} for path, why in left]}
        print_json({**report(plan, dry_run, here, names), **rest, **(gone if purge else {})})
        _end(plan)
        return
    say_changes(plan.changes, dry_run)
    for folder in removed:
        click.echo(f"removed {one_line(str(folder))}")
    for change in plan.changes:
        if change.note:
            click.echo(f"kept {one_line(str(change.path))}: {change.note}")
    if plan.failed and not plan.pending:
        click.echo("Nothing was changed.")
    elif not plan.pending:
        click.echo("Nothing of ours is installed: nothing was changed.")
    say_remarks(plan)
    if not purge:
        click.echo(f"The memory stays in {here.layout.cache}; delete that folder to forget it.")
    for path in erased:
        click.echo(f"{'would erase' if dry_run else 'erased'} {one_line(str(path))}")
    for path, why in left:
        click.echo(f"kept {one_line(str(path))}: {why}")
    _end(plan)


def _end(plan: Plan) -> None:
    """Ends with 1 where a file could not be looked into: something of ours may still be in it."""
    if plan.failed:
        click.get_current_context().exit(ERROR)


def _planner(here: Here, names: tuple[str, ...], scope: str | None) -> Callable[[], Plan]:
    if scope == "workspace":
        tree = work_tree(here)
        parts = removable_workspace_parts(names, tree)
        return lambda: plan_uninstall(
            parts, here.layout, lambda _: False, lambda files: needed_by_others_in_workspace(names, files, tree)
        )
    parts = removable_parts(names, here.environment, here.home, here.platform)
    every = set(names) == set(HOSTS)  # also where an earlier COPILOT_HOME or profile was wired
    return lambda: plan_uninstall(
        parts,
        here.layout,
        lambda path: every and not (scope == "user" and is_workspace_file(path)),
        lambda files: needed_by_others(names, files, here.environment, here.home, here.platform),
    )


def _ask(here: Here) -> None:
    from deja_hooks.cli.marking import agreed, on_terminal

    folders = f"{one_line(here.layout.cache)} and {one_line(here.layout.config)}"
    question = f"Erase the memory, state, marks and settings in {folders} for good?"
    agreed(question, "Nothing was changed.", asking=on_terminal())


def _purge(here: Here, dry_run: bool) -> tuple[list[Path], list[tuple[Path, str]]]:
    from deja_hooks.hosts.purge import purge

    try:
        return purge(here.layout, here.home, dry_run=dry_run)
    except HostsError as error:
        raise DejaError(str(error)) from error
