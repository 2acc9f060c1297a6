"""How many secrets had been removed from a session before it was stored."""

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from deja_hooks.history.whole import Whole

__all__ = ["redacted"]

#: What `redaction.redact` leaves in the place of a secret.
_MARK = re.compile(r"\[redacted:([\w-]{1,40})\]")


def redacted(whole: "Whole") -> dict[str, int]:
    """Kind of secret → how many marks of it are in the session, the most frequent first."""
    found = Counter(kind for text in _texts(whole) for kind in _MARK.findall(text))
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def _texts(whole: "Whole") -> "Iterator[str]":
    session = whole.session
    prompt = next((" ".join(turn.user.split()) for turn in whole.turns if turn.user), "")
    if not prompt.startswith(session.title.removesuffix("…")):  # else it is the prompt's beginning, counted below
        yield session.title
    yield from (session.branch, session.cwd)
    for turn in whole.turns:
        yield from (turn.user, turn.assistant, *turn.files)
        for work in turn.work:
            yield from (work.path, work.command, work.failure, work.old, work.new)
