"""The forms in which compilers, test runners, interpreters, package managers and shells name a failure on a line.

Read by `failures.line`. No `re` (7 ms of a hook's start): plain string methods.
"""

__all__ = ["RAISED", "UNPUNCTUATED", "asserted_values", "names_error", "rank_of"]

#: How much a line says about the failure; the highest wins, of equals the first one.
_SUMMARY, _SHELL, _NAMED, _EXACT, RAISED = 1, 2, 3, 4, 5

#: Beginnings of lines by which known tools name a failure (at column 0; for the others see `_indented`).
_BEGINNINGS = (
    ("panic: ", _EXACT),
    ("fatal error: ", _EXACT),
    ("Exception in thread ", _EXACT),
    ("PHP Fatal error: ", _EXACT),
    ("PHP Parse error: ", _EXACT),
    ("Undefined symbols for architecture", _EXACT),
    ("Error response from daemon: ", _NAMED),
    ("Error from server", _NAMED),
    ("CMake Error", _NAMED),
    ("--- FAIL: ", _NAMED),
    ("ERR_PNPM_", _NAMED),
    ("error Couldn't ", _NAMED),
    ("error An unexpected error", _NAMED),
    ("[ERROR] Failed to execute goal", _SHELL),
    ("ERROR while calling tool: ", _SHELL),
    ("FAIL: ", _SHELL),
    ("not ok ", _SHELL),
    ("error Command failed", _SUMMARY),
    ("ELIFECYCLE", _SUMMARY),
    ("FAILURE: Build failed", _SUMMARY),
    ("BUILD FAILED", _SUMMARY),
    ("FAILED (", _SUMMARY),
    ("FAILED: ", _SUMMARY),
    ("FAIL\t", _SUMMARY),
    ("ninja: build stopped", _SUMMARY),
)
_KNOWN_BEGINNINGS = tuple(beginning for beginning, _ in _BEGINNINGS)
#: Beginnings that stand before any message of one kind; what follows decides (`_says_something`).
_GENERIC = ("error: ", "Error: ", "ERROR: ", "fatal: ", "FATAL: ", "ERROR:  ", "FATAL:  ", "Fatal error: ")
#: Endings by which the system and the shell name a failure behind `program: `.
_ENDINGS = (
    ": command not found",
    ": No such file or directory",
    ": Permission denied",
    ": Is a directory",
    ": Not a directory",
    ": Operation not permitted",
    ": Connection refused",
    ": Connection timed out",
    ": No space left on device",
    ": Too many open files",
    ": Address already in use",
    ": cannot execute binary file: Exec format error",
    ": Text file busy",
    ": Read-only file system",
    ": Directory not empty",
    ": File exists",
    ": Temporary failure in name resolution",
    ": Name or service not known",
)
_NOT_RECOGNIZED = "is not recognized as "
#: Beginnings of the failures that have no colon: a line with neither is passed over (nine of ten are).
UNPUNCTUATED = (
    "E   ", "FAIL", "npm ", "not ok ", "error ", "make", "'", "[ERROR] ", "Exception in thread ",
    "Undefined symbols for ", "CMake Error", "Error from server", "BUILD FAILED", "ELIFECYCLE", " ELIFECYCLE",
    "Segmentation fault", "Bus error",
    "Aborted (core dumped)", "Illegal instruction", "Killed", "  \u25cf ", "\u25cf ", " FAIL ", "=", "1", "2", "3",
    "4", "5", "6", "7", "8", "9",
)  # fmt: skip
#: Words that, alone behind `error:`, are a value or a type in code, not a message.
_CODE_WORDS = frozenset(
    (
        "str", "string", "any", "none", "null", "nil", "true", "false", "err", "e", "ex", "error", "exception",
        "number", "int", "bool", "boolean", "object", "unknown", "undefined", "void", "never", "bytes", "dict",
        "list", "optional", "function", "no", "yes", "0",
    )
)  # fmt: skip
#: npm lines that only surround the one which says what is wrong.
_NPM_FRAME = ("code ", "errno ", "path ", "command ", "syscall ", "cwd ", "a complete log", "lifecycle ", "exit ")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")


def asserted_values(line: str) -> bool:
    """Whether a line is an assertion that names two values and nothing else: then the test's name says more."""
    name, _, message = line.partition(":")
    last = name.rpartition(".")[2]
    return last.startswith("Assertion") and " " not in name and _says_only_values(message)


