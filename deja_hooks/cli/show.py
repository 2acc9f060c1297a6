"""`deja-hooks show`: one session, as the memory has it."""

from datetime import datetime, timezone
from typing import NamedTuple

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.output import local_time, one_line, print_json, quoted_text
from deja_hooks.memory.read import Memory, Session, Turn

__all__ = ["show"]

_MOST_WORK = 100_000
_MOST_NAMED = 10


class _Work(NamedTuple):
    turn: int
    kind: str
    path: str
    command: str
    exit: int | None
    failure: str


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def show(here: Here, session_id: str, as_json: bool) -> None:
    """Print one session: what was said, edited and run (ID: its id, or the beginning of it).

    \b
    Example:
      deja-hooks show 3f9a1c
    """
    with memory_of(here) as memory:
        session = _session(memory, session_id)
        project = next((p.label for p in memory.projects() if p.id == session.project), "")
        turns = memory.turns(session.id)
        work = [_Work(*row[:6]) for row in memory.work(session.id, _MOST_WORK)]
    if as_json:
        print_json(_as_json(session, project, turns, work))
    else:
        click.echo(_as_text(session, project, turns, work))


def _session(memory: Memory, prefix: str) -> Session:
    if not _is_text(prefix):
        raise DejaError(f"{prefix!r} is not valid UTF-8, as ids are: deja-hooks search finds ids.")
    exact = memory.session_of(prefix)
    if exact is not None:
        return exact
    found = memory.sessions_like(prefix, _MOST_NAMED + 1) if prefix else []
    if not found:
        raise DejaError(f"No session has an id that begins with {prefix!r}: deja-hooks search finds ids.")
    if len(found) > 1:
        names = [f"  {one_line(s.sid)}  {one_line(s.title)}".rstrip() for s in found[:_MOST_NAMED]]
        more = ["  and more"] if len(found) > _MOST_NAMED else []
        raise DejaError("\n".join([f"Several sessions have an id that begins with {prefix!r}:", *names, *more]))
    return found[0]


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True


def _as_json(session: Session, project: str, turns: list[Turn], work: list[_Work]) -> dict[str, object]:
    return {
        "session_id": session.sid,
        "host": session.host,
        "project": project,
        "cwd": session.cwd,
        "branch": session.branch,
        "title": session.title,
        "started": _iso(session.started),
        "updated": _iso(session.updated),
        "turns": [
            {
                "at": _iso(turn.at),
                "user": turn.user,
                "assistant": turn.assistant,
                "work": [
                    {
                        "kind": w.kind,
                        "path": w.path,
                        "command": w.command,
                        "exit": w.exit,
                        "failure": w.failure,
                    }
                    for w in work
                    if w.turn == turn.id
                ],
            }
            for turn in turns
        ],
    }


def _as_text(session: Session, project: str, turns: list[Turn], work: list[_Work]) -> str:
    about = [session.host, project, session.branch, local_time(session.started), session.sid]
    title = click.style(one_line(session.title) or "(untitled)", bold=True)
    lines = [title, "  ".join(filter(None, map(one_line, about)))]
    for number, turn in enumerate(turns, 1):
        lines += ["", click.style(f"{number}. {local_time(turn.at)}", bold=True)]
        lines += [quoted_text(turn.user, "  > ")] if turn.user else []
        lines += [quoted_text(turn.assistant)] if turn.assistant else []
        lines += [_work_line(w) for w in work if w.turn == turn.id]
    return "\n".join(lines)


def _work_line(work: _Work) -> str:
    what = one_line(work.command or work.path)
    end = "" if work.exit is None else f"  exit {work.exit}"
    failure = f"  ({one_line(work.failure)})" if work.failure else ""
    return f"  * {one_line(work.kind)}  {what}{end}{failure}".rstrip()


def _iso(epoch_ms: int) -> str | None:
    if not epoch_ms:
        return None
    return datetime.fromtimestamp(epoch_ms / 1000, timezone.utc).isoformat(timespec="milliseconds")
