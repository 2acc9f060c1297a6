"""`deja-hooks search`: earlier sessions, with the ranking of the hooks."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.memory import memory_of, project_here
from deja_hooks.cli.output import one_line, print_json, quoted_text
from deja_hooks.memory.scope import project_key

if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory
    from deja_hooks.recall.search import Hit

__all__ = ["search"]

_FIELDS = ("session_id", "host", "project", "title", "date", "score", "text", "confidence", "reasons")
_MARKED = {"promote": "promoted", "reject": "rejected"}
_DIGITS = 4


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array, one hit a session.")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="Most hits.")
@click.option("--all", "everywhere", is_flag=True, help="All projects, not only the working directory's.")
@click.pass_obj
def search(here: Here, query: tuple[str, ...], as_json: bool, limit: int, everywhere: bool) -> None:
    """Find earlier sessions of this project, ranked as the hooks rank.

    With - for QUERY, queries are read from stdin, one a line, and each is answered with one JSON line
    {"query", "hits"}.

    \b
    Examples:
      deja-hooks search login timeout
      deja-hooks search --all --json "ECONNRESET in CI"
    """
    with memory_of(here) as memory:
        from deja_hooks.recall.search import search as rank

        key = None if everywhere else project_here(here, memory)
        if query == ("-",):
            _answer_lines(memory, key, limit, here.now_ms)
            return
        hits = rank(memory, " ".join(query), project_key=key, limit=limit, now_ms=here.now_ms)
        nothing = "" if hits or as_json else _why_nothing(here, memory, key)
    if as_json:
        print_json([_as_json(hit) for hit in hits])
    elif hits:
        click.echo("\n".join(_as_text(hit, everywhere) for hit in hits))
    else:
        click.echo(nothing + ("" if everywhere else " (--all looks in all projects.)"))


def _why_nothing(here: Here, memory: Memory, key: str | None) -> str:
    """Why there are no hits: a folder without a history isn't one in which the words don't occur."""
    from deja_hooks.marks.rules import stored_rules

    if key is not None:
        rules = stored_rules(here.layout)
        if any(rules.fit(folder, project_key(folder)) for folder in working_folders(here.environment)):
            return "This folder is excluded, and nothing of it is kept: deja-hooks config list."
        project = memory.project(key)
        if (
            project is None
            or not memory.db.execute("SELECT 1 FROM session WHERE project=? LIMIT 1", (project.id,)).fetchone()
        ):
            return "There is no session of this folder's project."
    return "No session shares a term with that."


def _answer_lines(memory: Memory, key: str | None, limit: int, now_ms: int) -> None:
    from deja_hooks.recall.search import search as rank

    for line in sys.stdin:
        query = line.strip()
        hits = rank(memory, query, project_key=key, limit=limit, now_ms=now_ms) if query else []
        click.echo(json.dumps({"query": query, "hits": [_as_json(hit) for hit in hits]}))
        sys.stdout.flush()


def _as_json(hit: Hit) -> dict[str, object]:
    """The hit's fields, and `mark`: {"kind", "note"} where the user promoted or rejected the session, else null."""
    mark = {"kind": hit.mark, "note": hit.note} if hit.mark else None
    return {**{field: _rounded(getattr(hit, field)) for field in _FIELDS}, "mark": mark}


def _rounded(value: object) -> object:
    return round(value, _DIGITS) if isinstance(value, float) else value


def _as_text(hit: Hit, everywhere: bool) -> str:
    about = [hit.date, hit.host, *([hit.project] if everywhere else []), hit.session_id]
    about.append(f"confidence {hit.confidence:.2f} ({', '.join(hit.reasons)})" if hit.reasons else "by its date")
    title = click.style(one_line(hit.title) or "(untitled)", bold=True)
    lines = [title, "  ".join(map(one_line, about)), *_mark_lines(hit), quoted_text(hit.text), ""]
    return "\n".join(lines)


def _mark_lines(hit: Hit) -> list[str]:
    """What the user decided about the session."""
    if not hit.mark:
        return []
    why = one_line(hit.note)
    return [_MARKED[hit.mark] + (f": {why}" if why else "")]
