"""The results as two tables, or as JSON."""

from __future__ import annotations

import os
import platform
import sqlite3
import statistics
from dataclasses import dataclass

from .hot_path import Times
from .processes import Cost

__all__ = ["History", "as_json", "as_markdown"]


@dataclass(frozen=True)
class History:
    """What indexing one corpus took.

    Attributes:
        sessions, chats, size: of the corpus: the CLI's sessions, VS Code's chats, and the bytes of both.
        build: everything, from nothing.
        database: bytes of the memory after it.
        unchanged: a pass with nothing new.
        one_more: a pass with one new session, or with one chat that went on.
        background: the background indexer with nothing new.
    """

    sessions: int
    chats: int
    size: int
    build: Cost
    database: int
    unchanged: Cost
    one_more: Cost
    background: Cost


def machine() -> str:
    """Where it was measured, in one line."""
    return (
        f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {platform.system()} "
        f"{platform.machine()}, {os.cpu_count()} cores"
    )


def as_markdown(times: list[Times], histories: list[History]) -> str:
    """Both tables, for a README."""
    return "\n".join([f"Measured on {machine()}.", "", *_hooks(times), "", *_indexing(histories)])


def _hooks(times: list[Times]) -> list[str]:
    bare = times[0].median
    rows = [
        f"| {case.name} | {case.median:.1f} | {min(case.milliseconds):.1f} to {max(case.milliseconds):.1f} "
        f"| {case.median / bare:.2f} | {_answered(case)} |"
        for case in times
    ]
    head = [
        "| hook call | median ms | least to most | times bare | answered |",
        "| --- | --: | --: | --: | --: |",
    ]
    return [*head, *rows]


def _answered(case: Times) -> str:
    return f"{case.answered} of {len(case.milliseconds)}" if case.speaks or case.answered else ""


def _indexing(histories: list[History]) -> list[str]:
    rows = [
        ("everything, s", [f"{history.build.seconds:.2f}" for history in histories]),
        ("everything, s of CPU", [f"{history.build.cpu_seconds:.2f}" for history in histories]),
        ("largest memory, MB", [f"{history.build.peak_bytes / 1e6:.0f}" for history in histories]),
        (
            "database, % of the sessions",
            [f"{100 * history.database / history.size:.0f}" for history in histories],
        ),
        ("everything, s for 10 MB", [f"{10e6 * history.build.seconds / history.size:.2f}" for history in histories]),
        ("one more session, or one changed chat, s", [f"{history.one_more.seconds:.2f}" for history in histories]),
        ("nothing new, s", [f"{history.unchanged.seconds:.2f}" for history in histories]),
        (
            "background, nothing new, s of CPU",
            [f"{history.background.cpu_seconds:.2f}" for history in histories],
        ),
    ]
    columns = [_named(history) for history in histories]
    return [
        f"| indexing | {' | '.join(columns)} |",
        f"| --- |{' --: |' * len(columns)}",
        *(f"| {name} | {' | '.join(values)} |" for name, values in rows),
    ]


def _named(history: History) -> str:
    chats = f", {history.chats:,} chats" if history.chats else ""
    return f"{history.sessions:,} sessions{chats}, {history.size / 1e6:.0f} MB"


def as_json(times: list[Times], histories: list[History]) -> dict[str, object]:
    """All figures: milliseconds, seconds and bytes."""
    return {
        "machine": machine(),
        "hooks": [
            {
                "name": case.name,
                "median_ms": statistics.median(case.milliseconds),
                "min_ms": min(case.milliseconds),
                "max_ms": max(case.milliseconds),
                "ratio": case.median / times[0].median,
                "runs": len(case.milliseconds),
                "answered": case.answered,
            }
            for case in times
        ],
        "indexing": [
            {
                "sessions": history.sessions,
                "chats": history.chats,
                "corpus_bytes": history.size,
                "database_bytes": history.database,
                **{name: vars(getattr(history, name)) for name in ("build", "unchanged", "one_more", "background")},
            }
            for history in histories
        ],
    }
