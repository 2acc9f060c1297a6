"""Installing and uninstalling, whatever the kinds of files: plan → apply → undo.

A plan is a value that can be shown (`--dry-run`) before anything is written. It is carried out under a lock in our
config folder, wholly or not at all; what is needed to undo it is written first, so that whoever comes after a killed
process can finish or undo its work.
"""

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deja_hooks.hosts.errors import HookFileError, HostsError
from deja_hooks.hosts.files import (
    Change,
    apply_change,
    clear_leftovers,
    missing_folders,
    names_of_file,
    read,
    remove_empty,
)
from deja_hooks.hosts.kinds import recorded_part
from deja_hooks.hosts.ledger import (
    Ledger,
    Record,
    broken_ledger,
    ledger_path,
    put_ledger_aside,
    read_ledger,
    write_ledger,
)
from deja_hooks.hosts.lock import install_lock, lock_path
from deja_hooks.hosts.parts import Part, reason
from deja_hooks.memory.layout import Layout

__all__ = ["Plan", "apply", "plan_install", "plan_uninstall"]

_LINKED = "it is a hard link no longer: the file's other names keep what it held"


class Plan(NamedTuple):
    """What installing or uninstalling will do.

    Attributes:
        changes: every file looked at, in order, unchanged ones included.
        dropped: the files that the ledger needs no more afterwards.
        failed: the files that could not be read or understood.
        aside: our own record, where that is broken: it is put aside.
    """

    changes: tuple[Change, ...]
    dropped: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    aside: Path | None = None

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that change something."""
        return tuple(change for change in self.changes if change.verb != "unchanged")

    @property
    def kept(self) -> tuple[Path, ...]:
        """The files that stay though they are among ours, because something in them is not."""
        return tuple(change.path for change in self.changes if change.note and change.after is not None)


def plan_install(parts: Sequence[Part], layout: Layout) -> Plan:
    """What putting these parts in takes. Raises HostsError where a file is there and can't be understood."""
    looked_at = _looked_at(parts, read_ledger(layout).files)
    changes = tuple(part.put_in(before, record) for part, before, record in looked_at)
    return Plan(_links_told(changes), aside=broken_ledger(layout))


def plan_uninstall(
    parts: Sequence[Part],
    layout: Layout,
    recorded: Callable[[Path], bool],
    needed: Callable[[Mapping[str, Record]], Mapping[Path, str]] = lambda _: {},
) -> Plan:
    """What taking our entries out again takes.

    Args:
        parts: what may be there, with or without a record.
        layout: of the installation.
        recorded: whether a file that only the ledger knows (an earlier folder, a profile that has moved) goes too.
        needed: the files that stay, each with the reason; it is given what the ledger knows.

    What can't be read or understood stays as it is, in the ledger too; it holds up nothing else.

    Raises:
        HostsError: a newer deja-hooks wrote the ledger.
    """
    files = read_ledger(layout).files
    known = {str(part.path) for part in parts}
    others = [(Path(path), record) for path, record in files.items() if path not in known and recorded(Path(path))]
    more = [part for path, record in others if (part := recorded_part(path, record)) is not None]
    # A folder, a pipe or a loop of links in a file's place holds nothing of ours.
    there = [part for part in (*parts, *more) if str(part.path) in files or os.path.isfile(part.path)]  # noqa: PTH113
    changes, failed = [], []
    stays = {os.path.realpath(path): why for path, why in needed(files).items()}
    for part, record in _distinct(there, files):
        before: bytes | None = b""
        why = stays.get(os.path.realpath(part.path), "")
        try:
            before = read(part.path)
            changes.append(Change(part.path, before, before, note=why) if why else part.take_out(before, record))
        except HookFileError as error:
            failed.append(str(part.path))
            changes.append(Change(part.path, before, before, note=reason(part.path, error), private=True))
    kept = [*failed, *(path for path in files if os.path.realpath(path) in stays)]
    dropped = [path for path in files if (path in known or recorded(Path(path))) and path not in kept]
    return Plan(_links_told(changes), tuple(dropped), tuple(failed), broken_ledger(layout))


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
    # A lock's file without a holder was left by a killed process, with what it had not finished.
    if not (plan.pending or plan.dropped or plan.aside or lock_path(layout).exists()):
        return plan, []
    with install_lock(layout) as made:
        plan = planner()
        if plan.aside:
            _put_aside(plan.aside)
        before = read_ledger(layout)
        for path in [*(change.path for change in plan.changes), *map(Path, before.files), ledger_path(layout)]:
            clear_leftovers(path)
        needed = [folder for change in plan.pending for folder in _needed(change)]
        folders = list(dict.fromkeys([*before.folders, *map(str, [*made, *needed])]))
        folders += [str(folder) for folder in _named_after_us(plan) if str(folder) not in folders]
        files = _recorded(before.files, plan)
        # Until all is done, the ledger knows what was there before and what comes.
        during = Ledger(_both(before.files, files), folders)
        removed = _carry_out(plan, layout, (before, during, Ledger(files, folders)))
    if not files:
        removed += remove_empty(list(map(Path, folders)))
    return plan, [folder for folder in removed if not Path(layout.config).is_relative_to(folder)]


