"""`deja-hooks resume`: how to open a session again, or opening it."""

from typing import TYPE_CHECKING

import click

from deja_hooks.cli.chosen import chosen_session
from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.output import local_time, one_line, print_json

if TYPE_CHECKING:
    from deja_hooks.history.resume import Command, Opening
    from deja_hooks.memory.read import Session

__all__ = ["resume"]


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--open", "opening", is_flag=True, help="Do the first step: start VS Code, or Copilot CLI.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def resume(here: Here, session_id: str, opening: bool, as_json: bool) -> int:
    """Say how to open a session again, or open it.

    ID is its id, or the beginning of it. Copilot CLI resumes a session by its id, in the session's folder. VS Code
    lists the chats of the open folder only: the folder is opened, in the session's profile, and the chat is chosen
    from the list.

    \b
    Examples:
      deja-hooks resume 3f9a1c
      deja-hooks resume 3f9a1c --open
    """
    if opening and as_json:
        raise click.UsageError("--json only prints: leave --open out.")
    with memory_of(here) as memory:
        from deja_hooks.history.resume import Machine, opening_of

        session = chosen_session(memory, session_id)
        found = opening_of(memory, session, Machine(here.environment, here.home, here.platform))
    if as_json:
        print_json(_as_json(session, found))
        return 0
    if opening:
        return _open(here, found)
    click.echo("\n".join([*_heading(session), "", *_in_words(found, here.platform)]))
    return 0


def _heading(session: "Session") -> list[str]:
    about = [session.host, session.branch, local_time(session.updated or session.started), session.sid]
    title = click.style(one_line(session.title) or "(untitled)", bold=True)
    return [title, "  ".join(filter(None, map(one_line, about)))]


def _in_words(found: "Opening", platform: str) -> list[str]:
    from deja_hooks.cli.starting import shown

    if found.command is None:
        return [one_line(found.problem)]
    first, *others = found.steps
    lines = [f"1. {one_line(first)}:", *(f"     {line}" for line in shown(found.command, platform))]
    return lines + _numbered(others)


def _numbered(steps: list[str]) -> list[str]:
    return [f"{number}. {one_line(step)}" for number, step in enumerate(steps, 2)]


def _open(here: Here, found: "Opening") -> int:
    """Does the first step, and says the others. Raises DejaError."""
    from deja_hooks.cli.starting import found_program, start, take_over

    if found.command is None:
        raise DejaError(found.problem)
    first, *others = found.steps
    found_program(found.command, here)
    if found.window == "terminal":
        for step in others:  # of no number: the first step is what happens now
            click.echo(one_line(step), err=True)
        return take_over(found.command, here)
    code = start(found.command, here)
    if code:
        raise DejaError(f"{found.command.programs[0]} ended with exit status {code}.")
    click.echo("\n".join([f"1. Done: {one_line(first)}.", *_numbered(others)]))
    return 0


def _as_json(session: "Session", found: "Opening") -> dict[str, object]:
    profile = {"id": found.profile[0], "name": found.profile[1] or None} if found.profile else None
    return {
        "session_id": session.sid,
        "host": session.host,
        "title": session.title,
        "window": found.window or None,
        "folder": found.folder or None,
        "uri": found.uri or None,
        "folder_is_there": found.there,
        "profile": profile,
        "command": _command(found.command) if found.command else None,
        "steps": list(found.steps),
        "problem": found.problem,
    }


def _command(command: "Command") -> dict[str, object]:
    return {
        "programs": list(command.programs),
        "arguments": list(command.arguments),
        "directory": command.directory or None,
        "environment": dict(command.environment),
    }
