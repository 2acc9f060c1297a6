"""`deja-hooks export`: one session as a document that can be handed on."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.chosen import chosen_session
from deja_hooks.cli.completing import session_ids
from deja_hooks.cli.context import Here
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.output import number_of
from deja_hooks.cli.redacted import redacted
from deja_hooks.cli.session_json import session_as_json
from deja_hooks.cli.written import write_file

if TYPE_CHECKING:
    from deja_hooks.history.whole import Whole

__all__ = ["export"]


@click.command()
@click.argument("session_id", metavar="ID", shell_complete=session_ids)
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "json"]),
    default="md",
    show_default=True,
    help="Markdown to read, or JSON.",
)
@click.option("--output", "-o", metavar="FILE", help="Write to this file (0600); else to stdout.")
@click.option("--force", is_flag=True, help="Replace FILE where it exists.")
@click.pass_obj
def export(here: Here, session_id: str, form: str, output: str | None, force: bool) -> None:
    """Write one session as a document: what it was about, what was said, edited and run.

    Secrets were removed before the session was stored; the document says how many, and of what kinds. Read it
    before you hand it on: names, paths and code are in it as they were.

    \b
    Examples:
      deja-hooks export 3f9a1c > session.md
      deja-hooks export 3f9a1c --format json --output session.json
    """
    with memory_of(here) as memory:
        from deja_hooks.history.whole import whole_session

        whole = whole_session(memory, chosen_session(memory, session_id))
    secrets = redacted(whole)
    text = _markdown(whole, secrets) if form == "md" else _json(whole)
    if output is None or output == "-":
        click.echo(text, nl=False)
        return
    write_file(Path(output), text, force)
    removed = number_of(sum(secrets.values()), "secret") if secrets else "no secrets"
    click.echo(f"Wrote {output}: {number_of(len(whole.turns), 'turn')}, {removed} removed.")


def _json(whole: "Whole") -> str:
    return json.dumps(session_as_json(whole, sides=True), indent=2) + "\n"


def _markdown(whole: "Whole", secrets: dict[str, int]) -> str:
    from deja_hooks.cli.document import markdown_document
    from deja_hooks.memory.admit import SPAN_LIMIT

    return markdown_document(whole, secrets, SPAN_LIMIT)
