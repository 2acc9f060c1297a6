"""The signature of a failure: the same text for the same error on another day or machine.

Used by the hook after a failed tool and by the indexer, so that both ask and answer in the same words.
No `re` (7 ms of a hook's start): plain string methods over a bounded text.
"""

from deja_hooks.failures.forms import names_error
from deja_hooks.failures.output import without_ansi

__all__ = ["is_common", "is_everyday", "missing_file", "signature"]

#: Characters of a line looked at, and of its signature.
_LOOKED_AT = 2_000
_SIGNATURE = 200
_HEX = frozenset("0123456789abcdef")
_QUOTES = {ord(mark): "'" for mark in '"`\u2018\u2019\u201c\u201d\u00b4\u00ab\u00bb'}
#: Characters that can't be part of a path as messages print it.
_BREAKS = frozenset("'()[]{}<>=,;|#")
_UUID = (8, 4, 4, 4, 12)


def signature(line: str) -> str:
    """The failure line without what differs between days and machines, lower-case, at most 200 characters.

    Paths keep their base name; free-standing numbers, versions, times, addresses, hashes and temporary names
    become `#`; what names the error (`ts2304`, `'foo'`, `utf8`) stays. Runs of blanks count as one, and an error
    is the same with and without what pytest puts before it.
    """
    text = _without_pytest(without_ansi(line[:_LOOKED_AT]))
    words = text.translate(_QUOTES).lower().split()
    out = " ".join(_normal_word(word) for word in words)
    return out[:_SIGNATURE].strip()


def _without_pytest(line: str) -> str:
    """The line without pytest's `E`, and without the test's name where its summary names the error whole."""
    words = line.split()
    if len(words) > 1 and words[0] in ("E", "e"):
        return " ".join(words[1:])
    if len(words) > 3 and words[0] == "FAILED" and "::" in words[1] and not words[-1].endswith("..."):
        for at, word in enumerate(words):  # a test's name may hold a `-` of its own
            message = " ".join(words[at + 1 :])
            if word == "-" and names_error(message):
                return message
    return line


def _normal_word(word: str) -> str:
    if "/" in word or "\\" in word:
        word = _base_names(word)
    if word.isalpha():
        return word
    word = "".join(_normal_runs(_runs(word)))
    for joint in (".", ":", "-", ",", "+", "/"):
        while "#" + joint + "#" in word:
            word = word.replace("#" + joint + "#", "#")
    return word


def _base_names(word: str) -> str:
    """The word with each path in it reduced to its last name."""
    pieces: list[str] = []
    start = 0
    for index, char in enumerate(word):
        if char in _BREAKS:
            pieces += (_base_name(word[start:index]), char)
            start = index + 1
    pieces.append(_base_name(word[start:]))
    return "".join(pieces)


def _base_name(piece: str) -> str:
    scheme, url, rest = piece.partition("://")
    if url:
        host, _, path = rest.rpartition("@")[2].partition("/")
        path = path.rstrip("/").rpartition("/")[2]
        return scheme + url + host.partition(":")[0] + ("/" + path if path else "")
    if piece[1:3] == ":\\" or piece.startswith((".\\", "\\\\")):
        piece = piece.replace("\\", "/")
    if "/" not in piece or (piece[0] == "@" and piece.count("/") == 1):
        return piece
    temporary = "/tmp/" in piece or "/temp/" in piece or "/var/folders/" in piece
    name = piece.rstrip("/.:").rpartition("/")[2] + piece[len(piece.rstrip("/.:")) :].replace("/", "")
    if temporary and name.startswith("tmp"):
        stem = name.partition(".")[0] if not name.startswith("tmp.") else name.partition(":")[0]
        return "#" + name[len(stem) :]
    return name or piece


def _runs(word: str) -> "list[str]":
    """The word cut where letters, digits and `_` end and begin."""
    runs: list[str] = []
    start = 0
    for index in range(1, len(word) + 1):
        if index == len(word) or _is_glue(word[index]) != _is_glue(word[start]):
            runs.append(word[start:index])
            start = index
    return runs


def _is_glue(char: str) -> bool:
    return char == "_" or char.isalnum()


def _normal_runs(runs: "list[str]") -> "list[str]":
    out: list[str] = []
    index = 0
    while index < len(runs):
        if _uuid_at(runs, index):
            out.append("#")
            index += 9
        else:
            out.append("#" if _varies(runs[index]) else runs[index])
            index += 1
    return out


def _uuid_at(runs: "list[str]", index: int) -> bool:
    parts = runs[index : index + 9]
    if len(parts) < 9 or tuple(len(part) for part in parts[::2]) != _UUID:
        return False
    return all(part == "-" for part in parts[1::2]) and all(_HEX.issuperset(part) for part in parts[::2])


def _varies(run: str) -> bool:
    """Whether a run of letters and digits is a number, an address, a version or a hash, not a name."""
    if run[0] in "0123456789" or (run[0] == "v" and run[1:].isdigit()):
        return True
    digits = sum(char in "0123456789" for char in run)
    if _HEX.issuperset(run):
        return len(run) >= 16 or (len(run) >= 7 and digits > 1)
    if run.startswith("tmp") and len(run) == 11:
        return True
    return len(run) >= 20 and digits >= 4 and "_" not in run


