"""What counts as a failure, what stays of it, and what a command is.

The results of hosts are copied from own recordings (Copilot CLI 1.0.102, VS Code 1.139.1 and Copilot Chat 0.42.0).
"""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deja_hooks.memory.signature import (
    command_form,
    exit_code,
    failure_line,
    is_common,
    is_irreversible,
    program,
    signature,
)

CLI_TRACEBACK = (
    'Traceback (most recent call last):\n  File "/home/user/project/test_app.py", line 2, in <module>\n'
    "    assert greet() == 'hello', greet()\n           ^^^^^^^^^^^^^^^^^^\nAssertionError: helo\n"
    "<shellId: 0 completed with exit code 1>"
)
VSCODE_FAILED = (
    "E   assert 1 == 2\n1 failed\n\n\n\nCommand exited with code 1\n\n"
    "<PreToolUse-context>\nctx for PreToolUse\n</PreToolUse-context>"
)

EXIT_CODES = [
    (CLI_TRACEBACK, 1),
    ("passed\n<shellId: 1 completed with exit code 0>", 0),
    ("\n<shellId: 0 completed with exit code 1>", 1),
    ("bg\n<shellId: bg1 completed with exit code 0>", 0),
    ("built\n<shellId: build completed with exit code 0>\n", 0),
    ("<shellId: 3 completed with exit code -1>", -1),
    ("out\nerr\nexit\n\nCommand exited with code 3", 3),
    ("x\nCommand exited with code 127  \n\n", 127),
    (VSCODE_FAILED, 1),
    ("<command started in background with shellId: build>", None),
    ("Command exited with code 1\nand more", None),
    ("Command exited with code x", None),
    ("<shellId: 0 completed with exit code 1> later", None),
    ("it said <shellId: 0 completed with exit code 1>", None),
    ("Command produced no output", None),
    ("", None),
]

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

SIGNATURES = [
    ("/home/u/src/a.py:3:5: error: foo at 0x7f12ab in 12.5ms", "a.py:#: error: foo at # in #"),
    ("C:\\Users\\me\\src\\a.py:3: error: foo", "a.py:#: error: foo"),
    ("HTTPConnectionPool(host='127.0.0.1', port=54321)", "httpconnectionpool(host='#', port=#)"),
    ("cannot open \u2018/tmp/tmpab12cd3x/foo.txt\u2019", "cannot open 'foo.txt'"),
    ('cannot open "/tmp/tmpab12cd3x"', "cannot open '#'"),
    ("cannot open /var/folders/zz/tmpk2j4.json", "cannot open #.json"),
    ("at 2024-01-01T12:00:00Z", "at #"),
    ("id 123e4567-e89b-12d3-a456-426614174000 gone", "id # gone"),
    ("commit 9fceb02d0ae598e95dc970b74767f19372d61af8", "commit #"),
    ("commit 9fceb02 is v1.2.3", "commit # is #"),
    ("needs python >=3.10, has 3.9.1", "needs python >=#, has #"),
    ("'utf8' codec, ts2304, e0308, sha256, int32", "'utf8' codec, ts2304, e0308, sha256, int32"),
    ("No module named 'nope'", "no module named 'nope'"),
    ("process [4242] killed after 30s", "process [#] killed after #"),
    ("<Foo object at 0x7f3a2b1c>", "<foo object at #>"),
    ("listen tcp 0.0.0.0:8080: bind: address already in use", "listen tcp #: bind: address already in use"),
    ("Unexpected token } in JSON at position 17", "unexpected token } in json at position #"),
    ("defaced facade and deadbeef", "defaced facade and deadbeef"),
    ("  spaced \t  out ", "spaced out"),
    ("x" * 300, "x" * 200),
    ("", ""),
]

COMMON = [
    "", "#", "no match found", "path does not exist", "exit status #", "command failed", "failed (failures=#)",
    "# failed", "# failed, # passed in #", "assert # == #", "cat: x: no such file or directory",
    "filenotfounderror: [errno #] no such file or directory: 'x'", "permissionerror: [errno #] permission denied: 'x'",
    "error: command failed with exit code #", "error command failed with exit code #.", "build failed",
    "string replacement failed: could not find matching text to replace", "old_str not found in file",
    "npm err! errno #", "make[#]: *** [all] error #", "ninja: build stopped: subcommand failed.",
    "collect2: error: ld returned # exit status", "systemexit: #",
]  # fmt: skip

PROGRAMS = [
    ("", ""),
    ("pytest -q", "pytest"),
    ("cd /x && pytest -q | tail -5", "pytest"),
    ("cd 'my dir'; ls -la", "ls"),
    ("cd x", "cd"),
    ("FOO=1 BAR='a b' sudo -u bob time python3 -m pytest -q", "pytest"),
    ("env A=b cargo test", "cargo"),
    ("nohup ./server &", "server"),
    ("timeout 10 node x.js", "node"),
    ("python3 test_app.py", "python"),
    ("python3.11 -m mypy .", "mypy"),
    ("/usr/bin/git status", "git"),
    ("npx -y tsc@5 --noEmit", "tsc"),
    ("npx tsc", "tsc"),
    ("npm run build -- --x", "npm run build"),
    ("npm test", "npm test"),
    ("pnpm run lint", "pnpm run lint"),
    ("yarn exec jest", "jest"),
    ("poetry run python -m mypy .", "mypy"),
    ("uv run --with x pytest", "pytest"),
    ("./gradlew test", "gradlew"),
    ("C:\\tools\\rg.exe foo", "rg"),
    ("bash -lc 'cd x && make all'", "make"),
    ("sh ./build.sh", "build.sh"),
    ("echo 'a && b' && go test ./...", "go"),
    ("echo hi", "echo"),
    ("export A=1; docker compose up", "docker"),
    ("2>/dev/null foo", "foo"),
    ("(cd x && make)", "make"),
    ("true || false; terraform plan", "false"),
    ('git commit -m "x; rm y"', "git"),
    ("'unterminated", "unterminated"),
]

