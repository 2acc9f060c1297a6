"""What a pass did, and where the background indexer leaves it for whoever looks."""

from __future__ import annotations

import contextlib
import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["Report", "keep_fault", "keep_report", "last_fault"]

#: Bytes for which a file has room without asking for more, on most file systems.
_BLOCK = 4096
#: Characters of a fault that are kept.
_LONGEST_FAULT = 500
#: Unreadable files that are named in the kept report.
_MOST_PROBLEMS = 20


class Report(NamedTuple):
    """What a pass did.

    Attributes:
        files: files that the hosts have; changed: those read.
        sessions, turns: written.
        bytes_read: of the hosts' files.
        bad_lines: complete lines that could not be understood, in the files read.
        problems: (path, why) of files that could not be read.
        dropped: sessions whose files were gone; trimmed: those made smaller for want of room (`indexer.budget`).
        seconds: wall time of the pass; waited: whether another indexer had to end first.
    """

    files: int
    changed: int
    sessions: int
    turns: int
    bytes_read: int
    bad_lines: int
    problems: tuple[tuple[str, str], ...]
    seconds: float
    waited: bool
    dropped: int = 0
    trimmed: int = 0


def keep_report(layout: Layout, report: Report) -> None:
    """Leaves a pass's report in `index.json`. Never raises: it is for information."""
    values = report._asdict() | {"problems": [list(each) for each in report.problems[:_MOST_PROBLEMS]]}
    _keep(layout, {"at": int(time.time() * 1000), "error": None, **values})


def keep_fault(layout: Layout, error: BaseException) -> None:
    """Leaves what ended the indexer in `index.json`, without secrets. Never raises."""
    from deja_hooks.redaction.redact import redact  # its patterns take 30 ms to load

    what = redact(f"{type(error).__name__}: {error}")[:_LONGEST_FAULT]
    _keep(layout, {"at": int(time.time() * 1000), "error": what})


def last_fault(layout: Layout) -> str:
    """What ended the background indexer the last time; "" where it ended well or has not run."""
    path = Path(layout.index_report)
    try:
        values = json.loads(path.read_bytes() if path.is_file() else b"")  # a pipe would be waited for
    except (OSError, ValueError):
        return ""
    error = values.get("error") if isinstance(values, dict) else None
    return error if isinstance(error, str) else ""


def _keep(layout: Layout, values: dict[str, object]) -> None:
    path = Path(layout.index_report)
    text = json.dumps(values).encode("ascii")
    fresh = path.with_suffix(f".{os.getpid()}")
    try:
        try:
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(text)
            fresh.replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                fresh.unlink()
            if values["error"] is None or len(text) > _BLOCK:
                return
            _write_over(path, text)
    except OSError:
        pass  # nobody can be told but by the fault itself, which the next command meets


def _write_over(path: Path, text: bytes) -> None:
    """On a full disk a fault still has the room of the report before it. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0))
    try:
        os.write(descriptor, text)
        os.ftruncate(descriptor, len(text))
    finally:
        os.close(descriptor)
