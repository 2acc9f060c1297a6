"""JSON as the hook reads and writes it: CPython's C scanner, without the `json` package around it.

Importing `json` costs a hook about as much as starting Python does, nearly all of it for `re`. The scanner
itself needs neither; what it lacks is done here: decoding, byte-order marks, leading white space, and errors
(on malformed text it raises SystemError or StopIteration on 3.10 and 3.11, and imports `re` to word its
complaint from 3.12 on; here both are a ValueError).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["ValueEnd", "decode", "encode_string", "parse", "parse_text", "scan_at", "storable"]

#: White space between JSON tokens, and the byte-order mark wherever a pipe has put one.
BLANK = " \t\r\n\ufeff"
#: Digits that CPython turns into an int without complaint (`sys.int_info.default_max_str_digits`).
_INT_DIGITS = 4300


def _integer(text: str) -> "int | float":
    """An int, or the nearest float where CPython refuses to convert that many digits."""
    return int(text) if len(text) <= _INT_DIGITS else float(text)


class _Rules:
    """What the C scanner reads from its decoder."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = staticmethod(_integer)
    parse_constant = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}.__getitem__
    memo: "dict[str, str]" = {}  # noqa: RUF012 - shape of the C scanner's context


def _load() -> "tuple[Callable[[str, int], tuple[object, int]], Callable[[str], str]]":
    """The scanner and the string encoder: C where there is one, else those of the `json` package."""
    try:
        from _json import encode_basestring_ascii, make_scanner
    except ImportError:  # an interpreter without the accelerator: slow is better than silent
        from json.decoder import JSONDecoder
        from json.encoder import encode_basestring_ascii as encode

        decoder: Any = JSONDecoder(parse_int=_integer, strict=False)
        return decoder.scan_once, encode
    return make_scanner(_Rules), encode_basestring_ascii  # type: ignore[arg-type]


_scan_once, _encode = _load()


def encode_string(text: str) -> str:
    """The text as a JSON string literal, quotes included, in ASCII (a lone surrogate becomes its escape)."""
    return _encode(text)


def decode(data: bytes) -> str:
    """Text of a payload: UTF-8, or UTF-16 where a byte-order mark says so. Never fails.

    Bytes that are not UTF-8 come back as lone surrogates (`surrogateescape`), so that a path stays openable.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "surrogateescape")


def scan_at(text: str, position: int) -> "tuple[object, int]":
    """The JSON value that begins exactly at `position`, and the position after it. Raises ValueError."""
    try:
        return _scan_once(text, position)
    except Exception as error:  # SystemError, StopIteration, RecursionError, JSONDecodeError: see above
        raise ValueError("not a JSON value") from error


def parse_text(text: str) -> object:
    """The one JSON value in the text, with blanks and byte-order marks around it. Raises ValueError.

    Tolerated: raw control characters and NULs in strings, lone surrogates, NaN and Infinity, any number of
    digits, duplicate keys (the last wins).
    """
    text = text.strip(BLANK)
    value, end = scan_at(text, 0)
    if end != len(text):
        raise ValueError("text after the JSON value")
    return value


def parse(data: bytes) -> object:
    """The one JSON value in the bytes; see `decode` and `parse_text`. Raises ValueError."""
    return parse_text(decode(data))


class ValueEnd:
    """Tells when a JSON object or array that arrives in pieces has come to its end, without parsing it.

    It sees brackets and strings only, with bytes methods that are faster than parsing: whether the value is valid is
    for `parse` to say.

    Attributes:
        opened: whether a bracket has come, that is, whether this can be an object or an array.
    """

    __slots__ = ("_depth", "_held", "_in_string", "opened")

    def __init__(self) -> None:
        self._depth = 0
        self._held = b""
        self._in_string = False
        self.opened = False

    def feed(self, chunk: bytes) -> bool:
        """Takes the next bytes; True once as many brackets were closed as opened."""
        chunk = self._held + chunk
        whole = chunk.rstrip(b"\\")
        # A last odd backslash escapes what the next piece begins with.
        self._held = b"\\" if (len(chunk) - len(whole)) % 2 else b""
        parts = whole.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
        outside = b"".join(parts[self._in_string :: 2])
        self._in_string ^= len(parts) % 2 == 0
        opened = outside.count(b"{") + outside.count(b"[")
        self.opened = self.opened or opened > 0
        self._depth += opened - outside.count(b"}") - outside.count(b"]")
        return self.opened and self._depth <= 0 and not self._in_string


def storable(text: str) -> str:
    """The text as SQLite and the file system take it: hosts send lone surrogates, UTF-8 has none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
