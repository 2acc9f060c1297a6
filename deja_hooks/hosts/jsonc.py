"""JSON with comments, read with the place of each part, so that an edit touches nothing else.

Hosts take comments, trailing commas and a byte order mark in their files. Such a text is an object literal of
JavaScript, so tree-sitter's grammar of that language reads it as it is (its JSON grammar takes a trailing comma for
a mistake, and mends it by guessing). What JavaScript has beyond JSON is refused. Places are offsets in bytes.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from deja_hooks.hosts.errors import HookFileError

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

__all__ = ["BOM", "Comment", "Element", "Member", "Text", "parse"]

BOM = b"\xef\xbb\xbf"
_CONSTANTS = {"true": True, "false": False, "null": None}


class Element(NamedTuple):
    """A value: what it says, where it stands, and its members if it is an object, its items if it is a list."""

    value: Any
    start: int
    end: int
    members: "tuple[Member, ...]" = ()
    items: "tuple[Member, ...]" = ()

    @property
    def parts(self) -> "tuple[Member, ...]":
        """What stands between its brackets."""
        return self.members or self.items


class Member(NamedTuple):
    """A key with its value, or a list's item (without a key); `comma` is the end of the comma that follows, if any."""

    key: str
    element: Element
    start: int
    comma: int | None

    @property
    def end(self) -> int:
        """Where its value ends."""
        return self.element.end


class Comment(NamedTuple):
    """Where a comment stands; one to the end of its line must not be joined with what follows."""

    start: int
    end: int
    to_line_end: bool


class Text(NamedTuple):
    """A file's bytes, the object in it (None in a text of blanks and comments), and its comments in order."""

    data: bytes
    root: Element | None
    comments: tuple[Comment, ...]


def parse(path: Path, data: bytes) -> Text:
    """Reads a file's bytes.

    Raises:
        HookFileError: it isn't an object in JSON with comments; names the file, the place and what to do.
    """
    start = len(BOM) if data.startswith(BOM) else 0
    body = data[start:]
    try:
        body.decode()
    except UnicodeDecodeError as error:
        raise HookFileError(f"{path} is not UTF-8 ({error.reason}): save it as such, and try again.") from error
    reader = _Reader(path, body, start)
    try:
        return Text(data, reader.root(), tuple(reader.comments))
    except RecursionError as error:
        raise HookFileError(f"{path} is nested too deeply: mend it, or move it away, and try again.") from error


@cache
def _parser() -> "Parser":
    import tree_sitter_javascript
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_javascript.language()))


class _Reader:
    def __init__(self, path: Path, body: bytes, start: int) -> None:
        self._path = path
        self._body = body
        self._start = start
        self._shift = 0
        self.comments: list[Comment] = []

    def root(self) -> Element | None:
        alone = _parser().parse(self._body).root_node
        if all(child.type == "comment" for child in alone.children):
            self._note_comments(alone)
            return None
        # In brackets, so that it is an expression; a line of its own for the last, since a comment may end the text.
        self._shift = 1
        program = _parser().parse(b"(" + self._body + b"\n)").root_node
        if program.has_error:
            self._refuse(next(_faults(program)))
        self._note_comments(program)
        statement = _only(program)
        brackets = _only(statement) if statement else None
        found = _only(brackets) if brackets and brackets.type == "parenthesized_expression" else None
        if found is None or found.type != "object":
            self._refuse(found or program)
        return self._element(found)

    def _element(self, node: "Node") -> Element:
        kind = node.type
        value: Any
        members: tuple[Member, ...] = ()
        items: tuple[Member, ...] = ()
        if kind == "object":
            members = tuple(self._members(node))
            value = {member.key: member.element.value for member in members}
        elif kind == "array":
            items = tuple(self._items(node))
            value = [item.element.value for item in items]
        elif kind in _CONSTANTS:
            value = _CONSTANTS[kind]
        elif kind in ("string", "number", "unary_expression"):
            value = self._plain(node)
        else:
            self._refuse(node)
        return Element(value, self._place(node.start_byte), self._place(node.end_byte), members, items)

    def _items(self, node: "Node") -> "Iterator[Member]":
        for part, comma in self._parts(node):
            yield Member("", self._element(part), self._place(part.start_byte), comma)

    def _members(self, node: "Node") -> "Iterator[Member]":
        for part, comma in self._parts(node):
            key, value = part.child_by_field_name("key"), part.child_by_field_name("value")
            if part.type != "pair" or key is None or value is None or key.type != "string":
                self._refuse(part)
            yield Member(str(self._plain(key)), self._element(value), self._place(part.start_byte), comma)

    def _parts(self, node: "Node") -> "Iterator[tuple[Node, int | None]]":
        """What stands between the brackets, each with the end of the comma after it."""
        inner = [child for child in node.children[1:-1] if child.type != "comment"]
        for number, part in enumerate(inner):
            if number % 2 == (part.type != ","):  # a value where a comma belongs, or the other way round
                self._refuse(part)
            if part.type != ",":
                comma = inner[number + 1] if number + 1 < len(inner) else None
                yield part, self._place(comma.end_byte) if comma else None

    def _plain(self, node: "Node") -> Any:
        try:
            return json.loads(node.text or b"", strict=False)
        except ValueError:
            self._refuse(node)

    def _note_comments(self, node: "Node") -> None:
        if node.type == "comment":
            text = node.text or b""
            # The grammar counts the carriage return before a line's end among the comment's letters.
            start, length = self._place(node.start_byte), len(text.rstrip(b"\r"))
            self.comments.append(Comment(start, start + length, text.startswith(b"//")))
        for child in node.children:
            self._note_comments(child)

    def _place(self, offset: int) -> int:
        return offset - self._shift + self._start

    def _refuse(self, node: "Node") -> NoReturn:
        before = self._body[: max(0, node.start_byte - self._shift)]
        line, column = before.count(b"\n") + 1, len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise HookFileError(
            f"{self._path} is not a JSON object with comments (line {line}, column {column}): "
            "mend it, or move it away, and try again."
        )


def _only(node: "Node") -> "Node | None":
    """The one named child that isn't a comment."""
    children = [child for child in node.named_children if child.type != "comment"]
    return children[0] if len(children) == 1 else None


def _faults(node: "Node") -> "Iterator[Node]":
    if node.is_error or node.is_missing:
        yield node
    for child in node.children:
        if child.has_error:
            yield from _faults(child)
    yield node
