"""The session that a command is to show: by its id, or the beginning of it."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line
from deja_hooks.memory.read import Memory, Session

if TYPE_CHECKING:
    from deja_hooks.history.copied import Part
    from deja_hooks.history.whole import Whole

__all__ = ["GONE", "chosen_session", "copied_text", "marks_of"]

_MOST_NAMED = 10
_HINT = "deja-hooks sessions lists ids."
#: Said of a session of which no file is on the disk any more.
GONE = "no longer on disk"


def chosen_session(memory: Memory, prefix: str) -> Session:
    """The one session whose id begins so, in any case where none begins just so.

    Raises:
        DejaError: none does, or several.
    """
    if not _is_text(prefix):
        raise DejaError(f"{prefix!r} is not valid UTF-8, as ids are: {_HINT}")
    exact = memory.session_of(prefix)
    if exact is not None:
        return exact
    found = memory.sessions_like(prefix, _MOST_NAMED + 1) if prefix else []
    if not found and prefix:
        found = _in_any_case(memory, prefix)
    if not found:
        raise DejaError(f"No session has an id that begins with {prefix!r}: {_HINT}")
    if len(found) > 1:
        names = [f"  {one_line(s.sid)}  {one_line(s.title)}".rstrip() for s in found[:_MOST_NAMED]]
        more = ["  and more"] if len(found) > _MOST_NAMED else []
        raise DejaError(
            "\n".join([f"Several sessions have an id that begins with {prefix!r}, give more of it:", *names, *more])
        )
    return found[0]


def _in_any_case(memory: Memory, prefix: str) -> list[Session]:
    """The latest of the sessions that have an id which begins so in any case of its letters."""
    rows = memory.db.execute(
        "SELECT sid FROM session WHERE lower(substr(sid, 1, ?))=lower(?) ORDER BY updated DESC LIMIT ?",
        (len(prefix), prefix, _MOST_NAMED + 1),
    ).fetchall()
    found = [memory.session_of(row[0]) for row in rows]
    return [each for each in found if each is not None]


#: What the user decided about a session.
_DECIDED = {"promote": "Promoted", "reject": "Rejected"}


def marks_of(whole: "Whole") -> list[str]:
    """What is to be known of a session beside its name, a sentence each."""
    session = whole.session
    marks = [_DECIDED[whole.mark.kind] + (f": {whole.mark.note}" if whole.mark.note else ".")] if whole.mark else []
    marks += ["Archived."] if session.archived else []
    marks += ["Begun by another session."] if session.nested else []
    marks += ["A side chat."] if session.side else []
    if session.gone:
        marks.append("No longer on disk: the host has deleted its file.")
    elif whole.gone:
        marks.append("No longer on disk: its file isn't where it was when it was read.")
    if session.forked_from:
        marks.append(f"Forked from {session.forked_from}{copied_text(session.forked_from, whole.copied)}.")
    return marks


def copied_text(origin: str, parts: "list[Part]", named: Callable[[str], str] = str) -> str:
    """Where a fork's beginning stands, to be put behind the name of the session that it was forked from.

    Args:
        origin: that session's id.
        parts: of the beginning.
        named: how an id is written.
    """
    if not parts:
        return ""
    if [part.sid for part in parts] == [origin]:
        return f", where its {_requests(parts[0])} can be read"
    each = [f"{_requests(part)}{' can be read' if part.first == 1 else ''} in {named(part.sid)}" for part in parts]
    return f"; its {', '.join(each)}"


def _requests(part: "Part") -> str:
    count = part.last - part.first + 1
    if part.first == 1:
        return "first request" if count == 1 else f"first {count:,} requests"
    return f"request {part.first:,}" if count == 1 else f"requests {part.first:,} to {part.last:,}"


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True
