"""The formats that can be read, and where each lies below its root.

A new format is one module with `read`, and one line here. Readers are imported when the first file of their
format is read: a pass that finds nothing new needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from deja_hooks.sources.model import Reader

__all__ = ["FORMATS", "Format", "reader_for"]


class Format(NamedTuple):
    """A kind of file that a host writes.

    Attributes:
        store: its name, as in `Header.store`.
        kind: the kind of root it lies under.
        module: the reader's module.
        pattern: the way from the root's folder of sessions to its files: a name, "*" for any folder, or
            "*.SUFFIX" for any file.
    """

    store: str
    kind: str
    module: str
    pattern: tuple[str, ...]


FORMATS = (
    Format("cli-events", "cli", "deja_hooks.sources.cli_events", ("*", "events.jsonl")),
    Format(
        "vscode-transcript",
        "vscode",
        "deja_hooks.sources.vscode_transcript",
        ("*", "GitHub.copilot-chat", "transcripts", "*.jsonl"),
    ),
)


def reader_for(store: str) -> Reader:
    """The reader of a format. Raises KeyError where the format is unknown."""
    modules = {each.store: each.module for each in FORMATS}
    return cast("Reader", import_module(modules[store]).read)
