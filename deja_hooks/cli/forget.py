"""`deja-hooks forget`: sessions are erased, and stay so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from deja_hooks.cli.chosen import chosen_session
from deja_hooks.cli.completing import project_folders, session_ids
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.marking import agreed, changing, folders_of, full_pass, keys_of, on_terminal
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.moments import since_option
from deja_hooks.cli.output import iso_time, local_time, number_of, one_line, print_json, print_table

if TYPE_CHECKING:
    from deja_hooks.marks.model import Mark
    from deja_hooks.memory.read import Memory

__all__ = ["forget"]

_MOST_SHOWN = 20
#: Epoch ms that no session is dated after.
_ANY_TIME = 1 << 62


class _Doomed(NamedTuple):
    """A session that is to be forgotten."""

    sid: str
    title: str
    project: str
    updated: int
    started: int
    requests: bytes


@click.command()
@click.argument("session_id", metavar="[ID]", default="", shell_complete=session_ids)
@click.option(
    "--project",
    is_flag=False,
    flag_value=".",
    metavar="[PATH]",
    shell_complete=project_folders,
    help="All sessions of this folder's project so far (default: the working directory's).",
)
@since_option("All sessions active since then: 2h, 3d, 2026-11-01; with --project, those of the project.")
@click.option("--dry-run", is_flag=True, help="Only show what would be forgotten.")
@click.option("--yes", is_flag=True, help="Don't ask; needed where there is no terminal to ask on.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def forget(
    here: Here, session_id: str, project: str | None, since: int | None, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Erase sessions for good: from the memory, from what hooks noted, from recordings. This can't be undone.

    The hosts' own files stay as they are; deja-hooks reads the session in them no more, however often it indexes anew,
    and does not follow or answer it where it goes on. What forks have copied of it is erased from them too.

    \b
    Examples:
      deja-hooks forget 3f9a1c
      deja-hooks forget --since 2h --dry-run
      deja-hooks forget --project ~/src/secret --yes
    """
    if bool(session_id) == (project is not None or since is not None):
        raise DejaError("Say what to forget: the ID of one session, or --project, --since or both.")
    keys = keys_of(here, folders_of(here, project)) if project is not None else []
    full_pass(here)
    doomed = _one(here, session_id) if session_id else _all(here, keys, since)
    if doomed is None:
        if as_json:
            print_json({"dry_run": dry_run, "sessions": []})
        else:
            click.echo(f"{session_id} is forgotten already.")
        return
    if not dry_run:
        _ask(doomed, yes)
        _write_down(here, doomed, keys, since, rule=not session_id)
        full_pass(here)
    _tell(doomed, dry_run, as_json)


# -- what


def _one(here: Here, prefix: str) -> list[_Doomed] | None:
    """The session of that id; None where it is forgotten already."""
    from deja_hooks.marks.decisions import decide
    from deja_hooks.marks.log import read_log

    with memory_of(here) as memory:
        try:
            session = chosen_session(memory, prefix)
        except DejaError:
            if any(sid.startswith(prefix) for sid in decide(read_log(here.layout)).forgotten):
                return None
            raise
        return _rows(memory, "session.id=?", (session.id,))


def _all(here: Here, keys: list[str], since: int | None) -> list[_Doomed]:
    from deja_hooks.indexer.in_line import stored_times
    from deja_hooks.marks.decisions import Span

    span = Span(tuple(keys), since, _ANY_TIME)  # a clock may have been wrong: what is known now is meant, all of it
    with memory_of(here) as memory:
        rows = memory.db.execute(
            "SELECT session.id, key, started, updated FROM session JOIN project ON project.id=project"
        ).fetchall()
        found = []
        for row_id, key, started, updated in rows:
            if span.holds(key, started, stored_times(memory.db, row_id, updated)):
                found += _rows(memory, "session.id=?", (row_id,))
    return sorted(found, key=lambda each: (-each.updated, each.sid))


def _rows(memory: Memory, where: str, values: tuple[object, ...]) -> list[_Doomed]:
    rows = memory.db.execute(
        "SELECT sid, title, label, updated, started, coalesce(requests, x'') FROM session"
        f" JOIN project ON project.id=project WHERE {where}",
        values,
    )
    return [_Doomed(*row) for row in rows]


# -- asking and doing


def _ask(doomed: list[_Doomed], yes: bool) -> None:
    """Asks where something would be erased. Raises DejaError where the answer isn't yes."""
    if yes or not doomed:
        return
    asking = on_terminal()
    for each in doomed[:_MOST_SHOWN] if asking else ():
        click.echo(f"  {local_time(each.updated)}  {one_line(each.project)}  {one_line(each.title)}", err=True)
    if asking and len(doomed) > _MOST_SHOWN:
        click.echo(f"  and {len(doomed) - _MOST_SHOWN:,} more (--dry-run names all)", err=True)
    agreed(f"Forget {number_of(len(doomed), 'session')} for good?", "Nothing was forgotten.", asking=asking)


def _write_down(here: Here, doomed: list[_Doomed], keys: list[str], since: int | None, *, rule: bool) -> None:
    """Leaves the tombstone; the words of the user's own marks about these sessions go with it."""
    from deja_hooks.marks.decisions import decide
    from deja_hooks.marks.log import append_and_cut, read_log
    from deja_hooks.marks.model import Forgotten, Mark, new_id, note_sid
    from deja_hooks.marks.rules import keep_out_sessions

    sessions = tuple(Forgotten(each.sid, each.started, bytes(each.requests)) for each in doomed)
    with changing(here):
        log = read_log(here.layout)
        name = new_id(here.now_ms, f"forget {[each.sid for each in sessions]}", {mark.id for mark in log})
        mark = Mark(
            name, here.now_ms, "forget", projects=tuple(keys), sessions=sessions, since=since, rule=rule
        )  # fmt: skip
        kept = {note_sid(note) for note in decide([*log, mark]).notes}
        gone = {each.sid for each in sessions}

        def loses_words(each: Mark) -> bool:
            return note_sid(each) not in kept if each.kind == "remember" else each.session in gone

        append_and_cut(here.layout, mark, loses_words)
        keep_out_sessions(here.layout, sorted(gone))


def _tell(doomed: list[_Doomed], dry_run: bool, as_json: bool) -> None:
    if as_json:
        sessions = [
            {"session_id": d.sid, "project": d.project, "title": d.title, "updated": iso_time(d.updated)}
            for d in doomed
        ]  # fmt: skip
        print_json({"dry_run": dry_run, "sessions": sessions})
    elif dry_run and doomed:
        print_table(
            ("session", "last active", "project", "title"),
            [(d.sid, local_time(d.updated), d.project or "-", d.title) for d in doomed],
        )
        click.echo(f"{number_of(len(doomed), 'session')} would be forgotten.")
    else:
        click.echo("No session would be forgotten." if dry_run else f"Forgotten: {number_of(len(doomed), 'session')}.")
