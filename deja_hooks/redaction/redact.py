"""Removes secrets from text before it is written or put before a model.

Two steps, since the indexer passes all its text through here and nearly none of it is secret: substring
tests say which groups of patterns can match at all (about 1 ns a character each), then each group looks
only at the places where its word stands. Every pattern is bounded or linear; nothing backtracks over a line.
"""

from deja_hooks.redaction.assignments import assigned_secrets
from deja_hooks.redaction.forms import formed_secrets
from deja_hooks.redaction.values import Span

__all__ = ["redact", "redact_counted"]

#: Passes until a text counts as clean: a replacement can bring a second secret into view, rarely a third.
_PASSES = 4


def redact(text: str) -> str:
    """The text with every secret replaced by `[redacted:KIND]`; the words around it stay searchable."""
    return redact_counted(text)[0]


def redact_counted(text: str) -> tuple[str, int]:
    """The redacted text, and how many secrets were replaced in it."""
    count = 0
    for _ in range(_PASSES):
        found = _spans(text)
        if not found:
            break
        spans = _merged(found)
        count += len(spans)
        text = _replaced(text, spans)
    return text, count


def _merged(spans: list[Span]) -> list[Span]:
    """Spans in order, overlapping ones joined under the kind of the one that begins first (the longest of these)."""
    out: list[Span] = []
    for start, end, kind in sorted(spans, key=lambda span: (span[0], -span[1])):
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]), out[-1][2])
        else:
            out.append((start, end, kind))
    return out


def _replaced(text: str, spans: list[Span]) -> str:
    parts: list[str] = []
    at = 0
    for start, end, kind in spans:
        parts += (text[at:start], "[redacted:", kind, "]")
        at = end
    parts.append(text[at:])
    return "".join(parts)


def _spans(text: str) -> list[Span]:
    """Every secret in the text."""
    low = _lower(text)
    return formed_secrets(text, low) + assigned_secrets(text, low)


def _lower(text: str) -> str:
    """ASCII lower case, the same length as the text (`str.lower` may change it)."""
    if text.isascii():
        return text.lower()
    return text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
