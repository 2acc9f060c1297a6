"""Whether a text mentions a pull request or an issue by its number.

`#123`, `owner/repo#123` and `GH-123` may be either, unless the word before says which; `.../pull/123`, `PR 123`,
`gh pr view 123` and their likes for issues are only the one. A number counts as a whole: `#1234` doesn't
mention 123.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Mention", "mentions"]

#: So many characters before a number are looked at.
_BEFORE = 160
#: What stands right before a number: its own form, or a word for it.
_SAYS = {
    "pull": re.compile(
        r"(?i:/(?:pulls?|pull-requests|pullrequest|merge_requests)/|(?<!\w)gh pr [a-z-]+ #?"
        r"|(?<!\w)(?:prs?|pull requests?|merge requests?):?\s?(?:no\. ?|number )?#?)\Z"
    ),
    "issue": re.compile(r"(?i:/issues/|(?<!\w)gh issue [a-z-]+ #?|(?<!\w)issues?:?\s?(?:no\. ?|number )?#?)\Z"),
}
#: The same without saying which: a `#` that is no part of a character reference (`&#123;`) or of an address
#: (`/page#123`) unless a repository stands before it.
_EITHER = re.compile(r"(?:(?:\A|[^\w&/#.=-]|(?:\A|[^\w./-])[\w.-]+/[\w.-]+)#|(?<!\w)(?i:gh)-)\Z")


class Mention(NamedTuple):
    """What is looked for.

    Attributes:
        kind: "pull" or "issue".
        number: its number.
    """

    kind: str
    number: int


def mentions(text: str, wanted: Mention) -> bool:
    """Whether the text mentions it."""
    other = _SAYS["issue" if wanted.kind == "pull" else "pull"]
    for before in _before_each(text, str(wanted.number)):
        if _SAYS[wanted.kind].search(before) or (_EITHER.search(before) and not other.search(before)):
            return True
    return False


def _before_each(text: str, number: str) -> Iterator[str]:
    """What stands before each place where the number is a whole one, after a character that may lead to it."""
    at = text.find(number)
    while at >= 0:
        end = at + len(number)
        if at and text[at - 1] in "#/- \n" and not _goes_on(text[end : end + 2]):
            yield text[max(0, at - _BEFORE) : at]
        at = text.find(number, end)


def _goes_on(after: str) -> bool:
    """Whether a number goes on so: with a letter, a digit or decimals."""
    return after[:1].isalnum() or after[:1] == "_" or (after[:1] == "." and after[1:].isdigit())
