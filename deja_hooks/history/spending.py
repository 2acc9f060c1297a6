"""What model calls took, by day, model, project or session: what `deja-hooks usage` asks of a memory.

All of it is derived from the rows of `turn` and `usage` when it is asked for: asking twice gives the same.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from deja_hooks.history.listing import project_name
from deja_hooks.history.spent import MEASURES, Spent, Sum, said_once
from deja_hooks.memory.schema import TURN_BITS
from deja_hooks.sources.logs.cli_usage import counted
from deja_hooks.sources.model import Usage

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator
    from sqlite3 import Connection

_Row = TypeVar("_Row", bound="tuple[Any, ...]")

__all__ = ["GROUPINGS", "Line", "session_spending", "spending"]

GROUPINGS = ("day", "model", "project", "session")

_USAGE = """SELECT turn, kind, request, at, model, rounds, input, exact, cached, output, credits, elapsed, first, final
    FROM usage"""
_TURNS = "SELECT id, at, user<>'' FROM turn"


class Line(NamedTuple):
    """One line of the table.

    Attributes:
        key: the day (`2026-11-30`), the model, the project's name, or the session's id; "" unknown.
        note: the session's title, or the project's key (two projects may have one name).
        spent: what it came to.
    """

    key: str
    note: str
    spent: Spent


class _Session(NamedTuple):
    id: int
    project: int


class _Turn(NamedTuple):
    id: int
    at: int
    asked: int


class _History(NamedTuple):
    """A session's turns, and its rows of usage with the turn that each stands in."""

    session: _Session
    turns: list[_Turn]
    rows: list[tuple[int, Usage]]


class _Window(NamedTuple):
    since: int | None
    until: int | None

    def holds(self, at: int) -> bool:
        if self.since is not None and at < self.since:
            return False
        return self.until is None or 0 < at < self.until


def spending(
    db: Connection,
    by: str,
    since: int | None = None,
    until: int | None = None,
    among: Container[int] | None = None,
) -> tuple[list[Line], Spent]:
    """What was spent: the lines, and all of them together.

    Args:
        db: a memory.
        by: one of `GROUPINGS`; days are those of this machine's calendar.
        since, until: epoch ms; only the turns and the usage of that time.
        among: row ids of sessions; only theirs.

    Returns:
        Days and sessions with the latest first, models and projects with the most tokens first. A turn that
        used two models counts for each of them, and once in the total.
    """
    window = _Window(since, until)
    sums: defaultdict[object, Sum] = defaultdict(Sum)
    # Of models the total is summed up by itself: a turn may stand in several lines, what belongs to all in none.
    total = Sum()
    apart = total if by == "model" else None
    for history in _histories(db):
        if among is not None and history.session.id not in among:
            continue
        _add_turns(history, by, window, sums, apart)
        _add_usage(history, by, window, sums, apart)
    if apart is None:
        for each in sums.values():
            total.add(each)
    names = _names(db, by)
    lines = [Line(*names.get(key, (str(key), "")), each.spent) for key, each in sums.items()]
    return _sorted(lines, by), total.spent


def session_spending(db: Connection, session: int) -> Spent:
    """What one session took, by its row id."""
    sums: defaultdict[object, Sum] = defaultdict(Sum)
    bounds = (session << TURN_BITS, (session + 1) << TURN_BITS)
    turns = [_Turn(*row) for row in db.execute(f"{_TURNS} WHERE id>=? AND id<? ORDER BY id", bounds)]
    rows = [_usage(row) for row in db.execute(f"{_USAGE} WHERE turn>=? AND turn<? ORDER BY turn, seq", bounds)]
    history = _History(_Session(session, 0), turns, rows)
    for add in (_add_turns, _add_usage):
        add(history, "session", _Window(None, None), sums, None)
    return sums[session].spent


# -- reading


def _histories(db: Connection) -> Iterator[_History]:
    """All sessions, one at a time: a history has more turns than one wants to hold."""
    turns = _Groups(_Turn(*row) for row in db.execute(f"{_TURNS} ORDER BY id"))
    rows = _Groups(_usage(row) for row in db.execute(f"{_USAGE} ORDER BY turn, seq"))
    for each in map(_Session._make, db.execute("SELECT id, project FROM session WHERE store<>'notes' ORDER BY id")):
        yield _History(each, turns.of(each.id), rows.of(each.id))


