"""Starting the background indexer from the command line."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from deja_hooks.hook.wake import wake

if TYPE_CHECKING:
    from deja_hooks.memory.layout import Layout

__all__ = ["start"]


def start(layout: Layout, executable: str) -> bool:
    """Asks for a pass of the background indexer; True where a process was started for it.

    Raises:
        OSError: the cache can't be written.
    """
    return wake(layout, executable, int(time.time() * 1000))
