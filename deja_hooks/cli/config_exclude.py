"""`deja-hooks config exclude` and `include`: one entry of the exclusions at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.completing import project_folders
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import folders_of
from deja_hooks.cli.output import number_of, one_line, print_json
from deja_hooks.cli.setting_change import change
from deja_hooks.cli.setting_names import setting_of
from deja_hooks.marks.exclusions import folder
from deja_hooks.marks.exclusions import pattern as pattern_of
from deja_hooks.memory.scope import project_key, project_root

if TYPE_CHECKING:
    from collections.abc import Callable

    from deja_hooks.contract.settings import Exclusions, Settings

__all__ = ["exclude", "include"]

_project = click.option(
    "--project",
    is_flag=False,
    flag_value=".",
    metavar="[PATH]",
    shell_complete=project_folders,
    help="The project of this folder, and all below it (default: the working directory's).",
)
_path = click.option(
    "--path",
    "pattern",
    metavar="PATTERN",
    help="Folders that a pattern fits, and all below them: ~/clients/*, /srv/**/secret, or a name anywhere: *-private.",
)


@click.command()
@_project
@_path
@click.option("--dry-run", is_flag=True, help="Only say what would be erased.")
@click.option("--yes", is_flag=True, help="Don't ask; needed where there is no terminal to ask on.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def exclude(here: Here, project: str | None, pattern: str | None, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Don't read the sessions of a project or of folders, and erase what was kept of them.

    The hosts' own files stay as they are, and `deja-hooks config include` reads them again.

    \b
    Examples:
      deja-hooks config exclude --project
      deja-hooks config exclude --project ~/src/secret
      deja-hooks config exclude --path "~/clients/*"
    """
    _only_one(project, pattern)
    if project is not None:
        entry = _checked(folder, _root(here, project))
        setting = setting_of("exclude.projects")
        done = change(here, setting, lambda now: _with(now.exclude.projects, entry), yes=yes, dry_run=dry_run)
    else:
        entry = _checked(pattern_of, str(pattern))
        setting = setting_of("exclude.paths")
        done = change(here, setting, lambda now: _with(now.exclude.paths, entry), yes=yes, dry_run=dry_run)
    _tell(entry, done.erased, dry_run, as_json)


@click.command()
@_project
@_path
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def include(here: Here, project: str | None, pattern: str | None, as_json: bool) -> None:
    """Take an exclusion back, and read what the hosts still have of it.

    \b
    Examples:
      deja-hooks config include --project ~/src/secret
      deja-hooks config include --path "~/clients/*"
    """
    _only_one(project, pattern)
    gone: list[str] = []

    def revised(now: Settings) -> list[str]:
        gone.extend(_named(here, now.exclude, project, pattern))
        return [each for each in (now.exclude.paths if project is None else now.exclude.projects) if each not in gone]

    done = change(here, setting_of("exclude.paths" if project is None else "exclude.projects"), revised, yes=True)
    still = project is not None and done.rules.fit(gone[0], project_key(gone[0]))
    if as_json:
        print_json({"included": gone[0], "sessions": done.read, "still_excluded": still})
        return
    click.echo(f"Included again: {one_line(gone[0])}. {number_of(done.read, 'session')} read.")
    if still:
        click.echo("But another entry still excludes it: deja-hooks config list.")


def _only_one(project: str | None, pattern: str | None) -> None:
    if (project is None) == (pattern is None):
        raise click.UsageError("Give either --project [PATH] or --path PATTERN.", click.get_current_context())


def _root(here: Here, project: str) -> str:
    folder = folders_of(here, project)[0]
    return project_root(folder) if Path(folder).is_dir() else folder  # one that is gone has no work tree any more


def _named(here: Here, now: Exclusions, project: str | None, pattern: str | None) -> list[str]:
    """The entry that is meant, as it is written. Raises DejaError."""
    if pattern is not None:
        found = [each for each in now.paths if each == pattern]
    else:
        given = str(project)
        names = {given}
        try:
            names.add(_root(here, given))
        except DejaError:
            pass  # a folder that is gone can be named as it is written
        home = str(here.home)
        found = [each for each in now.projects if {each, home + each[1:] if each[:1] == "~" else each} & names]
    if not found:
        raise DejaError(f"{one_line(str(pattern or project))} is not excluded: deja-hooks config list.")
    return found


def _with(entries: list[str], entry: str) -> list[str]:
    return list(dict.fromkeys([*entries, entry]))


def _checked(check: Callable[[str], str], entry: str) -> str:
    try:
        return check(entry)
    except ValueError as error:
        raise DejaError(str(error)) from error


def _tell(entry: str, count: int, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json({"excluded": entry, "dry_run": dry_run, "sessions": count})
    elif dry_run:
        click.echo(f"{number_of(count, 'session')} would be erased.")
    else:
        erased = f"{number_of(count, 'session')} erased." if count else "Nothing was kept of it."
        click.echo(f"Excluded: {one_line(entry)}. {erased}")
