"""Secrets known by the document around them: Kubernetes' manifests, Terraform's variables, a key's lines."""

import re
from collections.abc import Iterator

from deja_hooks.redaction.names import name_kind
from deja_hooks.redaction.values import Span, is_known, is_placeholder

__all__ = ["cut_off_keys", "document_secrets"]


def document_secrets(text: str) -> Iterator[Span]:
    """The secrets of manifests, of Terraform's variables, and of the commands that write manifests."""
    if "kind: Secret" in text:
        yield from _manifest_secrets(text)
    if 'variable "' in text:
        yield from _variable_defaults(text)
    if "--from-literal" in text:
        yield from _literals(text)


_KIND = re.compile(r"^[ \t]{0,40}kind: Secret[ \t]*\r?$", re.MULTILINE)
_DATA = re.compile(
    r"^(?P<indent>[ ]{0,40})(?:data|stringData):[ \t]*\r?\n(?P<body>(?:(?P=indent)[ ][^\n]*(?:\n|\Z))+)", re.MULTILINE
)
_ENTRY = re.compile(
    r"^(?P<indent>[ ]+)[\w./\"'-]{1,200}:[ ]+"
    r"(?:[|>][+-]?\d?[ \t]*\r?\n(?P<block>(?:(?P=indent)[ ]+\S[^\n]*(?:\n|\Z))+)"
    r"|(?P<quote>[\"']?)(?P<s>[^\s\"'#|>][^\n\"'#]*))",
    re.MULTILINE,
)


def _manifest_secrets(text: str) -> Iterator[Span]:
    """The values under `data:` and `stringData:` of each YAML document that says `kind: Secret`."""
    end = 0
    for kind in _KIND.finditer(text):
        if kind.start() < end:
            continue
        begin = max(end, text.rfind("\n---", end, kind.start()))
        following = text.find("\n---", kind.end())
        end = following if following >= 0 else len(text)
        for data in _DATA.finditer(text, begin, end):
            for entry in _ENTRY.finditer(text, *data.span("body")):
                group = "s" if entry["s"] else "block"
                yield from _span(text, *entry.span(group), "secret")


def _span(text: str, start: int, end: int, kind: str) -> Iterator[Span]:
    """The span without the blanks around it, unless its value is none."""
    start += end - start - len(text[start:end].lstrip())
    value = text[start:end].strip()
    end = start + len(value)
    if value and not is_placeholder(value) and not is_known(value):
        yield start, end, kind


_VARIABLE = re.compile(
    r"\bvariable[ ]{1,4}\"(?P<name>[\w-]{1,100})\"[ ]{0,4}\{[^{}]{0,1000}?\bdefault[ \t]{0,40}=[ \t]{0,40}"
    r"\"(?P<s>[^\"\r\n]{1,1000})\""
)


def _variable_defaults(text: str) -> Iterator[Span]:
    """Terraform's `variable "db_password" { default = "x" }`."""
    for variable in _VARIABLE.finditer(text):
        kind = name_kind(variable["name"])
        if kind:
            yield from _span(text, *variable.span("s"), kind)


_LITERAL = re.compile(
    r"--from-literal[= ]['\"]?[\w.-]{1,200}=(?P<s>'[^'\r\n]{1,500}'|\"[^\"\r\n]{1,500}\"|[^\s'\"$<][^\s'\"]{0,500})"
)


def _literals(text: str) -> Iterator[Span]:
    """`kubectl create secret … --from-literal=a=x`; a config map's literals are no secrets."""
    for literal in _LITERAL.finditer(text):
        command = text[max(0, literal.start() - 1000) : literal.start()].rpartition("create ")[2]
        if command.lstrip().startswith("secret"):
            yield from _span(text, *literal.span("s"), "secret")


_BASE64 = bytes(97 if chr(code) in "+/" or (code < 128 and chr(code).isalnum()) else 32 for code in range(256))
#: A key's line holds 64 characters (RFC 7468), 70 in OpenSSH's own format, 76 in MIME's base64.
_LINE = b"a" * 60
_BREAK = r"(?:\r?\n[ \t]{0,40}|(?:\\+r)?\\+n)"
_FULL = r"(?=[0-9A-Z+/]{0,75}[a-z])(?=[0-9a-z+/]{0,75}[A-Z])(?=[A-Za-z+/]{0,75}[0-9])[A-Za-z0-9+/]{60,76}"
_LAST = r"(?:[A-Za-z0-9+/]{1,76}={1,2}|[A-Za-z0-9+/]{20,59}(?![\w+/]))"
_BODY = re.compile(rf"{_FULL}(?:{_BREAK}{_FULL}(?![A-Za-z0-9+/])){{2,}}(?:{_BREAK}{_LAST})?")
_PUBLIC = re.compile(r"-----(?:BEGIN|END) (?![A-Z0-9 ]{0,40}PRIVATE)[A-Z0-9 ]{1,60}-----")


_MAGIC = r"(?:iVBORw0KG|/9j/|R0lGOD|UklGR|PHN2Zy|AAABAA|JVBERi0|UEsDB|H4sI|d09GM|AAEAAAA|SUkq|T2dnUw)"
#: An image, a font, an archive or a document in base64, by its first bytes or by what its data URI says it is, on
#: this line or on a shorter one before it.
_BEGINS_NO_KEY = re.compile(_MAGIC)
_BEHIND_NO_KEY = re.compile(
    r"(?:data:(?:image|font|audio|video|application/(?:pdf|zip|font))[^\s,]{0,60},|(?<![A-Za-z0-9+/])"
    + _MAGIC + rf")[A-Za-z0-9+/]{{0,76}}{_BREAK}?\Z"
)  # fmt: skip
_BLOCK = re.compile(rf"[A-Za-z0-9+/]{{1,200}}(?:{_BREAK}[A-Za-z0-9+/]{{1,200}})*={{0,2}}")


def cut_off_keys(text: str) -> Iterator[Span]:
    """The lines of a private key whose first line is not in the text: three or more full lines of base64.

    A certificate's lines look the same and are public: what has such a line before or behind it stays. So do the
    wrapped lines of an image.
    """
    runs = text.encode("ascii", "replace").translate(_BASE64)
    at = runs.find(_LINE)
    while at >= 0:
        other = _BEGINS_NO_KEY.match(text, at) or _BEHIND_NO_KEY.search(text, max(0, at - 200), at)
        image = _BLOCK.match(text, at) if other else None
        body = _BODY.match(text, at) if not image else None
        end = image.end() if image else body.end() if body else runs.find(b" ", at)
        end = len(text) if end < 0 else end
        around = (text[max(0, at - 80) : at], text[end : end + 80])
        if body and not any(map(_PUBLIC.search, around)):
            yield at, end, "private-key"
        at = runs.find(_LINE, end)
