"""`deja-hooks hook EVENT`: the program that hosts call, for hand use."""

import os
import subprocess
import sys
from pathlib import Path

import click

import deja_hooks
from deja_hooks.cli.context import Here
from deja_hooks.hook.events import EVENTS

__all__ = ["hook"]


@click.command()
@click.argument("event", metavar="EVENT", type=click.Choice(list(EVENTS)))
@click.pass_obj
def hook(here: Here, event: str) -> None:
    """Answer one payload from stdin, as a host calls it.

    EVENT is SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, PreCompact, Stop or
    SessionEnd. It writes what a call of the host would: the state of the session, a line of deja-hooks log.

    \b
    Examples:
      deja-hooks hook UserPromptSubmit < payload.json
      echo '{"session_id": "s", "cwd": "'"$PWD"'", "prompt": "why so slow?"}' |
        deja-hooks hook UserPromptSubmit
    """
    script = str(Path(deja_hooks.__file__).parent / "hook" / "entry.py")
    command = [here.executable, "-I", "-S", script, event, here.layout.cache, here.layout.config]
    sys.stdout.flush()
    if here.platform == "win32":  # execv there returns to the shell before the program ends
        raise SystemExit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)
