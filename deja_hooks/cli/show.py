"""`deja-hooks show`: one session, as the memory has it."""

from typing import TYPE_CHECKING

import click

from deja_hooks.cli.chosen import chosen_session, marks_of
from deja_hooks.cli.completing import session_ids
from deja_hooks.cli.context import Here
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.output import local_time, number_of, one_line, print_json, quoted_text
from deja_hooks.cli.session_json import session_as_json

if TYPE_CHECKING:
    from deja_hooks.history.whole import Done, Whole, WholeTurn

__all__ = ["show"]

_LONGEST_PROMPT = 100
_NO_PROMPT = "(no prompt: the agent ran by itself)"
_OPEN = "(in progress, or never answered, when it was last read)"


@click.command()
@click.argument("session_id", metavar="ID", shell_complete=session_ids)
@click.option("--turns", "only_turns", is_flag=True, help="Only the list of turns, a line each.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object; it always has the turns in full.")
@click.pass_obj
def show(here: Here, session_id: str, only_turns: bool, as_json: bool) -> None:
    """Print one session: what was said and run, and which files were edited and read.

    ID is its id, or the beginning of it, in any case. The edits themselves are in what deja-hooks export prints.

    \b
    Examples:
      deja-hooks show 3f9a1c
      deja-hooks show 3f9a1c --turns
    """
    with memory_of(here) as memory:
        from deja_hooks.history.whole import whole_session

        whole = whole_session(memory, chosen_session(memory, session_id))
    if as_json:
        print_json(session_as_json(whole, sides=False))
    else:
        click.echo("\n".join([*_heading(whole), *(_list(whole) if only_turns else _in_full(whole))]))


def _heading(whole: "Whole") -> list[str]:
    session = whole.session
    about = [session.host, whole.project, session.branch, local_time(session.started), session.sid]
    title = click.style(one_line(session.title) or "(untitled)", bold=True)
    return [title, "  ".join(filter(None, map(one_line, about))), *map(one_line, marks_of(whole))]


def _in_full(whole: "Whole") -> list[str]:
    lines = []
    for number, turn in enumerate(whole.turns, 1):
        lines += ["", click.style(f"{number}. {local_time(turn.at)}", bold=True)]
        lines += [quoted_text(turn.user, "  > ") if turn.user else f"  {_NO_PROMPT}"]
        lines += [quoted_text(turn.assistant)] if turn.assistant else []
        lines += [_work_line(w) for w in turn.work]
        lines += [f"  * read  {one_line(', '.join(turn.files))}"] if turn.files else []
        lines += [] if turn.ended else [f"  {_OPEN}"]
    if whole.changed:
        lines += ["", f"Also changed, says the host: {one_line(', '.join(whole.changed))}"]
    return lines


def _work_line(work: "Done") -> str:
    tool = work.tool if work.kind == "failure" else ""
    end = "" if work.exit is None else f"exit {work.exit}"
    failure = f"({work.failure})" if work.failure else ""
    parts = (work.kind, tool, work.command or work.path, end, failure)
    return f"  * {'  '.join(map(one_line, filter(None, parts)))}"


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
    asked += "" if turn.ended else f"  {_OPEN}"
    return f"{number} {local_time(turn.at)}  {asked}" + (f"  [{one_line(done)}]" if done else "")
