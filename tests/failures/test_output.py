"""What hosts and others write around a tool's output."""

import pytest
from hypothesis import given, settings

from deja_hooks.failures.output import exit_code, split_status
from tests.failures.outputs import CLI_TRACEBACK, ODD_TEXTS, VSCODE_FAILED

EXIT_CODES = [
    (CLI_TRACEBACK, 1),
    ("passed\n<shellId: 1 completed with exit code 0>", 0),
    ("\n<shellId: 0 completed with exit code 1>", 1),
    ("bg\n<shellId: bg1 completed with exit code 0>", 0),
    ("built\n<shellId: build completed with exit code 0>\n", 0),
    ("<shellId: 3 completed with exit code -1>", -1),
    ("budget ok\n<exited with exit code 0>", 0),
    ("<exited with exit code -15>\n", -15),
    ("late\n<command with id: bg1 exited with exit code 2>", 2),
    ("<exited with exit code x>", None),
    ("<exited with exit code 1", None),
    ("it <exited with exit code 1>", None),
    ("<command with id: exited with exit code 1>", None),
    ("<command with id: a b exited with exit code 1>", None),
    ("<command with id: bg1 stopped>", None),
    ("<b>", None),
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


@pytest.mark.parametrize(("result", "expected"), EXIT_CODES)
def test_exit_code(result: str, expected: int | None) -> None:
    assert exit_code(result) == expected


SPLIT = [
    ("out\nlast words\n<shellId: 1 completed with exit code 2>", ("out\nlast words", 2)),
    ("out\nlast words\n\n\nCommand exited with code 3\n", ("out\nlast words", 3)),
    ("out\n\nCommand exited with code 1\n\n<PreToolUse-context>\nx\n</PreToolUse-context>", ("out", 1)),
    ("<shellId: 1 completed with exit code 0>", ("", 0)),
    ("out\nlast words\n<exited with exit code 2>", ("out\nlast words", 2)),
    (
        'out\n<shellId: 0 completed with exit code 2>\n\nTool "bash" succeeded. Additional guidance from postToolUse'
        " hooks:\n<deja-0>\n- what helped\n</deja-0>",
        ("out", 2),
    ),
    (
        'Tool "bash"\nsays. Additional guidance from postToolUse hooks:',
        ('Tool "bash"\nsays. Additional guidance from postToolUse hooks:', None),
    ),
    ("out\n", ("out", None)),
    ("it said <shellId: 0 completed with exit code 1>", ("it said <shellId: 0 completed with exit code 1>", None)),
    ("", ("", None)),
]


@pytest.mark.parametrize(("result", "expected"), SPLIT)
def test_the_hosts_status_line_is_cut_off(result: str, expected: tuple[str, int | None]) -> None:
    assert split_status(result) == expected


@settings(max_examples=300, deadline=None)
@given(ODD_TEXTS)
def test_an_exit_code_is_found_only_where_one_is_named(text: str) -> None:
    assert exit_code(text) is None or "code" in text
