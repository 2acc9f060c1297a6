"""Hook files are edited as they are written: the same is said as by an edit of the document, in the user's layout."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.hosts.command import Program
from deja_hooks.hosts.errors import HookFileError
from deja_hooks.hosts.hook_file import ours, with_ours, without_ours
from deja_hooks.hosts.hook_text import text_with_ours, text_without_ours
from tests.hosts.test_hook_file import _documents

FILE = Path("/h/deja.json")
OURS = ours(Program("/venv/bin/python", "/venv/deja_hooks/hook/entry.py", "/c", "/g"))
OLD = ours(Program("/old/bin/python", "/old/deja_hooks/hook/entry.py", "/c", "/g"))


@given(_documents, st.sampled_from([None, 1, 4, "\t"]), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_in_once_and_out(document: dict[str, object], indent: int | str | None, newline: str, version: bool) -> None:
    document = {**document, "version": 1} if version else document
    text = json.dumps(document, indent=indent).replace("\n", newline).encode()
    wired = text_with_ours(FILE, text, OURS)
    assert json.loads(wired) == with_ours(document, OURS)
    assert json.loads(text_with_ours(FILE, text_with_ours(FILE, text, OLD), OURS)) == with_ours(document, OURS)
    assert wired.count(b"\r\n") == (wired.count(b"\n") if b"\r\n" in text else 0)
    back = text_without_ours(FILE, wired)
    assert json.loads(back) == without_ours(with_ours(document, OURS))
    if version and document["hooks"]:
        assert back == text


def test_another_version_becomes_ours() -> None:
    text = b'{"version": 22, "hooks": {"Other": [{"bash": "x"}]}}'
    assert text_with_ours(FILE, text, OURS).startswith(b'{"version": 1, "hooks": {"Other": [{"bash": "x"}], ')


def test_what_is_said_twice_is_written_anew() -> None:
    text = b'{"hooks": {"Stop": [{"bash": "x"}]}, "hooks": {"Stop": 1, "Stop": [{"bash": "y"}]}}'
    assert json.loads(text_with_ours(FILE, text, OURS)) == with_ours({"hooks": {"Stop": [{"bash": "y"}]}}, OURS)


@pytest.mark.parametrize("text", ["// mine\n", "/* a */ {/* b */}", '{"hooks": {/* c */}, // d\n}'])
def test_comments_and_commas_stay(text: str) -> None:
    assert text_without_ours(FILE, text.encode()) == text.encode()


@pytest.mark.parametrize("text", ["{oops", "[]", '{"hooks": [],}', '{"hooks": {"Stop": {},}}'])
def test_what_is_no_hook_file_is_refused(text: str) -> None:
    with pytest.raises(HookFileError):
        text_without_ours(FILE, text.encode())
