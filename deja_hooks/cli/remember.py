"""`deja-hooks remember`: a note for this project."""

import click

from deja_hooks.cli.completing import project_folders
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import add_mark, changing, folders_of, follow, keys_of
from deja_hooks.cli.output import one_line, print_json

__all__ = ["remember"]

_LONGEST = 2_000


@click.command()
@click.argument("text", nargs=-1, required=True)
@click.option(
    "--project",
    default=".",
    metavar="PATH",
    shell_complete=project_folders,
    help="The project of this folder (default: this directory's).",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def remember(here: Here, text: tuple[str, ...], project: str, as_json: bool) -> None:
    """Keep a note for this project: hooks and search find it like anything said in a session.

    It is kept as a session of its own, so `deja-hooks show` opens it; `deja-hooks undo` takes it back.

    \b
    Examples:
      deja-hooks remember "Releases are cut from main, never on Fridays."
      deja-hooks remember --project ~/src/shop "The staging base is read-only."
    """
    from deja_hooks.marks.model import Mark, note_sid
    from deja_hooks.memory.scope import label
    from deja_hooks.redaction.redact import redact

    words = " ".join(text).strip()
    if not words:
        raise DejaError("There is nothing to remember: give the note's text.")
    if len(words) > _LONGEST:
        raise DejaError(f"The note has {len(words):,} characters: keep it below {_LONGEST:,}.")
    folders = folders_of(here, project)
    keys = tuple(keys_of(here, folders))
    _check_kept(here, folders[0], keys[0])
    words = redact(words)
    mark = add_mark(
        here,
        lambda name: Mark(name, here.now_ms, "remember", projects=keys[:1], folder=folders[0], text=words),
        words,
    )
    follow(here)
    name = label(keys[0]) or folders[0]
    if as_json:
        print_json({"session_id": note_sid(mark), "project": name, "text": words})
    else:
        click.echo(f"Remembered for {one_line(name)}: {note_sid(mark)}")


def _check_kept(here: Here, folder: str, key: str) -> None:
    """Raises DejaError where the folder is excluded: the note would be erased at once."""
    from deja_hooks.marks.rules import refresh_rules

    with changing(here):
        rules = refresh_rules(here.layout, here.home)
    if rules.fit(folder, key):
        raise DejaError(
            f"{one_line(folder)} is excluded, and so would the note be: deja-hooks config list names the entry, "
            "deja-hooks config include takes it back."
        )
