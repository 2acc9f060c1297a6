"""Which of our files still hold some words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

__all__ = ["holding"]


def holding(folder: Path, words: Sequence[str]) -> dict[str, list[str]]:
    """File below the folder → those of the words that stand in its bytes, in any case, in UTF-8 or UTF-16."""
    found = {}
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        data = path.read_bytes().lower()
        hits = [w for w in words if any(w.lower().encode(code) in data for code in ("utf-8", "utf-16-le"))]
        if hits:
            found[str(path.relative_to(folder))] = hits
    return found
