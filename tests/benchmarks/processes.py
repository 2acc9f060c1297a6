"""Runs a program and tells what it cost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Cost", "measure", "run_in_shell"]


@dataclass(frozen=True)
class Cost:
    """What a process took: wall and processor time in seconds, and its largest resident size in bytes."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def measure(command: list[str], folder: Path, environment: Mapping[str, str]) -> Cost:
    """Runs a command to its end. Raises RuntimeError, with what it printed, where it fails.

    On Linux the resident size is at least that of this process when it started the other one.
    """
    output = folder / "output.txt"
    with output.open("wb") as sink:
        start = time.perf_counter()
        program = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink
        )
        _, status, used = os.wait4(program.pid, 0)
        seconds = time.perf_counter() - start
    program.returncode = os.waitstatus_to_exitcode(status)
    if program.returncode:
        text = output.read_text(encoding="utf-8", errors="replace")
        raise RuntimeError(f"{command} ended with {program.returncode}: {text[-2000:]}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss * unit)


def run_in_shell(command: str, payload: bytes, folder: Path, environment: Mapping[str, str]) -> tuple[float, bytes]:
    """Runs a command line as a host does: by `sh -c`, with the payload on a pipe.

    Returns:
        Wall time in ms until the end of its output and of itself, and what it printed.
    """
    start = time.perf_counter()
    program = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    printed, _ = program.communicate(payload)
    return (time.perf_counter() - start) * 1000, printed
