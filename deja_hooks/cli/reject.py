"""`deja-hooks reject`: a session that leads astray."""

import click

from deja_hooks.cli.completing import session_ids
from deja_hooks.cli.context import Here
from deja_hooks.cli.standing import stand

__all__ = ["reject"]


@click.command()
@click.argument("session_id", metavar="ID", shell_complete=session_ids)
@click.option("--note", default="", metavar="TEXT", help="Why; search shows it with the session.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def reject(here: Here, session_id: str, note: str, as_json: bool) -> None:
    """Keep a session from the model (ID: its id, or the beginning of it).

    Hooks pass it over; `deja-hooks search` still finds it, last and marked. A note given
    earlier stays, unless --note gives a new one. `deja-hooks undo` takes it back.

    \b
    Examples:
      deja-hooks reject 3f9a1c --note "superseded: we moved to Postgres"
    """
    stand(here, session_id, "reject", note, as_json=as_json)
