"""What a failure is, and its signature: the same text for the same error on another day or machine.

Used by the hook after a failed tool and by the indexer, so that both ask and answer in the same words.
No `re` (7 ms of a hook's start): plain string methods over a bounded part of the output.
"""

__all__ = [
    "command_form",
    "exit_code",
    "failure_line",
    "is_common",
    "is_irreversible",
    "program",
    "signature",
]

#: Characters of an output looked at, at its head and at its tail: tools name the failure at one of both ends.
_WINDOW = 16_384
#: Characters of a line looked at and returned: a longer line is data, not a message.
_LINE = 500
_SIGNATURE = 200
_FORM = 300
#: Characters of a command line that are taken apart.
_COMMAND = 4_000

_CONTEXT_TAGS = ("PreToolUse-context", "PostToolUse-context")
_SHELL_PREFIX = "<shellId: "
_SHELL_INFIX = " completed with exit code "
_VSCODE_PREFIX = "Command exited with code "


def _words(text: str) -> "frozenset[str]":
    return frozenset(text.split())


# ---------------------------------------------------------------- the exit status


def exit_code(result: str) -> "int | None":
    """The exit status that a host wrote at the end of a command's result, or None where it wrote none.

    `<shellId: N completed with exit code C>` is Copilot CLI's last line, `Command exited with code N`
    VS Code's; the context that hooks add behind it is passed over.
    """
    text = _without_contexts(result).rstrip()
    line = text[text.rfind("\n") + 1 :].strip()
    if line.startswith(_SHELL_PREFIX) and line.endswith(">"):
        shell, found, code = line[len(_SHELL_PREFIX) : -1].rpartition(_SHELL_INFIX)
        return _integer(code) if found and shell and " " not in shell else None
    if line.startswith(_VSCODE_PREFIX):
        return _integer(line[len(_VSCODE_PREFIX) :])
    return None


def _integer(text: str) -> "int | None":
    digits = text[1:] if text[:1] == "-" else text
    return int(text) if 0 < len(digits) < 12 and digits.isascii() and digits.isdigit() else None


def _without_contexts(text: str) -> str:
    """The result without the blocks that hooks had appended to it (VS Code shows them to the next hook)."""
    for tag in _CONTEXT_TAGS:
        start = text.find("<" + tag + ">")
        while start >= 0:
            end = text.find("</" + tag + ">", start)
            text = text[:start] + (text[end + len(tag) + 3 :] if end >= 0 else "")
            start = text.find("<" + tag + ">", start)
    return text


def _without_ansi(text: str) -> str:
    """The text without terminal escape sequences (colours, titles, cursor moves)."""
    if "\x1b" not in text:
        return text
    parts = text.split("\x1b")
    kept = [parts[0]]
    for part in parts[1:]:
        if part[:1] == "[":
            end = 1
            while end < len(part) and not "@" <= part[end] <= "~":
                end += 1
            kept.append(part[end + 1 :])
        elif part[:1] == "]":
            kept.append(part.partition("\x07")[2])
        else:
            kept.append(part[1:])
    return "".join(kept)


# ---------------------------------------------------------------- the line that names the failure

#: How much a line says about the failure; the highest wins, of equals the first one.
_SUMMARY, _SHELL, _NAMED, _EXACT, _RAISED = 1, 2, 3, 4, 5

#: Beginnings of lines by which known tools name a failure (at column 0, unless `_INDENTED`).
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
_UNPUNCTUATED = (
    "E   ", "FAIL", "npm ", "not ok ", "error ", "make", "'", "[ERROR] ", "Exception in thread ",
    "Undefined symbols for ", "CMake Error", "Error from server", "BUILD FAILED", "ELIFECYCLE", " ELIFECYCLE",
    "Segmentation fault", "Bus error",
    "Aborted (core dumped)", "Illegal instruction", "Killed",
)  # fmt: skip
#: Words that, alone behind `error:`, are a value or a type in code, not a message.
_CODE_WORDS = _words(
    "str string any none null nil true false err e ex error exception number int bool boolean object unknown "
    "undefined void never bytes dict list optional function no yes 0"
)
#: npm lines that only surround the one which says what is wrong.
_NPM_FRAME = ("code ", "errno ", "path ", "command ", "syscall ", "cwd ", "a complete log", "lifecycle ", "exit ")
_WORD = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_HEX = frozenset("0123456789abcdef")


