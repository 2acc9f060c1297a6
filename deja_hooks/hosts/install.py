"""Installing and uninstalling the hook file: plan → apply → undo.

A plan is a value that can be shown (`--dry-run`) before anything is written. Only our own entries of our own
`deja.json` are touched, under a lock in our config folder.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.errors import HostsError, LockedError
from deja_hooks.hosts.files import Change, apply_change, read, remove_empty
from deja_hooks.hosts.hook_file import Document, ours, parse, render, with_ours, without_ours
from deja_hooks.hosts.ledger import Ledger, read_ledger, write_ledger
from deja_hooks.hosts.places import HOSTS, hook_files, own_file
from deja_hooks.memory.layout import Layout

__all__ = ["Plan", "apply", "plan_install", "plan_uninstall"]

#: Seconds that a second install waits for the first.
_LOCK_TIMEOUT = 10


class Plan(NamedTuple):
    """What installing or uninstalling will do.

    Attributes:
        changes: every file looked at, in order, unchanged ones included.
        kept: the files that stay after uninstalling, because something in them is not ours.
    """

    changes: tuple[Change, ...]
    kept: tuple[Path, ...] = ()

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that change something."""
        return tuple(change for change in self.changes if change.verb != "unchanged")


def plan_install(hosts: tuple[str, ...], program: Program, environment: Mapping[str, str], home: Path) -> Plan:
    """What wiring these hosts to this program takes.

    Args:
        hosts: names from `places.HOSTS`.
        program: what the hooks run.
        environment: read for `COPILOT_HOME`.
        home: the user's home folder.

    Raises:
        HostsError: a hook file is there and can't be understood, or a path can't be written into it.
    """
    document = ours(program)
    return Plan(tuple(_wired(path, document) for path in hook_files(hosts, environment, home)))


def plan_uninstall(hosts: tuple[str, ...], layout: Layout, environment: Mapping[str, str], home: Path) -> Plan:
    """What taking our entries out again takes. Raises HostsError as `plan_install` does.

    Where one file serves both hosts, unwiring either unwires both.
    """
    ledger = read_ledger(layout)
    paths = list(dict.fromkeys(own_file(host, environment, home) for host in hosts))
    if set(hosts) == set(HOSTS):  # also where an earlier COPILOT_HOME was wired
        paths += [path for path in map(Path, ledger.files) if path not in paths]
    changes = tuple(_unwired(path, ledger) for path in paths)
    return Plan(changes, tuple(change.path for change in changes if change.after is not None))


def apply(plan: Plan, layout: Layout) -> list[Path]:
    """Carries the plan out and returns the folders that were removed again.

    Raises:
        LockedError: another install or uninstall is at work.
        HookFileError: a file changed since the plan was made, or can't be written.
        HostsError: our own config folder can't be written.
    """
    if not plan.pending:
        return []
    with _lock(layout):
        ledger = read_ledger(layout)
        files, folders = dict(ledger.files), list(ledger.folders)
        for change in plan.pending:
            folders += map(str, apply_change(change))
            _note(files, change)
        removed = [] if files else remove_empty([Path(folder) for folder in folders])
        gone = set(map(str, removed))
        write_ledger(layout, Ledger(files, [folder for folder in folders if folder not in gone and files]))
    return removed


def _note(files: dict[str, str | None], change: Change) -> None:
    path = str(change.path)
    if _has_ours(change.path, change.after):
        if path not in files and not _has_ours(change.path, change.before):
            files[path] = change.before.decode() if change.before is not None else None
        files.setdefault(path, None)
    else:
        files.pop(path, None)


def _has_ours(path: Path, data: bytes | None) -> bool:
    if data is None:
        return False
    document = parse(path, data)
    return without_ours(document) != document


def _wired(path: Path, document: Document) -> Change:
    before = read(path)
    if before is None:
        return Change(path, None, render(document))
    found = parse(path, before)
    wired = with_ours(found, document)
    # A file that says the same in the user's own layout is left as it is.
    return Change(path, before, before if wired == found else render(wired))


def _unwired(path: Path, ledger: Ledger) -> Change:
    before = read(path)
    if before is None:
        return Change(path, None, None)
    found = parse(path, before)
    rest = without_ours(found)
    if rest == found:
        return Change(path, before, before)
    first = ledger.files.get(str(path))
    if first is not None and _same(path, first, rest):
        return Change(path, before, first.encode())
    if not rest.get("hooks") and set(rest) <= {"version", "hooks"}:
        return Change(path, before, None)
    return Change(path, before, render(rest))


def _same(path: Path, text: str, rest: Document) -> bool:
    """Whether nothing but our entries came to the file since it was this text."""
    first = parse(path, text.encode())
    return {"hooks": {}, **first, "version": rest.get("version")} == rest


@contextmanager
def _lock(layout: Layout) -> Iterator[None]:
    from filelock import FileLock, Timeout  # 44 ms, and only where something is written

    try:
        Path(layout.config).mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(layout.in_config("install.lock"), timeout=_LOCK_TIMEOUT):
            yield
    except Timeout as error:
        raise LockedError("Another install or uninstall is at work: try again when it has ended.") from error
    except OSError as error:
        raise HostsError(f"{layout.config} can't be written ({error.strerror}).") from error
