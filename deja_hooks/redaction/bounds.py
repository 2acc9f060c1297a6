"""Where a value given to a name begins and ends: quotes, escapes, the next pair of a list, YAML's blocks."""

import re

from deja_hooks.redaction.values import is_secret_text

__all__ = ["HEAD", "LOOK_BACK", "block_scalar", "past_scheme", "quoted", "unquoted_end"]

#: Characters of a line looked at for an open quote, and of a value until it is known to be a secret: with
#: both bounded, and what is found never looked at twice, the time grows with the text alone.
LOOK_BACK = 1000
HEAD = 400
_SCHEME = re.compile(r"(?:Bearer|Basic|Token|token|bearer|basic|ApiKey|Digest)[ ]+(?=[^\s\"'])")
_OPENING = re.compile(r"(?:[rbfuRBFU@$]{0,2})(?P<escape>\\{0,7})(?P<quote>\"\"\"|'''|[\"'`])")
_JOINED = re.compile(r"(?:[^\s\"'`\\;&,)\]}<>|:]|\\\S){1,500}|\"(?:[^\"\\\r\n]|\\.){0,2000}\"|'[^'\r\n]{0,2000}'")
_ADDED = re.compile(r"[ \t]*\+[ \t\r\n]*(?:\"(?:[^\"\\\r\n]|\\.){0,2000}\"|'(?:[^'\\\r\n]|\\.){0,2000}')")


def quoted(text: str, at: int, kind: str, *, joined: bool) -> tuple[int, int] | None:
    """The inside of a quoted value; (at, at) where the quotes hold no secret; None where nothing is quoted.

    `joined`: further parts may follow without a blank, as a shell joins them (`'it'\\''s'`), else with `+`.
    """
    opening = _OPENING.match(text, at)
    if not opening:
        return None
    if _inside(text, opening.start("escape"), opening["escape"], opening["quote"]):
        return at, at
    begin = opening.end()
    end = _closing(text, begin, opening["escape"], opening["quote"])
    begin = past_scheme(text, begin, end, kind)
    if not is_secret_text(text[begin:end], kind) or (len(opening["quote"]) == 3 and "\n" in text[begin:end]):
        return at, at
    part = _JOINED if joined and not opening["escape"] else _ADDED
    more = part.match(text, end + len(opening["escape"] + opening["quote"]))
    last = more
    while more:
        last, more = more, part.match(text, more.end())
    if not last:
        return begin, end
    return (begin, last.end() - 1) if text[last.end() - 1] == opening["quote"] else (at, last.end())


def past_scheme(text: str, at: int, end: int, kind: str) -> int:
    """The place behind a header's scheme (`Bearer `) where there is one."""
    scheme = _SCHEME.match(text, at, end) if kind in ("auth", "token", "key") else None
    return scheme.end() if scheme else at


def _inside(text: str, at: int, escape: str, quote: str) -> bool:
    """Whether a quote is open at this place of the line, so that the next one closes it."""
    line = text[max(0, at - LOOK_BACK) : at].rpartition("\n")[2]
    mark = quote[0]
    count = line.count(escape + mark) if escape else line.count(mark) - line.count("\\" + mark)
    if count and mark == "'":
        count -= len(_APOSTROPHE.findall(line))
    return count % 2 == 1


_APOSTROPHE = re.compile(r"\w'\w")


def _closing(text: str, begin: int, escape: str, quote: str) -> int:
    """Where the closing quote stands: on this line, else within 500 characters, else the end of the line."""
    at = text.find(escape + quote, begin, begin + 40_000)
    while at >= 0 and _escaped(text, at, begin, escape):
        at = text.find(escape + quote, at + 1, begin + 40_000)
    line = text.find("\n", begin, at if at >= 0 else len(text))
    if at >= 0 and (line < 0 or len(quote) == 3):
        return at
    if at >= 0 and at - line < 500 and not text[at + len(escape + quote) :][:1].isalnum():
        return at
    return line if line >= 0 else len(text)


def _escaped(text: str, at: int, begin: int, escape: str) -> bool:
    """Whether the quote at this place is one of the value's own, by the backslashes before it."""
    slashes = at
    while slashes > begin and text[slashes - 1] == "\\":
        slashes -= 1
    return at > slashes if escape else (at - slashes) % 2 == 1


_BLOCK = re.compile(r"[|>][+-]?\d?[ \t]*\r?\n")


def block_scalar(text: str, at: int, start: int) -> tuple[int, int] | None:
    """YAML's `name: |` with the value on the deeper lines below it."""
    head = _BLOCK.match(text, at)
    if not head:
        return None
    line = text[text.rfind("\n", 0, start) + 1 : start]
    indent = len(line) - len(line.lstrip(" "))
    end = head.end()
    while end < len(text):
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        below = text[end:stop]
        if below.strip() and len(below) - len(below.lstrip(" ")) <= indent:
            break
        end = stop + 1
    value = text[head.end() : end]
    begin = head.end() + len(value) - len(value.lstrip())
    return begin, begin + len(value.strip())


_END = re.compile(r"\s|&(?=[\w.-]{1,60}=)|;(?=[\s\"'`]|$|[\w ]{1,40}=)|,(?=\s|$|[\w\"'-]{1,40}[\"']?[:=])|</")


def unquoted_end(text: str, at: int, limit: int = 1 << 40) -> int:
    """The end of an unquoted value: white space, the next pair of a list, or the quote that we stand in."""
    limit = min(len(text), at + limit)
    found = _END.search(text, at, limit)
    end = found.start() if found else limit
    inside = False
    for quote in "\"'`":
        if _inside(text, at, "", quote) or _inside(text, at, "\\", quote):
            inside = True
            close = text.find(quote, at, end)
            if close >= 0:
                end = close - 1 if close - 1 > at and text[close - 1] == "\\" else close
    if not inside and found and found[0].isspace():
        joined = _SHELL_WORD.match(text, at)
        end = max(end, joined.end()) if joined and joined["quoted"] else end
    return at + len(_without_closers(text[at:end]))


def _without_closers(value: str) -> str:
    """The value without the brackets, commas and the colon that close what it stands in."""
    value = value.removesuffix(":") if value.endswith("):") else value
    while value:
        opened = _OPENED.get(value[-1])
        if value[-1] != "," and (not opened or value.count(value[-1]) <= value.count(opened)):
            break
        value = value[:-1]
    return value


_OPENED = {")": "(", "]": "[", "}": "{"}
#: A bare word with a quoted part glued to it, as a shell reads it (`ab"c d"`).
_SHELL_WORD = re.compile(
    r"[^\s\"'`;&,()]{1,500}(?P<quoted>\"(?:[^\"\\\r\n]|\\.){0,2000}\"|'[^'\r\n]{0,2000}')[^\s\"'`;&,()]{0,500}"
)