def failure_line(output: str) -> str:
    """The line of a tool's output that names its failure, stripped; "" where no known tool's form is there.

    A stray word never counts ("0 errors", a log line, a grep hit, a line of source code): only the forms in
    which compilers, test runners, interpreters, package managers and shells report a failure.
    """
    lines = _window(output)
    best, found = 0, ""
    frame = -1
    for index, line in enumerate(lines):
        if ":" not in line and frame < 0 and not line.startswith(_UNPUNCTUATED):
            continue
        body = line.lstrip()
        indent = len(line) - len(body)
        if body.startswith("Traceback (most recent call last)"):
            frame = indent
        elif body and frame >= 0:
            if indent <= frame and body != "...":
                best, found, frame = _RAISED, body, -1
        elif body:
            rank = _rank(line, body)
            if rank > best or (rank == _RAISED == best):
                named = _named_below(body, lines, index)
                best, found = rank, named or body
    return found.strip()


def _window(output: str) -> "list[str]":
    """The lines at both ends of an output, cut to a length worth looking at."""
    text = output
    if len(text) > 2 * _WINDOW:
        head, tail = text[:_WINDOW], text[-_WINDOW:]
        text = head[: head.rfind("\n") + 1] + tail[tail.find("\n") + 1 :]
    text = _without_ansi(_without_contexts(text))
    return [line[:_LINE] for line in text.replace("\r", "\n").split("\n")]


def _named_below(body: str, lines: "list[str]", index: int) -> str:
    """The next line, for tools that announce a failure on one line and name it on the next."""
    if not (body.startswith("* What went wrong:") or (body.startswith("thread '") and body.endswith(":"))):
        return ""
    return lines[index + 1].strip() if index + 1 < len(lines) else ""


def _rank(line: str, body: str) -> int:
    """How much a line says about a failure: 0 where it is none."""
    if line[:4] == "E   ":
        return _assertion(line[4:].strip())
    if line[0] in " \t│":
        return _indented(body)
    if line.startswith(_KNOWN_BEGINNINGS):
        return next(rank for beginning, rank in _BEGINNINGS if line.startswith(beginning))
    if line.startswith(_GENERIC):
        return _generic(line.partition(":")[2].strip())
    if line.startswith("Caused by: "):
        return _RAISED if _exception_name(line[11:]) else 0
    if line.startswith("FAILED ") and "::" in line:
        return _NAMED
    return _tool(line) or _located(line) or _raised(line) or _shell(line)


def _assertion(text: str) -> int:
    """Lines that pytest marks with E: an error by name, or only a comparison."""
    name = _exception_name(text)
    if name and name != "AssertionError":
        return _EXACT
    return _SHELL if name or text.startswith(("assert ", "Failed: ")) else 0


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
    return _NAMED if line.startswith(("FAIL ", "FAILED ")) and _test_file(line) else 0


def _test_file(line: str) -> bool:
    """`FAIL src/x.test.ts …`, as jest and vitest print it."""
    words = line.split()
    return len(words) > 1 and "." in words[1] and words[1].rpartition(".")[2] in ("js", "jsx", "ts", "tsx", "mjs")


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
    return _EXACT if _says_something(message) else 0


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


# ---------------------------------------------------------------- its signature

_QUOTES = {ord(mark): "'" for mark in '"`\u2018\u2019\u201c\u201d\u00b4\u00ab\u00bb'}
#: Characters that can't be part of a path as messages print it.
_BREAKS = frozenset("'()[]{}<>=,;|#")
_UUID = (8, 4, 4, 4, 12)


