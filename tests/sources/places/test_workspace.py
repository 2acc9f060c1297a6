from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.sources.places.workspace import (
    Opened,
    folder_of_uri,
    opened_in,
    path_of_uri,
    uri_of_path,
    workspace_folder,
    workspace_problem,
)

URIS = [
    ("file:///home/user/my%20project", "/home/user/my project"),
    ("file:///c%3A/dev/a%23b", "c:\\dev\\a#b"),
    ("file:///c%3A", "c:"),
    ("file:///C:/dev", "C:\\dev"),
    ("file:///c-drive/dev", "/c-drive/dev"),
    ("file://server/share/x", "\\\\server\\share\\x"),
    ("file://my%2Dserver/my%20share", "\\\\my-server\\my share"),
    ("vscode-remote://wsl%2Bubuntu/home/user/p", "/home/user/p"),
    ("vscode-remote://wsl+Ubuntu/home/user/p", "/home/user/p"),
    ("vscode-remote://ssh-remote+box/c%3A/dev", "c:\\dev"),
    ("vscode-remote://ssh-remote%2B7b22686f7374/srv/app", "/srv/app"),
    ("vscode-remote://dev-container%2B7b2268/workspaces/caf%C3%A9", "/workspaces/café"),
    ("vscode-vfs://github/owner/repo", ""),
    ("untitled:Untitled-1", ""),
    ("file://[broken", ""),
    ("nonsense", ""),
    ("", ""),
]


@pytest.mark.parametrize(("uri", "folder"), URIS)
def test_folder_of_uri(uri: str, folder: str) -> None:
    assert folder_of_uri(uri) == folder
    assert path_of_uri(uri) == folder


@pytest.mark.parametrize("path", ["/home/user/a%20b", "c:\\dev\\a", "D:/x", "\\\\server\\share\\x", "c:"])
def test_a_plain_path_is_itself(path: str) -> None:
    assert path_of_uri(path) == path


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (
            {"$mid": 1, "fsPath": "/p/a b.py", "external": "file:///p/a%20b.py", "path": "/p/a b.py", "scheme": "file"},
            "/p/a b.py",
        ),
        (
            {
                "$mid": 1,
                "fsPath": "c:\\dev\\a.py",
                "_sep": 1,
                "external": "file:///c%3A/dev/a.py",
                "path": "/c:/dev/a.py",
                "scheme": "file",
            },
            "c:\\dev\\a.py",
        ),
        ({"$mid": 1, "authority": "server", "path": "/share/100%25", "scheme": "file"}, "\\\\server\\share\\100%25"),
        ({"$mid": 1, "authority": "wsl+Ubuntu", "path": "/home/u/p", "scheme": "vscode-remote"}, "/home/u/p"),
        ({"$mid": 1, "authority": "ssh-remote+box", "path": "/c:/dev", "scheme": "vscode-remote"}, "c:\\dev"),
        ({"$mid": 1, "path": "Untitled-1", "scheme": "untitled"}, ""),
        ({"$mid": 1, "external": "file:///p/x"}, "/p/x"),
        ({"fsPath": "c:\\dev"}, "c:\\dev"),
        ({"scheme": 3, "path": [], "fsPath": None}, ""),
        ({}, ""),
        (None, ""),
        (7, ""),
        (["file:///p"], ""),
    ],
)
def test_path_of_uri_objects(value: object, path: str) -> None:
    assert path_of_uri(value) == path


SEGMENT = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="/\\"), min_size=1, max_size=12)
SEGMENTS = st.lists(SEGMENT, min_size=1, max_size=4)


def uris(authority: str, path: str, scheme: str) -> list[object]:
    """What VS Code writes for a resource: a string, and an object."""
    text = f"{scheme}://{quote(authority, safe='')}{quote(path, safe='/')}"
    return [text, {"$mid": 1, "scheme": scheme, "authority": authority, "path": path, "external": text}]


@given(SEGMENTS, st.sampled_from(["wsl+Ubuntu", "ssh-remote+box", "dev-container+7b22"]))
def test_any_path_comes_back(segments: list[str], remote: str) -> None:
    posix = "/srv/" + "/".join(segments)
    drive = "c:\\" + "\\".join(segments)
    share = "\\\\server\\share\\" + "\\".join(segments)
    found = [
        *(path_of_uri(each) for each in uris("", posix, "file")),
        *(path_of_uri(each) for each in uris(remote, posix, "vscode-remote")),
        *(path_of_uri(each) for each in uris("", "/c:/" + "/".join(segments), "file")),
        *(path_of_uri(each) for each in uris("server", "/share/" + "/".join(segments), "file")),
    ]
    assert found == [posix, posix, posix, posix, drive, drive, share, share]


