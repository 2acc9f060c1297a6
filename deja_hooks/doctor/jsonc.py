"""Reading the hosts' JSON files, which people write by hand: comments and trailing commas are allowed there."""

import json
from pathlib import Path
from typing import Any

from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.jsonc import parse
from deja_hooks.sources.places.small import read_small

__all__ = ["JsoncError", "read_jsonc"]


class JsoncError(Exception):
    """The file can't be read, or isn't what it should be; the message says why."""


def read_jsonc(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file with comments; None where there is no file, {} where it is blank.

    Raises:
        JsoncError: it can't be read, or holds no JSON object.
    """
    try:
        data = read_small(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise JsoncError(f"it can't be read ({error.strerror or error})") from error
    value = _parsed(path, data) if data.strip() else {}
    if not isinstance(value, dict):
        raise JsoncError("it holds no JSON object")
    return value


def _parsed(path: Path, data: bytes) -> object:
    try:
        return json.loads(data)
    except RecursionError as error:
        raise JsoncError("it is nested too deeply") from error
    except ValueError:
        pass  # most files are plain JSON, which is read a hundred times as fast
    try:
        root = parse(path, data).root
    except HookFileError as error:
        why = str(error).removeprefix(f"{path} ").partition(": ")[0]
        raise JsoncError(f"it {why}") from error
    return root.value if root is not None else {}
