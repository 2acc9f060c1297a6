"""Files that a command writes where the user says."""

import os
import tempfile
from pathlib import Path

from deja_hooks.cli.errors import DejaError

__all__ = ["write_file"]


def write_file(path: Path, text: str, force: bool) -> None:
    """Writes the whole file or nothing, for this user alone.

    Raises:
        DejaError: it exists already, or can't be written.
    """
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise DejaError(f"{path} can't be written ({error.strerror}).") from error
    fresh = Path(name)  # mkstemp makes it 0600
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
        if force:
            fresh.replace(path)
        else:
            _put(fresh, path)
    except FileExistsError as error:
        raise DejaError(f"{path} exists already: name another file, or replace it with --force.") from error
    except OSError as error:
        raise DejaError(f"{path} can't be written ({error.strerror}).") from error
    finally:
        fresh.unlink(missing_ok=True)


def _put(fresh: Path, path: Path) -> None:
    """Gives the file its name if nothing has it. Raises FileExistsError."""
    if os.path.lexists(path):
        raise FileExistsError(path)
    try:
        path.hardlink_to(fresh)  # fails where the name was taken meanwhile
    except FileExistsError:
        raise
    except OSError:
        fresh.replace(path)  # a file system without hard links
