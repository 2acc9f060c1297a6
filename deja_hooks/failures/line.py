"""The line of a tool's output that names its failure.

Used by the hook after a failed tool and by the indexer, so that both find the same line.
No `re` (7 ms of a hook's start): plain string methods over a bounded part of the output.
"""

from deja_hooks.failures.forms import RAISED, UNPUNCTUATED, asserted_values, rank_of
from deja_hooks.failures.output import split_status, without_ansi, without_contexts

__all__ = ["failure_key", "failure_line", "is_local", "is_slip", "named_failure"]

#: Characters of an output looked at, at its head and at its tail: tools name the failure at one of both ends.
_WINDOW = 16_384
#: Characters of a line looked at and returned: a longer line is data, not a message.
_LINE = 500
#: Characters at the end of an output in which its last line is looked for: so many of them the stores' readers keep.
_TAIL = 2_000


def failure_line(output: str) -> str:
    """The line of a tool's output that names its failure, stripped; "" where no known tool's form is there.

    A stray word never counts ("0 errors", a log line, a grep hit, a line of source code): only the forms in
    which compilers, test runners, interpreters, package managers and shells report a failure.
    """
    lines = _window(output)
    best, found = 0, ""
    frame = -1
    for index, line in enumerate(lines):
        if ":" not in line and frame < 0 and not line.startswith(UNPUNCTUATED) and not line.endswith(" FAILED"):
            continue
        body = line.lstrip()
        indent = len(line) - len(body)
        if body.startswith("Traceback (most recent call last)"):
            frame = indent
        elif body and frame >= 0:
            if indent <= frame and body != "...":
                frame = -1
                rank = 1 if asserted_values(body) else RAISED
                if rank == RAISED or rank > best:
                    best, found = rank, body
        elif body:
            rank = rank_of(line, body)
            if rank > best or (rank == RAISED == best):
                named = _named_below(body, lines, index)
                best, found = rank, named or body
    return found.strip()


def _window(output: str) -> "list[str]":
    """The lines at both ends of an output, cut to a length worth looking at."""
    text = output
    if len(text) > 2 * _WINDOW:
        head, tail = text[:_WINDOW], text[-_WINDOW:]
        text = head[: head.rfind("\n") + 1] + tail[tail.find("\n") + 1 :]
    text = without_ansi(without_contexts(text))
    return [line[:_LINE] for line in text.replace("\r", "\n").split("\n")]


def _named_below(body: str, lines: "list[str]", index: int) -> str:
    """The failure itself, for tools that announce it on one line and name it further down; "" for the others."""
    if body.startswith("* What went wrong:") or (body.startswith("thread '") and body.endswith(":")):
        below = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if body[0] == "*":  # Gradle's reasons, the innermost last: `> Could not find …`
            for line in lines[index + 2 : index + 8]:
                if line.lstrip().startswith("> "):
                    below = line.strip()[2:]
        return "" if below.startswith("assertion ") else below  # the thread is the test's name
    if body.startswith("> Could not "):
        return body[2:].strip()
    return _terraform(body, lines[index + 1 : index + 14]) if body.lstrip("\u2502 ").startswith("Error: ") else ""


def _terraform(body: str, below: "list[str]") -> str:
    """`Error: KIND`, the place, the source, and only then what is wrong: kind and that sentence."""
    texts = [line.strip("\u2502\u2575 \t") for line in below]
    place = next((i for i, text in enumerate(texts) if text.startswith("on ") and " line " in text), -1)
    if place < 0:
        return ""
    ends = [i for i in range(place, len(texts)) if not texts[i]]
    said = texts[ends[0] + 1] if ends and ends[0] + 1 < len(texts) else ""
    return f"{body.strip()}: {said}" if said else ""


def named_failure(output: str, *, failed: bool) -> str:
    """The line that names an output's failure; where it is known to have failed and no form is known, its last line.

    The hook and the indexer must name a failure alike, or no fix is ever found: the hook's output ends with the
    host's status line, the indexer's has lost it.
    """
    line = failure_line(output)
    if not line and failed:
        tail = without_ansi(split_status(output)[0][-_TAIL:]).replace("\r", "\n").strip()
        if tail.endswith("\nexit"):  # what an interactive shell (VS Code's terminal) says when it ends
            tail = tail[:-5].rstrip()
        line = tail.rpartition("\n")[2]
    return line


def failure_key(line: str) -> str:
    """The key of the failure that a line names; "" for no line, and for a failure that everyone meets.

    Everyone meets missing files: one has a key where the line names it, by the end of its path.
    """
    if not line:
        return ""
    from deja_hooks.failures.keys import signature_key
    from deja_hooks.failures.signature import is_common, missing_file, signature  # most commands don't fail

    name = signature(line)
    return signature_key(missing_file(line) if is_common(name) else name)


def is_local(line: str) -> bool:
    """Whether the failure is one of this project alone: a test of its own, a file that it misses."""
    from deja_hooks.failures.signature import is_common, signature

    tests = (
        "FAILED ",
        "FAIL ",
        " FAIL",
        "--- FAIL",
        "FAIL:",
        "not ok ",
        "thread '",
        "\u25cf ",
        "test ",
        "E ",
        "[ERROR]  ",
    )
    return line.startswith(tests) or line.endswith(" FAILED") or is_common(signature(line))


def is_slip(line: str) -> bool:
    """Whether the failure is a slip of every day, which is the same one only where the same command meets it."""
    from deja_hooks.failures.signature import is_everyday, signature

    return is_everyday(signature(line))
