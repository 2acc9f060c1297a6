"""What still lies in our files of sessions that are forgotten or excluded: nothing, once the memory is in line.

It asks what the indexer asks when it erases them (`indexer.in_line`, `indexer.traces`), and only looks.
"""

import json
import sqlite3
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path
from typing import Any

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.looking import is_file, is_there
from deja_hooks.doctor.own_files import Found
from deja_hooks.feedback.specifics import source_key
from deja_hooks.indexer.in_line import is_in_line, stored_times
from deja_hooks.indexer.traces import is_recording_of, ring_without
from deja_hooks.marks.barred import Barred
from deja_hooks.marks.decisions import decide
from deja_hooks.marks.log import read_log
from deja_hooks.marks.rules import wanted_rules
from deja_hooks.memory.erase import tables_with
from deja_hooks.memory.layout import Layout

__all__ = ["check_leftovers"]

_CHECK = "kept-out"
_INDEX = "run deja-hooks index: it erases them"


def check_leftovers(layout: Layout, files: list[Found], home: Path) -> Iterator[Finding]:
    """The memory, the state, the log of calls, recordings and markers.

    Args:
        layout: of the installation.
        files: what lies in our folders.
        home: the user's home folder, which `~` in an exclusion stands for.
    """
    for path in (layout.marks, layout.settings, layout.kept_out_rules):
        if is_there(path) and not is_file(path):  # a pipe would be waited for
            yield note(_CHECK, path, "it is not a regular file, so nothing was looked for", "move it away")
            return
    try:
        marks = read_log(layout)
        barred = Barred(decide(marks), wanted_rules(layout, home))
    except OSError as error:
        seen = f"what is forgotten or excluded can't be read ({error.strerror})"
        yield note(_CHECK, layout.config, seen, "see deja-hooks doctor")
        return
    if not (barred.decisions.forgotten or barred.decisions.spans or barred.rules):
        yield ok(_CHECK, layout.config, "nothing is forgotten or excluded")
        return
    sids, in_line, left = set(barred.decisions.forgotten), True, {}
    try:
        if is_file(layout.memory):
            with closing(_reader(layout.memory)) as db:
                in_line = is_in_line(db, layout)
                stored = _stored(db, barred)
                sids |= stored
                left[layout.memory] = len(stored) + _rows_of(db, sids, but="session")
        if is_file(layout.state):
            with closing(_reader(layout.state)) as db:
                sids |= _in_state(db, barred, sids)
                left[layout.state] = _rows_of(db, sids) + _told_of(db, sids)
    except sqlite3.Error as error:
        yield note(_CHECK, layout.cache, f"the databases were not looked into ({error})", "see deja-hooks doctor")
    since = {each.sid[:80]: mark.at for mark in marks for each in mark.sessions}
    for path in (layout.ring, f"{layout.ring}.1"):
        left[path] = _lines_of(Path(path), sids, since, _ruled_ms(layout))
    left[layout.recordings] = _recordings_of(layout, files, barred, sids)
    markers = [marker for sid in sorted(sids) for marker in (layout.live(sid), layout.pending(sid))]
    left |= {marker: 1 for marker in markers if is_there(marker)}
    for path, number in left.items():
        if number:
            seen = f"{number:,} {'trace' if number == 1 else 'traces'} of what is forgotten or excluded"
            yield broken(_CHECK, path, seen, f"delete {path}{_again(path, layout)}" if in_line else _INDEX)
    if not any(left.values()):
        yield ok(_CHECK, layout.cache, "nothing of what is forgotten or excluded")


def _again(path: str, layout: Layout) -> str:
    return " and run deja-hooks index" if path == layout.memory else ""


def _reader(path: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{Path(path).resolve().as_uri()}?mode=ro", uri=True, timeout=0.5)


def _stored(db: sqlite3.Connection, barred: Barred) -> set[str]:
    """The ids of sessions in the memory that may not be there."""
    rows = db.execute(
        "SELECT session.id, sid, cwd, key, started, updated FROM session JOIN project ON project.id=project"
    ).fetchall()
    return {
        sid
        for row_id, sid, cwd, key, started, updated in rows
        if barred.why(sid, cwd, key, started, stored_times(db, row_id, updated))
    }


def _in_state(db: sqlite3.Connection, barred: Barred, known: AbstractSet[str]) -> set[str]:
    """The ids of sessions in the state that may not be there, with their sub-agents."""
    rows = db.execute("SELECT sid, project, first, last, parent FROM session").fetchall()
    found = {
        sid for sid, project, first, last, _ in rows if sid in known or barred.why(sid, "", project, first, (last,))
    }
    return found | {sid for sid, *_, parent in rows if parent in found or parent in known}


def _rows_of(db: sqlite3.Connection, sids: AbstractSet[str], but: str = "") -> int:
    """Rows of these sessions, and of what others were told of them."""
    found = 0
    for table in tables_with(db, "sid"):
        if table != but:
            found += sum(row[0] in sids for row in db.execute(f"SELECT sid FROM {table}"))
    # A memory's name begins with its session (`recall.quote.memory_name`).
    for table in tables_with(db, "memory"):
        found += sum(row[0].partition(":")[0] in sids for row in db.execute(f"SELECT memory FROM {table}"))
    return found


def _told_of(db: sqlite3.Connection, sids: AbstractSet[str]) -> int:
    """Packets to others that are still known to have told of these sessions."""
    query = "SELECT count(*) FROM told WHERE instr(specifics, ?)"
    return (
        sum(db.execute(query, (source_key(sid),)).fetchone()[0] for sid in sids) if tables_with(db, "specifics") else 0
    )


def _lines_of(ring: Path, sids: AbstractSet[str], since: dict[str, int], ruled: int) -> int:
    """Lines of a log of calls that should have gone.

    A session that goes on after it was forgotten leaves lines there still: that it was called, and nothing of what
    was said in it.

    Args:
        since: of a session, as the log names it → when it was forgotten, epoch ms.
        ruled: when others were excluded.
    """
    try:
        data = ring.read_bytes() if sids and ring.is_file() else b""
    except OSError:
        return 0  # `secrets` says so
    lines = data.splitlines(keepends=True) if ring_without(data, sids) != data else []  # the usual case is quick
    found, names = 0, {sid[:80] for sid in sids}
    for line in lines:
        call = _call(line)
        if call is None or ring_without(line, sids) == line:
            continue
        own = call["s"] in names
        found += not own or "p" in call or call["t"] < since.get(call["s"], ruled)
    return found


def _call(line: bytes) -> dict[str, Any] | None:
    """A line that hooks wrote whole; None for any other, which goes with the next erasing."""
    try:
        call = json.loads(line)
    except (ValueError, RecursionError):
        return None
    sound = isinstance(call, dict) and isinstance(call.get("s"), str) and isinstance(call.get("t"), int)
    return call if sound else None


def _ruled_ms(layout: Layout) -> int:
    try:
        return int(Path(layout.kept_out_rules).stat().st_mtime * 1000)
    except OSError:
        return 1 << 62  # no pass has followed the settings yet


def _recordings_of(layout: Layout, found: list[Found], barred: Barred, sids: AbstractSet[str]) -> int:
    folder = Path(layout.recordings)
    return sum(
        is_recording_of(each.path, barred, sids) for each in found if each.is_file and each.path.parent == folder
    )
