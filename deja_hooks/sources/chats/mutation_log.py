"""The log of changes that VS Code keeps of a chat: a state, then what happened to it.

`chatSessions/<session id>.jsonl`, since VS Code 1.109: `{"kind": 0, "v": state}`, then lines of
`{"kind": 1, "k": path, "v": value}` (set), `{"kind": 2, "k": path, "v": [...], "i": n}` (cut an array to `n`, then
push) and `{"kind": 3, "k": path}` (delete). A path is a list of names and indices. VS Code rewrites the file as one
line of kind 0 after some hundreds of changes, so it is always replayed whole. Older builds and exports write the
state alone, as `<session id>.json`.
"""

from __future__ import annotations

import os
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

from deja_hooks.sources.lines import LONGEST_LINE, Lines, is_blank, parse
from deja_hooks.sources.model import MOST_NAMES, Tally
from deja_hooks.sources.regular import open_log

__all__ = ["Replayed", "replay"]

_INITIAL, _SET, _PUSH, _DELETE = range(4)
#: What nobody looks into: the draft of the next message, which holds the account's label.
_UNREAD = "inputState"
#: Holes that one change may make in an array, and all changes of a file: VS Code makes none.
_MOST_HOLES = 10_000
_MOST_HOLES_IN_ALL = 1_000_000
_MOST_REMARKS = 8
_BOM = b"\xef\xbb\xbf"
#: What isn't there, as JavaScript's `undefined`.
_NOTHING = object()


class Replayed(NamedTuple):
    """A chat's state after the last change.

    Attributes:
        state: as JSON gives it, without `inputState`. What JavaScript holds as `undefined` is absent from objects and
            None in arrays.
        tally: of the lines; of a document that is the state alone, of one.
        remarks: what couldn't be read, a sentence each.
        size: bytes of the file that were there for this reading.
    """

    state: dict[str, Any]
    tally: Tally
    remarks: tuple[str, ...]
    size: int


