"""`deja-hooks config set` and `unset`: changing one setting."""

from __future__ import annotations

import click

from deja_hooks.cli.completing import setting_names, setting_values
from deja_hooks.cli.context import Here
from deja_hooks.cli.output import number_of, one_line, print_json
from deja_hooks.cli.setting_change import Change, change
from deja_hooks.cli.setting_names import Setting, setting_of, shown, value_from

__all__ = ["set_value", "unset"]

_name = click.argument("name", shell_complete=setting_names)
_dry_run = click.option("--dry-run", is_flag=True, help="Only say what would change, and what would be erased.")
_yes = click.option("--yes", is_flag=True, help="Don't ask before an exclusion erases sessions.")
_json = click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")


@click.command("set")
@_name
@click.argument("values", nargs=-1, required=True, metavar="VALUE...", shell_complete=setting_values)
@_dry_run
@_yes
@_json
@click.pass_obj
def set_value(here: Here, name: str, values: tuple[str, ...], dry_run: bool, yes: bool, as_json: bool) -> None:
    """Change one setting. Hooks follow it from the next call on.

    A list takes one or more values, or a JSON array, and is replaced as a whole. What is excluded then is erased from
    the memory, as by deja-hooks config exclude; what isn't any more is read again.

    \b
    Examples:
      deja-hooks config set events.before_command false
      deja-hooks config set budgets.prompt 900
      deja-hooks config set exclude.paths "~/clients/*" "*-private"
      deja-hooks config set exclude.paths '["~/clients/*", "*-private"]'
    """
    setting = setting_of(name)
    value = value_from(setting, values)
    _tell(setting, change(here, setting, lambda _: value, yes=yes, dry_run=dry_run), dry_run, as_json)


@click.command()
@_name
@_dry_run
@_yes
@_json
@click.pass_obj
def unset(here: Here, name: str, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Put the default of a setting back.

    \b
    Examples:
      deja-hooks config unset budgets.prompt
      deja-hooks config unset exclude.paths
    """
    setting = setting_of(name)
    _tell(setting, change(here, setting, lambda _: setting.default, yes=yes, dry_run=dry_run), dry_run, as_json)


def _tell(setting: Setting, done: Change, dry_run: bool, as_json: bool) -> None:
    before, after = setting.value(done.before), setting.value(done.after)
    if as_json:
        made = {"name": setting.name, "value": after, "before": before, "default": setting.default, "dry_run": dry_run}
        print_json({**made, "erased": done.erased, "read": done.read})
        return
    was = "as it was" if before == after else f"{'now' if dry_run else 'was'} {one_line(shown(before))}"
    default = ", the default" if after == setting.default else ""
    would = "would be " if dry_run else ""
    click.echo(f"{setting.name} {would or 'is '}{one_line(shown(after))}{default} ({was}).")
    if done.erased:
        click.echo(f"{number_of(done.erased, 'session')} {would}erased.")
    if done.read:
        click.echo(f"{number_of(done.read, 'session')} read.")
