"""A history that is large in every table: words, edits, commands and how they ended."""

from __future__ import annotations

import random
from pathlib import Path

from tests.support.world import NOON, World, asked, edited, ran, said

__all__ = ["DAY", "sid_of", "write_history"]

DAY = 86_400_000
_HEADS = ("pool", "queue", "cache", "retry", "token")
_WORDS = [head + tail for head in _HEADS for tail in ("er", "ing", "s", "able")]


def sid_of(number: int) -> str:
    """The id of a session of the history."""
    return f"{number:08d}-aaaa-4000-8000-000000000000"


def write_history(world: World, sessions: int, *, size: int = 6_000, first: int = 0) -> None:
    """Writes sessions of two turns, a day apart, the first the oldest; `size` characters of each text.

    Session N decides `limit_N`, edits `src/n.py`, and mends `make target_N`, which failed.
    """
    for number in range(first, first + sessions):
        chance = random.Random(number)
        text = " ".join(chance.choice(_WORDS) + str(chance.randrange(500)) for _ in range(size // 9))
        path = Path(world.project) / "src" / f"n{number}.py"
        world.cli_session(
            sid_of(number),
            asked(f"What about limit_{number}? {text}"),
            *ran(f"make target_{number}", 2, f"make: *** [target_{number}] Error 2: no rule for part_{number}"),
            *edited(path, text[: size // 2], text[size // 2 :]),
            *ran(f"make target_{number}", 0, "ok"),
            said(f"We decided to set limit_{number} to {number} because the gateway bans us.\n\n{text}"),
            asked(f"And then? {text}"),
            said(f"Done. {text}"),
            at=NOON - DAY * (1_000 - number),
        )