_COMMON = frozenset(
    (
        "no match found", "path does not exist", "command failed", "failed", "error", "killed", "aborted",
        "assertionerror", "build failed", "build failure", "no matches found", "file not found", "not found",
        "tests failed", "elifecycle", "timeout", "cancelled", "keyboardinterrupt", "command produced no output",
    )
)  # fmt: skip
_COMMON_BEGINNINGS = (
    "failed (", "fail ", "exit status #", "exit code #", "exited with code #", "process exited with code #",
    "command exited with code #", "error command failed", "error: command failed", "failure: build failed",
    "error: could not compile", "error: aborting due to", "error: process completed with exit code",
    "ninja: build stopped", "npm err! code ", "npm err! errno", "npm error code ", "npm error errno",
    "build failed in #", "elifecycle ", "systemexit: ", "keyboardinterrupt", "string replacement failed",
    "old_str not found",
    "collect#: error: ld returned", "collect2: error: ld returned", "subprocess.calledprocesserror: command ",
)  # fmt: skip
_COMMON_PARTS = (
    "no such file or directory", "permission denied", "is a directory", "not a directory", "file exists",
    "directory not empty", "operation not permitted", "no match found", "path does not exist",
    "old_str not found", "string replacement failed", "could not find matching text", "filenotfounderror",
    "permissionerror", "enoent", "eacces", "nothing to commit", "nothing added to commit", "no changes added to commit",
    "already up to date", "everything up-to-date",
)  # fmt: skip
#: Slips of every day: the message names nothing, so only the very same command meets the same one again.
_EVERYDAY = (
    "division by zero", "divide by zero", "syntaxerror: ", "indentationerror: ", "taberror: ", "index out of range",
    "index out of bounds", "maximum recursion depth", "maximum call stack", "'nonetype' object", "is not subscriptable",
    "is not callable", "is not iterable", "is not a function", "is not defined", "unexpected token",
    "unexpected end of",
    "unexpected eof", "properties of undefined", "properties of null", "nil pointer dereference",
    "nullpointerexception",
    "segmentation fault", "stack overflow", "keyerror: ", "not enough values to unpack", "too many values to unpack",
    "invalid syntax", "syntax error", "expected ';'", "stopiteration", "unterminated string", "use of moved value",
    "mismatched types", "null reference", "object reference not set", "undefined method", "bus error",
)  # fmt: skip
#: Words that name no error by themselves.
_EMPTY_WORDS = frozenset(
    (
        "assert", "error", "errors", "failed", "failure", "failures", "fail", "passed", "skipped", "in", "is",
        "not", "and", "or", "the", "a", "an", "with", "of", "test", "tests", "fatal", "assertionerror", "exit",
        "status", "code", "expected", "received", "actual", "got", "want", "to", "be", "equal", "equals", "but", "was",
        "were", "than", "greater", "less", "left", "right", "assertion", "values", "none", "true", "false", "==",
        "!=", "<", ">", "<=", ">=", "#", "seconds", "s",
        "exception",
    )
)  # fmt: skip


def is_common(signature: str) -> bool:
    """Whether everyone meets this error all the time, so that by itself it recalls nothing.

    A missing file, a denied permission, an edit that didn't match, a bare summary or exit status.
    """
    if signature.startswith("fail ") and " > " in signature:
        return False  # vitest names the very test
    if signature in _COMMON or signature.startswith(_COMMON_BEGINNINGS):
        return True
    if any(part in signature for part in _COMMON_PARTS):
        return True
    if signature.startswith("make") and "] error #" in signature:
        return True
    words = "".join([char if char.isalnum() or char in "_$" else " " for char in signature]).split()
    return all(word in _EMPTY_WORDS for word in words)


def is_everyday(signature: str) -> bool:
    """Whether a failure is a slip that says nothing of where it was made (`division by zero`)."""
    return any(part in signature for part in _EVERYDAY)


_MISSING = (
    "no such file or directory",
    "filenotfounderror",
    "enoent",
    "permission denied",
    "permissionerror",
    "eacces",
)


def missing_file(line: str) -> str:
    """The signature of a failure over one file that is missing or denied: the last two names of its path, as far as
    the line has them; "" where it names none, or one that is temporary.
    """
    low = line[:_LOOKED_AT].translate(_QUOTES).lower()
    kind = next((mark for mark in _MISSING if mark in low), "")
    if not kind:
        return ""
    path = ""
    for token in low.replace("\\", "/").translate(_APART).split():
        token = token.rstrip(".")
        stem, dot, ending = token.rpartition(".")
        named = dot and stem and 0 < len(ending) <= 5 and ending.isalpha()
        if ("/" in token.strip("/") and "//" not in token) or named or (token[:2] == "-l" and token[2:].isalnum()):
            path = token
    if not path or "/tmp/" in path or "/temp/" in path or "/var/folders/" in path:
        return ""
    names = [name for name in path.split("/") if name and name != "."]
    sort = "denied" if kind in _MISSING[3:] else "missing"
    return f"{sort}: {'/'.join(names[-2:])}" if names else ""


_APART = {ord(char): " " for char in "'()[]{}<>=,:;|"}
