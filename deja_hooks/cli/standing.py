"""Promoting and rejecting: what both commands do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deja_hooks.cli.chosen import chosen_session
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import add_mark, changing, follow
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.output import one_line, print_json

if TYPE_CHECKING:
    from deja_hooks.marks.model import Mark

__all__ = ["decided", "stand"]

_LONGEST = 300
_DONE = {"promote": "promoted", "reject": "rejected"}


def stand(here: Here, prefix: str, kind: str, note: str, *, as_json: bool) -> None:
    """Marks a session, where it isn't marked just so already.

    Args:
        prefix: the beginning of its id.
        kind: "promote" or "reject".
        note: why; "" for no reason, or the one given before with a mark of that kind.
        as_json: whether to print a JSON object.

    Raises:
        DejaError: there is no such session, or the mark can't be written.
    """
    from deja_hooks.marks.model import Mark
    from deja_hooks.redaction.redact import redact

    if len(note) > _LONGEST:
        raise DejaError(f"The note has {len(note):,} characters: keep it below {_LONGEST:,}.")
    with memory_of(here) as memory:
        session = chosen_session(memory, prefix)
    before = _standing(here, session.sid)
    same_kind = before is not None and before.kind == kind
    words = redact(" ".join(note.split())) or (before.text if before is not None and same_kind else "")
    changed = before is None or not same_kind or before.text != words
    if changed:
        add_mark(
            here,
            lambda name: Mark(name, here.now_ms, kind, session=session.sid, text=words),
            f"{kind} {session.sid} {words}",
        )
        follow(here)
    if as_json:
        mark = {"kind": kind, "note": words}
        print_json({"session_id": session.sid, "title": session.title, "mark": mark, "changed": changed})
        return
    title = f"{one_line(session.title) or '(untitled)'}  {one_line(session.sid)}"
    if not changed:
        click.echo(f"Nothing changed, it is already {decided(kind, words)}: {title}")
        return
    replaced = f" (it was {decided(before.kind, before.text)})" if before is not None else ""
    click.echo(f"{_DONE[kind].capitalize()}{replaced}: {title}")


def decided(kind: str, note: str) -> str:
    """A promotion or a rejection in words."""
    return _DONE[kind] + (f', "{one_line(note)}"' if note else "")


def _standing(here: Here, sid: str) -> Mark | None:
    """What stands of a session now."""
    from deja_hooks.marks.decisions import decide
    from deja_hooks.marks.log import read_log

    with changing(here):
        return decide(read_log(here.layout)).standing.get(sid)
