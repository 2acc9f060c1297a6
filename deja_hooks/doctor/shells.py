"""The shell through which each host runs a command, and one command run as the host runs it."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

__all__ = ["Ended", "run_program", "shell_of"]


class Ended(NamedTuple):
    """How a command ended.

    Attributes:
        status: its exit status; None where it had to be killed.
        out, err: what it printed.
        ms: from its start to the end of its output, as the host waits for it.
    """

    status: int | None
    out: bytes
    err: bytes
    ms: float


def shell_of(host: str, platform: str, environment: Mapping[str, str]) -> list[str]:
    """The words before the command; none where the shell isn't there.

    VS Code runs hooks by `/bin/sh -c`, Copilot CLI by `bash -c`, both on Windows by PowerShell (VS Code 1.139, Copilot
    CLI 1.0.102).

    Args:
        host: as in `hosts.places.HOSTS`.
        platform: as `sys.platform`.
        environment: the environment variables.
    """
    path = environment.get("PATH", "")
    if platform == "win32":
        program = shutil.which("powershell.exe", path=path)
        return [program, "-NoProfile", "-NonInteractive", "-Command"] if program else []
    if host == "copilot":
        program = shutil.which("bash", path=f"{path}{os.pathsep}{os.defpath}")
        return [program, "-c"] if program else []
    return ["/bin/sh", "-c"] if Path("/bin/sh").exists() else []


def run_program(words: list[str], data: bytes, folder: Path, environment: Mapping[str, str], seconds: float) -> Ended:
    """Runs a program to its end, or kills it with all that it started. Raises OSError where it can't be started.

    Args:
        words: the program and its arguments.
        data: for its stdin.
        folder: its working directory.
        environment: its environment variables.
        seconds: that it has.
    """
    started = time.monotonic()
    pipe = subprocess.PIPE
    # A group of its own, which can be killed as a whole.
    with subprocess.Popen(
        words, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder, env=dict(environment), start_new_session=True
    ) as process:
        try:
            out, err = process.communicate(data, timeout=seconds)
            status: int | None = process.returncode
        except subprocess.TimeoutExpired:
            _kill(process)
            out, err = process.communicate()
            status = None
    return Ended(status, out, err, (time.monotonic() - started) * 1000)


def _kill(process: "subprocess.Popen[bytes]") -> None:
    if sys.platform == "win32":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except OSError:
        process.kill()
