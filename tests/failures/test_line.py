"""Which line of an output names the failure, and what stays of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.failures.line import failure_key, failure_line, named_failure
from deja_hooks.failures.signature import is_common, signature
from deja_hooks.sources.text import clip, split_exit, without_injected
from tests.failures.outputs import CLI_TRACEBACK, ODD_TEXTS, VSCODE_FAILED

#: (output, the line that names the failure, its signature, whether everyone meets it)
FAILURES = [
    (CLI_TRACEBACK, "AssertionError: helo", "assertionerror: helo", False),
    (VSCODE_FAILED, "E   assert 1 == 2", "assert # == #", True),
    (
        'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n'
        "ModuleNotFoundError: No module named 'nope'\n<shellId: 0 completed with exit code 1>",
        "ModuleNotFoundError: No module named 'nope'",
        "modulenotfounderror: no module named 'nope'",
        False,
    ),
    (
        "Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'a'\n\nDuring handling of the above "
        "exception, another exception occurred:\n\nTraceback (most recent call last):\n  File \"a.py\", line 3\n"
        "app.errors.LookupFailed: no row 12",
        "app.errors.LookupFailed: no row 12",
        "app.errors.lookupfailed: no row #",
        False,
    ),
    ("src/a.ts(3,5): error TS2304: Cannot find name 'foo'.\n", "src/a.ts(3,5): error TS2304: Cannot find name 'foo'.",
     "a.ts(#): error ts2304: cannot find name 'foo'.", False),
    ("error TS2304: cannot find name 'foo' in scope\nprose", "error TS2304: cannot find name 'foo' in scope",
     "error ts2304: cannot find name 'foo' in scope", False),
    ("src/a.ts:3:5 - error TS2322: Type 'x' is not assignable.",
     "src/a.ts:3:5 - error TS2322: Type 'x' is not assignable.",
     "a.ts:# - error ts2322: type 'x' is not assignable.", False),
    ("error[E0308]: mismatched types\n --> src/main.rs:4:18\nerror: could not compile `x` due to 1 previous error",
     "error[E0308]: mismatched types", "error[e0308]: mismatched types", False),
    ("error: could not compile `x` due to 1 previous error", "error: could not compile `x` due to 1 previous error",
     "error: could not compile 'x' due to # previous error", True),
    ("main.c: In function 'main':\nmain.c:3:5: error: 'x' undeclared", "main.c:3:5: error: 'x' undeclared",
     "main.c:#: error: 'x' undeclared", False),
    ("src/a.py:3: error: Incompatible types  [assignment]\nFound 1 error in 1 file",
     "src/a.py:3: error: Incompatible types  [assignment]", "a.py:#: error: incompatible types [assignment]", False),
    ("A.java:12: error: cannot find symbol", "A.java:12: error: cannot find symbol",
     "a.java:#: error: cannot find symbol", False),
    ("Program.cs(12,5): error CS1002: ; expected", "Program.cs(12,5): error CS1002: ; expected",
     "program.cs(#): error cs1002: ; expected", False),
    ("/usr/bin/ld: main.o: undefined reference to `foo'\ncollect2: error: ld returned 1 exit status",
     "/usr/bin/ld: main.o: undefined reference to `foo'", "ld: main.o: undefined reference to 'foo'", False),
    ("ld: symbol(s) not found for architecture arm64", "ld: symbol(s) not found for architecture arm64",
     "ld: symbol(s) not found for architecture arm64", False),
    ("/usr/bin/ld: cannot find -lfoo: No such file or directory",
     "/usr/bin/ld: cannot find -lfoo: No such file or directory",
     "ld: cannot find -lfoo: no such file or directory", True),
    ("# app\n./main.go:10:5: undefined: foo", "./main.go:10:5: undefined: foo", "main.go:#: undefined: foo", False),
    ("panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:",
     "panic: runtime error: index out of range [5] with length 3",
     "panic: runtime error: index out of range [#] with length #", False),
    ("--- FAIL: TestPool (0.02s)\nFAIL\tapp/pool\t0.02s", "--- FAIL: TestPool (0.02s)", "--- fail: testpool (#)",
     False),
    ("thread 'main' panicked at src/main.rs:2:5:\nindex out of bounds: the len is 3 but the index is 5\nnote: run",
     "index out of bounds: the len is 3 but the index is 5",
     "index out of bounds: the len is # but the index is #", False),
    ("thread 'main' panicked at 'boom', src/main.rs:2:5", "thread 'main' panicked at 'boom', src/main.rs:2:5",
     "thread 'main' panicked at 'boom', main.rs:#", False),
    ("node:internal/modules:1\n  throw err;\n  ^\n\nError: Cannot find module './x'\nRequire stack:\n    at Module",
     "Error: Cannot find module './x'", "error: cannot find module 'x'", False),
    ("/a/b.js:1\nTypeError: x is not a function\n    at foo (/a/b.js:1:1)", "TypeError: x is not a function",
     "typeerror: x is not a function", False),
    ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/b' imported from /x/y.js",
     "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@a/b' imported from /x/y.js",
     "error [err_module_not_found]: cannot find package '@a/b' imported from y.js", False),
    ("npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! missing script: build\nnpm ERR! A complete log of this",
     "npm ERR! missing script: build", "npm err! missing script: build", False),
    ('npm error Missing script: "buidl"\nnpm error\nnpm error A complete log', 'npm error Missing script: "buidl"',
     "npm error missing script: 'buidl'", False),
    ("npm ERR! code ELIFECYCLE", "npm ERR! code ELIFECYCLE", "npm err! code elifecycle", True),
    ("> tsc\n ERR_PNPM_NO_SCRIPT  Missing script: x", "ERR_PNPM_NO_SCRIPT  Missing script: x",
     "err_pnpm_no_script missing script: x", False),
    ("fatal: not a git repository (or any of the parent directories): .git",
     "fatal: not a git repository (or any of the parent directories): .git",
     "fatal: not a git repository (or any of the parent directories): .git", False),
    ("fatal: unable to access 'https://u:x@git.io:443/a/y.git/': Could not resolve host",
     "fatal: unable to access 'https://u:x@git.io:443/a/y.git/': Could not resolve host",
     "fatal: unable to access 'https://git.io/y.git': could not resolve host", False),
    ("bash: line 1: foo: command not found", "bash: line 1: foo: command not found",
     "bash: line #: foo: command not found", False),
    ("zsh: command not found: foo", "zsh: command not found: foo", "zsh: command not found: foo", False),
    ("/bin/sh: 1: foo: not found", "/bin/sh: 1: foo: not found", "sh: #: foo: not found", False),
    ("'foo' is not recognized as an internal or external command,",
     "'foo' is not recognized as an internal or external command,",
     "'foo' is not recognized as an internal or external command,", False),
    ("cat: x.txt: No such file or directory", "cat: x.txt: No such file or directory",
     "cat: x.txt: no such file or directory", True),
    ("bash: ./run.sh: Permission denied", "bash: ./run.sh: Permission denied", "bash: run.sh: permission denied", True),
    ("git@github.com: Permission denied (publickey).", "git@github.com: Permission denied (publickey).",
     "git@github.com: permission denied (publickey).", True),
    ("Segmentation fault (core dumped)", "Segmentation fault (core dumped)", "segmentation fault (core dumped)", False),
    ("bash: line 1: 4242 Segmentation fault  ./a", "bash: line 1: 4242 Segmentation fault  ./a",
     "bash: line #: # segmentation fault a", False),
    ("E   pkg.DeliveryGaveUp: 3 tries\n1 failed, 2 passed in 0.22s", "E   pkg.DeliveryGaveUp: 3 tries",
     "pkg.deliverygaveup: # tries", False),
    ("E   StopIteration: no header", "E   StopIteration: no header", "stopiteration: no header", False),
    ("====== 1 failed, 2 passed in 0.22s ======", "====== 1 failed, 2 passed in 0.22s ======",
     "====== # failed, # passed in # ======", True),
    ("E       ModuleNotFoundError: No module named 'foo'\nFAILED tests/x.py::test_y - ModuleNotFoundError",
     "E       ModuleNotFoundError: No module named 'foo'", "modulenotfounderror: no module named 'foo'", False),
    ("E       AssertionError: assert 1 == 2\nFAILED tests/x.py::test_y - assert 1 == 2\n1 failed in 0.2s",
     "FAILED tests/x.py::test_y - assert 1 == 2", "failed x.py::test_y - assert # == #", False),
    ("make: *** [Makefile:3: all] Error 2", "make: *** [Makefile:3: all] Error 2",
     "make: *** [makefile:#: all] error #", True),
    ("make: *** No rule to make target 'x'.  Stop.", "make: *** No rule to make target 'x'.  Stop.",
     "make: *** no rule to make target 'x'. stop.", False),
    ('Exception in thread "main" java.lang.IllegalStateException: no pool\n\tat A.b(A.java:3)',
     'Exception in thread "main" java.lang.IllegalStateException: no pool',
     "exception in thread 'main' java.lang.illegalstateexception: no pool", False),
    ('Exception in thread "main" java.lang.RuntimeException: x\nCaused by: java.io.IOException: closed\n\tat A',
     "Caused by: java.io.IOException: closed", "caused by: java.io.ioexception: closed", False),
    ("* What went wrong:\nCould not resolve com.x:y:1.2.3.", "Could not resolve com.x:y:1.2.3.",
     "could not resolve com.x:y:#.", False),
    ("ERROR: Could not find a version that satisfies the requirement nope",
     "ERROR: Could not find a version that satisfies the requirement nope",
     "error: could not find a version that satisfies the requirement nope", False),
    ("Error response from daemon: No such container: web", "Error response from daemon: No such container: web",
     "error response from daemon: no such container: web", False),
    ('ERROR:  relation "users" does not exist', 'ERROR:  relation "users" does not exist',
     "error: relation 'users' does not exist", False),
    ("app.py: error: the following arguments are required: x", "app.py: error: the following arguments are required: x",
     "app.py: error: the following arguments are required: x", False),
    ("curl: (7) Failed to connect to localhost port 8080", "curl: (7) Failed to connect to localhost port 8080",
     "curl: (#) failed to connect to localhost port #", False),
    ("│ Error: Unsupported argument\n│", "│ Error: Unsupported argument", "│ error: unsupported argument", False),
    ("/a/x.js\n  3:5  error  'x' is not defined  no-undef", "3:5  error  'x' is not defined  no-undef",
     "# error 'x' is not defined no-undef", False),
    ("a.py:1:8: F401 `os` imported but unused", "a.py:1:8: F401 `os` imported but unused",
     "a.py:#: f401 'os' imported but unused", False),
    ("\x1b[31merror\x1b[0m: linker `cc` not found", "error: linker `cc` not found", "error: linker 'cc' not found",
     False),
]  # fmt: skip

NO_FAILURES = [
    "",
    "0 errors",
    "0 errors, 0 warnings",
    "Found 0 errors.",
    "errors: 0",
    "Errors: 0",
    "error: 0",
    "Error: none",
    "no error",
    "error handling added",
    "Error handling was added",
    "all tests passed, no failures",
    "12 passed in 0.20s",
    "Failed tests are retried twice",
    "2024-01-01 12:00:00 ERROR something went wrong",
    "[error] the worker stopped",
    "INFO error: retrying",
    "src/log.py:10:error: foo",
    "src/a.py:10:    raise ValueError('error: x')",
    "src/a.py:3:5:TypeError: x",
    "logs/x.txt:12:Traceback (most recent call last):",
    "    raise ValueError('x')",
    "except FileNotFoundError: pass",
    "except (TypeError, ValueError):",
    'print("error: no such file")',
    'log.error("fatal: %s", error)',
    "  error: string;",
    "error: str = ''",
    "error: Error | null,",
    "error: {",
    "error: true",
    "class NotFoundError(Exception):",
    "class ParseError extends Error {",
    "    lastError: string",
    '{"error": "x"}',
    '"error": "not found"',
    "# bash: foo: command not found",
    '    "cat: x: No such file or directory",',
    "if err != nil { panic(err) }",
    "   12\tTypeError: x is not a function",
    "const message = 'Permission denied';",
    "the command failed yesterday: Permission denied was the cause",
    "test_error ... ok",
    "ok 1 - error is thrown",
    "PASS src/error.test.ts",
    "built\n<shellId: build completed with exit code 0>",
    "x\n<PostToolUse-context>\nfatal: something recalled\n</PostToolUse-context>",
]


@pytest.mark.parametrize(("output", "line", "expected", "common"), FAILURES)
def test_failure(output: str, line: str, expected: str, common: bool) -> None:
    found = failure_line(output)
    assert (found, signature(found), is_common(signature(found))) == (line, expected, common)


@pytest.mark.parametrize("output", NO_FAILURES)
def test_a_stray_word_is_no_failure(output: str) -> None:
    assert failure_line(output) == ""


@pytest.mark.parametrize("line", [case[0] for case in FAILURES if case[1] and "\n" not in case[0]])
def test_a_failure_is_found_at_both_ends_of_a_long_output(line: str) -> None:
    filler = "compiling one of many things\n" * 20_000
    assert failure_line(line + "\n" + filler) == failure_line(line)
    assert failure_line(filler + line + "\n") == failure_line(line)


@settings(max_examples=300, deadline=None)
@given(ODD_TEXTS)
def test_nothing_raises_and_the_line_is_bounded(text: str) -> None:
    line = failure_line(text)
    assert len(line) <= 500
    assert "\n" not in line


#: How hosts end the result of a command that failed, as the hook gets it.
ENDINGS = [
    "\n<shellId: 0 completed with exit code {}>",
    "\n<shellId: build completed with exit code {}>\n",
    "\n\n\n\nCommand exited with code {}",
    "\n\nCommand exited with code {}\n\n<PreToolUse-context>\nfatal: recalled\n</PreToolUse-context>",
]
#: (what a command of no known form printed, the line that names its failure)
UNKNOWN = [
    ("checking 3 files\nschema drift in table orders", "schema drift in table orders"),
    ("schema drift in table orders\n\n", "schema drift in table orders"),
    ("10%\r50%\rschema drift in table orders", "schema drift in table orders"),
    ("\x1b[31mschema drift in table orders\x1b[0m", "schema drift in table orders"),
    ("many lines\n" * 5_000 + "schema drift in table orders", "schema drift in table orders"),
    ("schema drift " * 400, "schema drift " * 400),
    ("out\nschema drift in table orders\nexit\n", "schema drift in table orders"),
    ("exit", "exit"),
    ("", ""),
]


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(("printed", "line"), UNKNOWN)
def test_a_failure_of_no_known_form_is_named_by_the_commands_last_line(printed: str, line: str, ending: str) -> None:
    named = named_failure(printed + ending.format(4), failed=True)
    assert named == line.strip()[-2_000:].strip()
    assert named == named_failure(_as_indexed(printed + ending.format(4)), failed=True)


@settings(max_examples=300, deadline=None)
@given(ODD_TEXTS | st.sampled_from([case[0] for case in FAILURES]), st.sampled_from(ENDINGS), st.integers(1, 255))
def test_the_hook_and_the_indexer_give_the_same_key(printed: str, ending: str, status: int) -> None:
    result = printed + ending.format(status)
    in_hook, in_indexer = (named_failure(text, failed=True) for text in (result, _as_indexed(result)))
    assert (in_hook, failure_key(in_hook)) == (in_indexer, failure_key(in_indexer))


def _as_indexed(result: str) -> str:
    """The output as the stores' readers hand it to the indexer: without the status line, cut to its ends."""
    return clip(split_exit(without_injected(result))[0])
