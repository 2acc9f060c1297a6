"""Following a session's transcript: where things stand in it, never what they say.

Both hosts' logs are lines `{"type": …, "data": {…}, …}`. Only the lines' beginnings are looked at; a fact is
(offset, size, kind). Text is read again by offset, and redacted, where a packet is made from it.
"""

import time

from deja_hooks.memory.cursor import fingerprint
from deja_hooks.memory.state import Cursor
from deja_hooks.system import READ, SEP, calls, environment, file_stat, read_at

__all__ = ["FACTS", "Reading", "accepted", "find_cli_transcript", "read_on", "read_span", "wait_for"]

#: Line types that are facts, and their one-letter kinds.
FACTS = {
    "user.message": "u",
    "assistant.message": "a",
    "tool.execution_start": "s",
    "tool.execution_complete": "c",
    "session.compaction_complete": "k",
}
_TYPES = tuple((f'"{name}"'.encode(), kind) for name, kind in FACTS.items())
_REGULAR = 0o100000
_KIND = 0o170000
#: A line longer than this is passed over by hooks, in bytes.
_LONGEST = 1 << 20
#: Where at a log's end a mark is looked for, in bytes.
_MARK_BYTES = 16 << 10
#: Seconds between two looks.
_LOOK_S = 0.01


class Reading:
    """What reading on gave: the moved cursor, the new facts, whether the file had been rewritten."""

    __slots__ = ("anew", "cursor", "facts")

    def __init__(self, cursor: Cursor, facts: "list[tuple[int, int, str]]", anew: bool) -> None:
        self.cursor = cursor
        self.facts = facts
        self.anew = anew


def accepted(path: str, session_id: str) -> bool:
    """Whether a path is shaped like a transcript of that session: a host's own place for it, no other file.

    `…/GitHub.copilot-chat/transcripts/<session_id>.jsonl` or `…/session-state/<session_id>/events.jsonl`.
    """
    parts = path.replace("\\", "/").split("/")
    absolute = path.startswith(("/", "\\\\")) or path[1:3] in (":\\", ":/")
    if not absolute or "\0" in path or ".." in parts or len(parts) < 4:
        return False
    if parts[-2] == "transcripts" and parts[-3].lower() == "github.copilot-chat":
        return parts[-1] == session_id + ".jsonl"
    return parts[-1] == "events.jsonl" and parts[-3] == "session-state" and parts[-2] == session_id


def find_cli_transcript(session_id: str) -> str:
    """Where the CLI keeps a session's log (it names it at few events only); "" for an id that is no folder name."""
    if not session_id or not session_id.replace("-", "").replace("_", "").isalnum():
        return ""
    home = environment("COPILOT_HOME") or (environment("HOME") or environment("USERPROFILE")) + SEP + ".copilot"
    return SEP.join((home, "session-state", session_id, "events.jsonl"))


def wait_for(path: str, mark: bytes, seconds: float) -> bool:
    """Waits until a log that is being written shows the mark near its end; False where it doesn't within that time."""
    end = time.monotonic() + seconds
    size = 0
    while True:
        status = file_stat(path)
        if status is not None and status.st_size != size:
            size = status.st_size
            if mark in _end_of(path, size):
                return True
        if time.monotonic() >= end:
            return False
        time.sleep(_LOOK_S)


def _end_of(path: str, size: int) -> bytes:
    try:
        descriptor = _open_own(path)
    except OSError:
        return b""
    try:
        return read_at(descriptor, max(0, size - _MARK_BYTES), _MARK_BYTES)
    except OSError:
        return b""
    finally:
        calls.close(descriptor)


def _open_own(path: str) -> int:
    """The descriptor of a regular file of this user's, not reached by a link. Raises OSError for anything else."""
    descriptor: int = calls.open(path, READ | getattr(calls, "O_NOFOLLOW", 0))
    try:
        status = calls.fstat(descriptor)
        if status.st_mode & _KIND == _REGULAR and _is_ours(status.st_uid):
            return descriptor
    except BaseException:
        calls.close(descriptor)
        raise
    calls.close(descriptor)
    raise OSError(22, "no regular file of this user", path)


def read_on(cursor: Cursor, path: str, limit: int, *, newest: bool = False) -> "Reading | None":
    """Reads a transcript on from the cursor, at most `limit` bytes; None where there is nothing new.

    With `newest`, where more than that is new, the oldest of it is passed over (the indexer has it, or will).

    Only complete lines count. A file that is shorter, another one, or different before the cursor's offset is
    read anew. Raises OSError, also for what is no regular file of the user's.
    """
    descriptor = _open_own(path)
    try:
        status = calls.fstat(descriptor)
        same = (
            cursor.path == path
            and cursor.ino == status.st_ino
            and status.st_size >= cursor.offset
            and fingerprint(descriptor, cursor.offset) == cursor.fingerprint
        )
        start = cursor.offset if same else 0
        if same and status.st_size == start:
            return None
        if newest and status.st_size - start > limit:
            start = _next_line(descriptor, status.st_size - limit)
        facts, end = _scan(descriptor, start, limit)
        moved = Cursor(
            path, status.st_dev, status.st_ino, status.st_size, int(status.st_mtime * 1000), end,
            fingerprint(descriptor, end),
        )  # fmt: skip
        return Reading(moved, facts, not same)
    finally:
        calls.close(descriptor)


def _next_line(descriptor: int, offset: int) -> int:
    """Where the first line after an offset begins (looked for within 1 MB)."""
    data = read_at(descriptor, offset, _LONGEST)
    return offset + data.find(b"\n") + 1


def _is_ours(owner: int) -> bool:
    """Whether the user that we run as owns a file (Windows knows no such number)."""
    return not hasattr(calls, "geteuid") or owner == calls.geteuid()


def _scan(descriptor: int, start: int, limit: int) -> "tuple[list[tuple[int, int, str]], int]":
    """The facts of the complete lines from `start` on, and the offset after the last of them."""
    data = read_at(descriptor, start, limit)
    facts = []
    at = 0
    while True:
        end = data.find(b"\n", at)
        if end < 0:
            break
        kind = _kind(data, at, end)
        if kind:
            facts.append((start + at, end - at, kind))
        at = end + 1
    if at == 0 and len(data) >= limit:
        # One line longer than all that a hook reads: go past what was seen of it, the rest is no whole line.
        return [], start + len(data)
    return facts, start + at


def _kind(data: bytes, start: int, end: int) -> str:
    if end - start > _LONGEST:
        return ""
    head = data[start : min(end, start + 64)]
    if b'"type"' not in head:
        return ""
    for name, kind in _TYPES:
        if name in head:
            return kind
    return ""


def read_span(path: str, spans: "list[tuple[int, int, str]]") -> "list[tuple[str, bytes]]":
    """The lines at these places, with their kinds. Raises OSError."""
    descriptor = _open_own(path)
    try:
        return [(kind, read_at(descriptor, offset, size)) for offset, size, kind in spans]
    finally:
        calls.close(descriptor)