def replay(path: Path, size_limit: int | None, *, longest: int = LONGEST_LINE) -> Replayed:
    """The state that a log (or, named `.json`, a document) comes to.

    A last line without its end that is no JSON object is still being written, and forgiven. Other lines that can't
    be read or applied are counted and told; what the others say is kept.

    Args:
        path: the file.
        size_limit: bytes of the file that exist for this reading, or None.
        longest: longest line or document that is read, in bytes.

    Raises:
        OSError: the file can't be read.
        ValueError: it gives no state; says why.
    """
    with open_log(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size_limit is not None:
            size = min(size, size_limit)
        if not size:
            raise ValueError("the file is empty")
        if path.suffix == ".json":
            return _document(file, size, longest)
        return _log(file, size, longest)


def _document(file: FileIO, size: int, longest: int) -> Replayed:
    if size > longest:
        raise ValueError(f"the document is longer than {_megabytes(longest)}: it can't be read")
    state = parse((file.read(size) or b"").removeprefix(_BOM))
    if state is None:
        raise ValueError("the file is no JSON object")
    state.pop(_UNREAD, None)
    return Replayed(state, Tally(lines=1, understood=1), (), size)


def _log(file: FileIO, size: int, longest: int) -> Replayed:
    log = _Log(longest)
    lines = Lines(file, 0, size, longest=longest)
    for _, block in lines:
        log.miss(lines.too_long)
        for line in block:
            log.take(line)
    log.miss(lines.too_long)
    if lines.end < size:
        file.seek(lines.end)
        log.take_last(file.read(min(size - lines.end, longest + 1)) or b"")
    return log.finish(size)


class _Log:
    """The state of one reading."""

    def __init__(self, longest: int) -> None:
        self.state: dict[str, Any] | None = None
        self.number = 0
        self.missed = 0
        self.holes = 0
        self.understood = self.bad = self.unknown = 0
        self.problems: list[str] = []
        self.names: dict[str, None] = {}
        self.why = "no line gives the chat's state (kind 0)"
        self._longest = longest

    def take(self, line: bytes) -> None:
        """Takes the next complete line."""
        self.number += 1
        record = parse(line)
        if record is not None:
            self._take(record)
        elif not is_blank(line):
            self._bad("is no JSON object")

    def take_last(self, line: bytes) -> None:
        """Takes what follows the last complete line: a whole line without its end, or the beginning of one."""
        if len(line) > self._longest:
            self.miss(self.missed + 1)
            return
        self.number += 1
        record = parse(line)
        if record is not None:
            self._take(record)

    def miss(self, count: int) -> None:
        """Says how many lines so far were too long to be given."""
        while self.missed < count:
            self.missed += 1
            self.number += 1
            problem = f"is longer than {_megabytes(self._longest)}"
            if self.state is None and self.missed == 1:
                self.why = f"line {self.number} {problem}: the chat can't be read without it"
            self._bad(problem)

    def finish(self, size: int) -> Replayed:
        """What all lines came to."""
        if self.state is None:
            raise ValueError(self.why)
        remarks = list(self.problems)
        if self.bad > _MOST_REMARKS:
            remarks.append(f"{self.bad - _MOST_REMARKS} more lines can't be read or applied")
        lines = self.understood + self.bad + self.unknown
        tally = Tally(lines, self.bad, self.understood, self.unknown, names=tuple(self.names))
        return Replayed(self.state, tally, tuple(remarks), size)

    def _take(self, record: dict[str, Any]) -> None:
        kind = record.get("kind")
        if type(kind) is not int or not _INITIAL <= kind <= _DELETE:
            self._unknown(kind)
        elif self._begin(record) if kind == _INITIAL else self._apply(kind, record):
            self.understood += 1
        else:
            self._bad("can't be applied")

    def _bad(self, problem: str) -> None:
        self.bad += 1
        if self.bad <= _MOST_REMARKS:
            self.problems.append(f"line {self.number} {problem}")

    def _unknown(self, kind: object) -> None:
        name = f"kind {kind}"[:40] if isinstance(kind, (int, str)) else "no kind"
        if len(self.names) < MOST_NAMES:
            self.names[name] = None
        self.unknown += 1

    def _begin(self, record: dict[str, Any]) -> bool:
        state = record.get("v")
        if not isinstance(state, dict):
            return False
        state.pop(_UNREAD, None)
        self.state = state
        return True

    def _apply(self, kind: int, record: dict[str, Any]) -> bool:
        """Whether the change could be made; where it couldn't, nothing is changed."""
        path = record.get("k")
        if self.state is None or not isinstance(path, list) or not path:
            return False
        if path[0] == _UNREAD:
            return True
        holder: Any = self.state
        for key in path[:-1]:
            holder = _get(holder, key)
        if kind == _PUSH:
            return self._push(holder, path[-1], record)
        return self._set(holder, path[-1], record.get("v", _NOTHING) if kind == _SET else _NOTHING)

    def _set(self, holder: Any, key: Any, value: Any) -> bool:
        if isinstance(holder, dict):
            name = _name(key)
            if name is None:
                return False
            if value is _NOTHING:
                holder.pop(name, None)
            else:
                holder[name] = value
            return True
        index = _index(key)
        if not isinstance(holder, list) or index is None or not self._fill(holder, index + 1):
            return False
        holder[index] = None if value is _NOTHING else value
        return True

    def _push(self, holder: Any, key: Any, record: dict[str, Any]) -> bool:
        values = record.get("v")
        cut = _index(record["i"]) if "i" in record else _NOTHING
        if cut is None or not (values is None or isinstance(values, list)):
            return False
        found = _get(holder, key)
        array = found if isinstance(found, list) else []
        if found is not array and found is not _NOTHING and (found or isinstance(found, dict)):
            return False  # a dict, or a value that JavaScript takes for true
        if isinstance(cut, int):
            if not self._fill(array, cut):
                return False
            del array[cut:]
        if found is not array and not self._set(holder, key, array):
            return False
        array.extend(values or ())
        return True

    def _fill(self, array: list[Any], length: int) -> bool:
        """Makes an array at least that long; not where that takes too many holes."""
        holes = length - len(array)
        if holes > 1:
            if holes > _MOST_HOLES or self.holes + holes > _MOST_HOLES_IN_ALL:
                return False
            self.holes += holes
        if holes > 0:
            array.extend([None] * holes)
        return True


def _get(holder: Any, key: Any) -> Any:
    if isinstance(holder, dict):
        name = _name(key)
        return _NOTHING if name is None else holder.get(name, _NOTHING)
    index = _index(key)
    if isinstance(holder, list) and index is not None and index < len(holder):
        return holder[index]
    return _NOTHING


def _name(key: Any) -> str | None:
    """A key of an object; None where it can be none."""
    if type(key) is int:
        return str(key) if -(1 << 53) < key < 1 << 53 else None
    return key if isinstance(key, str) else None


def _index(key: Any) -> int | None:
    """A key of an array; None where it can be none."""
    if isinstance(key, str) and len(key) < 10 and key.isascii() and key.isdigit() and str(int(key)) == key:
        return int(key)
    return key if type(key) is int and key >= 0 else None


def _megabytes(size: int) -> str:
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size} bytes"
