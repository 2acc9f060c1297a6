"""The Markdown table of what each host delivers, and its place in a document."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .seen import PACKETS, Seen

__all__ = ["HEAD", "HOST", "failed", "row", "table", "updated"]

HOST = "Copilot CLI"
_COLUMNS = ("host", "run on", "hook file", "events", *PACKETS, "hook errors", "exit codes")
HEAD = (f"| {' | '.join(_COLUMNS)} |", f"|{' --- |' * len(_COLUMNS)}")


def row(version: str, run_on: str, found: Seen | str) -> str:
    """One host's line.

    Args:
        run_on: the date and the machine.
        found: the findings; or why there are none.
    """
    first = (f"{HOST} {version}", run_on)
    if isinstance(found, str):
        cells: Sequence[str] = (*first, f"not run: {found}", *[""] * (len(_COLUMNS) - 3))
    else:
        packets = [found.packets[name] for name in PACKETS]
        exits = ", ".join(map(str, found.exit_codes))
        cells = (*first, found.hook_file, found.events, *packets, "; ".join(found.errors) or "none", exits)
    return f"| {' | '.join(_cell(text) for text in cells)} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")[:200]


def failed(found: Seen | str) -> bool:
    """Whether a version could not be run, rejects the hook file, shows a hook error or denies a tool."""
    return isinstance(found, str) or found.hook_file != "accepted" or bool(found.errors)


def table(rows: Iterable[str]) -> str:
    """A whole table."""
    return "\n".join([*HEAD, *rows])


def updated(document: str, rows: Sequence[str]) -> str:
    """The document with these rows in its table, in the place of those of the same hosts; all others stay.

    The CLI's rows come first, by version.

    Raises:
        ValueError: the document has no such table.
    """
    lines = document.splitlines()
    try:
        begin = lines.index(HEAD[0]) + len(HEAD)
    except ValueError:
        raise ValueError(f"no table that begins with: {HEAD[0]}") from None
    end = next((at for at in range(begin, len(lines)) if not lines[at].startswith("|")), len(lines))
    merged = {_first(line): line for line in [*lines[begin:end], *rows]}
    hosts = sorted((host for host in merged if host.startswith(f"{HOST} ")), key=_by_version)
    hosts += [host for host in merged if host not in hosts]
    return "\n".join([*lines[:begin], *(merged[host] for host in hosts), *lines[end:]]) + "\n"


def _first(line: str) -> str:
    return line.split("|")[1].strip()


def _by_version(host: str) -> tuple[tuple[int, ...], str]:
    version = host.rpartition(" ")[2]
    numbers = [part for part in version.split(".") if part.isdigit()]
    return tuple(map(int, numbers)), version
