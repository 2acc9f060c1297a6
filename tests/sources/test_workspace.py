from __future__ import annotations

from pathlib import Path

import pytest

from deja_hooks.sources.workspace import folder_of_uri, workspace_folder


@pytest.mark.parametrize(
    ("uri", "folder"),
    [
        ("file:///home/user/my%20project", "/home/user/my project"),
        ("file:///c%3A/dev/a%23b", "c:\\dev\\a#b"),
        ("file:///c%3A", "c:"),
        ("file://server/share/x", "\\\\server\\share\\x"),
        ("vscode-remote://wsl%2Bubuntu/home/user/p", "/home/user/p"),
        ("vscode-remote://ssh-remote+box/c%3A/dev", "c:\\dev"),
        ("vscode-vfs://github/owner/repo", ""),
        ("file://[broken", ""),
        ("nonsense", ""),
    ],
)
def test_folder_of_uri(uri: str, folder: str) -> None:
    assert folder_of_uri(uri) == folder


@pytest.mark.parametrize(
    ("content", "folder"),
    [
        (b'{"folder": "file:///p"}', "/p"),
        (b'{"workspace": "file:///p/x.code-workspace"}', "/p/x.code-workspace"),
        (b'{"folder": 3}', ""),
        (b"[]", ""),
        (b"{broken", ""),
    ],
)
def test_workspace_folder(tmp_path: Path, content: bytes, folder: str) -> None:
    path = tmp_path / "workspace.json"
    path.write_bytes(content)
    assert workspace_folder(path) == folder
    assert workspace_folder(tmp_path / "absent.json") == ""