def rank_of(line: str, body: str) -> int:
    """How much a line says about a failure: 0 where it is none."""
    if line[:4] == "E   ":
        return _assertion(line[4:].strip())
    if line[:2] == "E " and _exception_name(line[2:].strip()):
        return _assertion(line[2:].strip())  # the same where blanks were folded, as in what we quote
    if body[0] == "\u25cf":
        return _NAMED if " \u203a " in body else 0  # jest names suite and test so
    if body.startswith("> Could not "):  # Gradle's reasons; the innermost names the thing
        return _SHELL if body.startswith("> Could not resolve all ") else _NAMED
    if line[0] in " \t│" and not line.startswith(" FAIL "):
        return _indented(body)
    if line.startswith(_KNOWN_BEGINNINGS):
        return next(rank for beginning, rank in _BEGINNINGS if line.startswith(beginning))
    if line.startswith(_GENERIC):
        return _generic(line.partition(":")[2].strip())
    if line.startswith("Caused by: "):
        return RAISED if _exception_name(line[11:]) else 0
    if line.startswith("FAILED ") and "::" in line:
        return _NAMED
    if line.endswith(" FAILED") and (" > " in line or line.startswith("test ")):
        return _NAMED  # Gradle: `CartTest > addsLines() FAILED`; cargo
    return _tool(line) or _located(line) or _raised(line) or _shell(line) or _counted(line)


def _assertion(text: str) -> int:
    """Lines that pytest marks with E: an error by name (any class may be raised), or only a comparison."""
    if names_error(text):
        return _EXACT
    named = _exception_name(text) or text.startswith(("assert ", "Failed: "))
    return _SHELL if named else 0


def names_error(text: str) -> bool:
    """Whether a text begins with an error by name, `Name: message`, that is more than an assertion."""
    return (_exception_name(text) or _class_name(text)) not in ("", "AssertionError")


def _indented(body: str) -> int:
    """The few tools that indent: terraform's box, pnpm, eslint."""
    body = body.lstrip("│ ")
    if body.startswith("ERR_PNPM_"):
        return _NAMED
    if body.startswith("Error: "):
        return _generic(body[7:].strip())
    if body.startswith("ELIFECYCLE"):
        return _SUMMARY
    place, _, rest = body.partition(" ")
    row, colon, column = place.partition(":")
    if colon and row.isdigit() and column.isdigit() and rest.lstrip().startswith("error  "):
        return _NAMED
    return 0


def _generic(message: str) -> int:
    """`error:` and the like: only with a message of prose behind it."""
    if not _says_something(message):
        return 0
    low = message.lower()
    if low.startswith(("could not compile", "aborting due to", "command failed", "process completed with")):
        return _SUMMARY
    return _NAMED


def _says_something(message: str) -> bool:
    """Whether the text is a message, not a number, a type or a piece of code."""
    word = message.rstrip(".,;!?").lower()
    if not word or word in _CODE_WORDS or word.isdigit() or message[-1] in ";{([,=":
        return False
    return " = " not in message and " | " not in message and message[0] not in "{[("


def _tool(line: str) -> int:
    """Forms of one tool each that need a look inside."""
    low = line[:12].lower()
    if low.startswith(("npm err! ", "npm error ")):
        text = line[9:].strip().lower()
        return (_SUMMARY if text.startswith(_NPM_FRAME) else _NAMED) if text else 0
    if low.startswith("make") and ": *** " in line:
        return _SUMMARY if "] Error " in line else _NAMED
    if line.startswith("curl: ("):
        return _NAMED
    if line.startswith("error[E") and "]: " in line:
        return _EXACT
    if line.startswith("thread '") and " panicked at " in line:
        return _EXACT
    if line.startswith("ERROR ") and line[6:10].strip(" (").isdigit() and ": " in line:
        return _NAMED
    if line.startswith("[ERROR] ") and ".java:[" in line:
        return _EXACT
    if line.startswith("e: ") and ".kt:" in line:
        return _EXACT
    if line.startswith("* What went wrong:"):
        return _NAMED
    if line.startswith("[ERROR] "):
        return _maven_test(line[8:].strip())
    return _test_file(line) if line.startswith(("FAIL ", "FAILED ", " FAIL ")) else 0


def _test_file(line: str) -> int:
    """`FAIL src/x.test.ts`, as jest prints it; vitest names the test behind it (`> Pool > drains`)."""
    words = line.split()
    if len(words) < 2 or words[1].rpartition(".")[2] not in ("js", "jsx", "ts", "tsx", "mjs") or "." not in words[1]:
        return 0
    return _NAMED if " > " in line else _SHELL


def _maven_test(text: str) -> int:
    """`CartTest.addsLines:33 expected:<1> but was:<2>`, `CartTest.addsLines -- Time elapsed: 0.1 s <<< FAILURE!`."""
    place, _, message = text.partition(" ")
    name, colon, row = place.partition(":")
    if "." not in name or set(name) - _WORD - {".", "$"}:
        return 0
    return _NAMED if (colon and row.isdigit() and message) or text.endswith(("<<< FAILURE!", "<<< ERROR!")) else 0


def _located(line: str) -> int:
    """Compilers and linters: a place, then one blank, then `error`, or a code of the tool (a grep hit has no blank)."""
    for mark in (": error: ", ": fatal error: ", " - error TS", ": error TS", ": error CS", ": fatal error "):
        place, found, message = line.partition(mark)
        if found and message and (_is_place(place) or _is_name(place)):
            return _SUMMARY if message.startswith("ld returned") else _EXACT
    if line.startswith("error TS") and line[8:12].isdigit():
        return _EXACT
    if ": undefined reference to " in line or ": symbol(s) not found" in line:
        return _EXACT
    if line.partition(": cannot find ")[0].endswith("ld") and " " not in line.partition(":")[0]:
        return _EXACT
    place, found, message = line.partition(": ")
    if not (found and message and _is_place(place)):
        return 0
    if ".go:" in place:
        return _EXACT
    if ".rb:" in place or ":in " in line:
        return _EXACT if line.endswith("Error)") else 0
    code = message.partition(" ")[0]
    return _NAMED if ".py:" in place and _is_code(code) else 0