def signature(line: str) -> str:
    """The failure line without what differs between days and machines, lower-case, at most 200 characters.

    Paths keep their base name; free-standing numbers, versions, times, addresses, hashes and temporary names
    become `#`; what names the error (`ts2304`, `'foo'`, `utf8`) stays.
    """
    text = _without_ansi(line[: 4 * _LINE]).translate(_QUOTES).lower()
    words = text.split()
    if words and words[0] == "e" and text.lstrip().startswith("e  "):
        words = words[1:]
    out = " ".join(_normal_word(word) for word in words)
    return out[:_SIGNATURE].strip()


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
        "tests failed", "elifecycle", "timeout", "cancelled", "keyboardinterrupt",
    )
)  # fmt: skip
_COMMON_BEGINNINGS = (
    "failed (", "fail ", "exit status #", "exit code #", "exited with code #", "process exited with code #",
    "command exited with code #", "error command failed", "error: command failed", "failure: build failed",
    "error: could not compile", "error: aborting due to", "error: process completed with exit code",
    "ninja: build stopped", "npm err! code ", "npm err! errno", "npm error code ", "npm error errno",
    "elifecycle ", "systemexit: ", "keyboardinterrupt", "string replacement failed", "old_str not found",
    "collect#: error: ld returned", "collect2: error: ld returned", "subprocess.calledprocesserror: command ",
)  # fmt: skip
_COMMON_PARTS = (
    "no such file or directory", "permission denied", "is a directory", "not a directory", "file exists",
    "directory not empty", "operation not permitted", "no match found", "path does not exist", "does not exist at",
    "old_str not found", "string replacement failed", "could not find matching text", "filenotfounderror",
    "permissionerror", "enoent", "eacces",
)  # fmt: skip
#: Words that name no error by themselves.
_EMPTY_WORDS = _words(
    "assert error errors failed failure failures fail passed skipped in is not and or the a an with of test tests "
    "fatal assertionerror exit status code none true false == != < > <= >= # seconds s exception"
)


def is_common(signature: str) -> bool:
    """Whether everyone meets this error all the time, so that by itself it recalls nothing.

    A missing file, a denied permission, an edit that didn't match, a bare summary or exit status.
    """
    if signature in _COMMON or signature.startswith(_COMMON_BEGINNINGS):
        return True
    if any(part in signature for part in _COMMON_PARTS):
        return True
    if signature.startswith("make") and "] error #" in signature:
        return True
    words = (word.strip(".,:;!?()[]'#-=") for word in signature.split())
    return not any(word and word not in _EMPTY_WORDS for word in words)


# ---------------------------------------------------------------- command lines

_OPERATORS = frozenset(("&&", "||", ";", "|", "|&", "&", "\n", "(", ")", "{", "}"))
#: Commands that only prepare the one which matters.
_PREPARING = _words(
    "cd pushd popd export set unset source . : clear sleep ulimit umask shopt alias echo printf wait true read "
    "local declare mkdir"
)
#: Commands that run the command behind them, with their options that take a value.
_WRAPPERS = {
    "sudo": "-u -g -h -p -C", "doas": "-u", "time": "-f -o", "env": "-u -C", "nohup": "", "exec": "", "command": "",
    "nice": "-n", "ionice": "-c -n", "timeout": "-k -s", "stdbuf": "-i -o -e", "setsid": "", "xvfb-run": "-s",
    "cross-env": "", "dotenv": "-f -e", "caffeinate": "", "builtin": "", "then": "", "do": "", "if": "", "while": "",
    "until": "", "else": "", "!": "", "strace": "-e -o", "watch": "-n", "xargs": "-n -I -P -L", "unbuffer": "",
}  # fmt: skip
#: `tool subcommand` that runs the command behind it, with the options that take a value.
_RUNNERS = {
    "poetry run": "", "uv run": "--with --python -p --extra --group --env-file --directory", "pipenv run": "",
    "pdm run": "", "rye run": "", "hatch run": "-e", "conda run": "-n -p", "mamba run": "-n -p", "bundle exec": "",
    "npm exec": "-p --package -c", "pnpm exec": "", "pnpm dlx": "", "yarn exec": "", "yarn dlx": "-p", "bun x": "",
    "pipx run": "--spec", "uv tool": "",
}  # fmt: skip
_DIRECT_RUNNERS = {"npx": "-p --package -c", "bunx": "", "uvx": "--from --with", "pnpx": ""}
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "fish", "eval", "su", "pwsh", "powershell", "cmd"))
_SCRIPTS = frozenset(("npm", "pnpm", "yarn", "bun"))


def _simple_commands(command: str) -> "list[list[str]]":
    """The command line as simple commands, each a list of words without their quotes; bounded, never raises."""
    commands: list[list[str]] = [[]]
    for word, quoted in _shell_words(command[:_COMMAND]):
        if not quoted and word in _OPERATORS:
            if commands[-1]:
                commands.append([])
        else:
            commands[-1].append(word)
    return [words for words in commands if words]


