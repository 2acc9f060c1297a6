"""`deja-hooks config`: the settings, in `settings.json` of the config folder."""

from __future__ import annotations

import click

from deja_hooks.cli.lazy import LazyCommand, LazyGroup

__all__ = ["config"]

_COMMANDS = {
    "list": LazyCommand("deja_hooks.cli.config_show:list_settings", "List the settings."),
    "get": LazyCommand("deja_hooks.cli.config_show:get", "Print one setting."),
    "set": LazyCommand("deja_hooks.cli.config_set:set_value", "Change one setting."),
    "unset": LazyCommand("deja_hooks.cli.config_set:unset", "Put the default of a setting back."),
    "exclude": LazyCommand("deja_hooks.cli.config_exclude:exclude", "Don't read a project or folders, and erase them."),
    "include": LazyCommand("deja_hooks.cli.config_exclude:include", "Take an exclusion back."),
    "path": LazyCommand("deja_hooks.cli.config_show:path", "Print where the settings' file lies."),
    "schema": LazyCommand("deja_hooks.cli.config_show:schema", "Print the JSON schema of the file, for editors."),
}


@click.group(cls=LazyGroup, lazy=_COMMANDS)
def config() -> None:
    """Settings: what is excluded, which events speak, and how much they say.

    They stand in settings.json in the config folder. What you edit there by hand is followed from the indexer's next
    pass on (deja-hooks index makes one at once). A file, or a part of it, that can't be understood changes nothing:
    what was in force before stays so.

    \b
    Examples:
      deja-hooks config list
      deja-hooks config set events.before_command false
      deja-hooks config set budgets.prompt 900
      deja-hooks config exclude --path "~/clients/*"
    """