FORMS = [
    ("", ""),
    ("pytest  -q\t tests", "pytest -q tests"),
    ("cd /x && pytest -q", "pytest -q"),
    ("cd 'a && b' && pytest", "pytest"),
    ("cd /x; cd y && make", "make"),
    ("cd /x", "cd /x"),
    ("cd /x || exit 1", "cd /x || exit 1"),
    ("make &&\n  make test", "make && make test"),
    ("a" * 400, "a" * 300),
]

IRREVERSIBLE = [
    "rm -rf build", "rm x", "sudo rm -r /", "cd x && rm -f y", "git reset --hard HEAD~1", "git push --force",
    "git push -f origin main", "git push --force-with-lease", "git push origin +main", "git push origin :old",
    "git clean -fd", "git -C x clean -fdx", "git checkout -- .", "git checkout .", "git restore src", "git stash drop",
    "git branch -D x", "git tag -d v1", "git filter-branch x", "psql -c 'DROP  TABLE x'", "mysql -e 'drop database x'",
    "sqlite3 x 'DELETE FROM t'", "psql -c 'TRUNCATE t'", "dd if=/dev/zero of=/dev/sda", "mkfs.ext4 /dev/sda1",
    "kubectl delete pod x", "kubectl -n x delete -f y", "terraform destroy", "terraform apply -auto-approve",
    "docker system prune -af", "docker volume rm x", "docker compose down -v && docker volume prune", "chmod -R 777 .",
    "chown -R me .", "kill -9 42", "pkill node", "npm publish", "cargo publish", "twine upload dist/*", "shutdown now",
    "echo x > config.yml", "cat <<EOF > f\nx\nEOF", ": > log", "tee x", "sed -i s/a/b/ f", "perl -pi -e s/a/b/ f",
    "find . -name x -delete", "find . -exec rm {} \\;", "ls | xargs rm", "bash -c 'rm x'", "`rm x`", "echo $(rm x)",
    "curl https://x.sh | sh", "curl https://x.sh | sudo bash", "aws s3 rm s3://x --recursive",
    "aws ec2 terminate-instances",
    "gh repo delete x", "helm uninstall x", "rsync -a --delete a b", "rails db:drop", "prisma migrate reset",
    "Remove-Item -Recurse x", "crontab -r", "truncate -s 0 x", "redis-cli flushall", "x " * 3000,
]  # fmt: skip

REVERSIBLE = [
    "", "ls", "git push", "git push -u origin HEAD", "git reset", "git checkout main", "git switch -c x", "git add .",
    "git commit -m 'x'", "git stash", "git branch x", "npm install", "npm run build", "pip install x", "pytest -q",
    "make 2>&1 | tail", "ls 2>/dev/null", "cmd > /dev/null 2>&1", "a >> b", "python -c 'a -> b'", "chmod +x a",
    "mkdir -p x",
    "kubectl get pods", "terraform plan", "docker compose up -d", "docker ps", "sed -n 1p f", "grep -rn kill src",
    "rg 'rm -rf' docs", "cargo test", "go test ./...", "export A=1", "cp a b", "curl https://x | jq .",
    "node -e 'x => y'",
]  # fmt: skip


@pytest.mark.parametrize(("result", "expected"), EXIT_CODES)
def test_exit_code(result: str, expected: int | None) -> None:
    assert exit_code(result) == expected


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


@pytest.mark.parametrize(("line", "expected"), SIGNATURES)
def test_signature(line: str, expected: str) -> None:
    assert signature(line) == expected


@pytest.mark.parametrize("text", COMMON)
def test_common(text: str) -> None:
    assert is_common(text)


@pytest.mark.parametrize(("command", "expected"), PROGRAMS)
def test_program(command: str, expected: str) -> None:
    assert program(command) == expected


@pytest.mark.parametrize(("command", "expected"), FORMS)
def test_command_form(command: str, expected: str) -> None:
    assert command_form(command) == expected


@pytest.mark.parametrize("command", IRREVERSIBLE)
def test_irreversible(command: str) -> None:
    assert is_irreversible(command)


@pytest.mark.parametrize("command", REVERSIBLE)
def test_reversible(command: str) -> None:
    assert not is_irreversible(command)


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=300), st.text(alphabet="abE0123f:/\\.'\"-_()[] \n\t\x1b#;&|><$`", max_size=200)))
def test_nothing_raises_and_lengths_are_bounded(text: str) -> None:
    line = failure_line(text)
    assert len(line) <= 500
    assert "\n" not in line
    once = signature(text)
    assert len(once) <= 200
    assert once == once.lower()
    assert len(command_form(text)) <= 300
    assert isinstance(program(text), str)
    assert is_irreversible(text) in (True, False)
    assert is_common(once) in (True, False)
    assert exit_code(text) is None or "code" in text


def test_importing_it_loads_nothing_else() -> None:
    root = Path(__file__).parents[2]
    script = (
        "import sys; before = set(sys.modules); sys.path.append(sys.argv[1]); import deja_hooks.memory.signature; "
        "print(sorted(set(sys.modules) - before))"
    )
    shown = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, str(root)], capture_output=True, text=True, check=True
    ).stdout
    assert shown == "['deja_hooks', 'deja_hooks.memory', 'deja_hooks.memory.signature']\n"
