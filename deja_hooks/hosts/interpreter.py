"""Which interpreter the hook command names.

Every hook starts it anew, so it has to be the executable itself: a pyenv shim costs 57 to 105 ms a call, and
a Windows Store alias starts a broker. What is wrong is said at install, not in a host's session.
"""

from pathlib import Path

from deja_hooks.hosts.errors import InterpreterError

__all__ = ["real_interpreter"]

_REINSTALL = 'install deja-hooks with the interpreter itself (`pipx install --python "{}" deja-hooks`)'
_SOME_PYTHON = "/path/to/python3"


def real_interpreter(executable: str) -> str:
    """The absolute path of an interpreter that starts without help.

    Args:
        executable: `sys.executable`.

    Raises:
        InterpreterError: it is missing, relative, a shim (a script, or in a folder of shims), or a Windows
            Store alias; the message says what to do.
    """
    if not executable:
        raise InterpreterError(f"Python doesn't know its own executable: {_REINSTALL.format(_SOME_PYTHON)}.")
    path = Path(executable)
    if not path.is_absolute():
        raise InterpreterError(f"{executable} is not an absolute path: {_REINSTALL.format(_SOME_PYTHON)}.")
    if "WindowsApps" in path.parts:
        raise InterpreterError(
            f"{executable} is a Windows Store alias, which starts slowly and redirects the cache folder: "
            "install Python from python.org, winget or uv, and deja-hooks with it."
        )
    if "shims" in path.parts or _head(path) == b"#!":
        raise InterpreterError(
            f"{executable} is a shim that looks for an interpreter at every call: "
            + _REINSTALL.format("$(pyenv which python)")
            + "."
        )
    return executable


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(2)
    except OSError as error:
        raise InterpreterError(
            f"{path} can't be read ({error.strerror}): {_REINSTALL.format(_SOME_PYTHON)}."
        ) from error
