"""Ids as short as a command that takes one lets them be."""

from collections.abc import Iterable

__all__ = ["short_ids"]

_SHORT_ID = 8


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """Id → the shortest beginning of it, of 8 characters at least, that no other id has."""
    ordered = sorted(ids)
    short = {}
    for before, each, after in zip(["", *ordered], ordered, [*ordered[1:], ""], strict=False):
        shared = max(_shared(each, before), _shared(each, after))
        short[each] = each[: max(_SHORT_ID, shared + 1)]
    return short


def _shared(one: str, other: str) -> int:
    """How many characters two ids begin with alike."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
