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
        dropped: sessions whose files were gone.
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


def keep_report(layout: Layout, report: Report) -> None:
    """Leaves a pass's report in `index.json`. Never raises: it is for information."""
    values = report._asdict() | {"problems": [list(each) for each in report.problems[:_MOST_PROBLEMS]]}
    _keep(layout, {"at": int(time.time() * 1000), "error": None, **values})


def keep_fault(layout: Layout, error: BaseException) -> None:
    """Leaves what ended the indexer in `index.json`. Never raises."""
    _keep(layout, {"at": int(time.time() * 1000), "error": f"{type(error).__name__}: {error}"})


def last_fault(layout: Layout) -> str:
    """What ended the background indexer the last time; "" where it ended well or has not run."""
    path = Path(layout.index_report)
    try:
        values = json.loads(path.read_bytes() if path.is_file() else b"{}")  # a pipe would be waited for
    except (OSError, ValueError):
        return ""
    error = values.get("error") if isinstance(values, dict) else None
    return error if isinstance(error, str) else ""


def _keep(layout: Layout, values: dict[str, object]) -> None:
    with contextlib.suppress(OSError):
        path = Path(layout.index_report)
        fresh = path.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(values), encoding="ascii")
        fresh.chmod(0o600)
        fresh.replace(path)
