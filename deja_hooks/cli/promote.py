"""`deja-hooks promote`: a session that is worth more than its words."""

import click

from deja_hooks.cli.completing import session_ids
from deja_hooks.cli.context import Here
from deja_hooks.cli.standing import stand

__all__ = ["promote"]


@click.command()
@click.argument("session_id", metavar="ID", shell_complete=session_ids)
@click.option("--note", default="", metavar="TEXT", help="Why; shown with the session.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def promote(here: Here, session_id: str, note: str, as_json: bool) -> None:
    """Rank a session above others that say as much (ID: its id, or the beginning of it).

    A note given earlier stays, unless --note gives a new one. `deja-hooks undo` takes it back.

    \b
    Examples:
      deja-hooks promote 3f9a1c
      deja-hooks promote 3f9a1c --note "the design that we kept"
    """
    stand(here, session_id, "promote", note, as_json=as_json)
