"""Forked chats: a copy of a chat's beginning that went on as another session.

Both hold the same leading request ids. The copied turns are stored once, with the older session; the younger
one says where they are. Which session is whose fork depends on what is stored now, not on the order of reading:
so a fork becomes whole again when its origin is deleted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from deja_hooks.memory.written import KEY_BYTES, key_of

__all__ = ["Fork", "changed_forks", "first_request", "request_keys"]


class Fork(NamedTuple):
    """How a session is to be stored.

    Attributes:
        session: row id.
        origin: sid of the session that holds the copied beginning; "" where it is no fork.
        skip: requests at the beginning that are stored there.
    """

    session: int
    origin: str
    skip: int


class _Member(NamedTuple):
    id: int
    sid: str
    started: int
    keys: bytes
    origin: str
    skip: int


def request_keys(requests: Sequence[str]) -> bytes | None:
    """`session.requests`: a key for each request; None where there is none."""
    return b"".join(map(key_of, requests)) or None


def first_request(keys: bytes | None) -> int | None:
    """`session.first_request` (a signed 64-bit number); None where there is none."""
    return int.from_bytes(keys[:KEY_BYTES], "big", signed=True) if keys else None


def changed_forks(
    db: sqlite3.Connection, firsts: Iterable[int], beginning: Callable[[str, int, bytes], int] | None = None
) -> list[Fork]:
    """The sessions that begin with one of these requests and are stored otherwise than they should be.

    Args:
        firsts: `session.first_request` of the sessions that have come, changed or gone.
        beginning: (sid, started, requests) → how many requests a session shares with a forgotten one: these are
            stored nowhere (`marks.barred`).
    """
    found: list[Fork] = []
    for first in sorted(set(firsts)):
        rows = db.execute(
            "SELECT id, sid, started, requests, forked_from, skipped FROM session WHERE first_request=?", (first,)
        )
        members = sorted((_Member(*row) for row in rows), key=lambda member: (member.started, member.sid))
        for place, member in enumerate(members):
            forgotten = beginning(member.sid, member.started, member.keys) if beginning is not None else 0
            origin, skip = _origin(member, members[:place], forgotten)
            if (origin, skip) != (member.origin, member.skip):
                found.append(Fork(member.id, origin, skip))
    return found


def _origin(member: _Member, older: Sequence[_Member], forgotten: int) -> tuple[str, int]:
    """The oldest of the sessions that share the longest beginning, and its length in requests.

    Args:
        forgotten: requests of the beginning that are a forgotten session's; it is named nowhere.
    """
    best = ("", forgotten)
    for each in older:
        shared = _shared(member.keys, each.keys)
        if shared > best[1]:
            best = (each.sid, shared)
    return best


def _shared(one: bytes, other: bytes) -> int:
    """How many requests both begin with."""
    most = min(len(one), len(other)) // KEY_BYTES
    for place in range(most):
        part = slice(place * KEY_BYTES, (place + 1) * KEY_BYTES)
        if one[part] != other[part]:
            return place
    return most
