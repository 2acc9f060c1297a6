"""A session for programs: what `show --json` and `export --format json` print alike."""

from typing import TYPE_CHECKING

from deja_hooks.cli.output import iso_time
from deja_hooks.cli.redacted import redacted
from deja_hooks.cli.usage import spent_as_json

if TYPE_CHECKING:
    from deja_hooks.history.whole import Done, Whole

__all__ = ["session_as_json"]


def session_as_json(whole: "Whole", *, sides: bool) -> dict[str, object]:
    """The session with all its turns; `sides`: with both sides of each edit."""
    turns = [
        {
            "number": number,
            "at": iso_time(turn.at),
            "ended": turn.ended,
            "user": turn.user,
            "assistant": turn.assistant,
            "work": [_work(work, sides) for work in turn.work],
            "files": turn.files,
        }
        for number, turn in enumerate(whole.turns, 1)
    ]
    spent, kinds = spent_as_json(whole.spent), redacted(whole)
    return {**_about(whole), "changed": whole.changed, "redacted": kinds, "usage": spent, "turns": turns}


def _about(whole: "Whole") -> dict[str, object]:
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
        "gone": whole.gone,
        "shortened": bool(session.trimmed),
        "mark": whole.mark.kind if whole.mark else None,
        "mark_note": whole.mark.note if whole.mark else "",
        "forked_from": session.forked_from or None,
        "copied_requests": session.skipped,
        "copied_from": [{"session_id": part.sid, "first": part.first, "last": part.last} for part in whole.copied],
    }


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _work(work: "Done", sides: bool) -> dict[str, object]:
    values = {**work._asdict(), "at": iso_time(work.at)}
    return values if sides else {name: value for name, value in values.items() if name not in ("old", "new")}