@given(
    st.recursive(
        st.none() | st.text() | st.integers(),
        lambda of: st.dictionaries(st.sampled_from(["path", "scheme", "external", "fsPath"]), of),
    )
)
def test_anything_gives_a_string(value: object) -> None:
    assert isinstance(path_of_uri(value), str)


@pytest.mark.parametrize(
    ("content", "folder"),
    [
        (b'{"folder": "file:///p"}', "/p"),
        (b'{"folder": "file://server/share/p%20q"}', "\\\\server\\share\\p q"),
        (b'{"folder": {"$mid": 1, "path": "/p", "scheme": "file"}}', "/p"),
        (b'{"workspace": "file:///p/x.code-workspace"}', "/p/x.code-workspace"),
        (b'{"configuration": "file:///p/old.code-workspace"}', "/p/old.code-workspace"),
        (b'{"configuration": {"$mid": 1, "path": "/p/old.code-workspace", "scheme": "file"}}', "/p/old.code-workspace"),
        (b'{"folder": "vscode-vfs://github/o/r", "workspace": "file:///p/x.code-workspace"}', "/p/x.code-workspace"),
        (b'{"folder": 3}', ""),
        (b"[]", ""),
        (b"{broken", ""),
        (b"\0\0\0\0", ""),
    ],
)
def test_workspace_folder(tmp_path: Path, content: bytes, folder: str) -> None:
    path = tmp_path / "workspace.json"
    path.write_bytes(content)
    assert workspace_folder(path) == folder
    assert workspace_folder(tmp_path / "absent.json") == ""
    assert workspace_folder(tmp_path) == ""


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"folder": "file:///p"}', ""),
        (b'{"folder": {"$mid": 1, "path": "/p", "scheme": "file"}}', ""),
        (b'{"folder": "vscode-vfs://github/o/r"}', "names no folder of a file system (vscode-vfs:)"),
        (b"{}", "names no folder"),
        (b"[]", "is no JSON object"),
        (b"{broken", "is no JSON"),
    ],
)
def test_workspace_problem(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "workspace.json"
    path.write_bytes(content)
    assert workspace_problem(path) == problem
    assert workspace_problem(tmp_path / "absent.json") == ""
    assert workspace_problem(tmp_path).startswith("can't be read: ")


@pytest.mark.parametrize(
    ("content", "uri"),
    [
        ({"folder": "file:///home/u/my%20app"}, "file:///home/u/my%20app"),
        ({"folder": "vscode-remote://wsl%2Bubuntu/home/u/app"}, "vscode-remote://wsl%2Bubuntu/home/u/app"),
        ({"folder": "vscode-vfs://github/owner/repo"}, "vscode-vfs://github/owner/repo"),
        ({"folder": "/home/u/my app"}, "file:///home/u/my%20app"),
        ({"folder": "c:\\dev\\a"}, "file:///c:/dev/a"),
        ({"folder": {"scheme": "file", "authority": "server", "path": "/a b"}}, "file://server/a%20b"),
        ({"folder": {"external": "file:///home/u/x", "scheme": "file", "path": "/y"}}, "file:///home/u/x"),
        (
            {"folder": {"scheme": "vscode-remote", "authority": "ssh-remote+box", "path": "/srv"}},
            "vscode-remote://ssh-remote+box/srv",
        ),
        ({"folder": {"scheme": "--help", "path": "/srv"}}, ""),
        ({"folder": "--help"}, ""),
        ({"folder": 1}, ""),
        ({}, ""),
        ([], ""),
    ],
)
def test_which_folder_a_window_had_open(tmp_path: Path, content: object, uri: str) -> None:
    file = tmp_path / "workspace.json"
    file.write_text(json.dumps(content))
    assert opened_in(file) == (Opened(uri, False) if uri else None)


@pytest.mark.parametrize("key", ["workspace", "configuration"])
def test_a_window_had_a_workspaces_file_open(tmp_path: Path, key: str) -> None:
    file = tmp_path / "workspace.json"
    file.write_text(json.dumps({key: "file:///home/u/a.code-workspace"}))
    assert opened_in(file) == Opened("file:///home/u/a.code-workspace", True)


def test_what_a_window_had_open_can_not_be_told(tmp_path: Path) -> None:
    (tmp_path / "workspace.json").write_text("{")
    assert opened_in(tmp_path / "workspace.json") is None
    assert opened_in(tmp_path / "none") is None


NAMES = st.lists(
    st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="/\\\0"), min_size=1),
    min_size=1,
    max_size=4,
)


@given(NAMES)
def test_a_path_comes_back_from_its_uri(names: list[str]) -> None:
    for path in ("/" + "/".join(names), "d:\\" + "\\".join(names), "\\\\server\\share\\" + "\\".join(names)):
        uri = uri_of_path(path)
        assert folder_of_uri(uri) == path
        assert uri.isascii()
        assert " " not in uri
