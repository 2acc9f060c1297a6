"""Text that comes from sessions, put into Markdown so that it can't be taken for the document's own."""

import re

from deja_hooks.cli.output import one_line, quoted_text

__all__ = ["code", "escaped", "fenced"]

#: What has a meaning inside a line, the mentions (@) and numbers (#) of GitHub included.
_MARKS = re.compile(r"([\\`*_{}\[\]<>#!|~&@$])")


def escaped(text: str) -> str:
    """The text on one line, as the reader is to see it."""
    return _MARKS.sub(r"\\\1", one_line(text))


def code(text: str) -> str:
    """The text on one line as code."""
    line = one_line(text)
    if not line.strip():
        return "` `"
    ticks = "`" * (_longest_run(line) + 1)
    # A blank at each end is taken away again, and keeps a tick of the text from the fence.
    return f"{ticks} {line} {ticks}" if line[0] in "` " or line[-1] in "` " else f"{ticks}{line}{ticks}"


def fenced(text: str, language: str = "text") -> str:
    """The text as a block of code, with a fence that is longer than any run of backticks in it."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    return f"{ticks}{language}\n{quoted_text(text, '')}\n{ticks}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
