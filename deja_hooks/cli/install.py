"""`deja-hooks install`."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import click

import deja_hooks
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import on_terminal
from deja_hooks.cli.output import one_line, print_json
from deja_hooks.cli.wiring import (
    carried_out,
    dry_run_option,
    found_hosts,
    hosts_argument,
    json_option,
    names_of,
    report,
    say_changes,
    say_remarks,
    scope_option,
    work_tree,
)
from deja_hooks.hosts.command import Program
from deja_hooks.hosts.compiled import byte_compile
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.files import read
from deja_hooks.hosts.for_user import plan_for_user
from deja_hooks.hosts.hook_entries import has_ours
from deja_hooks.hosts.install import Plan, plan_install
from deja_hooks.hosts.interpreter import real_interpreter
from deja_hooks.hosts.ledger import read_ledger
from deja_hooks.hosts.places import HOSTS, TITLES, hook_files, vscode_folders
from deja_hooks.hosts.wanted import Wiring, hooked_work_tree, workspace_parts

__all__ = ["install"]

_PACKAGE = Path(deja_hooks.__file__).parent
_HINT = (
    "The tool deja was left out: it needs the extra mcp. Install deja-hooks[mcp] in the place of deja-hooks, "
    "and run deja-hooks install again."
)


@click.command()
@hosts_argument
@scope_option
@click.option("--no-hooks", is_flag=True, help="Leave the hooks out: only the tool, instructions and prompt.")
@dry_run_option
@json_option
@click.option("--yes", is_flag=True, help="Don't ask, where no host is named on a terminal.")
@click.option("--no-index", is_flag=True, help="Don't start the background indexer.")
@click.pass_obj
def install(
    here: Here,
    hosts: str | None,
    scope: str | None,
    no_hooks: bool,
    dry_run: bool,
    as_json: bool,
    yes: bool,
    no_index: bool,
) -> None:
    """Let Copilot call deja-hooks (HOSTS: vscode, copilot or all; vscode-auto and copilot-auto mean the same).

    Writes the hook file ~/.copilot/hooks/deja.json ($COPILOT_HOME/hooks/deja.json), which serves both hosts; for the
    hosts that are here also the tool deja (VS Code's mcp.json of every profile, the CLI's mcp-config.json; needs the
    extra mcp), instructions, VS Code's prompt /deja and the CLI's skill. It starts to read this machine's sessions in
    the background. Doing it again changes nothing; deja-hooks uninstall gives everything back.

    --scope workspace writes into the work tree of the current folder (.github, .vscode) instead. Those files name
    paths of this machine: don't commit them.

    \b
    Examples:
      deja-hooks install
      deja-hooks install copilot --dry-run
      deja-hooks install vscode --no-hooks
      deja-hooks install --scope workspace
    """
    names = names_of(hosts)
    if not here.home.is_dir():
        raise DejaError(f"The home folder {here.home} is not there: set HOME to one that is.")
    extra = find_spec("mcp") is not None
    try:
        wiring = Wiring.of(_program(here), here.environment, here.platform, hooks=not no_hooks, server=extra)
        planner = _in_workspace(here, names, wiring) if scope == "workspace" else _for_user(here, hosts, names, wiring)
        if hosts is None and not (yes or dry_run or as_json) and on_terminal():
            _ask(planner(), found_hosts(here, names))
        plan, _ = carried_out(planner, here, dry_run)
    except HostsError as error:
        raise DejaError(str(error)) from error
    indexer = "skipped" if dry_run or no_index else _start_indexer(here)
    if not dry_run:
        byte_compile(_PACKAGE)
    if as_json:
        told = report(plan, dry_run, here, names)
        if not extra:
            told["notes"] += [{"path": None, "note": _HINT}]
        print_json({**told, "indexer": indexer, "mcp": extra})
        return
    if scope != "workspace":
        _say_hosts(here, names)
    say_changes(plan.changes, dry_run)
    for change in plan.changes:
        if change.note:
            click.echo(f"left {one_line(str(change.path))}: {change.note}")
    say_remarks(plan)
    _say_rest(here, hosts, names, scope, extra)
    _say_installed(plan, dry_run, indexer)


def _for_user(here: Here, hosts: str | None, names: tuple[str, ...], wiring: Wiring) -> Callable[[], Plan]:
    by_name = hosts not in (None, "all")
    return lambda: plan_for_user(
        names, wiring, here.layout, here.environment, here.home, here.platform, by_name=by_name
    )


def _in_workspace(here: Here, names: tuple[str, ...], wiring: Wiring) -> Callable[[], Plan]:
    """Raises DejaError where each hook would run twice."""
    folder = work_tree(here)
    for file in hook_files(HOSTS, here.environment, here.home):
        if wiring.document is not None and has_ours(file, read(file)):
            raise DejaError(
                f"{file} already calls deja-hooks in every project, so each hook would run twice in {folder}: "
                "run deja-hooks uninstall --scope user first, or add --no-hooks."
            )
    return lambda: plan_install(workspace_parts(names, wiring, folder), here.layout)


def _ask(plan: Plan, found: tuple[str, ...]) -> None:
    """Asks once. Raises DejaError where the answer is no."""
    if not plan.pending:
        return
    for change in plan.pending:
        click.echo(f"would {change.verb} {one_line(str(change.path))}", err=True)
    what = " and ".join(TITLES[name] for name in found) if found else "both hosts, though neither was found here,"
    if not click.confirm(f"Let {what} call deja-hooks?", default=True, err=True):
        raise DejaError("Nothing was written.")


def _program(here: Here) -> Program:
    script = _PACKAGE / "hook" / "entry.py"
    return Program(real_interpreter(here.executable), str(script), here.layout.cache, here.layout.config)


def _start_indexer(here: Here) -> str:
    from deja_hooks.indexer.start import start

    try:
        return "started" if start(here.layout, here.executable) else "running"
    except OSError as error:
        return f"failed: {error.strerror}"


def _say_hosts(here: Here, names: tuple[str, ...]) -> None:
    found = found_hosts(here, names)
    for name in names:
        if name not in found:
            click.echo(f"{TITLES[name]} was not found on this machine; it is served as soon as it is there.")


def _say_rest(here: Here, hosts: str | None, names: tuple[str, ...], scope: str | None, extra: bool) -> None:
    """What is to be known beside the files."""
    found = found_hosts(here, names)
    if not extra and (scope == "workspace" or found or hosts not in (None, "all")):
        click.echo(_HINT)
    if scope == "workspace":
        click.echo("These files name paths of this machine: don't commit them.")
        return
    folders = vscode_folders(here.environment, here.home, here.platform)
    if "vscode" in names and not folders and ("vscode" in found or hosts not in (None, "all")):
        click.echo("VS Code has no User folder yet: start it once, and run deja-hooks install again for the rest.")
    for path in read_ledger(here.layout).files:
        if tree := hooked_work_tree(Path(path)):
            click.echo(f"Hooks run twice in {one_line(str(tree))}: run deja-hooks uninstall --scope workspace there.")


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