def _shell_words(command: str) -> "list[tuple[str, bool]]":
    """Words and operators of a POSIX command line; True where a word was quoted (then it is no operator)."""
    words: list[tuple[str, bool]] = []
    word, quoted, quote = "", False, ""
    index, size = 0, len(command)
    while index < size:
        char = command[index]
        index += 1
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and quote == '"' and index < size:
                word += command[index]
                index += 1
            else:
                word += char
        elif char in "'\"":
            quote, quoted = char, True
        elif char == "\\" and index < size:
            word += _unescaped(command[index])
            index += 1
        elif char in " \t\r\n;&|(){}" and not (char in "{}" and word):
            if word or quoted:
                words.append((word, quoted))
            word, quoted = "", False
            if char not in " \t\r":
                if char in "&|" and command[index : index + 1] == char:
                    char, index = char * 2, index + 1
                words.append((char, False))
        else:
            word += char
    if word or quoted:
        words.append((word, quoted))
    return words


def _unescaped(char: str) -> str:
    """What a backslash makes of the character behind it; one before a letter stays (Windows paths)."""
    if char == "\n":
        return ""
    return char if char in " \"'\\$&|;()<>" else "\\" + char


def program(command: str) -> str:
    """The program that a command line really runs, by its base name; "" where there is none.

    Folder changes, assignments and wrappers are passed over; runners (`npx`, `poetry run`, `python -m`) give
    the program that they run, package scripts their whole name (`npm run build`).
    """
    first = ""
    for words in _simple_commands(command):
        name = _program_of(words, 0)
        if name and name not in _PREPARING:
            return name
        first = first or name
    return first


def _program_of(words: "list[str]", depth: int) -> str:
    words = _past_redirections(words)
    while words and _is_assignment(words[0]):
        words = words[1:]
    if not words or depth > 8:
        return ""
    name, rest = _bare(words[0]), words[1:]
    pair = name + " " + rest[0] if rest else ""
    if name in _WRAPPERS:
        rest = _past_options(rest, _WRAPPERS[name])
        if name == "timeout" and rest:
            rest = rest[1:]
        return _program_of(rest, depth + 1)
    if pair in _RUNNERS:
        return _program_of(_past_options(rest[1:], _RUNNERS[pair]), depth + 1) or pair
    if name in _DIRECT_RUNNERS:
        rest = _past_options(rest, _DIRECT_RUNNERS[name])
        return _program_of([_unversioned(rest[0]), *rest[1:]], depth + 1) if rest else name
    if name in _SHELLS:
        return _shell_program(name, rest, depth)
    if name in _SCRIPTS:
        return _script(name, rest)
    if _is_python(name):
        return _python_program(rest)
    return name


def _shell_program(name: str, rest: "list[str]", depth: int) -> str:
    """`bash -lc "…"` runs what the text says, `bash x.sh` the script."""
    for index, word in enumerate(rest):
        if word.startswith("-") and word.endswith("c") and not word.startswith("--"):
            inner = _simple_commands(rest[index + 1]) if index + 1 < len(rest) else []
            names = [_program_of(words, depth + 1) for words in inner]
            return next((found for found in names if found and found not in _PREPARING), name)
        if not word.startswith("-"):
            return name if name in ("su", "cmd", "eval") else _bare(word)
    return name


def _script(name: str, rest: "list[str]") -> str:
    words = [word for word in rest if not word.startswith("-")]
    if words and words[0] in ("run", "run-script") and len(words) > 1:
        return name + " run " + words[1]
    return name + " " + words[0] if words and words[0] in ("test", "start", "install", "ci", "build") else name


def _python_program(rest: "list[str]") -> str:
    for index, word in enumerate(rest):
        if word == "-m" and index + 1 < len(rest):
            return rest[index + 1]
        if not word.startswith("-"):
            break
    return "python"


def _is_python(name: str) -> bool:
    return name == "py" or (name.startswith("python") and not name[6:].strip("0123456789."))


def _bare(word: str) -> str:
    """The base name of a program as written, without Windows' endings."""
    name = word.replace("\\", "/").rstrip("/").rpartition("/")[2]
    low = name.lower()
    return name[:-4] if low.endswith((".exe", ".cmd", ".bat")) and len(name) > 4 else name


def _unversioned(word: str) -> str:
    """`typescript` of `typescript@5.4`, `cli` of `@scope/cli`."""
    head, at, _ = word.rpartition("@")
    return head if at and head else word


def _is_assignment(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals and name) and _WORD.issuperset(name) and not name[0].isdigit()


