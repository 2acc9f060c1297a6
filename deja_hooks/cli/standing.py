"""Promoting and rejecting: what both commands do."""

import click

from deja_hooks.cli.chosen import chosen_session
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import add_mark, follow
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.output import one_line

__all__ = ["stand"]

_LONGEST = 300
_DONE = {"promote": "Promoted", "reject": "Rejected"}


def stand(here: Here, prefix: str, kind: str, note: str) -> None:
    """Marks a session.

    Args:
        prefix: the beginning of its id.
        kind: "promote" or "reject".
        note: why; "" for no reason.

    Raises:
        DejaError: there is no such session, or the mark can't be written.
    """
    from deja_hooks.marks.model import Mark
    from deja_hooks.redaction.redact import redact

    if len(note) > _LONGEST:
        raise DejaError(f"The note has {len(note):,} characters: keep it below {_LONGEST:,}.")
    with memory_of(here) as memory:
        session = chosen_session(memory, prefix)
    words = redact(" ".join(note.split()))
    add_mark(
        here,
        lambda name: Mark(name, here.now_ms, kind, session=session.sid, text=words),
        f"{kind} {session.sid} {words}",
    )
    follow(here)
    click.echo(f"{_DONE[kind]}: {one_line(session.title) or '(untitled)'}  {one_line(session.sid)}")
