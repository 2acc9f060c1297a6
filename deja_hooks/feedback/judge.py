"""Which packets were taken up: the indexer's side, once the sessions that were told them are read.

A verdict is made again whenever its session has been read on: what is not known yet becomes known, and a rewind
takes back what it took back.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from deja_hooks.feedback.specifics import Words
from deja_hooks.feedback.told import Told, told_packets
from deja_hooks.feedback.uptake import Session, Vocabulary, uptake
from deja_hooks.memory.terms import TermCache

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from deja_hooks.memory.write import MemoryWriter

__all__ = ["Verdict", "judge_packets", "verdicts"]

_VERDICT = "verdict, words, files, commands, place, rounds, input"


class Verdict(NamedTuple):
    """What became of a packet.

    Attributes:
        verdict: taken, left (seen to its turn's end, and not taken up), open (not known yet), none (nothing in it
            was new to the session, so nothing can be known again).
        words, files, commands: how many specifics came back in what the agent said or wrote into files, as files
            it read or edited, in commands it ran.
        place: of the turn it was told in; -1 unknown.
        rounds, input: model calls of that turn and tokens sent in them, where the host keeps them by request.
    """

    verdict: str
    words: int
    files: int
    commands: int
    place: int
    rounds: int | None
    input: int | None


def judge_packets(writer: MemoryWriter, state: str) -> int:
    """Judges what was told to sessions that have been read since; returns how many packets that were.

    Args:
        writer: of the memory, in no transaction.
        state: path of `state.db`; where it can't be read just now, all stays as it is.

    Raises:
        sqlite3.OperationalError: the memory can't be written.
    """
    packets = told_packets(state)
    if packets is None:
        return 0
    db = writer.db
    seen = {tuple(row[:3]): row[3] for row in db.execute("SELECT sid, at, kind, seen FROM uptake")}
    sessions = _sessions(db, {packet.sid for packet in packets})
    todo: defaultdict[str, list[Told]] = defaultdict(list)
    for packet in packets:
        session = sessions.get(packet.sid)
        if session is not None and seen.get(packet.name) != session.updated:
            todo[packet.sid].append(packet)
    gone = seen.keys() - {packet.name for packet in packets if packet.sid in sessions}
    if not todo and not gone:
        return 0
    with writer.transaction():
        db.executemany("DELETE FROM uptake WHERE sid=? AND at=? AND kind=?", gone)
    known = Vocabulary(Words(), TermCache())
    for sid, told in todo.items():
        with writer.transaction():
            _judge(db, sessions[sid], told, known)
    return sum(map(len, todo.values()))


def _sessions(db: sqlite3.Connection, sids: Iterable[str]) -> dict[str, Session]:
    """Those of the sessions that are in the memory."""
    query = "SELECT id, project, updated FROM session WHERE sid=?"
    rows = {sid: db.execute(query, (sid,)).fetchone() for sid in sids}
    return {sid: Session(*row) for sid, row in rows.items() if row is not None}


def _judge(db: sqlite3.Connection, session: Session, told: list[Told], known: Vocabulary) -> None:
    marks = ", ".join("?" * (len(Verdict._fields) + 4))
    for packet in told:
        place, found = uptake(db, session, packet, known)
        rounds, tokens = _request(db, session.turn(place)) if place >= 0 else (None, None)
        verdict = Verdict(*found, place, rounds, tokens)
        db.execute(
            f"INSERT OR REPLACE INTO uptake(sid, at, kind, seen, {_VERDICT}) VALUES ({marks})",
            (*packet.name, session.updated, *verdict),
        )


def _request(db: sqlite3.Connection, turn: int) -> tuple[int | None, int | None]:
    """Model calls of a turn and tokens sent, where each of its requests says both."""
    rows = db.execute("SELECT rounds, input FROM usage WHERE turn=? AND kind='request'", (turn,)).fetchall()
    if not rows or any(None in row for row in rows):
        return None, None
    return max(row[0] for row in rows), sum(row[1] for row in rows)


def verdicts(db: sqlite3.Connection) -> dict[tuple[str, int, str], Verdict]:
    """`Told.name` → verdict, of a memory."""
    rows = db.execute(f"SELECT sid, at, kind, {_VERDICT} FROM uptake")
    return {(row[0], row[1], row[2]): Verdict(*row[3:]) for row in rows}
