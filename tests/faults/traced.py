"""Programs under strace, which injects faults into their system calls."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

__all__ = ["SYSCALLS", "traced"]

#: The system calls by which the programs write, on one machine or another.
SYSCALLS = ("write", "pwrite64", "ftruncate", "fallocate", "fdatasync", "fsync", "unlink", "rename", "mkdir")
_CHECKOUT = Path(__file__).parents[2]


def traced(
    *command: str,
    log: Path,
    inject: str = "",
    environment: Mapping[str, str] | None = None,
    data: str | None = None,
    check: bool = True,
) -> subprocess.CompletedProcess[str]:
    """Runs a program with its children under strace.

    Args:
        command: the program and its arguments.
        log: where strace writes the calls of `SYSCALLS`.
        inject: the fault, as in `strace -e`.
        environment: of the program; this process's own by default.
        data: for its stdin.
        check: whether an exit status other than 0 is an error.
    """
    # (With --seccomp-bpf, strace 6.1 injects nothing into children.)
    options = ["-qq", "-f", "-o", str(log), "-e", f"trace={','.join(f'?{name}' for name in SYSCALLS)}"]
    options += ["-e", inject] if inject else []
    return subprocess.run(
        ["strace", *options, *command],
        capture_output=True,
        text=True,
        input=data,
        timeout=600,
        check=check,
        env={**(os.environ if environment is None else environment), "PYTHONPATH": str(_CHECKOUT)},
    )