def _is_place(text: str) -> bool:
    """`path:3`, `path:3:5`, `path(3,5)`, without a blank around it."""
    if text.endswith(")"):
        path, _, numbers = text[:-1].rpartition("(")
        return bool(path) and numbers.replace(",", "").isdigit()
    path, colon, number = text.rpartition(":")
    return bool(colon and path) and number.isdigit() and path[0] not in " \t\"'"


def _is_name(text: str) -> bool:
    """A program's name or path, as it stands before its message."""
    return bool(text) and len(text) < 120 and not (set(text) - _WORD - set("-+./\\:[]@")) and text[0] not in "-["


def _is_code(text: str) -> bool:
    """A linter's code: one to five capital letters, then digits (`F401`)."""
    letters = text.rstrip("0123456789")
    return 0 < len(letters) <= 5 and letters.isalpha() and letters.isupper() and letters != text


def _raised(line: str) -> int:
    """`Name: message` of an exception, at column 0 (the trace may have been cut off)."""
    for prefix in ("Uncaught ", "Unhandled exception. ", "Unhandled exception: "):
        if line.startswith(prefix):
            line = line[len(prefix) :]
    name = _exception_name(line)
    if not name:
        return 0
    message = line.partition(": ")[2].strip()
    if asserted_values(line):
        return _SHELL
    return _EXACT if _says_something(message) else 0


#: Words by which test runners compare two values: they tell no assertion from another.
_COMPARING = frozenset(
    (
        "expected", "received", "actual", "got", "want", "wanted", "to", "be", "equal", "equals", "but", "was", "were",
        "not", "is", "than", "greater", "less", "or", "and", "true", "false", "none", "null", "undefined", "values",
        "strictly", "deeply", "deep", "assert", "assertion", "left", "right", "failed", "of", "the", "a", "an", "tobe",
        "toequal", "match", "in", "it",
    )
)  # fmt: skip


def _says_only_values(message: str) -> bool:
    """Whether an assertion's message compares values and says nothing else (`expected 3 to be 4`, `3 != 4`)."""
    words = "".join([c if c.isalnum() or c == "_" else " " for c in message.lower()]).split()
    return all(word in _COMPARING or word[0].isdigit() for word in words)


def _exception_name(text: str) -> str:
    """`ValueError` of `ValueError: …`, `a.b.NotFoundException: …`, `Error [ERR_X]: …`; "" for anything else."""
    name, colon, _ = text.partition(":")
    name, _, code = name.partition(" ")
    if code and not (code[0] == "[" and code[-1] == "]"):
        return ""
    last = name.rpartition(".")[2]
    if not colon or not last or not last[0].isupper() or set(name) - _WORD - {".", "$"}:
        return ""
    return last if last.endswith(("Error", "Exception", "Exit", "Interrupt", "Failure", "NotFound")) else ""


def _class_name(text: str) -> str:
    """`StopIteration` of `StopIteration: …`, also behind its modules; "" where no class stands before a colon."""
    name, colon, _ = text.partition(": ")
    last = name.rpartition(".")[2]
    named = colon and last[:1].isupper() and not last.isupper() and not set(name) - _WORD - {"."}
    return last if named else ""


def _counted(line: str) -> int:
    """pytest's last line: `1 failed, 2 passed in 0.22s`, with or without its `=`."""
    counts, found, seconds = line.strip("= ").rpartition(" in ")
    if not found or not seconds[:1].isdigit():
        return 0
    for part in counts.split(", "):
        number, _, word = part.partition(" ")
        if word in ("failed", "error", "errors") and number.isdigit() and int(number):
            return _SUMMARY
    return 0


def _shell(line: str) -> int:
    """What a shell, the loader or the system says about a program."""
    if line.startswith(("Segmentation fault", "Bus error", "Aborted (core dumped)", "Illegal instruction")):
        return _SHELL
    if line.rstrip() == "Killed" or _NOT_RECOGNIZED in line:
        return _SHELL
    if line.startswith(("zsh: command not found: ", "zsh: no such file or directory: ")):
        return _NAMED
    name, colon, message = line.partition(": ")
    if not colon or not _is_name(name):
        return 0
    text = line.rstrip().rstrip(".")
    if text.endswith(": command not found"):
        return _NAMED
    if text.endswith(_ENDINGS) or ": Permission denied (" in line or message.startswith("Permission denied ("):
        return _SHELL
    if "Segmentation fault" in message:
        return _SHELL
    if name.endswith("sh") and text.endswith((": not found", ": Permission denied")):
        return _NAMED
    return _NAMED if message.startswith(("error while loading shared libraries: ", "syntax error ")) else 0
