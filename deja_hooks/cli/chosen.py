"""The session that a command is to show: by its id, or the beginning of it."""

from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line
from deja_hooks.memory.read import Memory, Session

__all__ = ["chosen_session", "copied_part", "marks_of"]

_MOST_NAMED = 10
_HINT = "deja-hooks sessions lists ids."


def chosen_session(memory: Memory, prefix: str) -> Session:
    """The one session whose id begins so.

    Raises:
        DejaError: none does, or several.
    """
    if not _is_text(prefix):
        raise DejaError(f"{prefix!r} is not valid UTF-8, as ids are: {_HINT}")
    exact = memory.session_of(prefix)
    if exact is not None:
        return exact
    found = memory.sessions_like(prefix, _MOST_NAMED + 1) if prefix else []
    if not found:
        raise DejaError(f"No session has an id that begins with {prefix!r}: {_HINT}")
    if len(found) > 1:
        names = [f"  {one_line(s.sid)}  {one_line(s.title)}".rstrip() for s in found[:_MOST_NAMED]]
        more = ["  and more"] if len(found) > _MOST_NAMED else []
        raise DejaError("\n".join([f"Several sessions have an id that begins with {prefix!r}:", *names, *more]))
    return found[0]


def marks_of(session: Session) -> list[str]:
    """What is to be known of a session beside its name, a sentence each."""
    marks = ["Archived."] if session.archived else []
    marks += ["Begun by another session."] if session.nested else []
    marks += ["A side chat."] if session.side else []
    marks += ["No longer on disk: the host has deleted its file."] if session.gone else []
    if session.forked_from:
        marks.append(f"Forked from {session.forked_from}{copied_part(session)}.")
    return marks


def copied_part(session: Session) -> str:
    """Where a fork's beginning stands, to be put behind the name of the session that it was forked from."""
    if not session.skipped:
        return ""
    return f", where its first {'request' if session.skipped == 1 else f'{session.skipped:,} requests'} can be read"


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True
