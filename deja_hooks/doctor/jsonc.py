"""Reading the hosts' JSON files, which people write by hand: comments and trailing commas are allowed there."""

import json
from pathlib import Path
from typing import Any

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
        text = read_small(path).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise JsoncError(f"it can't be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise JsoncError("it is not UTF-8") from error
    value = _parsed(text) if text.strip() else {}
    if not isinstance(value, dict):
        raise JsoncError("it holds no JSON object")
    return value


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        pass  # most files are plain JSON, which is read a hundred times as fast
    except RecursionError as error:
        raise JsoncError("it is nested too deeply") from error
    import json5

    try:
        return json5.loads(text)
    except (ValueError, RecursionError) as error:
        # Of several errors, the primary one stands in the third line.
        lines = str(error).splitlines() or ["nothing that can be understood"]
        raise JsoncError(f"it is not JSON ({lines[2 if len(lines) > 2 else 0].strip()})") from error
