import sys
from pathlib import Path

import pytest

from deja_hooks.hosts.errors import InterpreterError
from deja_hooks.hosts.interpreter import real_interpreter


def test_the_running_interpreter_is_real() -> None:
    assert real_interpreter(sys.executable) == sys.executable


def _refusal(executable: str) -> str:
    with pytest.raises(InterpreterError) as caught:
        real_interpreter(executable)
    return str(caught.value)


def test_a_shim_script_is_refused(tmp_path: Path) -> None:
    shim = tmp_path / "python"
    shim.write_text('#!/usr/bin/env bash\nexec pyenv exec python "$@"\n')
    assert _refusal(str(shim)) == (
        f"{shim} is a shim that looks for an interpreter at every call: "
        "install deja-hooks with the interpreter itself "
        '(`pipx install --python "$(pyenv which python)" deja-hooks`).'
    )


def test_a_program_in_a_folder_of_shims_is_refused(tmp_path: Path) -> None:
    shim = tmp_path / "shims" / "python"
    shim.parent.mkdir()
    shim.write_bytes(b"\x7fELF")
    assert "is a shim" in _refusal(str(shim))


def test_a_store_alias_is_refused(tmp_path: Path) -> None:
    alias = tmp_path / "WindowsApps" / "python.exe"
    assert _refusal(str(alias)) == (
        f"{alias} is a Windows Store alias, which starts slowly and redirects the cache folder: "
        "install Python from python.org, winget or uv, and deja-hooks with it."
    )


@pytest.mark.parametrize(
    ("executable", "said"),
    [
        ("", "Python doesn't know its own executable"),
        ("python3", "python3 is not an absolute path"),
        ("/nowhere/python3", "/nowhere/python3 can't be read (No such file or directory)"),
    ],
)
def test_others_are_refused_with_a_way_out(executable: str, said: str) -> None:
    assert _refusal(executable) == (
        f"{said}: install deja-hooks with the interpreter itself "
        '(`pipx install --python "/path/to/python3" deja-hooks`).'
    )
