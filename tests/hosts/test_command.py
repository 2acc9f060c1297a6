"""The written command, run by real shells: it survives us, whatever is gone."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import deja_hooks
from deja_hooks.hosts.command import Program, posix_command, powershell_command
from deja_hooks.hosts.errors import HostsError
from tests.support.powershell import faults

SHELLS = [shell for shell in ("dash", "bash", "sh") if shutil.which(shell)]
posix = pytest.mark.skipif(sys.platform == "win32", reason="the POSIX command")


def test_posix_words() -> None:
    program = Program("/opt/py 3/bin/python3", "/opt/it's/deja_hooks/hook/entry.py", "/c", "/g")
    assert posix_command(program, "Stop") == (
        "exec 2>/dev/null; [ -x '/opt/py 3/bin/python3' ] && "
        "[ -r '/opt/it'\"'\"'s/deja_hooks/hook/entry.py' ] && "
        "'/opt/py 3/bin/python3' -I -S '/opt/it'\"'\"'s/deja_hooks/hook/entry.py' Stop /c /g || "
        "{ exec 3<&0; { cat || while read -r x; do :; done; } <&3 >/dev/null & }; exit 0"
    )


def test_powershell_words() -> None:
    program = Program("C:\\Users\\O\u2019Neil\\py.exe", r"C:\it's\deja_hooks\hook\entry.py", r"C:\c", r"C:\g")
    assert powershell_command(program, "Stop") == (
        "$ErrorActionPreference='SilentlyContinue'; $ran=$false; try { "
        "if ((Test-Path -LiteralPath 'C:\\Users\\O\u2019\u2019Neil\\py.exe' -PathType Leaf) -and "
        r"(Test-Path -LiteralPath 'C:\it''s\deja_hooks\hook\entry.py' -PathType Leaf)) "
        "{ & 'C:\\Users\\O\u2019\u2019Neil\\py.exe' -I -S "
        r"'C:\it''s\deja_hooks\hook\entry.py' 'Stop' 'C:\c' 'C:\g' 2>$null; "
        "$ran=($LASTEXITCODE -eq 0) }; "
        "if (-not $ran) { $in=[Console]::OpenStandardInput(); $part=New-Object byte[] 65536; "
        "while (($read=$in.ReadAsync($part,0,65536)).Wait(500) -and ($read.Result -gt 0)) {} } "
        "} catch {}; exit 0"
    )


@pytest.mark.parametrize("path", ["C:\\p.exe", "C:\\it's a \u2018home\u2019\\p.exe", "C:\\$x `n #\\p.exe"])
def test_powershell_reads_it(path: str) -> None:
    assert faults(powershell_command(Program(path, path, path, path), "Stop")) == []


def test_powershell_leaves_stdin_to_the_program_and_needs_no_inner_quoting() -> None:
    command = powershell_command(Program(r"C:\p.exe", r"C:\e.py", r"C:\c", r"C:\g"), "Stop")
    assert "$input" not in command
    assert '"' not in command
    assert "&&" not in command
    assert "||" not in command


@pytest.mark.parametrize("write", [posix_command, powershell_command])
def test_a_path_that_no_host_can_name_is_refused(write: object) -> None:
    with pytest.raises(HostsError, match="not valid UTF-8"):
        write(Program("/py\udcff", "/e", "/c", "/g"), "Stop")  # type: ignore[operator]


def _program(folder: Path, interpreter: str, script: str | None = "") -> Program:
    """A program whose interpreter is a shell script, in a folder whose name needs quoting."""
    home = folder / 'it\'s a "home" $x'
    home.mkdir(parents=True)
    python, entry = home / "python3", home / "entry.py"
    if interpreter:
        python.write_text("#!/bin/sh\n" + interpreter)
        python.chmod(0o755)
    if script is not None:
        entry.write_text(script)
    return Program(str(python), str(entry), str(home / "cache"), str(home / "config"))


def _package_gone(folder: Path) -> Program:
    entry = folder / "deja_hooks" / "hook" / "entry.py"
    entry.parent.mkdir(parents=True)
    shutil.copy(Path(deja_hooks.__file__).parent / "hook" / "entry.py", entry)
    return Program(sys.executable, str(entry), str(folder / "cache"), str(folder / "config"))


BROKEN = {
    "interpreter gone": lambda folder: _program(folder, ""),
    "script gone": lambda folder: _program(folder, "exit 0\n", script=None),
    "package gone": _package_gone,
    "crash": lambda folder: _program(folder, f"echo oops >&2; kill -{int(signal.SIGSEGV)} $$\n"),
    "killed": lambda folder: _program(folder, "kill -9 $$\n"),
    "exit 1": lambda folder: _program(folder, "echo oops >&2; exit 1\n"),
    "exit 139": lambda folder: _program(folder, "exit 139\n"),
    "not a program": lambda _: Program("/", "/", "/c", "/g"),
}


@posix
@pytest.mark.parametrize("path", [os.environ["PATH"], "/nonexistent"], ids=["PATH", "no PATH"])
@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("broken", list(BROKEN))
def test_whatever_is_gone_it_exits_0_at_once_in_silence(tmp_path: Path, broken: str, shell: str, path: str) -> None:
    command = posix_command(BROKEN[broken](tmp_path), "PreToolUse")
    read_end, write_end = os.pipe()
    started = time.monotonic()
    process = subprocess.Popen(
        [str(shutil.which(shell)), "-c", command],
        stdin=read_end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PATH": path},
    )
    os.close(read_end)
    assert process.stdout is not None
    assert process.stderr is not None
    with process, process.stdout, process.stderr:
        os.write(write_end, b'{"hook_event_name": ')
        assert process.stdout.read() == b""  # to its end, although our end of stdin is open
        assert process.stderr.read() == b""
        assert process.wait() == 0
    assert time.monotonic() - started < 5
    for _ in range(5):  # more than a pipe holds: somebody must be reading, or this is EPIPE or hangs
        os.write(write_end, b"x" * 65_536)
    os.close(write_end)


@posix
@pytest.mark.parametrize("shell", SHELLS)
def test_the_program_gets_its_words_and_the_payload(tmp_path: Path, shell: str) -> None:
    program = _program(tmp_path, 'printf "%s|" "$@"; cat; echo noise >&2\n')
    result = subprocess.run(
        [shell, "-c", posix_command(program, "Stop")], input=b'{"a": 1}', capture_output=True, check=False
    )
    words = "|".join(["-I", "-S", program.script, "Stop", program.cache, program.config, ""])
    assert (result.returncode, result.stdout, result.stderr) == (0, words.encode() + b'{"a": 1}', b"")
