"""`deja-hooks config list`, `get`, `path` and `schema`: what the settings are, and where."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.completing import setting_names
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line, print_json, print_table
from deja_hooks.cli.setting_names import NAMES, Setting, setting_of, shown

if TYPE_CHECKING:
    from deja_hooks.contract.settings import Settings

__all__ = ["get", "list_settings", "path", "schema"]


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the file's place and all settings as a JSON object.")
@click.pass_obj
def list_settings(here: Here, as_json: bool) -> None:
    """List the settings, what they are for, and the place of their file.

    A * marks what differs from its default.

    \b
    Examples:
      deja-hooks config list
      deja-hooks config list --json
    """
    from deja_hooks.marks.refresh import is_followed

    settings = _settings(here)
    known = list(map(setting_of, NAMES))
    there, followed = Path(here.layout.settings).exists(), is_followed(here.layout, here.home)
    if as_json:
        listed = [_as_json(setting, settings) for setting in known]
        print_json({"file": here.layout.settings, "exists": there, "followed": followed, "settings": listed})
        return
    rows = [_row(setting, settings) for setting in known]
    print_table(("", "setting", "value", "default", "what it is for"), rows, whole=(0, 1, 3))
    click.echo(f"\n{one_line(here.layout.settings)}" + ("" if there else " (not there yet: all is as by default)"))
    if not followed:
        click.echo("It was edited by hand: hooks follow it from the next pass on; deja-hooks index makes one now.")


@click.command()
@click.argument("name", shell_complete=setting_names)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object, with the default.")
@click.pass_obj
def get(here: Here, name: str, as_json: bool) -> None:
    """Print the value of one setting; of a list, a value a line.

    \b
    Examples:
      deja-hooks config get budgets.prompt
      deja-hooks config get exclude.paths --json
    """
    setting = setting_of(name)
    settings = _settings(here)
    value = setting.value(settings)
    if as_json:
        print_json(_as_json(setting, settings))
    elif isinstance(value, list):
        for each in value:
            click.echo(one_line(each))
    else:
        click.echo(shown(value))


@click.command()
@click.pass_obj
def path(here: Here) -> None:
    """Print where settings.json lies, whether it is there yet or not.

    \b
    Examples:
      deja-hooks config path
      code "$(deja-hooks config path)"
    """
    click.echo(here.layout.settings)


@click.command()
def schema() -> None:
    """Print the JSON schema of settings.json.

    An editor that knows it completes names and marks errors: save it beside the file, and begin that with
    {"$schema": "./settings.schema.json", ...}.

    \b
    Examples:
      deja-hooks config schema
      deja-hooks config schema > settings.schema.json
    """
    from deja_hooks.contract.settings import Settings

    print_json(Settings.model_json_schema())


def _settings(here: Here) -> Settings:
    """The settings as the file says. Raises DejaError."""
    from deja_hooks.marks.settings import read_settings
    from deja_hooks.marks.settings_error import SettingsError

    try:
        return read_settings(here.layout)
    except SettingsError as error:
        raise DejaError(str(error)) from error


def _row(setting: Setting, settings: Settings) -> tuple[str, ...]:
    value = setting.value(settings)
    mark = "" if value == setting.default else "*"
    about = setting.about
    if setting.part == "budgets":  # the name says of what
        about = f"Most characters of it, {setting.allowed.removeprefix('a whole number from ')}."
    return (mark, setting.name, shown(value), shown(setting.default), about)


def _as_json(setting: Setting, settings: Settings) -> dict[str, object]:
    value = setting.value(settings)
    return {
        "name": setting.name,
        "value": value,
        "default": setting.default,
        "differs": value != setting.default,
        "allowed": setting.allowed,
        "about": setting.about,
    }
