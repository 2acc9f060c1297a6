"""Erasing what hooks have kept of sessions beside the databases: the ring, recordings, markers, the last report."""

from __future__ import annotations

import contextlib
import json
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from deja_hooks.feedback.erase import erase_told
from deja_hooks.hook.entry import DEADLINE
from deja_hooks.memory.erase import erase_from_state

if TYPE_CHECKING:
    from collections.abc import Set

    from deja_hooks.marks.barred import Barred
    from deja_hooks.memory.layout import Layout

__all__ = ["erase_traces", "is_recording_of", "ring_without"]

_TOLD_OF_IT = "told of a session that is forgotten"
_CITED = re.compile(r"\[deja-hooks show ([^\]]+)\]")
#: What a hook needs at most beyond its deadline to end, in seconds.
_MARGIN = 0.2


def erase_traces(layout: Layout, barred: Barred, known: Set[str]) -> None:
    """Erases what hooks kept of the sessions that are kept out. Raises OSError, sqlite3.OperationalError.

    Args:
        barred: what is kept out.
        known: the ids of sessions that the memory had until now.
    """
    Path(layout.index_report).unlink(missing_ok=True)  # it names files; the next pass writes another
    if not any(Path(each).exists() for each in (layout.state, layout.ring, layout.recordings)):
        return
    _outwait_hooks(layout)
    known = known | barred.decisions.forgotten.keys()
    sids = erase_from_state(
        Path(layout.state),
        lambda sid, key, first, last: bool(barred.why(sid, "", key, first, (last,))),
        known,
        erase_told,
    )
    for sid in sids:
        for marker in (layout.live(sid), layout.pending(sid)):
            Path(marker).unlink(missing_ok=True)
    for ring in (layout.ring + ".1", layout.ring):
        _clean_ring(Path(ring), sids)
    _clean_recordings(Path(layout.recordings), barred, sids)


def _outwait_hooks(layout: Layout) -> None:
    """A hook that was at work when something was decided may still write; none does after its deadline."""
    decided = [layout.marks, layout.settings, layout.kept_out_rules]
    times = [Path(each).stat().st_mtime for each in decided if Path(each).exists()]
    age = time.time() - max(times, default=0.0)
    if 0 <= age < DEADLINE + _MARGIN:
        time.sleep(DEADLINE + _MARGIN - age)


# -- the ring


def _clean_ring(path: Path, sids: Set[str]) -> None:
    """Takes the sessions' lines out, and out of others' lines the packets that cite them."""
    if not path.is_file() or not sids:
        return
    with path.open("rb") as old:
        before = old.read()
        after = ring_without(before, sids)
        if after == before:
            return
        fresh = path.with_name(f"{path.name}.{os.getpid()}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as new:
            new.write(after)
        fresh.replace(path)
        late = ring_without(old.read(), sids)  # of hooks that had opened the old file
    if late:
        with path.open("ab") as ring:
            ring.write(late)


def ring_without(data: bytes, sids: Set[str]) -> bytes:
    """The ring's lines without these sessions, and without the packets that cite them; a torn line goes."""
    names = {sid[:80] for sid in sids}
    shorts = tuple({sid[:8] for sid in sids})
    return b"".join(_clean_line(line, names, shorts) for line in data.splitlines(keepends=True))


def _clean_line(line: bytes, names: Set[str], shorts: tuple[str, ...]) -> bytes:
    """The line, or what may stay of it; a torn one goes."""
    try:
        call = json.loads(line)
        if call["s"] in names:
            return b""
        if not any(cited.startswith(shorts) for cited in _CITED.findall(call.get("p", ""))):
            return line
    except (ValueError, LookupError, TypeError, AttributeError):
        return b""
    del call["p"]
    call["r"] = _TOLD_OF_IT  # the old reason names the words that both sessions share
    return json.dumps(call).encode("ascii") + b"\n"


# -- recordings


def _clean_recordings(folder: Path, barred: Barred, sids: Set[str]) -> None:
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        if is_recording_of(path, barred, sids):
            with contextlib.suppress(FileNotFoundError):
                path.unlink()


def is_recording_of(path: Path, barred: Barred, sids: Set[str]) -> bool:
    """Whether a recording is of such a session; one that can't be read counts as such."""
    try:
        payload = json.loads(path.read_bytes())
    except FileNotFoundError:
        return False
    except (OSError, ValueError, RecursionError):
        return True
    if not isinstance(payload, dict):
        return True
    sid = next((text for key in ("session_id", "sessionId") if isinstance(text := payload.get(key), str)), "")
    cwd = text if isinstance(text := payload.get("cwd"), str) else ""
    moment = path.name.partition("-")[0]
    at = int(moment) if moment.isascii() and moment.isdigit() else 0
    return sid in sids or bool(barred.why(sid, cwd, None, at, ()))
