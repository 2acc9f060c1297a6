"""The log of marks: `marks.jsonl` in the config folder, one JSON object a line.

It only grows, but for two things: the words of what has been forgotten or taken back are cut out of it. A line that
can't be understood (a newer version's, a hand's) stays where it is, and counts for nothing.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.marks.model import KINDS, Forgotten, Mark
from deja_hooks.system import make_private_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from deja_hooks.memory.layout import Layout

__all__ = ["append", "append_and_cut", "bad_lines", "locked", "read_log", "write_private"]

#: Seconds that one change of the log waits for another.
_TIMEOUT = 10.0


@contextlib.contextmanager
def locked(layout: Layout) -> Iterator[None]:
    """Holds the lock of the log and the settings. Raises OSError, `filelock.Timeout`."""
    from filelock import FileLock

    make_private_dir(layout.config)
    with FileLock(layout.marks_lock, timeout=_TIMEOUT, mode=0o600):
        yield


def read_log(layout: Layout) -> list[Mark]:
    """All marks in the order of the log. Raises OSError where it is there and can't be read."""
    return [mark for line in _lines(layout) if (mark := _parsed(line)) is not None]


def bad_lines(layout: Layout) -> list[int]:
    """The numbers, from 1, of lines that can't be understood and count for nothing. Raises OSError."""
    return [n for n, line in enumerate(_lines(layout), 1) if line.strip() and _parsed(line) is None]


def append(layout: Layout, mark: Mark) -> None:
    """Adds a mark by one write, made durable. The caller holds the lock. Raises OSError."""
    lines = _lines(layout)
    descriptor = os.open(layout.marks, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        # A write that was cut short by a full disk or a power cut must not spoil this one.
        torn = bool(lines) and not lines[-1].endswith(b"\n")
        os.write(descriptor, b"\n" * torn + _line(mark))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def append_and_cut(layout: Layout, added: Mark, cut: Callable[[Mark], bool]) -> None:
    """Adds a mark and takes the words out of others, all or nothing. The caller holds the lock. Raises OSError.

    Args:
        added: the new mark.
        cut: whether an earlier one loses its words.
    """
    fresh = []
    for line in _lines(layout):
        mark = _parsed(line)
        fresh.append(_line(mark._replace(text="")) if mark is not None and mark.text and cut(mark) else line)
    if fresh and not fresh[-1].endswith(b"\n"):
        fresh.append(b"\n")
    write_private(Path(layout.marks), b"".join((*fresh, _line(added))))


def write_private(path: Path, content: bytes) -> None:
    """Puts a file of the user's (0600) in the place of the old one, all or nothing. Raises OSError."""
    make_private_dir(str(path.parent))
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        try:
            os.write(descriptor, content)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _lines(layout: Layout) -> list[bytes]:
    try:
        return Path(layout.marks).read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return []


def _line(mark: Mark) -> bytes:
    """A mark as a line; what it doesn't say is left out."""
    values: dict[str, object] = {"id": mark.id, "at": mark.at, "kind": mark.kind}
    values |= {name: getattr(mark, name) for name in ("session", "folder", "text", "undoes") if getattr(mark, name)}
    if mark.projects:
        values["projects"] = list(mark.projects)
    if mark.sessions:
        values["sessions"] = [_packed(each) for each in mark.sessions]
    if mark.since is not None:
        values["since"] = mark.since
    if mark.rule:
        values["rule"] = True
    return json.dumps(_sayable(values)).encode("ascii") + b"\n"


def _sayable(value: object) -> object:
    """The value with a mark in the place of bytes that are no text (a folder's name, an argument): no database holds
    them."""
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= letter < "\ue000" else letter for letter in value)
    if isinstance(value, list):
        return [_sayable(each) for each in value]
    return {key: _sayable(each) for key, each in value.items()} if isinstance(value, dict) else value


def _packed(each: Forgotten) -> list[object]:
    requests = [base64.b64encode(each.requests).decode("ascii")] if each.requests else []
    return [each.sid, each.started, *requests]


def _parsed(line: bytes) -> Mark | None:
    """The mark of a line; None where it is none."""
    try:
        values = json.loads(line)
        mark = Mark(
            id=values["id"],
            at=values["at"],
            kind=values["kind"],
            session=values.get("session", ""),
            projects=tuple(values.get("projects", ())),
            folder=values.get("folder", ""),
            text=values.get("text", ""),
            sessions=tuple(_unpacked(*each) for each in values.get("sessions", ())),
            since=values.get("since"),
            rule=values.get("rule", False),
            undoes=values.get("undoes", ""),
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, binascii.Error):
        return None
    return mark if _is_sound(mark) else None


def _unpacked(sid: str, started: int, requests: str = "") -> Forgotten:
    return Forgotten(sid, started, base64.b64decode(requests, validate=True))


def _is_sound(mark: Mark) -> bool:
    texts = (mark.id, mark.session, mark.folder, mark.text, mark.undoes, *mark.projects)
    texts += tuple(each.sid for each in mark.sessions)
    numbers = (mark.at, mark.since or 0, *(s.started for s in mark.sessions))
    return mark.kind in KINDS and all(map(_is_text, texts)) and all(map(_is_time, numbers))


def _is_text(value: object) -> bool:
    """Whether it is text that a database can hold."""
    if type(value) is not str:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_time(value: object) -> bool:
    return type(value) is int and abs(value) < 1 << 62  # an integer of SQLite
