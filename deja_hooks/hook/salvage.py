"""What can be known of a payload that is too large to parse, or that was cut off.

The top level of the object is walked member by member. A value that is whole goes to the C scanner; to find
out, strings are jumped over by their quotes, so that a key inside a string is never taken for a key.
"""

from deja_hooks.scan import BLANK, decode, scan_at

__all__ = ["TEXT_LIMIT", "salvage"]

#: Characters kept of any one string.
TEXT_LIMIT = 64 * 1024

#: Objects (or lists) that are worth keeping; any other one is passed over.
_NESTED = [
    "error",
    "toolArgs",
    "toolInput",
    "toolResponse",
    "toolResult",
    "tool_input",
    "tool_response",
    "tool_result",
]
#: Texts whose beginning is of use without the end; of an id, a path or a command it would be a wrong one.
_OPEN_ENDED = [
    "code",
    "content",
    "error",
    "file_text",
    "initialPrompt",
    "initial_prompt",
    "input",
    "message",
    "newString",
    "new_str",
    "oldString",
    "old_str",
    "prompt",
    "textResultForLlm",
    "text_result_for_llm",
    "toolResponse",
    "tool_response",
]


def salvage(data: bytes, tail: bytes = b"") -> "dict[str, object]":
    """The fields of a payload that can still be read; {} where it is no object. Never raises.

    Args:
        data: the payload, or its beginning; it may stop at any byte.
        tail: the last bytes of the same payload where the middle is missing; only if its end is really there.

    Returns:
        All top-level strings, numbers, booleans and nulls, the objects that describe a tool call, strings cut
        to `TEXT_LIMIT` characters, and the beginning of a prompt or a result that was cut off.
    """
    text = decode(data).lstrip(BLANK)
    fields = _members(text, 1, nested=False) if text.startswith("{") else {}
    if fields and tail:
        rest = decode(tail).rstrip(BLANK)
        position = _first_member(rest)
        if position > 0:
            fields.update(_members(rest, position, nested=False))
    return fields


def _members(text: str, position: int, *, nested: bool) -> "dict[str, object]":
    """The members of an object, as far as they can be read, from after its brace or one of its commas."""
    fields: dict[str, object] = {}
    try:
        while True:
            position = _after_blank(text, position)
            key, position = _key(text, position)
            if position < 0:
                return fields
            end = _value_end(text, position)
            kept, value = _value(text, position, end, key, nested=nested)
            if kept:
                fields[key] = value
            position = _after_blank(text, end) if end >= 0 else len(text)
            if text[position : position + 1] != ",":
                return fields
            position += 1
    except ValueError:
        return fields  # malformed from here on


def _key(text: str, position: int) -> "tuple[str, int]":
    """The key at `position` and where its value begins; ("", -1) where there is no whole key."""
    end = _string_end(text, position + 1) if text[position : position + 1] == '"' else -1
    if end < 0:
        return "", -1
    colon = _after_blank(text, end)
    if text[colon : colon + 1] != ":":
        return "", -1
    return str(scan_at(text, position)[0]), _after_blank(text, colon + 1)


def _value(text: str, position: int, end: int, key: str, *, nested: bool) -> "tuple[bool, object]":
    """Whether the value is kept, and the value; `end` < 0 where it was cut off."""
    first = text[position : position + 1]
    if first == '"' and end < 0:
        if key not in _OPEN_ENDED:
            return False, None
        return True, _beginning(text[position + 1 : position + 1 + 6 * TEXT_LIMIT])
    bracket = first in ("{", "[")
    if first == "{" and not nested and key in _NESTED:
        return True, _members(text, position + 1, nested=True)
    if end < 0 or (bracket and not nested and key not in _NESTED):
        return False, None
    # Inside a tool's arguments a whole list or object is kept as it is (an edit of several places).
    value = scan_at(text, position)[0]
    return True, value[:TEXT_LIMIT] if isinstance(value, str) else value


def _beginning(raw: str) -> str:
    """The readable part of a string literal that lacks its end (given without the opening quote)."""
    backslashes = len(raw) - len(raw.rstrip("\\"))
    if backslashes % 2:
        raw = raw[:-1]
    escape = raw.rfind("\\u", max(0, len(raw) - 5))
    if escape >= 0 and (escape - len(raw[:escape].rstrip("\\"))) % 2 == 0:
        raw = raw[:escape]
    text = str(scan_at('"' + raw + '"', 0)[0])[:TEXT_LIMIT]
    # Half of a surrogate pair, or the first bytes of a UTF-8 sequence.
    while text and "\ud800" <= text[-1] <= "\udfff":
        text = text[:-1]
    return text


def _after_blank(text: str, position: int) -> int:
    while text[position : position + 1] in (" ", "\t", "\n", "\r"):
        position += 1
    return position


def _string_end(text: str, position: int) -> int:
    """Where the string whose content begins at `position` is over (after its quote), or -1."""
    start = position
    while True:
        quote = text.find('"', position)
        if quote < 0:
            return -1
        before = quote
        while before > start and text[before - 1] == "\\":
            before -= 1
        if (quote - before) % 2 == 0:
            return quote + 1
        position = quote + 1


def _value_end(text: str, position: int) -> int:
    """Where the value that begins at `position` is over, or -1 where the text stops before that."""
    first = text[position : position + 1]
    if first == '"':
        return _string_end(text, position + 1)
    if first not in ("{", "["):
        while text[position : position + 1] not in ("", ",", "}", "]", " ", "\t", "\n", "\r"):
            position += 1
        return position if position < len(text) else -1
    depth = 0
    while True:
        quote = text.find('"', position)
        for at in range(position, quote if quote >= 0 else len(text)):
            if text[at] in "{[":
                depth += 1
            elif text[at] in "}]":
                depth -= 1
                if depth == 0:
                    return at + 1
        position = _string_end(text, quote + 1) if quote >= 0 else -1
        if position < 0:
            return -1


def _first_member(text: str) -> int:
    """Where a member of the outermost object begins in the last part of a payload, or -1.

    A payload ends outside all strings and brackets, so counting from there tells what the part began in. A
    run of backslashes at the cut is left out: whether it escapes the next character can't be known, and taken
    for an end or for a beginning of a string, a quote there leaves all that follows right.
    """
    position = len(text) - len(text.lstrip("\\"))
    parts = text[position:].replace("\\\\", "").replace('\\"', "").split('"')
    outside = "".join(parts[1 - len(parts) % 2 :: 2])
    depth = outside.count("}") + outside.count("]") - outside.count("{") - outside.count("[")
    if len(parts) % 2 == 0:
        position = _string_end(text, position)
    while 0 <= position < len(text):
        quote = text.find('"', position)
        for at in range(position, quote if quote >= 0 else len(text)):
            if text[at] in "{}[]":
                depth += 1 if text[at] in "{[" else -1
            elif text[at] == "," and depth == 1:
                return at + 1
        position = _string_end(text, quote + 1) if quote >= 0 else -1
    return -1
