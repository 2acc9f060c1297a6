"""`deja-hooks show`: one session, as the memory has it."""

from typing import TYPE_CHECKING

import click

from deja_hooks.cli.chosen import chosen_session, marks_of
from deja_hooks.cli.context import Here
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.output import iso_time, local_time, number_of, one_line, print_json, quoted_text
from deja_hooks.cli.usage import spent_as_json

if TYPE_CHECKING:
    from deja_hooks.history.whole import Done, Whole, WholeTurn

__all__ = ["about_as_json", "show"]

_LONGEST_PROMPT = 100


@click.command()
@click.argument("session_id", metavar="ID")
@click.option("--turns", "only_turns", is_flag=True, help="Only the list of turns, a line each.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object; it always has the turns in full.")
@click.pass_obj
def show(here: Here, session_id: str, only_turns: bool, as_json: bool) -> None:
    """Print one session: what was said, edited and run (ID: its id, or the beginning of it).

    \b
    Examples:
      deja-hooks show 3f9a1c
      deja-hooks show 3f9a1c --turns
    """
    with memory_of(here) as memory:
        from deja_hooks.history.whole import whole_session

        whole = whole_session(memory, chosen_session(memory, session_id))
    if as_json:
        print_json(_as_json(whole))
    else:
        click.echo("\n".join([*_heading(whole), *(_list(whole) if only_turns else _in_full(whole))]))


# -- JSON


def about_as_json(whole: "Whole") -> dict[str, object]:
    """What is known of the session beside its turns."""
    session = whole.session
    return {
        "session_id": session.sid,
        "host": session.host,
        "store": session.store,
        "version": session.version,
        "project": whole.project,
        "cwd": session.cwd,
        "branch": session.branch,
        "title": session.title,
        "started": iso_time(session.started),
        "updated": iso_time(session.updated),
        "archived": _flag(session.archived),
        "nested": _flag(session.nested),
        "side": _flag(session.side),
        "gone": bool(session.gone),
        "forked_from": session.forked_from or None,
        "copied_requests": session.skipped,
    }


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _as_json(whole: "Whole") -> dict[str, object]:
    turns = [
        {
            "at": iso_time(turn.at),
            "user": turn.user,
            "assistant": turn.assistant,
            "work": [
                {"kind": w.kind, "path": w.path, "command": w.command, "exit": w.exit, "failure": w.failure}
                for w in turn.work
            ],
            "files": turn.files,
        }
        for turn in whole.turns
    ]
    return {**about_as_json(whole), "turns": turns, "usage": spent_as_json(whole.spent)}


# -- text


def _heading(whole: "Whole") -> list[str]:
    session = whole.session
    about = [session.host, whole.project, session.branch, local_time(session.started), session.sid]
    title = click.style(one_line(session.title) or "(untitled)", bold=True)
    return [title, "  ".join(filter(None, map(one_line, about))), *map(one_line, marks_of(session))]


def _in_full(whole: "Whole") -> list[str]:
    lines = []
    for number, turn in enumerate(whole.turns, 1):
        lines += ["", click.style(f"{number}. {local_time(turn.at)}", bold=True)]
        lines += [quoted_text(turn.user, "  > ")] if turn.user else []
        lines += [quoted_text(turn.assistant)] if turn.assistant else []
        lines += [_work_line(w) for w in turn.work]
        lines += [f"  * read  {one_line(', '.join(turn.files))}"] if turn.files else []
    return lines


def _work_line(work: "Done") -> str:
    what = one_line(work.command or work.path)
    end = "" if work.exit is None else f"  exit {work.exit}"
    failure = f"  ({one_line(work.failure)})" if work.failure else ""
    return f"  * {one_line(work.kind)}  {what}{end}{failure}".rstrip()


def _list(whole: "Whole") -> list[str]:
    if not whole.turns:
        return ["", "No turns."]
    width = len(str(len(whole.turns)))
    return ["", *(_turn_line(turn, f"{number:>{width}}.") for number, turn in enumerate(whole.turns, 1))]


def _turn_line(turn: "WholeTurn", number: str) -> str:
    words = " ".join(turn.user.split())
    if len(words) > _LONGEST_PROMPT:
        words = words[: _LONGEST_PROMPT - 1] + "…"
    kinds = [(work.kind, 1) for work in turn.work] + [("file", len(turn.files))] * bool(turn.files)
    counts = {kind: sum(n for k, n in kinds if k == kind) for kind, _ in kinds}
    done = ", ".join(number_of(count, kind) for kind, count in counts.items())
    asked = one_line(words) or "(no prompt)"
    return f"{number} {local_time(turn.at)}  {asked}" + (f"  [{one_line(done)}]" if done else "")
