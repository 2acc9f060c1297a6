"""Complete lines of a log that is still being written, and the JSON in them.

Memory is bounded by the longest line that is read, whatever the file's size.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import FileIO
from typing import Any

import orjson

__all__ = ["LONGEST_LINE", "Lines", "is_blank", "parse", "spellings"]

BLOCK = 1 << 20
#: Longest line that is parsed, in bytes: what a host writes in one record stays far below it.
LONGEST_LINE = 32 << 20

_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \t\r\n"


class Lines:
    """The complete lines of an open file from an offset on, a block at a time.

    Iterating gives (offset of the first line, lines without their "\\n"). A torn last line isn't given.

    Attributes:
        end: offset after the last complete line so far.
        too_long: how many lines were longer than `longest` and were not given.
    """

    def __init__(
        self,
        file: FileIO,
        start: int,
        size_limit: int | None,
        *,
        block: int = BLOCK,
        longest: int = LONGEST_LINE,
    ) -> None:
        self.end = start
        self.too_long = 0
        self._file = file
        self._limit = size_limit
        self._block = block
        self._longest = longest

    def __iter__(self) -> Iterator[tuple[int, list[bytes]]]:
        parts: list[bytes] = []
        size = 0
        for block in self._blocks():
            cut = block.rfind(b"\n")
            if cut < 0:
                size += len(block)
                parts = [] if size > self._longest else [*parts, block]
                continue
            first = block.find(b"\n")
            if size + first > self._longest:
                self.too_long += 1
                self.end += size + first + 1
                head = b""
                block, cut = block[first + 1 :], cut - first - 1
            else:
                head = b"".join(parts)
            parts, size = [block[cut + 1 :]], len(block) - cut - 1
            if cut >= 0:
                offset = self.end
                text = head + block[:cut]
                self.end += len(text) + 1
                yield offset, text.split(b"\n")

    def _blocks(self) -> Iterator[bytes]:
        position = self.end
        self._file.seek(position)
        while True:
            wanted = self._block if self._limit is None else min(self._block, self._limit - position)
            block = self._file.read(wanted) if wanted > 0 else b""
            if not block:
                return
            position += len(block)
            yield block


def spellings(*types: str) -> tuple[bytes, ...]:
    """The beginnings of lines whose record type begins with one of these, with and without spaces."""
    return tuple(f'{{"type":{gap}"{name}'.encode() for name in types for gap in ("", " "))


def is_blank(line: bytes) -> bool:
    """Whether a line holds nothing but white space and byte-order marks."""
    return not line.strip(_BLANKS + _BOM)


def parse(line: bytes) -> dict[str, Any] | None:
    """The JSON object of a line, or None where there is none."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError:
        record = _parse_tolerantly(line)
    return record if isinstance(record, dict) else None


def _parse_tolerantly(line: bytes) -> Any:
    """What orjson rejects and hosts write all the same: byte-order marks, raw control characters, NULs that a
    crash left in the file, lone surrogates (JavaScript cuts strings anywhere). The result can be encoded."""
    try:
        text = line.replace(b"\0", b"").strip(_BLANKS + _BOM).decode("utf-8", "replace")
        record = json.loads(text, strict=False)
        plain = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")
        return json.loads(plain)
    except (ValueError, RecursionError):
        return None
