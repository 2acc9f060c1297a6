"""Starting the hosts' programs: finding one on the `PATH`, and giving it what it is to get and nothing else.

The `PATH` is searched here, not by the system: on Windows that looks into the working directory first, which may be
anybody's. On Windows most of these programs are batch files, which read their arguments a second time, as commands:
what could be read so is not handed to one.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from deja_hooks.cli.context import Here
from deja_hooks.cli.errors import DejaError
from deja_hooks.cli.output import one_line
from deja_hooks.history.resume import Command

__all__ = ["find_program", "found_program", "shown", "start", "take_over", "unfit_for_batch"]

_PATHEXT = ".COM;.EXE;.BAT;.CMD"
_BATCH = (".bat", ".cmd")
_READ_AGAIN = frozenset('"&|<>^!\r\n')
#: Characters of an argument that is shown; paths can be long.
_LONGEST = 4_096
#: What to do where a program isn't there.
_HINTS = {
    "copilot": "install GitHub Copilot CLI",
    "code": "install VS Code with its command line (in VS Code: \"Shell Command: Install 'code' command in PATH\")",
}


def find_program(names: Sequence[str], environment: Mapping[str, str], platform: str) -> str:
    """The path of the first of the programs that is on the `PATH`; "" where none is."""
    windows = platform == "win32"
    folders = environment.get("PATH", "").split(";" if windows else ":")
    ends = [end.lower() for end in environment.get("PATHEXT", _PATHEXT).split(";") if end] if windows else [""]
    for name in names:
        for folder in folders:
            for end in ends:
                path = Path(folder.strip('"') if windows else folder, name + end)
                if folder and path.is_absolute() and path.is_file() and os.access(path, os.X_OK):
                    return str(path)
    return ""


def found_program(command: Command, here: Here) -> str:
    """The path of the command's program.

    Raises:
        DejaError: it isn't there; says what to do instead.
    """
    path = find_program(command.programs, here.environment, here.platform)
    if path:
        return path
    name, *others = command.programs
    what = f"None of {', '.join(command.programs)} is" if others else f"{name} is not"
    hint = _HINTS.get(name, f"put {name} there")
    raise DejaError(f"{what} on the PATH: {hint}, or run by hand:\n{_by_hand(command, here)}")


def shown(command: Command, platform: str) -> list[str]:
    """The command as lines for a shell of the platform; a long prompt is named and not shown."""
    arguments = ["PROMPT" if "\n" in each or len(each) > _LONGEST else each for each in command.arguments]
    if platform == "win32":
        enter = "pushd" if command.directory.startswith("\\\\") else "cd"
        lines = [f"{enter} {subprocess.list2cmdline([command.directory])}"] if command.directory else []
        lines += [f'set "{name}={value}"' for name, value in command.environment]
        lines.append(subprocess.list2cmdline([command.programs[0], *arguments]))
    else:
        lines = [f"cd {shlex.quote(command.directory)}"] if command.directory else []
        before = "".join(f"{name}={shlex.quote(value)} " for name, value in command.environment)
        lines.append(before + shlex.join([command.programs[0], *arguments]))
    return [one_line(line) for line in lines]


def start(command: Command, here: Here, stdin: str | None = None) -> int:
    """Starts a program, waits for it, and gives its exit status; it reads `stdin`, or nothing.

    Raises:
        DejaError: it isn't there, or can't be started.
    """
    arguments = _arguments(command, here)
    reads = b"" if stdin is None else stdin.encode()
    with _can_start(arguments[0], command):
        done = subprocess.run(
            arguments, cwd=command.directory or None, env=_environment(command, here), input=reads, check=False
        )
        return done.returncode


def take_over(command: Command, here: Here) -> int:
    """Gives the terminal to a program: in our place where the system can, and then this doesn't return.

    Raises:
        DejaError: it isn't there, or can't be started.
    """
    arguments = _arguments(command, here)
    environment = _environment(command, here)
    sys.stdout.flush()
    sys.stderr.flush()
    with _can_start(arguments[0], command):
        if here.platform == "win32":
            return subprocess.run(arguments, cwd=command.directory or None, env=environment, check=False).returncode
        if command.directory:
            os.chdir(command.directory)
        return os.execve(arguments[0], arguments, environment)


def _arguments(command: Command, here: Here) -> list[str]:
    path = found_program(command, here)
    if here.platform == "win32" and path.lower().endswith(_BATCH) and unfit_for_batch(command):
        raise DejaError(
            f"{path} is a batch file, to which this can't be handed safely. Run by hand:\n{_by_hand(command, here)}"
        )
    return [path, *command.arguments]


def _environment(command: Command, here: Here) -> dict[str, str]:
    where = {"PWD": command.directory} if command.directory and here.platform != "win32" else {}
    return {**here.environment, **where, **dict(command.environment)}


def _by_hand(command: Command, here: Here) -> str:
    return "\n".join(f"  {line}" for line in shown(command, here.platform))


@contextmanager
def _can_start(path: str, command: Command) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
        where = f" in {command.directory}" if command.directory else ""
        raise DejaError(f"{path} can't be started{where} ({getattr(error, 'strerror', None) or error}).") from error


def unfit_for_batch(command: Command) -> bool:
    """Whether cmd.exe could read something else than was meant, or start elsewhere than it should."""
    texts = [*command.arguments, command.directory]
    # (A percent sign opens a variable; in a URI hex digits follow it.)
    return command.directory.startswith("\\\\") or any(
        _READ_AGAIN.intersection(text) or ("%" in text and "://" not in text) for text in texts
    )
