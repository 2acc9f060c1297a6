from __future__ import annotations

from typing import Any

import pytest

from deja_hooks.sources.places.uris import drawn_name, linked_paths, path_of

A = {"$mid": 1, "fsPath": "/a b/c.py", "external": "file:///a%20b/c.py", "path": "/a b/c.py", "scheme": "file"}
REMOTE = {"path": "/a.py", "scheme": "vscode-remote", "authority": "ssh-remote+host"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (A, "/a b/c.py"),
        (REMOTE, "/a.py"),
        ("file:///a%20b/c.py", "/a b/c.py"),
        ("file:///a/b.py#3-7", "/a/b.py"),
        ("file:///c%3A/dev/a.py", "c:\\dev\\a.py"),
        ({"scheme": "file", "path": "/c:/dev/a.py"}, "c:\\dev\\a.py"),
        ({"scheme": "file", "authority": "server", "path": "/share/a.py"}, "\\\\server\\share\\a.py"),
        ({"scheme": "file", "path": "/a#b?c%20d.py"}, "/a#b?c%20d.py"),
        ({"uri": A, "range": {"startLineNumber": 1}}, "/a b/c.py"),
        ({"name": "f", "kind": 11, "location": {"uri": A, "range": {}}}, "/a b/c.py"),
        ({"scheme": "https", "authority": "example.org", "path": "/a.py"}, ""),
        ({"scheme": "untitled", "path": "Untitled-1"}, ""),
        ({"scheme": "vscode-terminal", "path": "/4/1"}, ""),
        ("https://example.org/a.py", ""),
        ("plain words", ""),
        ({"input": "x", "output": []}, ""),
        ({"scheme": "file", "path": 3}, ""),
        (None, ""),
        ([A], ""),
    ],
)
def test_path_of(value: Any, expected: str) -> None:
    assert path_of(value) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"value": "Read [](file:///x)", "uris": {"file:///a.py#1-2": A, "https://example.org/": {}}}, ["/a.py"]),
        ({"value": "Read [](file:///a%20b.py#1-20), lines 1 to 20", "uris": {}}, ["/a b.py"]),
        ("Read [](file:///a.py) and [](vscode-remote://host/b.py) for [docs](https://example.org)", ["/a.py", "/b.py"]),
        ("Read a file", []),
        (None, []),
    ],
)
def test_linked_paths(message: Any, expected: list[str]) -> None:
    assert list(linked_paths(message)) == expected


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ({"inlineReference": A}, "c.py"),
        ({"inlineReference": A, "name": "the file"}, "the file"),
        ({"inlineReference": {"uri": REMOTE, "range": {}}}, "a.py"),
        ({"inlineReference": {"name": "connect", "location": {"uri": A}}}, "connect"),
        ({"inlineReference": {"scheme": "file", "path": "/a/folder/"}}, "folder"),
        ({"inlineReference": "file:///a/b%20c.py#L3"}, "b c.py"),
        ({"uri": A, "kind": "codeblockUri"}, "c.py"),
        ({"inlineReference": {}}, ""),
        ({"inlineReference": None}, ""),
        ({}, ""),
    ],
)
def test_drawn_name(part: dict[str, Any], expected: str) -> None:
    assert drawn_name(part) == expected
