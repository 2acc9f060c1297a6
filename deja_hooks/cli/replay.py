"""`deja-hooks replay`: saved payloads, answered as a hook would, with the reason for it."""

import difflib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import ERROR, OK, DejaError
from deja_hooks.cli.output import one_line, print_json, quoted_text
from deja_hooks.cli.replay_cases import Case, find_files, read_cases, sample_home_of
from deja_hooks.cli.replay_home import ThrowawayHome, throwaway_home
from deja_hooks.hook.instant import epoch_ms
from deja_hooks.indexer.run import index as run_index
from deja_hooks.system import make_private_dir

__all__ = ["replay"]

#: The clock for a payload without a time stamp: 2026-01-01T00:00:00Z, in epoch ms.
_CONSTANT_MS = 1_767_225_600_000
_NONCE = "replay"
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@dataclass(frozen=True)
class _Answer:
    case: Case
    host: str
    event: str
    ms: float
    reply: dict[str, Any] | None
    text: str
    reason: str


class _Instant(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic in new click only
    """An ISO-8601 time, as epoch milliseconds."""

    name = "time"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        at_ms = epoch_ms(str(value))
        if not at_ms:
            self.fail(f"{value!r} is not a time: write 2026-03-01T14:00:00Z.", param, ctx)
        return at_ms


@click.command()
@click.argument("paths", nargs=-1, metavar="PATH...", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print an array, one object a payload.")
@click.option("--check", is_flag=True, help="Compare with X.expected.json beside X.json.")
@click.option("--update", is_flag=True, help="Write the expected files.")
@click.option("--home", "sample", type=_FOLDER, help="The sample home (default: home/ beside the payloads).")
@click.option("--now", "now_ms", type=_Instant(), metavar="ISO", help="The clock (default: the payload's).")
@click.option("--record/--record-off", default=None, help="Installed hooks keep payloads, or no more.")
@click.pass_context
def replay(
    ctx: click.Context,
    paths: tuple[Path, ...],
    as_json: bool,
    check: bool,
    update: bool,
    sample: Path | None,
    now_ms: int | None,
    record: bool | None,
) -> None:
    """Answer saved payloads (files, or folders of *.json and *.jsonl), and show why or why not.

    Nothing of yours is read or written: each sample home (a folder home/ beside the payloads or above them)
    is copied into a throwaway home, @HOME@ standing for its path, and indexed first. Clock and nonce are
    fixed. --check prints the differences and exits 1 if there are any.

    \b
    Examples:
      deja-hooks replay hook_payloads
      deja-hooks replay --check hook_payloads
      deja-hooks replay --record        then use Copilot, and replay what was kept
    """
    if record is not None:
        _switch_recording(ctx.obj, record)
    elif not paths:
        raise click.UsageError("Name a payload file or a folder of them, or use --record.")
    if not paths:
        return
    cases, failed = _read(find_files(paths))
    if not failed:
        _refuse_empty(paths, cases)
    answers = list(_answers(cases, paths, sample, now_ms))
    _print(answers, as_json)
    if update:
        _write_expected(answers)
    if check:
        failed += sum(_differs(answer) for answer in answers)
        click.echo(f"{len(answers)} checked, {failed} failed" if failed else f"{len(answers)} as expected", err=True)
    ctx.exit(ERROR if failed else OK)


def _switch_recording(here: Here, on: bool) -> None:
    marker = Path(here.layout.record)
    try:
        if on:
            make_private_dir(str(marker.parent))
            marker.touch(mode=0o600)
        else:
            marker.unlink(missing_ok=True)
    except OSError as error:
        raise DejaError(f"{marker} can't be written ({error.strerror}).") from error
    if on:
        click.echo(f"The hooks keep redacted payloads in {here.layout.recordings},")
        click.echo("until deja-hooks replay --record-off.")
    else:
        click.echo(f"The hooks keep no more payloads; what was kept is in {here.layout.recordings}.")


def _read(files: Sequence[Path]) -> tuple[list[Case], int]:
    """All payloads, and how many files could not be read (each is named on stderr)."""
    cases, failed = [], 0
    for file in files:
        try:
            cases += read_cases(file)
        except (OSError, ValueError, RecursionError) as error:
            click.echo(one_line(f"Error: {file} is no payload: {error}"), err=True)
            failed += 1
    return cases, failed


def _refuse_empty(paths: Sequence[Path], cases: Sequence[Case]) -> None:
    """A check of nothing, at a mistyped folder, must not look like success."""
    for path in paths:
        if not any(case.file.is_relative_to(path) for case in cases):
            raise DejaError(f"{path} holds no payloads (*.json, *.jsonl).")


def _answers(cases: list[Case], paths: Sequence[Path], sample: Path | None, now_ms: int | None) -> Iterator[_Answer]:
    def home_of(case: Case) -> str:
        return str(sample or sample_home_of(case.file, paths) or "")

    # Cases are in order of their paths already; a home's cases stay together, in that order.
    for folder, group in groupby(sorted(cases, key=home_of), key=home_of):
        with throwaway_home(Path(folder) if folder else None) as home:
            if folder:
                environment, platform = home.environment, sys.platform
                run_index(home.layout, environment=environment, home=home.path, platform=platform)
            for case in group:
                yield _answer(case, home, now_ms)


def _answer(case: Case, home: ThrowawayHome, now_ms: int | None) -> _Answer:
    from deja_hooks.hook.main import handle

    value = json.loads(home.with_path(json.dumps(case.payload)))
    clock = now_ms or case.at_ms or _CONSTANT_MS
    started = time.perf_counter()
    outcome = handle(value, case.event, home.layout, now_ms=clock, nonce=_NONCE, live=False)
    ms = (time.perf_counter() - started) * 1000
    home.set_clock(outcome.session_id, clock)
    reply = home.with_mark(outcome.reply.decode())
    return _Answer(
        case,
        outcome.host,
        outcome.event,
        round(ms, 3),
        json.loads(reply) if reply else None,
        home.with_mark(outcome.text),
        outcome.reason,
    )


def _print(answers: list[_Answer], as_json: bool) -> None:
    if as_json:
        print_json([_as_json(answer) for answer in answers])
        return
    for answer in answers:
        _print_text(answer)
    told = sum(bool(answer.text) for answer in answers)
    noun = "payload" if len(answers) == 1 else "payloads"
    click.echo(f"{len(answers)} {noun}: {told} answered, {len(answers) - told} silent")


def _print_text(answer: _Answer) -> None:
    """Which payload, what it was about, what came of it and why; the packet as the model gets it."""
    click.echo(click.style(one_line(answer.case.name), bold=True))
    called = "  ".join((answer.host or "unknown host", answer.event or "unknown event", answer.case.gist))
    click.echo(quoted_text(called.rstrip(), "  "))
    told = click.style("answered", fg="green") if answer.text else "silent"
    click.echo(f"  {told} in {answer.ms:.1f} ms: {one_line(answer.reason)}")
    if answer.text:
        click.echo(quoted_text(answer.text))
    click.echo()


def _as_json(answer: _Answer) -> dict[str, object]:
    return {
        "path": answer.case.name,
        "host": answer.host,
        "event": answer.event,
        "ms": answer.ms,
        "reply": answer.reply,
        "reason": answer.reason,
    }


def _write_expected(answers: list[_Answer]) -> None:
    for answer in answers:
        answer.case.expected.write_text(_document(answer.reply), encoding="utf-8")


def _differs(answer: _Answer) -> bool:
    """Whether the reply isn't the one expected; says how on stderr."""
    file = answer.case.expected
    try:
        expected = _document(json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        click.echo(f"Error: {file} can't be read: {error}", err=True)
        return True
    reply = _document(answer.reply)
    lines = difflib.unified_diff(expected.splitlines(), reply.splitlines(), str(file), answer.case.name, lineterm="")
    difference = "\n".join(lines)
    if difference:
        click.echo(quoted_text(difference, ""), err=True)
    return bool(difference)


def _document(reply: object) -> str:
    return json.dumps(reply, indent=2) + "\n"
