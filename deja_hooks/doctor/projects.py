"""The project folders in which something may stand that concerns us: where we are, and where sessions ran lately."""

from pathlib import Path

from deja_hooks.doctor.looking import is_file
from deja_hooks.doctor.machine import Machine
from deja_hooks.memory.read import open_memory
from deja_hooks.memory.scope import project_root
from deja_hooks.memory.sqlite import sqlite_error

__all__ = ["project_folders"]

#: Folders of the last sessions that are looked at.
_MOST = 50


def project_folders(machine: Machine) -> list[Path]:
    """The top folders of these projects that are there, each once; the home itself is none."""
    roots = dict.fromkeys(project_root(folder) for folder in (*machine.folders, *_recent(machine.layout.memory)))
    return [path for root in roots if root and (path := Path(root)) != machine.home and path.is_dir()]


def _recent(memory: str) -> list[str]:
    try:
        opened = open_memory(memory) if is_file(memory) else None
        if opened is None:
            return []
        try:
            rows = opened.db.execute(
                "SELECT cwd FROM session WHERE cwd<>'' GROUP BY cwd ORDER BY max(updated) DESC LIMIT ?", (_MOST,)
            )
            return [str(row[0]) for row in rows]
        finally:
            opened.close()
    except sqlite_error():
        return []  # the check of the databases says so
