"""Installing and uninstalling the hook file: plan → apply → undo.

A plan is a value that can be shown (`--dry-run`) before anything is written. Only our own entries of our own
`deja.json` are touched, under a lock in our config folder.
"""

import contextlib
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.files import Change, apply_change, missing_folders, read, remove_empty
from deja_hooks.hosts.hook_file import Document, ours, parse, render, with_ours, without_ours
from deja_hooks.hosts.ledger import Ledger, read_ledger, write_ledger
from deja_hooks.hosts.lock import install_lock
from deja_hooks.hosts.places import HOSTS, hook_files, own_file
from deja_hooks.memory.layout import Layout

__all__ = ["Plan", "apply", "plan_install", "plan_uninstall"]


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


def apply(planner: Callable[[], Plan], layout: Layout) -> tuple[Plan, list[Path]]:
    """Plans and carries the plan out, wholly or not at all.

    Args:
        planner: makes the plan; it is asked again under the lock, because another install may just have ended.
        layout: of the installation.

    Returns:
        The plan carried out, and the host's folders that were removed again.

    Raises:
        LockedError: another install or uninstall is at work.
        HookFileError: a file changed since the plan was made, or can't be written.
        HostsError: our own config folder can't be written.
    """
    plan = planner()
    if not plan.pending:
        return plan, []
    with install_lock(layout) as made:
        plan = planner()
        before = read_ledger(layout)
        files = dict(before.files)
        for change in plan.pending:
            _note(files, change)
        needed = [folder for change in plan.pending for folder in _needed(change)]
        folders = list(dict.fromkeys([*before.folders, *map(str, [*made, *needed])]))
        during = Ledger({**before.files, **files}, folders)
        _carry_out(plan, layout, (before, during, Ledger(files, folders if files else [])))
    removed = [] if files else remove_empty(list(map(Path, folders)))
    return plan, [folder for folder in removed if not Path(layout.config).is_relative_to(folder)]


def _carry_out(plan: Plan, layout: Layout, ledgers: tuple[Ledger, Ledger, Ledger]) -> None:
    """Writes what will be needed to undo the changes, then the changes; where anything fails, all is as it was."""
    before, during, after = ledgers
    done: list[Change] = []
    made: list[Path] = []
    try:
        if during != before:
            write_ledger(layout, during)
        for change in plan.pending:
            made += _needed(change)
            apply_change(change)
            done.append(change)
        if after != during:
            write_ledger(layout, after)
    except BaseException as error:
        with contextlib.suppress(OSError, HostsError):
            for change in reversed(done):
                apply_change(Change(change.path, change.after, change.before))
        remove_empty(made)
        with contextlib.suppress(OSError):
            write_ledger(layout, before)
        if isinstance(error, OSError):
            raise HostsError(f"{layout.config} can't be written ({error.strerror}).") from error
        raise


def _needed(change: Change) -> list[Path]:
    return missing_folders(Path(os.path.realpath(change.path)).parent) if change.after is not None else []


def _note(files: dict[str, str | None], change: Change) -> None:
    path = str(change.path)
    if not _has_ours(change.path, change.after):
        files.pop(path, None)
    elif not _has_ours(change.path, change.before):
        files[path] = change.before.decode() if change.before is not None else None
    else:
        files.setdefault(path, None)


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
    if first is not None:
        # The user's own file, whatever is left in it.
        return Change(path, before, first.encode() if _same(path, first, found) else render(rest))
    if not rest.get("hooks") and set(rest) <= {"version", "hooks"}:
        return Change(path, before, None)
    return Change(path, before, render(rest))


def _same(path: Path, text: str, found: Document) -> bool:
    """Whether nothing but our entries came to the file since it was this text."""
    first, rest = parse(path, text.encode()), without_ours(found)
    emptied = set(found.get("hooks", {})) - set(rest.get("hooks", {}))
    # An event that was there without entries went with ours.
    hooks = {event: entries for event, entries in first.get("hooks", {}).items() if entries or event not in emptied}
    return {**first, "hooks": hooks, "version": rest.get("version")} == rest
