"""Our own switches: what the user has silenced, or has had recorded. That is a decision, no fault."""

import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.looking import is_there
from deja_hooks.hook.switch import switches_off
from deja_hooks.memory.layout import Layout

__all__ = ["check_recording", "check_switches"]

_CHECK = "switched-off"
_MOST_BYTES = 64


def check_switches(layout: Layout, environment: Mapping[str, str], now_ms: int) -> Iterator[Finding]:
    """The variable, the switch of all projects, those of single ones."""
    found = []
    if switches_off(environment.get("DEJA_RECALL", "")):
        seen = "it silences every hook that is started from this environment"
        found.append(note(_CHECK, "DEJA_RECALL", seen, "unset it"))
    found += _file(Path(layout.off), "all projects", "deja-hooks on", now_ms)
    folder = Path(layout.in_config("off.d"))
    try:
        single = sorted(folder.iterdir())
    except OSError:
        single = []
    silent = [file for file in single if _file(file, "", "", now_ms)]
    if silent:
        projects = "1 project is" if len(silent) == 1 else f"{len(silent)} projects are"
        found.append(note(_CHECK, folder, f"{projects} switched off", "run deja-hooks on --project PATH"))
    yield from found or [ok(_CHECK, "the switches", "on")]
    yield from check_recording(layout)


def check_recording(layout: Layout) -> Iterator[Finding]:
    """Whether payloads are kept; nothing where they aren't."""
    if is_there(layout.record):
        seen = "every payload is kept, redacted: each call takes 50 ms longer"
        yield note(
            "recording", layout.recordings, seen, "run deja-hooks replay --record-off when you have what you need"
        )


def _file(file: Path, what: str, undo: str, now_ms: int) -> list[Finding]:
    """The finding of a switch that is in force; as for hooks, one that can't be read is in force for good."""
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return [broken(_CHECK, file, "it is not a file, so hooks take it for off", "move it away")]
        text = file.read_bytes()[:_MOST_BYTES].strip()
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        seen = f"it can't be read ({error.strerror}), so hooks take it for off"
        return [broken(_CHECK, file, seen, "delete it, or make it readable")]
    if text.isdigit() and int(text) <= now_ms:
        return []
    return [note(_CHECK, file, f"{what} switched off" + (" for a time" if text.isdigit() else ""), f"run {undo}")]
