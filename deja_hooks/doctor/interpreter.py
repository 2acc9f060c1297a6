"""Whether the interpreter that the hooks name is a real one, and still there.

The written command is silent where it isn't (a host must never see a failing hook), so nobody else would notice.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from deja_hooks import __version__
from deja_hooks.doctor.entries import Entry, command_of, program_of
from deja_hooks.doctor.finding import Finding, broken, note, ok
from deja_hooks.doctor.looking import is_file
from deja_hooks.hosts.command import Program
from deja_hooks.hosts.errors import InterpreterError
from deja_hooks.hosts.interpreter import real_interpreter
from deja_hooks.sources.places.small import read_small

__all__ = ["check_interpreters", "interpreter_fault"]

_CHECK = "interpreter"
_INSTALL = "run deja-hooks install"
_VERSION = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)


def check_interpreters(entries: Iterable[tuple[Path, Entry]], platform: str, executable: str) -> Iterator[Finding]:
    """Each program that our entries run.

    Args:
        entries: hook files and our entries in them.
        platform: as `sys.platform`.
        executable: the interpreter that `install` would wire: it mends only where that is a real one.
    """
    commands = [command_of(entry.value, platform) for _, entry in entries]
    if any(program_of(command) is None for command in commands):
        seen = "a command is not of the form that install writes"
        yield broken(_CHECK, "the hook file", seen, _INSTALL, fixable=_mendable(executable))
    for program in dict.fromkeys(program for command in commands if (program := program_of(command)) is not None):
        yield _check(program, executable)


def interpreter_fault(python: str) -> str:
    """What is wrong with an interpreter that some command names; "" where it is there and real."""
    path = Path(python)
    try:
        if path.is_symlink() and not path.exists():
            return f"it is a link to {path.readlink()}, which is not there: its Python was removed"
        if not path.exists():
            return "it is not there: its environment was removed or moved"
        real_interpreter(python)
    except InterpreterError as error:
        return str(error)
    except OSError as error:
        return f"it can't be looked at ({error.strerror})"
    return _environment_fault(path)


def _check(program: Program, executable: str) -> Finding:
    fault = interpreter_fault(program.python)
    if not fault and not is_file(program.script):
        fault = f"{program.script} is not there: deja-hooks was taken out of that environment"
    if fault:
        return broken(_CHECK, program.python, fault, _INSTALL, fixable=_mendable(executable))
    version = _version(program)
    if version != __version__:
        seen = f"a real interpreter, with deja-hooks {version or '?'}; this command is of {__version__}"
        return note(_CHECK, program.python, seen, f"{_INSTALL} to have this version called")
    return ok(_CHECK, program.python, "a real interpreter, not a shim or an alias")


def _mendable(executable: str) -> bool:
    return not interpreter_fault(executable)


def _environment_fault(python: Path) -> str:
    """What is wrong with the virtual environment that it belongs to: on Windows it starts the Python named there."""
    for line in _text(python.parent.parent / "pyvenv.cfg").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "home" and value.strip() and not Path(value.strip()).is_dir():
            return f"its environment was made with the Python in {value.strip()}, which is not there"
    return ""


def _version(program: Program) -> str:
    """The version of the deja-hooks that the program belongs to; "" where it doesn't say."""
    folders = Path(program.script).parents
    found = _VERSION.search(_text(folders[1] / "__init__.py")) if len(folders) > 1 else None
    return found[1] if found else ""


def _text(path: Path) -> str:
    """A small file's text; "" where there is none."""
    try:
        return read_small(path).decode("utf-8", "replace")
    except OSError:
        return ""
