"""What an unknown word may stand for: a known one that is a slip of the pen away, or of the same family."""

from deja_hooks.memory.schema import SPOKEN
from deja_hooks.recall.closer import root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from deja_hooks.memory.read import Memory

__all__ = ["near_words", "one_slip"]

#: Known words that are looked at: those that begin with the same two letters.
_MOST_KNOWN = 2_000
#: Shortest word that another one may be misspelt for.
_LEAST = 4


def near_words(memory: "Memory", word: str, key: str, project: int, limit: int) -> "tuple[tuple[str, ...], list[int]]":
    """What a project knows in the place of a word, and the turns that have it.

    Args:
        word: as it stands, in lower case; key: as the index would have it.
        project: row id.
        limit: turns of each.
    """
    family = root(word)
    near = [
        other
        for other in memory.known_terms(SPOKEN, project, key[:2], _MOST_KNOWN)
        if one_slip(key, other) or (other[:4] == family[:4] and root(other) == family)
    ]
    turns: dict[int, None] = {}
    for other in near:
        turns.update(dict.fromkeys(memory.postings(SPOKEN, project, other, limit)))
    return tuple(near), list(turns)


def one_slip(word: str, other: str) -> bool:
    """Whether one letter is wrong, missing, too much or changed places with the next, and the first is right."""
    longer, shorter = (word, other) if len(word) >= len(other) else (other, word)
    if len(longer) - len(shorter) > 1 or len(shorter) < _LEAST or not other.isalpha():
        return False
    at = 0
    for a, b in zip(longer, shorter, strict=False):
        if a != b:
            break
        at += 1
    if not at:
        return False
    rest, other_rest = longer[at:], shorter[at:]
    if len(rest) > len(other_rest):
        return rest[1:] == other_rest
    return rest[1:] == other_rest[1:] or (rest[:2] == other_rest[1::-1] and rest[2:] == other_rest[2:])
