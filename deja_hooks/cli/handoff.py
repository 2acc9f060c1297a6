"""`deja-hooks handoff`: a session's work, handed to a new session of either host."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.chosen import chosen_session
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.memory import memory_of, project_here
from deja_hooks.cli.output import iso_time, number_of, one_line, print_json
from deja_hooks.cli.written import write_file

if TYPE_CHECKING:
    from deja_hooks.history.handoff import Handoff
    from deja_hooks.history.resume import Opening
    from deja_hooks.memory.read import Memory, Session

__all__ = ["handoff"]


@click.command()
@click.argument("session_id", metavar="[ID]", required=False)
@click.option("--to", "host", type=click.Choice(["vscode", "copilot"]), help="Start a new session there with it.")
@click.option("--output", "-o", metavar="FILE", help="Write it to this file (0600); else to stdout.")
@click.option("--force", is_flag=True, help="Replace FILE where it exists.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object with the prompt.")
@click.pass_obj
def handoff(
    here: Here, session_id: str | None, host: str | None, output: str | None, force: bool, as_json: bool
) -> int:
    """Hand a session's work to a new session: a prompt of 6,000 characters at most.

    It quotes what the session was to do, how it ended, what was decided and asked for, what is open, which commands
    ran and which files were changed. Without ID it is the last session of this folder's project of which no turn is
    in progress. --to starts a new session with it, in the session's folder (VS Code from 1.102 on); without it the
    prompt is printed.

    \b
    Examples:
      deja-hooks handoff
      deja-hooks handoff 3f9a1c --to copilot
      deja-hooks handoff 3f9a1c --output prompt.md
    """
    if sum((host is not None, output is not None, as_json)) > 1:
        raise click.UsageError("--to, --output and --json are three ways for the prompt to go: name one.")
    with memory_of(here) as memory:
        from deja_hooks.history.resume import Machine, opening_of

        session = chosen_session(memory, session_id) if session_id is not None else _last(here, memory)
        _refuse_kept_out(here, memory, session)
        project = _project(memory, session)
        made = _made(memory, session, project)
        opening = opening_of(memory, session, Machine(here.environment, here.home, here.platform)) if host else None
    if opening is not None:
        return _start(here, opening, made, session, str(host))
    if as_json:
        print_json(_as_json(session, project, made))
    elif output is None or output == "-":
        click.echo(made.prompt)
    else:
        write_file(Path(output), made.prompt + "\n", force)
        click.echo(f"Wrote {output}: {number_of(len(made.prompt), 'character')}.")
    return 0


def _last(here: Here, memory: "Memory") -> "Session":
    """The last session of the working directory's project. Raises DejaError."""
    from deja_hooks.history.handoff import last_session

    project = memory.project(project_here(here, memory))
    session = last_session(memory, here.layout, project.id, here.now_ms) if project is not None else None
    if session is None:
        raise DejaError(
            "This folder's project has no session to hand over (one with a turn in progress, or a rejected one, has to"
            " be named): deja-hooks sessions lists ids."
        )
    return session


def _refuse_kept_out(here: Here, memory: "Memory", session: "Session") -> None:
    """What the user keeps from the model, this command doesn't hand to it; a note is no work. Raises DejaError."""
    from deja_hooks.marks.rules import stored_rules
    from deja_hooks.memory.marks_read import NOTES, mark_of
    from deja_hooks.memory.scope import project_key

    if session.store == NOTES:
        raise DejaError(f"{session.sid} is a note, no session: hooks and search find it by themselves.")
    if stored_rules(here.layout).fit(session.cwd, project_key(session.cwd)):
        raise DejaError("That session's folder is excluded: deja-hooks config list.")
    mark = mark_of(memory, session.sid)
    if mark is not None and mark.kind == "reject":
        why = f" ({one_line(mark.note)})" if mark.note else ""
        raise DejaError(f"You rejected that session{why}: deja-hooks promote {session.sid} makes it fit again.")


def _project(memory: "Memory", session: "Session") -> str:
    from deja_hooks.history.listing import project_name

    row = memory.db.execute("SELECT key, label FROM project WHERE id=?", (session.project,)).fetchone()
    return project_name(*row) if row else "-"


def _made(memory: "Memory", session: "Session", project: str) -> "Handoff":
    from deja_hooks.history.handoff import handoff_of

    made = handoff_of(memory, session, project, secrets.token_hex(4))
    if not made.prompt:
        raise DejaError("Nothing was asked in that session: there is nothing to hand over.")
    return made


def _start(here: Here, opening: "Opening", made: "Handoff", session: "Session", host: str) -> int:
    """Starts a new session with the prompt. Raises DejaError."""
    from deja_hooks.cli.starting import start, take_over
    from deja_hooks.history.new_session import new_session

    new = new_session(opening, made.prompt, host, here.platform)
    prints = f"deja-hooks handoff {session.sid} prints the prompt, to be pasted there."
    if new.command is None:
        raise DejaError(f"{new.problem} {prints}")
    try:
        code = take_over(new.command, here) if host == "copilot" else start(new.command, here, new.stdin)
    except DejaError as error:
        raise DejaError(f"{error}\n{prints}") from error
    if host == "copilot":
        return code
    if code:
        raise DejaError(f"{new.command.programs[0]} ended with exit status {code}.")
    where = f" in {one_line(new.command.directory)}" if new.command.directory else ""
    click.echo(f"Handed over to {new.command.name}{where}: {number_of(len(made.prompt), 'character')}.")
    return 0


def _as_json(session: "Session", project: str, made: "Handoff") -> dict[str, object]:
    return {
        "session_id": session.sid,
        "host": session.host,
        "project": project,
        "title": session.title,
        "started": iso_time(session.started),
        "updated": iso_time(session.updated),
        "characters": len(made.prompt),
        "left_out": made.left_out,
        "prompt": made.prompt,
    }