def _past_options(words: "list[str]", with_value: str) -> "list[str]":
    """The words after a wrapper's own options (and assignments)."""
    valued = with_value.split()
    while words and (words[0].startswith("-") or _is_assignment(words[0])):
        if words[0] == "--":
            return words[1:]
        words = words[2:] if words[0] in valued else words[1:]
    return words


def _past_redirections(words: "list[str]") -> "list[str]":
    """The words after leading redirections (`2>/dev/null cmd`, `> x cmd`)."""
    while words and words[0].lstrip("0123456789&").startswith((">", "<")):
        bare = words[0].lstrip("0123456789&").strip("<>")
        words = words[1:] if bare else words[2:]
    return words


def command_form(command: str) -> str:
    """The command as one line for comparison: blanks collapsed, leading `cd DIR &&` gone, at most 300 characters."""
    text = " ".join(command.split())
    while text.startswith(("cd ", "pushd ")):
        rest = _after_folder(text)
        if not rest:
            break
        text = rest
    return text[:_FORM].rstrip()


def _after_folder(text: str) -> str:
    """What follows `cd DIR &&` or `cd DIR ;`; "" where nothing does."""
    quote = ""
    for index, char in enumerate(text):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == ";" or text.startswith("&&", index):
            return text[index:].lstrip("&; ")
        elif char in "|&":
            return ""
    return ""


# ---------------------------------------------------------------- what can't be taken back

#: Programs that destroy, stop or publish whatever their arguments are.
_DESTROYERS = _words(
    "rm unlink shred wipefs fdisk sfdisk parted dd truncate kill pkill killall killall5 shutdown reboot halt poweroff "
    "userdel groupdel dropdb dropuser mkfs mkswap newfs crontab del erase rd format remove-item ri clear-content "
    "stop-process stop-computer restart-computer remove-itemproperty clear-disk format-volume flushall flushdb "
    "twine srm wipe iptables diskutil tee rimraf"
)
#: Words that make a command of the program irreversible (any of them, anywhere behind the program).
_DANGEROUS_WORDS = {
    "git": "clean stash:drop stash:clear filter-branch filter-repo restore gc prune expire update-ref",
    "kubectl": "delete drain replace apply:--prune scale", "oc": "delete drain", "helm": "uninstall delete rollback",
    "terraform": "destroy apply taint rm", "tofu": "destroy apply taint rm", "pulumi": "destroy up",
    "cdk": "destroy deploy",
    "docker": "prune rm rmi kill push", "podman": "prune rm rmi kill push", "docker-compose": "down rm kill",
    "npm": "publish unpublish deprecate", "pnpm": "publish", "yarn": "publish", "bun": "publish", "lerna": "publish",
    "cargo": "publish yank", "gem": "push yank", "poetry": "publish", "uv": "publish", "flit": "publish",
    "hatch": "publish", "mvn": "deploy", "dotnet": "push", "gh": "delete merge close create archive",
    "apt": "remove purge autoremove", "apt-get": "remove purge autoremove", "systemctl": "stop disable mask kill",
    "aws": "rm rb sync", "gsutil": "rm rb rsync", "gcloud": "delete", "az": "delete purge",
    "vercel": "remove rm deploy",
    "heroku": "destroy pg:reset", "fly": "destroy", "flyctl": "destroy", "redis-cli": "flushall flushdb del",
    "prisma": "reset --force-reset --accept-data-loss", "alembic": "downgrade", "vagrant": "destroy",
    "rsync": "--delete --delete-after --delete-before --remove-source-files", "find": "-delete", "cmd": "del rd format",
    "svn": "revert", "hg": "strip purge", "init": "0 6", "history": "-c", "zfs": "destroy", "zpool": "destroy",
    "lvremove": "", "redis": "flushall",
}  # fmt: skip
#: Long options and short letters by which `git` subcommands throw something away.
_GIT_FORCED = {
    "reset": "--hard --merge", "push": "--force --force-with-lease --force-if-includes --delete --mirror --prune -f -d",
    "checkout": "-f --force -- .", "switch": "-f --force --discard-changes -C",
    "branch": "-D -d --delete -M -f --force",
    "tag": "-d --delete -f --force", "worktree": "remove prune", "submodule": "deinit", "remote": "remove rm prune",
    "rm": "-f --force -r",
}  # fmt: skip
_SQL = (
    "drop table", "drop database", "drop schema", "drop column", "drop view", "drop index", "drop user", "drop role",
    "drop type", "drop constraint", "truncate ", "delete from ", "dropdatabase", "db:drop", "db:reset", "migrate:fresh",
    "migrate:reset", "migrate:rollback", "migrate reset", "flushall", "flushdb", "deletemany", ":(){", "format c:",
)  # fmt: skip
#: Programs that only read or print: their words are text, not commands.
_READERS = _words("grep egrep fgrep rg ag ack man which type whatis echo printf cat less more head tail ls wc")
_CLOUD_VERBS = ("delete", "terminate", "destroy", "remove", "purge", "deregister")
_EDITORS = frozenset(("sed", "perl", "ruby"))
_RECURSIVE = frozenset(("chmod", "chown", "chgrp", "setfacl", "icacls", "takeown"))
_HARMLESS_TARGETS = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "&", "$null")


