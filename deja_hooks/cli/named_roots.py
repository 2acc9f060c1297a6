"""The places to look in that the environment names: a wrong one is to be said, or it hides a whole history."""

from collections.abc import Sequence

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.output import one_line
from deja_hooks.sources.places.roots import Root, find_roots

__all__ = ["ROOT_VARIABLES", "naming", "warn_of_missing"]

#: Variable → the kind of roots of which it replaces all.
ROOT_VARIABLES = {"DEJA_COPILOT_ROOT": "cli", "DEJA_COPILOT_CHAT_ROOTS": "vscode"}


def naming(here: Here) -> list[str]:
    """Those of the variables that are set."""
    return [name for name in ROOT_VARIABLES if here.environment.get(name)]


def warn_of_missing(here: Here, roots: Sequence[Root] | None = None) -> None:
    """Says on stderr which places the environment names that are not there.

    Args:
        here: the machine.
        roots: what was found to look in; None: it is looked up.
    """
    kinds = {ROOT_VARIABLES[name]: name for name in naming(here)}
    if not kinds:
        return
    for root in find_roots(here.environment, here.home, here.platform) if roots is None else roots:
        if root.kind in kinds and not root.path.exists():
            click.echo(f"{kinds[root.kind]} names {one_line(str(root.path))}, which is not there.", err=True)
