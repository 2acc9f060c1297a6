"""`deja-hooks doctor`: what is wrong here, and what to do about it."""

import sys
from typing import TYPE_CHECKING

import click

from deja_hooks import __version__
from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import ERROR, OK
from deja_hooks.cli.output import local_time, number_of, one_line, print_json
from deja_hooks.cli.progress import progress_bar

if TYPE_CHECKING:
    from deja_hooks.doctor.examine import Group
    from deja_hooks.doctor.finding import Finding
    from deja_hooks.doctor.machine import Machine
    from deja_hooks.doctor.mend import Mended

__all__ = ["doctor", "machine_of"]

#: State → how it is marked: for a terminal (with its colour), and elsewhere.
_MARKS = {"ok": ("✓", "green", "ok"), "note": ("•", "yellow", "note"), "broken": ("✗", "red", "BROKEN")}
_WORD = 8


@click.command()
@click.option("--fix", is_flag=True, help="Mend what can be mended safely, and look again.")
@click.option("--privacy", is_flag=True, help="Only check what is kept, to the last row, against SECURITY.md.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
@click.pass_obj
def doctor(here: Here, fix: bool, privacy: bool, as_json: bool) -> int:
    """Check the installation, and say what to do about each fault. Exit 1 if something is broken.

    First it looks: at the hook files, the interpreter, what would silence it, the stores, the memory, permissions and
    secrets. Then it runs the command of each event as its host would, with a sample payload; these runs use a folder
    of their own, so they count nowhere. A note is no fault: a host that isn't here, an event that was never seen.

    --fix sets modes right, writes a missing or stale hook file, puts a broken database aside and builds it anew. It
    changes nothing else, and deletes nothing that can't be made again.

    --privacy checks nothing else than what SECURITY.md promises of our own files, and that on all of them: who can
    read them, what lies there, for how long, whether any text holds a secret, or what you have forgotten or excluded.

    \b
    Examples:
      deja-hooks doctor
      deja-hooks doctor --fix
      deja-hooks doctor --privacy
      deja-hooks doctor --json
    """
    machine = machine_of(here)
    groups = _examined(machine, privacy, shown=not as_json and not fix)
    mended = _mended(machine, groups, as_json) if fix else []
    if fix:
        groups = _examined(machine, privacy, shown=not as_json) if mended else _shown(groups, as_json)
    broken = [finding for group in groups for finding in group.findings if finding.state == "broken"]
    if as_json:
        _print_json(groups, len(broken), mended if fix else None)
    else:
        _sum_up(groups, broken, fix)
    return ERROR if broken else OK


def machine_of(here: Here) -> "Machine":
    """The machine as the checks want it."""
    from deja_hooks.doctor.machine import Machine

    try:
        folders = tuple(working_folders(here.environment))
    except OSError:  # it was deleted under us
        folders = ()
    layout, environment, home = here.layout, here.environment, here.home
    return Machine(layout, environment, home, here.platform, here.executable, here.now_ms, folders)


def _examined(machine: "Machine", privacy: bool, *, shown: bool) -> "list[Group]":
    """All groups, or those of `--privacy`, each shown as soon as it is known."""
    from deja_hooks.doctor.examine import examine, examine_privacy

    if not privacy:
        groups = examine(machine, local_time)
    else:
        with progress_bar("reading what is kept") as progress:  # nothing is printed under the bar
            groups = iter(list(examine_privacy(machine, progress or _unseen)))
    found = []
    for group in groups:
        if shown:
            _show(group)
        found.append(group)
    return found


def _unseen(done: int, total: int) -> None:
    """Progress where nobody looks."""


def _shown(groups: "list[Group]", as_json: bool) -> "list[Group]":
    if not as_json:
        for group in groups:
            _show(group)
    return groups


def _mended(machine: "Machine", groups: "list[Group]", as_json: bool) -> "list[Mended]":
    from deja_hooks.doctor.mend import mend

    done = []
    for each in mend(machine, [finding for group in groups for finding in group.findings]):
        done.append(each)
        if not as_json:
            click.echo(f"{'Mended' if each.done else 'Not mended'} ({', '.join(each.checks)}): {_clean(each.did)}")
    if done and not as_json:
        click.echo()
    return done


def _clean(text: str) -> str:
    """What may be shown: what was seen may hold a command's output, or a line of somebody's file."""
    from deja_hooks.redaction.redact import redact

    return one_line(redact(text))


def _show(group: "Group") -> None:
    click.secho(group.title, bold=True)
    for finding in group.findings:
        for line in _lines(finding):
            click.echo(line)
    click.echo()


def _lines(finding: "Finding") -> list[str]:
    sign, colour, word = _MARKS[finding.state]
    name = f"{finding.check:<13}"
    mark = click.style(sign, fg=colour) if _is_terminal() else f"{word:<{_WORD}}"
    lines = [f"  {mark} {name} {_clean(finding.about)}: {_clean(finding.seen)}"]
    if finding.do:
        lines.append(f"  {' ' * (1 if _is_terminal() else _WORD)} {'':13} → {_clean(finding.do)}")
    return lines


def _is_terminal() -> bool:
    return sys.stdout.isatty()


def _sum_up(groups: "list[Group]", broken: "list[Finding]", fixed: bool) -> None:
    notes = sum(finding.state == "note" for group in groups for finding in group.findings)
    also = f" ({number_of(notes, 'note')})" if notes else ""
    if not broken:
        click.echo(f"Nothing is broken{also}.")
        return
    names = ", ".join(dict.fromkeys(finding.check for finding in broken))
    click.echo(f"{len(broken)} broken{also}: {names}.")
    fixable = sum(finding.fixable for finding in broken)
    if fixable and not fixed:
        click.echo(f"deja-hooks doctor --fix can mend {fixable} of them.")


def _print_json(groups: "list[Group]", broken: int, mended: "list[Mended] | None") -> None:
    value: dict[str, object] = {"version": __version__, "broken": broken}
    if mended is not None:
        value["mended"] = [{"checks": list(m.checks), "did": _clean(m.did), "done": m.done} for m in mended]
    value["findings"] = [
        {
            "check": finding.check,
            "state": finding.state,
            "about": _clean(finding.about),
            "seen": _clean(finding.seen),
            "do": _clean(finding.do) if finding.do else "",
            "fixable": finding.fixable,
        }
        for group in groups
        for finding in group.findings
    ]
    print_json(value)