def is_irreversible(command: str) -> bool:
    """Whether a command may destroy, stop or publish something: then it is never suggested as a fix.

    Conservative: wrong on the side of True (a commit message with `drop table` in it counts).
    """
    return len(command) > _COMMAND or _dangerous(command, 0)


def _dangerous(command: str, depth: int) -> bool:
    low = " ".join(command.lower().split())
    if depth > 4 or any(part in low for part in _SQL) or (low.startswith("update ") and " set " in low):
        return True
    if _overwrites(command) or _pipes_into_shell(low):
        return True
    return any(_dangerous_words(words, depth) for words in _simple_commands(command.replace("`", " ; ")))


def _dangerous_words(words: "list[str]", depth: int) -> bool:
    names = [_bare(word.lstrip("$")).lower() for word in words]
    if names[0] in _READERS:
        return any("$(" in word and _dangerous(word, depth + 1) for word in words)
    for index, name in enumerate(names):
        rest = words[index + 1 :]
        if name in _DESTROYERS or name.startswith("mkfs."):
            return True
        if name in _RECURSIVE and any(_has_letter(word, "R") or word in ("--recursive", "/t", "/T") for word in rest):
            return True
        if name in _EDITORS and any(_has_letter(word, "i") or word.startswith("--in-place") for word in rest):
            return True
        if name in _DANGEROUS_WORDS and _has_dangerous_word(name, rest):
            return True
        if name == "git" and _git_forced(rest):
            return True
    return any(" " in word and _dangerous(word, depth + 1) for word in words)


def _has_dangerous_word(name: str, rest: "list[str]") -> bool:
    low = [word.lower() for word in rest]
    for entry in _DANGEROUS_WORDS[name].split():
        first, both, second = entry.partition(":")
        if entry in low or (both and first in low and second in low):
            return True
    if name in ("aws", "gcloud", "az", "gh"):
        return any(word.startswith(_CLOUD_VERBS) for word in low)
    return not _DANGEROUS_WORDS[name]


def _git_forced(rest: "list[str]") -> bool:
    for index, word in enumerate(rest):
        if word in _GIT_FORCED:
            flags = _GIT_FORCED[word].split()
            after = [option.partition("=")[0] for option in rest[index + 1 :]]
            return any(option in flags or (word == "push" and option[:1] in ("+", ":")) for option in after)
    return False


def _has_letter(word: str, letter: str) -> bool:
    """Whether a bundle of short options has the letter (`-Rf`, `-pi`)."""
    return word[:1] == "-" and word[1:2] != "-" and letter in word[1:6]


def _overwrites(command: str) -> bool:
    """Whether a redirection empties a file (`>> file`, `2>&1` and the null device don't)."""
    quote, index, size = "", 0, len(command)
    while index < size:
        char = command[index]
        index += 1
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == ">" and command[index - 2 : index - 1] not in ("-", "=", "<"):
            if command[index : index + 1] == ">":
                index += 1
            elif not command[index:].lstrip("| ").startswith(_HARMLESS_TARGETS):
                return True
    return False


_READ_COMMANDS = frozenset(("sh", "bash", "zsh", "iex", "invoke-expression"))


def _pipes_into_shell(low: str) -> bool:
    """`curl … | sh`: a command that nobody has read."""
    for part in low.split("|")[1:]:
        words = part.split()
        name = _bare(words[0]) if words else ""
        if name in ("sudo", "env") and len(words) > 1:
            name = _bare(words[1])
        if name in _READ_COMMANDS or (_is_python(name) and len(words) == 1):
            return True
    return False
