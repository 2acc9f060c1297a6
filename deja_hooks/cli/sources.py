"""`deja-hooks sources`: where sessions lie on this machine, and what could be read of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.memory import memory_of
from deja_hooks.cli.named_roots import naming, warn_of_missing
from deja_hooks.cli.output import number_of, one_line, print_json, print_table

if TYPE_CHECKING:
    from deja_hooks.cli.source_report import FileReport, Place

__all__ = ["sources"]

_SHOWN = 10
_ELSEWHERE = "Elsewhere (named to a hook, or read before from a place that isn't looked in now)"
_HEADINGS = ("store", "version", "files", "sessions", "lines", "understood", "skipped", "unknown", "bad")
#: State → its heading, which is shown where any file is in it.
_STATES = {"failed": "failed", "changed": "changed", "not read yet": "unread", "deleted": "deleted"}


@click.command()
@click.option("--all", "everything", is_flag=True, help="Name every file and place, not only the first 10.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of the roots, with every file.")
@click.pass_obj
def sources(here: Here, everything: bool, as_json: bool) -> None:
    """Show every place where hosts keep sessions, and what was understood, skipped or failed there.

    Each line of a place is a store (a format) and a version of the host. Of the lines of its files, skipped are those
    that hold nothing to remember, unknown those of a kind that is new to deja-hooks, bad those that are broken.
    Files are unread until the next pass of the indexer, changed if they have grown since the last; of those deleted
    by the host the memory keeps what it had read. A User folder that a host named to a hook (VS Code started with
    --user-data-dir, or a portable one) is looked in from then on. Elsewhere are files that were named to a hook, and
    files that were read from a place that isn't looked in any more.

    COPILOT_HOME says where the CLI's folder is; DEJA_COPILOT_ROOT (session-state folders) replaces all places of
    the CLI, DEJA_COPILOT_CHAT_ROOTS (User folders and what is in them) all of VS Code.

    \b
    Examples:
      deja-hooks sources
      deja-hooks sources --all
    """
    found, note = _places(here)
    warn_of_missing(here, [place.root for place in found if place.root])
    if as_json:
        print_json([_as_json(place) for place in found])
        return
    names = naming(here)
    if any(place.files for place in found):
        _print_tables(found)
    else:
        where = f"where {' and '.join(names)} {'says' if len(names) == 1 else 'say'}" if names else "on this machine"
        click.echo(f"No session of VS Code Copilot Chat or Copilot CLI was found {where}.\n")
    _print_places(found, everything)
    for heading, entries in _notes(found):
        _print_notes(heading, entries, everything)
    if note:
        click.echo(note, err=True)


def _places(here: Here) -> "tuple[list[Place], str]":
    """The places, and why nothing counts as read where that is so."""
    from deja_hooks.cli.source_report import places
    from deja_hooks.indexer.places import places_to_look

    roots = places_to_look(here.layout, here.environment, here.home, here.platform)
    if Path(here.layout.memory).exists():
        try:
            with memory_of(here) as memory:
                return places(roots, here.layout, memory), ""
        except DejaError as error:
            return places(roots, here.layout, None), str(error)
    return places(roots, here.layout, None), "There is no memory yet: deja-hooks index reads what is there."


# -- counting


def _stores(place: "Place") -> "dict[tuple[str, str], list[FileReport]]":
    """(store, version) → its files."""
    found: dict[tuple[str, str], list[FileReport]] = {}
    for file in place.files:
        found.setdefault((file.store, file.version), []).append(file)
    return dict(sorted(found.items()))


def _counts(files: "Sequence[FileReport]") -> dict[str, int]:
    tallies = [file.tally for file in files]
    lines = sum(tally.lines for tally in tallies)
    understood, unknown, bad = (sum(getattr(t, n) for t in tallies) for n in ("understood", "unknown", "bad"))
    return {
        "files": sum(file.state != "deleted" for file in files),
        "sessions": len({file.session_id for file in files if file.session_id}),
        "lines": lines,
        "understood": understood,
        "skipped": max(0, lines - understood - unknown - bad),
        "unknown": unknown,
        "bad": bad,
        "foreign": sum(tally.foreign for tally in tallies),
        **{name: sum(file.state == state for file in files) for state, name in _STATES.items()},
    }


def _as_json(place: "Place") -> dict[str, object]:
    by_store: dict[str, list[FileReport]] = {}
    for file in place.files:
        by_store.setdefault(file.store, []).append(file)
    return {
        "kind": place.root.kind if place.root else "elsewhere",
        "path": str(place.root.path) if place.root else None,
        "exists": place.exists,
        "remembered": place.root is not None and place.root.remembered,
        "stores": [
            {
                "store": store,
                **_counts(files),
                "versions": [
                    {"version": version, **_counts(those)}
                    for (of, version), those in _stores(place).items()
                    if of == store
                ],
            }
            for store, files in sorted(by_store.items())
        ],
        "passed_over": [{"path": each.path, "why": each.why} for each in place.passed],
        "files": [_file_as_json(file) for file in place.files],
    }


def _file_as_json(file: "FileReport") -> dict[str, object]:
    return {
        "path": file.path,
        "store": file.store,
        "state": file.state,
        "version": file.version,
        "session_id": file.session_id or None,
        "size": file.size,
        "tally": {**file.tally._asdict(), "names": list(file.tally.names)},
        "problem": file.problem,
        "remarks": list(file.remarks),
    }


# -- text


def _name(place: "Place") -> str:
    if not place.root:
        return _ELSEWHERE
    return f"{place.root.path} (a host named it to a hook)" if place.root.remembered else str(place.root.path)


def _print_tables(found: "list[Place]") -> None:
    """A table for each place that has files: a line for each store and version."""
    every = _counts([file for place in found for file in place.files])
    numbers = [*_HEADINGS[2:], *(name for name in _STATES.values() if every[name])]
    for place in found:
        if place.files:
            click.echo(click.style(one_line(_name(place)), bold=True))
            rows = [
                (store, version or "-", *(f"{counts[name]:,}" for name in numbers))
                for (store, version), files in _stores(place).items()
                for counts in (_counts(files),)
            ]
            print_table((*_HEADINGS[:2], *numbers), rows, numbers=range(2, len(numbers) + 2), gives=())
            click.echo()


def _print_places(found: "list[Place]", everything: bool) -> None:
    absent = [place for place in found if not place.exists]
    if absent and everything:
        click.echo("Not there:")
        for place in absent:
            click.echo(f"  {one_line(_name(place))}")
    elif absent:
        click.echo(f"{number_of(len(absent), 'more place')} to look in {_is(absent)} not there (--all names them).")
    empty = [place for place in found if place.exists and not place.files]
    for place in empty:
        click.echo(f"Nothing in {one_line(_name(place))}")


def _is(several: "Sequence[object]") -> str:
    return "is" if len(several) == 1 else "are"


def _notes(found: "list[Place]") -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Headings, each with its entries: a path and what is to be said of it."""
    files = [file for place in found for file in place.files]
    yield "Could not be read", [(file.path, file.problem) for file in files if file.problem]
    yield "Passed over", [(each.path, each.why) for place in found for each in place.passed]
    yield "Remarks", [(file.path, remark) for file in files for remark in (*file.remarks, *_of_tally(file))]


def _of_tally(file: "FileReport") -> Iterator[str]:
    tally = file.tally
    if tally.unknown:
        yield (
            f"{number_of(tally.unknown, 'line')} of unknown kind"
            + (": " if tally.names else "")
            + ", ".join(tally.names)
        )
    if tally.bad:
        yield f"{number_of(tally.bad, 'line')} could not be understood"
    if tally.foreign:
        yield f"{number_of(tally.foreign, 'record')} would begin another session; the file counts as one"


def _print_notes(heading: str, entries: list[tuple[str, str]], everything: bool) -> None:
    if not entries:
        return
    click.echo(f"\n{heading}:")
    for path, why in entries if everything else entries[:_SHOWN]:
        click.echo(f"  {one_line(path)}: {one_line(why)}")
    if len(entries) > _SHOWN and not everything:
        click.echo(f"  and {len(entries) - _SHOWN:,} more (--all names them)")
