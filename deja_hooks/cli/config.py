"""`deja-hooks config`: what is excluded, in `settings.json`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import agreed, changing, folders_of, follow, full_pass, on_terminal
from deja_hooks.cli.output import number_of, one_line, print_json, print_table
from deja_hooks.memory.scope import project_key, project_root

if TYPE_CHECKING:
    from deja_hooks.contract.settings import Exclusions
    from deja_hooks.memory.kept_out import Rules

__all__ = ["config"]

_project = click.option(
    "--project",
    is_flag=False,
    flag_value=".",
    metavar="[PATH]",
    help="The project of this folder, and all below it (default: the working directory's).",
)
_path = click.option(
    "--path",
    "pattern",
    metavar="PATTERN",
    help="Folders that a pattern fits, and all below them: ~/clients/*, /srv/**/secret, or a name anywhere: *-private.",
)


@click.group()
def config() -> None:
    """Exclude projects and folders; list the settings.

    Sessions in an excluded folder are not read, hooks neither follow nor answer them, and what was kept of them is
    erased. The settings lie in settings.json in the config folder, and may be edited there too.
    """


@config.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the settings as a JSON object.")
@click.pass_obj
def list_settings(here: Here, as_json: bool) -> None:
    """List the settings.

    \b
    Examples:
      deja-hooks config list
      deja-hooks config list --json
    """
    from deja_hooks.marks.settings import read_settings
    from deja_hooks.marks.settings_error import SettingsError

    try:
        settings = read_settings(here.layout)
    except SettingsError as error:
        raise DejaError(str(error)) from error
    if as_json:
        print_json(settings.model_dump())
        return
    rows = [("project", each) for each in settings.exclude.projects]
    rows += [("path", each) for each in settings.exclude.paths]
    if rows:
        print_table(("excluded", "what"), rows)
    else:
        click.echo("Nothing is excluded.")


@config.command()
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
    from deja_hooks.contract.settings import Exclusions
    from deja_hooks.marks.rules import make_rules, refresh_rules
    from deja_hooks.marks.settings import checked, read_settings, write_settings

    _only_one(project, pattern)
    with changing(here):
        now = read_settings(here.layout).exclude
        projects = [*now.projects, *([_root(here, project)] if project is not None else [])]
        paths = [*now.paths, *([pattern] if pattern is not None else [])]
        fresh = Exclusions.model_construct(projects=list(dict.fromkeys(projects)), paths=list(dict.fromkeys(paths)))
        settings = checked(fresh)
        count = _kept(here, make_rules(fresh.projects, fresh.paths, here.home))
        entry = projects[-1] if project is not None else paths[-1]
        if dry_run:
            _tell(entry, count, dry_run, as_json)
            return
        _ask(count, yes)
        write_settings(here.layout, settings)
        refresh_rules(here.layout, here.home)
    follow(here)
    _tell(entry, count, dry_run, as_json)


@config.command()
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
    from deja_hooks.contract.settings import Exclusions
    from deja_hooks.marks.rules import refresh_rules
    from deja_hooks.marks.settings import checked, read_settings, write_settings

    _only_one(project, pattern)
    with changing(here):
        now = read_settings(here.layout).exclude
        gone = _named(here, now, project, pattern)
        fresh = Exclusions(
            projects=[each for each in now.projects if project is None or each not in gone],
            paths=[each for each in now.paths if pattern is None or each not in gone],
        )
        write_settings(here.layout, checked(fresh))
        rules = refresh_rules(here.layout, here.home)
    report = full_pass(here)
    still = project is not None and rules.fit(gone[0], project_key(gone[0]))
    if as_json:
        print_json({"included": gone[0], "sessions": report.sessions, "still_excluded": still})
        return
    click.echo(f"Included again: {one_line(gone[0])}. {number_of(report.sessions, 'session')} read.")
    if still:
        click.echo("But another entry still excludes it: deja-hooks config list.")


def _only_one(project: str | None, pattern: str | None) -> None:
    if (project is None) == (pattern is None):
        raise DejaError("Give either --project [PATH] or --path PATTERN.")


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


def _kept(here: Here, rules: Rules) -> int:
    """How many sessions of the memory these rules fit."""
    from deja_hooks.memory.read import open_memory

    memory = open_memory(here.layout.memory)
    if memory is None:
        return 0
    try:
        rows = memory.db.execute("SELECT cwd, key FROM session JOIN project ON project.id=project").fetchall()
    finally:
        memory.close()
    return sum(rules.fit(cwd, key) for cwd, key in rows)


def _ask(count: int, yes: bool) -> None:
    if count and not yes:
        question = f"Erase {number_of(count, 'session')} from the memory? (The hosts' files stay.)"
        agreed(question, "Nothing was changed.", asking=on_terminal())


def _tell(entry: str, count: int, dry_run: bool, as_json: bool) -> None:
    if as_json:
        print_json({"excluded": entry, "dry_run": dry_run, "sessions": count})
    elif dry_run:
        click.echo(f"{number_of(count, 'session')} would be erased.")
    else:
        erased = f"{number_of(count, 'session')} erased." if count else "Nothing was kept of it."
        click.echo(f"Excluded: {one_line(entry)}. {erased}")
