"""Counts the background indexers that `ps` shows."""

from __future__ import annotations

import subprocess
import threading
import time
from pathlib import Path

__all__ = ["INDEXER_LIMIT", "Watch", "left_over", "running"]

#: Seconds within which the last indexer must have ended after the last session.
INDEXER_LIMIT = 20


def running(root: Path) -> list[str]:
    """The command lines of the indexers that belong to the sandbox below `root`."""
    command = ["ps", "-eo", "pid=,args="]
    listed = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout
    processes = [line.split(None, 1) for line in listed.splitlines()]
    return [
        " ".join(process)
        for process in processes
        if len(process) == 2 and _is_indexer(process[1]) and _belongs(process, root)
    ]


def _is_indexer(arguments: str) -> bool:
    return "deja_hooks" in arguments and "indexer" in arguments


def _belongs(process: list[str], root: Path) -> bool:
    """Whether the process names the sandbox; other test runs may share the machine."""
    if str(root) in process[1]:
        return True
    try:
        return str(root).encode() in Path(f"/proc/{process[0]}/environ").read_bytes()
    except OSError:
        return False


class Watch:
    """Looks every 0.2 s while the block lasts; `most` are those seen at the time when there were most."""

    def __init__(self, root: Path) -> None:
        self.most: list[str] = []
        self._root = root
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._ended.wait(0.2):
            self.most = max(self.most, running(self._root), key=len)


def left_over(root: Path, seconds: float) -> list[str]:
    """The indexers that still run after waiting so long for their end."""
    end = time.monotonic() + seconds
    while (still := running(root)) and time.monotonic() < end:
        time.sleep(0.2)
    return still