class _Groups(Generic[_Row]):
    """Rows that begin with their turn's row id, in rising order, by session; these are asked for in rising order."""

    def __init__(self, rows: Iterable[_Row]) -> None:
        self._groups = groupby(rows, lambda row: row[0] >> TURN_BITS)
        self._next = next(self._groups, None)

    def of(self, session: int) -> list[_Row]:
        found: list[_Row] = []
        while self._next is not None and self._next[0] <= session:
            if self._next[0] == session:
                found = list(self._next[1])
            self._next = next(self._groups, None)
        return found


def _usage(row: tuple[int, ...]) -> tuple[int, Usage]:
    # The table's columns are the fields in their order; its flags are numbers.
    return row[0], Usage._make((*row[1:7], bool(row[7]), *row[8:13], bool(row[13])))


def _names(db: Connection, by: str) -> dict[object, tuple[str, str]]:
    """Row id → key and note, of what isn't its own name."""
    if by == "session":
        return {row[0]: (row[1], row[2]) for row in db.execute("SELECT id, sid, title FROM session")}
    if by == "project":
        rows = db.execute("SELECT id, key, label FROM project")
        return {row[0]: (project_name(row[1], row[2]), row[1]) for row in rows}
    return {}


# -- adding up


def _add_turns(history: _History, by: str, window: _Window, sums: defaultdict[object, Sum], total: Sum | None) -> None:
    models = _models(history)
    for turn in history.turns:
        if turn.asked and window.holds(turn.at):
            accounted = turn.id in models
            if total is not None:
                total.add_turn(turn.at, accounted=accounted)
            for model in models.get(turn.id, {""}) if by == "model" else ("",):
                sums[_key(history, by, turn.at, model)].add_turn(turn.at, accounted=accounted)


def _models(history: _History) -> dict[int, set[str]]:
    """Turn → the models that it used, of the turns that some usage accounts for ("": it doesn't say which).

    A session's total accounts for all turns up to it; with more than one model in it, it doesn't say which turn
    used which. A total of credits alone names no model.
    """
    models: defaultdict[int, set[str]] = defaultdict(set)
    totals: defaultdict[int, set[str]] = defaultdict(set)
    for turn, usage in history.rows:
        if usage.kind == "total":
            totals[turn].add(usage.model)
        elif usage.kind != "compaction":
            models[turn].add(usage.model)
    above: set[str] = set()
    for turn in reversed([each.id for each in history.turns]):
        above = totals[turn] - {""} or above or totals[turn]
        if above and turn not in models:
            models[turn] = above if len(above) == 1 else {""}
    return models


def _add_usage(history: _History, by: str, window: _Window, sums: defaultdict[object, Sum], total: Sum | None) -> None:
    times = {turn.id: turn.at for turn in history.turns}
    rows = [row if row.at else row._replace(at=times.get(turn, 0)) for turn, row in history.rows]
    records: defaultdict[tuple[str, str], list[Usage]] = defaultdict(list)
    for row in counted(rows):
        if window.holds(row.at):
            records[row.kind, row.id].append(row)
    for record in records.values():
        if total is not None:
            total.add_usage(history.session.id, record)
        if len(record) == 1:
            key = _key(history, by, record[0].at, record[0].model)
            sums[key].add_usage(history.session.id, record)
            continue
        parts: defaultdict[object, list[Usage]] = defaultdict(list)
        for row in _by_model(record) if by == "model" else record:
            parts[_key(history, by, row.at, row.model)].append(row)
        for key, part in parts.items():
            sums[key].add_usage(history.session.id, part)


def _by_model(record: list[Usage]) -> Iterable[Usage]:
    """The rows without what is said of all of them together: no model took it alone."""
    kind = record[0].kind
    shared = {n: None for n in MEASURES if said_once(kind, n) and any(getattr(row, n) is None for row in record)}
    return [row._replace(**shared) for row in record]  # type: ignore[arg-type]


def _key(history: _History, by: str, at: int, model: str) -> object:
    if by == "day":
        return _day(at)
    if by == "model":
        return model
    return history.session.id if by == "session" else history.session.project


def _day(at: int) -> str:
    try:
        return datetime.fromtimestamp(at / 1000).date().isoformat() if at else ""
    except (ValueError, OverflowError, OSError):
        return ""


def _sorted(lines: list[Line], by: str) -> list[Line]:
    if by == "day":
        return sorted(lines, key=lambda line: line.key, reverse=True)
    if by == "session":
        return sorted(lines, key=lambda line: (-line.spent.latest, line.key))
    return sorted(lines, key=lambda line: (-(line.spent.input or 0) - (line.spent.output or 0), not line.key, line.key))
