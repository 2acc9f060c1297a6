"""`deja-hooks completion`: the script that lets a shell complete commands, options, ids and names."""

from __future__ import annotations

import click

__all__ = ["completion"]

_SHELLS = ("bash", "zsh", "fish")
_NAME = "deja-hooks"
#: As click derives it from the program's name.
_VARIABLE = "_DEJA_HOOKS_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(_SHELLS))
def completion(shell: str) -> None:
    """Print the script that completes commands, options, session ids, projects and settings behind Tab.

    It asks the deja-hooks on the PATH each time, so it needs no renewal. PowerShell has none: click, which makes these
    scripts, knows these three shells.

    \b
    Examples:
      bash: put it where bash looks for such scripts
        mkdir -p ~/.local/share/bash-completion/completions
        deja-hooks completion bash \\
          > ~/.local/share/bash-completion/completions/deja-hooks
      zsh: a line of ~/.zshrc, below compinit
        source <(deja-hooks completion zsh)
      fish: put it where fish looks for such scripts
        deja-hooks completion fish > ~/.config/fish/completions/deja-hooks.fish
    """
    from click.shell_completion import ShellComplete, get_completion_class

    from deja_hooks.cli.main import cli

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"This version of click makes no script for {shell}.")
    # (The base's own: bash's asks a bash for its version, and there may be none where the script is made.)
    click.echo(ShellComplete.source(kind(cli, {}, _NAME, _VARIABLE)))
