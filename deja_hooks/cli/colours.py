"""Whether what we print has colours and bold letters: NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE, then the terminal.

click knows none of these variables, rich some of them, and other ones in other versions: here both are told the same.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["colours", "console"]


def colours(environment: Mapping[str, str]) -> bool | None:
    """Whether there are to be colours; None: on a terminal, and nowhere else.

    NO_COLOR wins with any value but the empty one (no-color.org). The two that force count with any but that and 0.
    """
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return False if environment.get("TERM") == "dumb" else None


def console(*, stderr: bool = False) -> Console:
    """rich's console for our stdout or stderr, with bold letters where click has them."""
    from rich.console import Console  # only where a table or a bar is drawn

    wanted = colours(os.environ)
    return Console(stderr=stderr, color_system=None if wanted is False else "auto", force_terminal=wanted or None)
