"""Erasing what is kept of packets that were told to a session, or that told of it (`forget`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deja_hooks.feedback.specifics import source_key, without_source

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

__all__ = ["erase_told", "erase_verdicts"]


def erase_told(state: sqlite3.Connection, sids: Iterable[str]) -> None:
    """Takes these sessions out of the `told` of a state: packets told to them, and hashes of what told of them.

    A packet names a session by the beginning of its id: where two sessions share it, both are taken out of what
    other sessions were told. The caller holds the transaction, and sees to it that freed pages are overwritten.
    """
    for sid in sids:
        state.execute("DELETE FROM told WHERE sid=?", (sid,))
        query = "SELECT sid, at, kind, specifics FROM told WHERE instr(specifics, ?)"
        for *name, specifics in state.execute(query, (source_key(sid),)).fetchall():
            left = without_source(specifics, sid)
            state.execute("UPDATE told SET specifics=? WHERE sid=? AND at=? AND kind=?", (left, *name))


def erase_verdicts(memory: sqlite3.Connection, sids: Iterable[str]) -> None:
    """Takes these sessions out of the `uptake` of a memory (counts; nothing there tells of other sessions)."""
    memory.executemany("DELETE FROM uptake WHERE sid=?", [(sid,) for sid in sids])
