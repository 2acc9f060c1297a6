"""The command's front door, and its one failure boundary."""

import contextlib
import errno
import io
import os
import sys

import click

from deja_hooks import __version__
from deja_hooks.cli.colours import colours
from deja_hooks.cli.errors import ERROR, INTERRUPTED, OK, UNEXPECTED, DejaError
from deja_hooks.cli.lazy import LazyCommand, LazyGroup

__all__ = ["cli", "main"]

#: Set by the scripts of `deja-hooks completion`.
_COMPLETING = "_DEJA_HOOKS_COMPLETE"

_COMMANDS = {
    "install": LazyCommand("deja_hooks.cli.install:install", "Let Copilot call deja-hooks."),
    "uninstall": LazyCommand("deja_hooks.cli.uninstall:uninstall", "Take out what install put in."),
    "index": LazyCommand("deja_hooks.cli.index:index", "Read what is new in the hosts' sessions."),
    "search": LazyCommand("deja_hooks.cli.search:search", "Find earlier sessions, ranked as the hooks rank."),
    "sessions": LazyCommand("deja_hooks.cli.sessions:sessions", "List the sessions, the last active first."),
    "show": LazyCommand("deja_hooks.cli.show:show", "Print one session: what was said, edited and run."),
    "export": LazyCommand("deja_hooks.cli.export:export", "Write one session as a document, Markdown or JSON."),
    "resume": LazyCommand("deja_hooks.cli.resume:resume", "Say how to open a session again, or open it."),
    "handoff": LazyCommand("deja_hooks.cli.handoff:handoff", "Hand a session's work to a new one."),
    "usage": LazyCommand("deja_hooks.cli.usage:usage", "Sum up turns, model calls, tokens and credits."),
    "sources": LazyCommand("deja_hooks.cli.sources:sources", "Show where sessions lie, and what was read of them."),
    "log": LazyCommand("deja_hooks.cli.log:log", "List the last hook calls, and why they spoke or not."),
    "stats": LazyCommand("deja_hooks.cli.stats:stats", "Sum up how often hooks spoke, and what came of it."),
    "doctor": LazyCommand("deja_hooks.cli.doctor:doctor", "Check the installation; say what to do about faults."),
    "status": LazyCommand("deja_hooks.cli.status:status", "Say on one screen whether all is well."),
    "remember": LazyCommand("deja_hooks.cli.remember:remember", "Keep a note for this project."),
    "promote": LazyCommand("deja_hooks.cli.promote:promote", "Rank a session above its equals."),
    "reject": LazyCommand("deja_hooks.cli.reject:reject", "Keep a session from the model."),
    "undo": LazyCommand("deja_hooks.cli.undo:undo", "Take a note, a promotion or a rejection back."),
    "forget": LazyCommand("deja_hooks.cli.forget:forget", "Erase sessions for good."),
    "config": LazyCommand("deja_hooks.cli.config:config", "Settings: exclusions, which events speak, budgets."),
    "off": LazyCommand("deja_hooks.cli.switch:off", "Silence the hooks, here or everywhere."),
    "on": LazyCommand("deja_hooks.cli.switch:on", "Let the hooks speak again."),
    "mcp": LazyCommand("deja_hooks.cli.mcp:mcp", "Serve the recall tool, for agent mode."),
    "replay": LazyCommand("deja_hooks.cli.replay:replay", "Answer saved payloads, and show why or why not."),
    "completion": LazyCommand("deja_hooks.cli.completion:completion", "Print the script for completion in a shell."),
    "hook": LazyCommand("deja_hooks.cli.hook:hook", "Answer one payload from stdin, as a host calls it."),
}


@click.group(cls=LazyGroup, lazy=_COMMANDS, context_settings={"help_option_names": ["--help", "-h"]})
@click.version_option(__version__, prog_name="deja-hooks", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Gives GitHub Copilot the memory of its earlier sessions.

    \b
    Start with:
      deja-hooks install          hooks for VS Code Copilot Chat and Copilot CLI
      deja-hooks sessions         what both hosts left on this machine
      deja-hooks search "login timeout"
      deja-hooks log              what the hooks did, and why
    """
    if ctx.obj is None:
        from deja_hooks.cli.context import here

        ctx.obj = here()


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code.

    0: done; 1: it could not be done, said on stderr; 2: wrong use; 3: a fault of ours; 130: interrupted.
    """
    _open_closed_streams()
    _tolerate_any_text()
    if _COMPLETING in os.environ:
        return _answer_shell()
    try:
        code = cli.main(arguments, prog_name="deja-hooks", standalone_mode=False, color=colours(os.environ))
        sys.stdout.flush()
    except click.exceptions.Abort:
        return INTERRUPTED
    except click.ClickException as error:
        return _used_wrongly(error, arguments)
    except DejaError as error:
        return _failed(str(error), arguments)
    except BrokenPipeError:
        return _stdout_is_gone()
    except OSError as error:  # the machine's: a full disk, a missing right, a file in the way
        return _machine_failed(error)
    except Exception as error:  # the boundary: whatever else it is, it is ours to mend
        return _unexpected(error)
    return code if isinstance(code, int) else OK


def _answer_shell() -> int:
    """Answers a shell that completes a line. What goes wrong is not said: it would stand in the midst of that line."""
    with contextlib.suppress(Exception):
        cli.main(prog_name="deja-hooks", complete_var=_COMPLETING, standalone_mode=False)
    return OK


def _open_closed_streams() -> None:
    """Who closed our stdout or stderr (`>&-`) wants nothing from it; commands need not ask whether it is there."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 (for the process)


def _tolerate_any_text() -> None:
    """Recalled text may hold what the terminal's encoding can't say; a mark is better than a failure."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _stdout_is_gone() -> int:
    # So that the interpreter's last flush finds something to write to.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return ERROR


def _machine_failed(error: OSError) -> int:
    what = error.strerror or str(error)
    # Commands name the files that they can't write; what has no name is where we print to.
    if error.filename is None and error.errno in (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EBADF):
        _stdout_is_gone()
        return _failed(f"The output can't be written ({what}).")
    return _failed(f"{error.filename}: {what}." if error.filename else f"{what}.")


def _used_wrongly(error: click.ClickException, arguments: list[str] | None) -> int:
    message = io.StringIO()
    error.show(file=message)
    click.echo(_safe(message.getvalue().rstrip("\n"), arguments), err=True)
    return error.exit_code


def _failed(why: str, arguments: list[str] | None = None) -> int:
    click.echo(f"Error: {_safe(why, arguments)}", err=True)
    return ERROR


def _safe(text: str, arguments: list[str] | None = None) -> str:
    """The message as it may be shown: it can hold what was read, or typed, a secret among it.

    Args:
        text: the message.
        arguments: what was typed (None: this process's); looked at by itself, not within the message's quotes.
    """
    from deja_hooks.cli.output import quoted_text
    from deja_hooks.redaction.redact import redact

    for argument in sys.argv[1:] if arguments is None else arguments:
        for typed in (argument, argument.partition("=")[2]):
            if typed and typed in text:
                text = text.replace(typed, redact(typed))
    return quoted_text(redact(text), "")


def _unexpected(error: Exception) -> int:
    if os.environ.get("DEJA_HOOKS_TRACE"):
        import traceback

        traceback.print_exc()
    else:
        click.echo(f"Unexpected error: {type(error).__name__}: {_safe(str(error))}", err=True)
        click.echo("This is a fault of deja-hooks. DEJA_HOOKS_TRACE=1 shows where, for a report.", err=True)
    return UNEXPECTED
