"""Invented words with the frequencies of a language."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

__all__ = ["Words"]

_ONSETS = ("b", "c", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st", "tr", "pl", "gr")
_RIMES = ("a", "e", "i", "o", "u", "an", "er", "in", "or", "al")
_WORDS = 20_000


class Words:
    """A vocabulary, and a stream of words in which few are common and most are rare."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        spelling = random.Random(0)  # one vocabulary for all seeds: they are sessions of one person
        syllables = [onset + rime for onset in _ONSETS for rime in _RIMES]
        words: dict[str, None] = {}
        while len(words) < _WORDS:
            count = spelling.choice((2, 2, 3, 3, 4))
            words["".join(spelling.choices(syllables, k=count))] = None
        self.all = list(words)
        self._weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(_WORDS)))
        self._stream: Iterator[str] = self._drawn()

    def _drawn(self) -> Iterator[str]:
        while True:
            yield from self.random.choices(self.all, cum_weights=self._weights, k=20_000)

    def sentence(self, least: int, most: int) -> str:
        """A sentence of so many words."""
        count = self.random.randint(least, most)
        return " ".join(itertools.islice(self._stream, count)).capitalize() + "."

    def lines(self, least: int, most: int) -> str:
        """So many lines of output."""
        return "\n".join(self.sentence(5, 14) for _ in range(self.random.randint(least, most)))

    def common(self) -> str:
        """One word as prose has it."""
        return next(self._stream)

    def rare(self) -> str:
        """One of the words that prose seldom has."""
        return self.all[self.random.randint(_WORDS // 5, _WORDS - 1)]
