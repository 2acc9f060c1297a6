"""Putting a member or an item into a JSONC text and taking such out of it, byte for byte where nothing else changed.

An addition only inserts: what stands in the file is neither rewritten nor kept anywhere (it may hold the user's
tokens), so that the places and texts that were put in are all that is needed to take it back.
"""

import json
import re
from typing import Any, NamedTuple

from deja_hooks.hosts.jsonc import BOM, Element, Member, Text

__all__ = ["Piece", "put_in", "take_back", "with_item", "with_member", "with_pair", "without_members"]

_UNIT = "  "
_INDENT = re.compile(rb"\n([ \t]*)$")
_BLANKS = b" \t\r\n"
_LINE_IS_OVER = re.compile(rb"[ \t]*\r?\n")


class Piece(NamedTuple):
    """A text that was put in, and where it begins (in bytes, in the file as it was before all pieces)."""

    at: int
    text: str


def put_in(data: bytes, pieces: list[Piece]) -> bytes:
    """The bytes with the pieces."""
    for piece in sorted(pieces, reverse=True):
        data = data[: piece.at] + piece.text.encode() + data[piece.at :]
    return data


def take_back(data: bytes, pieces: list[Piece]) -> bytes | None:
    """The bytes without the pieces; None where they don't stand where they were put."""
    for piece in sorted(pieces):
        text = piece.text.encode()
        if data[piece.at : piece.at + len(text)] != text:
            return None
        data = data[: piece.at] + data[piece.at + len(text) :]
    return data


def with_member(text: Text, section: str, name: str, value: Any) -> list[Piece]:
    """What puts `section: {name: value}` into the text, as its neighbours are written.

    Args:
        text: has no member of this name in that section; the section, if it is there, is an object.
        section: a key of the outermost object; the last one counts, as for a reader of JSON.
        name: of the new member.
        value: of the new member.
    """
    style = _Style(text)
    if text.root is None:
        whole = style.member(section, {name: value}, style.unit)
        lead = style.newline if text.comments and text.comments[-1].to_line_end and not style.ends_line else ""
        return [Piece(len(text.data), f"{lead}{{{style.newline}{whole}{style.newline}}}{style.newline}")]
    sections = [member for member in text.root.members if member.key == section]
    if sections:
        return style.additions(sections[-1].element, name, value)
    return style.additions(text.root, section, {name: value})


def with_pair(text: Text, element: Element, key: str, value: Any) -> list[Piece]:
    """What puts `key: value` at the end of an object of the text that has no such key."""
    return _Style(text).additions(element, key, value)


def with_item(text: Text, element: Element, value: Any) -> list[Piece]:
    """What puts the value at the end of a list of the text."""
    return _Style(text).additions(element, None, value)


class _Style:
    """How the text is written: its line ends, its indentation, one line or many."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._data = text.data.removeprefix(BOM).rjust(len(text.data), b" ")  # of the same length, without the mark
        first, found, _ = self._data.partition(b"\n")
        self.newline = "\r\n" if found and first.endswith(b"\r") else "\n"
        self.ends_line = self._data.endswith(b"\n")
        members = text.root.members if text.root else ()
        indent = self._indent(members[0].start) if members else _UNIT
        self._inline = indent is None
        self.unit = _UNIT if indent is None else indent

    def member(self, key: str | None, value: Any, indent: str) -> str:
        """The member (the item, without a key) on lines of its own, the first one indented too."""
        lines = json.dumps(_around(key, value), indent=self.unit, ensure_ascii=False).splitlines()[1:-1]
        return self.newline.join(indent + line.removeprefix(self.unit) for line in lines)

    def additions(self, element: Element, key: str | None, value: Any) -> list[Piece]:
        """What puts the member at the object's end, or the item at the list's."""
        flat = json.dumps(_around(key, value), ensure_ascii=False)[1:-1]
        if not element.parts:
            return [Piece(element.start + 1, flat if self._inline else self._alone(element, key, value))]
        last = element.parts[-1]
        indent = self._indent(last.start)
        if indent is None:
            return [Piece(last.end, f", {flat}") if last.comma is None else Piece(last.comma, f" {flat},")]
        body = self.newline + self.member(key, value, indent)
        if last.comma is not None:
            return [Piece(self._line_end(last.comma), body + ",")]
        end = self._line_end(last.end)
        return [Piece(end, "," + body)] if end == last.end else [Piece(last.end, ","), Piece(end, body)]

    def _alone(self, element: Element, key: str | None, value: Any) -> str:
        inside = self._data[element.start + 1 : element.end - 1]
        line = re.split(rb"[\r\n]", self._data[: element.start])[-1]
        outer = line[: len(line) - len(line.lstrip(b" \t"))].decode()
        closing = "" if b"\n" in inside else self.newline + outer
        return self.newline + self.member(key, value, outer + self.unit) + closing

    def _indent(self, place: int) -> str | None:
        """What stands before the place on its line; None where that isn't blank."""
        match = _INDENT.search(self._data, 0, place)
        return match[1].decode() if match else None

    def _line_end(self, place: int) -> int:
        """The end of the comments that follow on the same line, or the place itself."""
        for comment in self._text.comments:
            if comment.start >= place:
                if self._data[place : comment.start].strip(b" \t"):
                    break
                place = comment.end
        return place


def _around(key: str | None, value: Any) -> Any:
    return [value] if key is None else {key: value}


def without_members(text: Text, doomed: list[Member], element: Element) -> bytes:
    """The bytes without these members of the object (or items of the list).

    The commas and blanks that came with them go too. Comments stay, and so does everything else.
    """
    cuts: list[tuple[int, int]] = []
    left = [member for member in element.parts if member not in doomed]
    for member in doomed:
        cuts.append((_blank_before(text, member), member.end))
        if member.comma is not None:
            cuts.append((member.comma - 1, member.comma))
    if left and left[-1].comma is not None and element.parts[-1] in doomed and element.parts[-1].comma is None:
        cuts.append((left[-1].comma - 1, left[-1].comma))  # it separated what is left from what goes
    data = text.data
    for start, end in reversed(_joined(cuts)):
        ends_line = any(comment.end == start and comment.to_line_end for comment in text.comments)
        if ends_line and not _LINE_IS_OVER.match(text.data, end):
            start = text.data.index(b"\n", start, end) + 1  # neighbours went, each with the other's line end
        data = data[:start] + data[end:]
    return data


def _joined(cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The cuts in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(cuts):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _blank_before(text: Text, member: Member) -> int:
    """Where the blanks before the member begin; its own start where they have to end a comment's line."""
    start = len(text.data[: member.start].rstrip(_BLANKS))
    if not any(comment.end == start and comment.to_line_end for comment in text.comments):
        return start
    alone = member.comma is None or member.comma == member.end + 1
    return start if alone and _LINE_IS_OVER.match(text.data, member.comma or member.end) else member.start
