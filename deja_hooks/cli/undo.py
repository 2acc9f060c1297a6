"""`deja-hooks undo`: takes a note, a promotion or a rejection back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from deja_hooks.cli.completing import session_ids
from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import changing, follow, keys_of
from deja_hooks.cli.output import one_line, print_json
from deja_hooks.cli.standing import decided
from deja_hooks.memory.sqlite import sqlite_error

if TYPE_CHECKING:
    from deja_hooks.marks.model import Mark

__all__ = ["undo"]


@click.command()
@click.argument("what", metavar="[ID]", default=None, required=False, shell_complete=session_ids)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def undo(here: Here, what: str | None, as_json: bool) -> None:
    """Take back the last `remember`, `promote` or `reject` of this directory's project.

    With ID (or the beginning of it): that note, or the last mark of that session, of whatever project. What a mark
    had replaced stands again. A note that is taken back is erased. `forget` can't be undone.

    \b
    Examples:
      deja-hooks undo
      deja-hooks undo note-3f9
      deja-hooks undo 3f9a1c
    """
    from deja_hooks.marks.decisions import decide
    from deja_hooks.marks.log import append_and_cut, read_log
    from deja_hooks.marks.model import Mark, new_id

    if what is not None and not what.strip():
        raise DejaError("The ID is empty: give the beginning of one, or none for this project's last mark.")
    with changing(here):
        log = read_log(here.layout)
        known = _known(here, log)
        mark = _chosen(log, what) if what else _last_here(here, log, known)
        name = new_id(here.now_ms, f"undo {mark.id}", {each.id for each in log})
        taken_back = Mark(name, here.now_ms, "undo", undoes=mark.id)
        append_and_cut(here.layout, taken_back, lambda each: each.id == mark.id and mark.kind == "remember")
        left = decide([*log, taken_back]).standing.get(mark.session) if mark.session else None
    follow(here)
    _tell(mark, left, known.get(mark.session, ("", ""))[1], as_json)


def _known(here: Here, log: list[Mark]) -> dict[str, tuple[str, str]]:
    """Key of the project and title of the sessions that have marks, by their ids, as far as the memory has them."""
    from deja_hooks.memory.read import open_memory

    memory = open_memory(here.layout.memory)
    if memory is None:
        return {}
    query = "SELECT key, title FROM session JOIN project ON project.id=project WHERE sid=?"
    try:
        found = {sid: memory.db.execute(query, (sid,)).fetchone() for sid in {mark.session for mark in log}}
    except sqlite_error():
        return {}
    finally:
        memory.close()
    return {sid: (row[0], row[1]) for sid, row in found.items() if row}


def _open_marks(log: list[Mark]) -> list[Mark]:
    """What stands, in the order of the log."""
    from deja_hooks.marks.decisions import decide

    decisions = decide(log)
    return sorted([*decisions.notes, *decisions.standing.values()], key=log.index)


def _last_here(here: Here, log: list[Mark], known: dict[str, tuple[str, str]]) -> Mark:
    """The last mark that stands of this directory's project. Raises DejaError."""
    keys = set(keys_of(here, working_folders(here.environment)))
    marks = _open_marks(log)
    for mark in reversed(marks):
        own = mark.projects if mark.kind == "remember" else known.get(mark.session, ("", ""))[:1]
        if keys & set(own):
            return mark
    elsewhere = f" The last mark elsewhere: deja-hooks undo {one_line(_name(marks[-1]))}." if marks else ""
    raise DejaError(f"There is nothing to take back in this project.{elsewhere}")


def _chosen(log: list[Mark], what: str) -> Mark:
    """The last mark that stands and is meant. Raises DejaError."""
    meant = [mark for mark in _open_marks(log) if _name(mark).startswith(what)]
    if not meant:
        lists = "deja-hooks sessions --marked promoted (or rejected)"
        raise DejaError(f"No note, promotion or rejection of {what!r} stands: {lists} lists what is marked.")
    names = sorted({_name(mark) for mark in meant})
    if len(names) > 1 and what not in names:
        raise DejaError(
            "\n".join([f"Several have an id that begins with {what!r}, give more of it:", *(f"  {n}" for n in names)])
        )
    return meant[-1] if what not in names else [mark for mark in meant if _name(mark) == what][-1]


def _name(mark: Mark) -> str:
    """The id by which a person names what was marked."""
    from deja_hooks.marks.model import note_sid

    return note_sid(mark) if mark.kind == "remember" else mark.session


def _tell(mark: Mark, left: Mark | None, title: str, as_json: bool) -> None:
    """Says what was taken back, and what stands instead."""
    if as_json:
        now = {"kind": left.kind, "note": left.text} if left else None
        title = "" if mark.kind == "remember" else title
        print_json({"session_id": _name(mark), "kind": mark.kind, "text": mark.text, "title": title, "mark": now})
        return
    about = one_line(mark.text if mark.kind == "remember" else title)
    what = "" if mark.kind == "remember" else f"{mark.kind} "
    again = f". It is again {decided(left.kind, left.text)}." if left else ""
    click.echo(f"Taken back: {what}{one_line(_name(mark))}{f' ({about})' if about else ''}{again}")
