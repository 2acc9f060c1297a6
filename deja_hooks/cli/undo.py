"""`deja-hooks undo`: takes a note, a promotion or a rejection back."""

from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import changing, follow
from deja_hooks.cli.output import one_line

if TYPE_CHECKING:
    from deja_hooks.marks.model import Mark

__all__ = ["undo"]


@click.command()
@click.argument("what", metavar="[ID]", default="")
@click.pass_obj
def undo(here: Here, what: str) -> None:
    """Take back the last `remember`, `promote` or `reject`; or (ID) that of a note, or the last one of a session.

    A note that is taken back is erased. What was forgotten is gone for good: `forget` can't be undone.

    \b
    Examples:
      deja-hooks undo
      deja-hooks undo note-3f9
      deja-hooks undo 3f9a1c
    """
    from deja_hooks.marks.log import append_and_cut, read_log
    from deja_hooks.marks.model import Mark, new_id

    with changing(here):
        log = read_log(here.layout)
        mark = _chosen(log, what)
        name = new_id(here.now_ms, f"undo {mark.id}", {each.id for each in log})
        taken_back = Mark(name, here.now_ms, "undo", undoes=mark.id)
        append_and_cut(here.layout, taken_back, lambda each: each.id == mark.id and mark.kind == "remember")
    follow(here)
    click.echo(f"Taken back: {_said(mark)}")


def _chosen(log: "list[Mark]", what: str) -> "Mark":
    """The last mark that stands and is meant. Raises DejaError."""
    from deja_hooks.marks.decisions import decide

    decided = decide(log)
    open_marks = sorted([*decided.notes, *decided.standing.values()], key=log.index)
    if not what and not open_marks:
        raise DejaError("There is nothing to take back.")
    meant = [mark for mark in open_marks if _name(mark).startswith(what)] if what else open_marks
    if not meant:
        raise DejaError(f"No note, promotion or rejection of {what!r} stands.")
    names = sorted({_name(mark) for mark in meant})
    if what and len(names) > 1 and what not in names:
        raise DejaError("\n".join([f"Several have an id that begins with {what!r}:", *(f"  {n}" for n in names)]))
    return meant[-1] if what not in names else [mark for mark in meant if _name(mark) == what][-1]


def _name(mark: "Mark") -> str:
    """The id by which a person names what was marked."""
    from deja_hooks.marks.model import note_sid

    return note_sid(mark) if mark.kind == "remember" else mark.session


def _said(mark: "Mark") -> str:
    if mark.kind == "remember":
        return f"{_name(mark)} ({one_line(mark.text)})"
    return f"{mark.kind} {one_line(mark.session)}"
