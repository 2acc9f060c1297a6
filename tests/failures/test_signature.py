"""What of a failure's line is the same on another day or machine, and what everyone meets."""

import pytest
from hypothesis import given, settings

from deja_hooks.failures.signature import is_common, signature
from tests.failures.outputs import ODD_TEXTS

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
    ("E   shop.errors.DeliveryError: gave up", "shop.errors.deliveryerror: gave up"),
    ("E shop.errors.DeliveryError:  gave  up", "shop.errors.deliveryerror: gave up"),
    ("E: Unable to locate package foo", "e: unable to locate package foo"),
    ("FAILED tests/x.py::test - shop.errors.DeliveryError: gave up", "shop.errors.deliveryerror: gave up"),
    ("FAILED tests/x.py::test[a - b] - KeyError: 'sku'", "keyerror: 'sku'"),
    ("FAILED tests/x.py::test - assert 3 == 4", "failed x.py::test - assert # == #"),
    ("FAILED tests/x.py::test - AssertionError: assert x", "failed x.py::test - assertionerror: assert x"),
    ("FAILED tests/x.py::test - KeyError: 'the key of a...", "failed x.py::test - keyerror: 'the key of a..."),
    ("FAILED tests/x.py::test", "failed x.py::test"),
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


@pytest.mark.parametrize(("line", "expected"), SIGNATURES)
def test_signature(line: str, expected: str) -> None:
    assert signature(line) == expected


@pytest.mark.parametrize("text", COMMON)
def test_common(text: str) -> None:
    assert is_common(text)


@settings(max_examples=300, deadline=None)
@given(ODD_TEXTS)
def test_nothing_raises_and_the_signature_is_bounded(text: str) -> None:
    once = signature(text)
    assert len(once) <= 200
    assert once == once.lower()
    assert is_common(once) in (True, False)
