"""`deja-hooks off` and `deja-hooks on`: the kill switches that every hook looks at first."""

import re
from pathlib import Path

import click

from deja_hooks.cli.completing import project_folders
from deja_hooks.cli.context import Here, working_folders
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import local_time
from deja_hooks.hook.switch import in_force, switches_off
from deja_hooks.memory.scope import label, project_key
from deja_hooks.system import make_private_dir

__all__ = ["off", "on"]

_UNITS_MS = {"s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_SPAN = re.compile(r"(\d{1,6})([smhd])")
_project_option = click.option(
    "--project",
    is_flag=False,
    flag_value=".",
    metavar="[PATH]",
    shell_complete=project_folders,
    help="Only the project of this folder (default: the working directory's).",
)


class _Span(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic in new click only
    """A length of time such as 90s, 30m, 2h or 1d, as milliseconds."""

    name = "span"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        match = _SPAN.fullmatch(str(value).strip())
        if match is None or int(match[1]) == 0:
            self.fail(f"{value!r} is not a length of time: write 90s, 30m, 2h or 1d.", param, ctx)
        return int(match[1]) * _UNITS_MS[match[2]]


@click.command()
@_project_option
@click.option("--for", "span_ms", type=_Span(), metavar="TIME", help="Only so long: 90s, 30m, 2h, 1d.")
@click.pass_obj
def off(here: Here, project: str | None, span_ms: int | None) -> None:
    """Silence the hooks: nothing is put before the model. The history goes on being indexed.

    One kind of event alone: deja-hooks config set events.before_command false.

    \b
    Examples:
      deja-hooks off --for 2h
      deja-hooks off --project
      deja-hooks off --project ~/src/app --for 1d
    """
    files, where = _switches(here, project)
    until = here.now_ms + span_ms if span_ms else None
    for file in files:
        try:
            make_private_dir(str(file.parent))
            file.touch(mode=0o600)
            file.write_text("" if until is None else str(until), encoding="ascii")
        except OSError as error:
            raise DejaError(f"{file} can't be written ({error.strerror}).") from error
    end = f"until {local_time(until)}" if until else "until deja-hooks on" + (" --project" if project else "")
    click.echo(f"Silent {where} {end}. Sessions go on being indexed.")


@click.command()
@_project_option
@click.pass_obj
def on(here: Here, project: str | None) -> None:
    """Let the hooks speak again.

    \b
    Examples:
      deja-hooks on
      deja-hooks on --project
    """
    files, where = _switches(here, project)
    was_off = any(in_force(str(file), here.now_ms) for file in files)
    for file in files:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise DejaError(f"{file} can't be removed ({error.strerror}).") from error
    click.echo(f"Speaking again {where}." if was_off else f"It was not switched off {where}.")
    for reason in _still_silent(here, project):
        click.echo(reason)


def _switches(here: Here, project: str | None) -> tuple[list[Path], str]:
    """The switch's files, and the words for what it silences."""
    if project is None:
        return [Path(here.layout.off)], "in all projects"
    folder = Path(project).expanduser()
    if not folder.is_dir():
        raise DejaError(f"{folder} is not a folder: name one of the project.")
    # By every path that a host may name: its real one and the one through links.
    folders = [str(folder.resolve()), str(folder.absolute())]
    if folder == Path():
        folders = working_folders(here.environment)
    keys = list(dict.fromkeys(map(project_key, folders)))
    return [Path(here.layout.off_project(key)) for key in keys], f"in {label(keys[0]) or folders[0]}"


def _still_silent(here: Here, project: str | None) -> list[str]:
    reasons = []
    if switches_off(here.environment.get("DEJA_RECALL", "")):
        reasons.append("But DEJA_RECALL in this environment silences every hook that is started from it.")
    if project is not None and in_force(here.layout.off, here.now_ms):
        reasons.append("But all projects are switched off: deja-hooks on.")
    others = Path(here.layout.off_project("x")).parent
    if project is None and others.is_dir() and any(in_force(str(file), here.now_ms) for file in others.iterdir()):
        reasons.append("But single projects are switched off: deja-hooks on --project PATH.")
    return reasons
