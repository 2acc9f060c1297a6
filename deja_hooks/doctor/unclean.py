"""Which texts hold a secret still, of those that have been redacted: a mark that redaction left is none.

Redaction is made for what people write. Where it has left a mark (`[redacted:key]`), the same words may read otherwise:
the text was cut short within the mark, or its lines were joined to one (a title, a note), and what stood on the line
behind a command now looks like its password. So a text with marks that would change is looked at again.
"""

import re

from deja_hooks.memory.admit import redact_all
from deja_hooks.redaction.redact import redact

__all__ = ["unclean"]

#: A mark, and what is left of one where a text was cut.
_MARK = re.compile(r"\[redacted:[\w-]{1,40}\]|\[r[a-z]{0,7}(?::[\w-]{0,40})?(?=\s*…|$)")
#: A word of a sentence.
_PLAIN = re.compile(r"[A-Za-z]?[a-z]{1,30}[.,;:!?…]{0,2}")


def unclean(texts: list[str]) -> list[bool]:
    """Of each text, whether it holds what looks like a secret."""
    return [one != other and _is_unclean(one, other) for one, other in zip(texts, redact_all(texts), strict=True)]


def _is_unclean(text: str, after: str) -> bool:
    parts = _MARK.split(text)
    if len(parts) == 1:
        return True
    if not any(redact(part) != part for part in parts):
        return False
    return "\n" in text or not all(_PLAIN.fullmatch(word) for word in set(text.split()) - set(after.split()))