def _carry_out(plan: Plan, layout: Layout, ledgers: tuple[Ledger, Ledger, Ledger]) -> list[Path]:
    """Writes what will be needed to undo the changes, then the changes; where anything fails, all is as it was.

    Returns the host's folders that were removed because nothing is left in them.
    """
    before, during, after = ledgers
    done: list[Change] = []
    made: list[Path] = []
    removed: list[Path] = []
    try:
        if during != before:
            write_ledger(layout, during)
        for change in plan.pending:
            made += _needed(change)
            apply_change(change)
            done.append(change)
        if plan.dropped or not after.files:
            removed = remove_empty([folder for folder in map(Path, after.folders) if folder != Path(layout.config)])
            left = [folder for folder in after.folders if Path(folder) not in removed] if after.files else []
            after = after._replace(folders=left)
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
    return removed


def _links_told(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes, with a remark on those of a file that has another name: written whole or not at all, it is a new
    file, and the other name keeps the old one.
    """
    return tuple(
        each._replace(remark="; ".join(filter(None, [each.remark, _LINKED])))
        if each.verb == "update" and names_of_file(each.path) > 1
        else each
        for each in changes
    )


def _put_aside(ledger: Path) -> None:
    try:
        put_ledger_aside(ledger)
    except OSError as error:
        raise HostsError(f"{ledger} is broken, and can't be put aside ({error.strerror}).") from error


def _named_after_us(plan: Plan) -> list[Path]:
    """The folders that bear our name and that a file of ours goes from: ours, also where the record was lost."""
    return [each.path.parent for each in plan.pending if each.after is None and each.path.parent.name == "deja"]


def _recorded(files: dict[str, Record], plan: Plan) -> dict[str, Record]:
    """What the ledger keeps when the plan is carried out."""
    kept = {path: record for path, record in files.items() if path not in plan.dropped}
    for change in plan.pending:
        if change.record is None:
            kept.pop(str(change.path), None)
        else:
            kept[str(change.path)] = change.record
    return kept


def _both(before: dict[str, Record], after: dict[str, Record]) -> dict[str, Record]:
    """What the ledger has while files may be the old or the new ones."""
    news = {
        path: record if before.get(path, record) == record else {**record, "earlier": before[path]}
        for path, record in after.items()
    }
    return {**before, **news}


def _needed(change: Change) -> list[Path]:
    return missing_folders(Path(os.path.realpath(change.path)).parent) if change.after is not None else []


def _looked_at(parts: Iterable[Part], files: dict[str, Record]) -> list[tuple[Part, bytes | None, Record | None]]:
    """Each file once, with its bytes and what the ledger has of it."""
    return [(part, read(part.path), record) for part, record in _distinct(parts, files)]


def _distinct(parts: Iterable[Part], files: dict[str, Record]) -> list[tuple[Part, Record | None]]:
    """Each file once (two profiles may link to one), with what the ledger has of it."""
    records = {os.path.realpath(path): record for path, record in files.items()}
    distinct: dict[str, Part] = {}
    for part in parts:
        distinct.setdefault(os.path.realpath(part.path), part)
    return [(part, records.get(target)) for target, part in distinct.items()]
