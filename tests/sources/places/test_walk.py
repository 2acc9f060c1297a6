"""What other programs' folders may hold: twins, links, loops, folders named like files, what closes or vanishes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from deja_hooks.sources.places.roots import PassedOver, Root, files

from .laid_out import FOUND, LINKS, USER, found_in, make


def test_a_flat_file_counts_until_its_log_is_there(tmp_path: Path) -> None:
    folder = tmp_path / "chatSessions"
    make(folder, "a.json", "b.json", "b.jsonl", "c.json", "c.d.jsonl")
    (folder / "a.jsonl").mkdir()
    passed: list[PassedOver] = []
    chats = [("vscode-chat", name) for name in ("a.json", "b.jsonl", "c.d.jsonl", "c.json")]
    assert found_in(Root("vscode", folder), folder, passed) == chats
    assert passed == [
        PassedOver(str(folder / "a.jsonl"), "a folder, named like a file"),
        PassedOver(str(folder / "b.json"), "an older copy: the file of this name in the later format is read"),
    ]


@LINKS
def test_whatever_lies_there_is_taken(tmp_path: Path) -> None:
    root = tmp_path / "session-state"
    make(root, "good/events.jsonl", "file")
    (root / "empty").mkdir()
    (root / "folder" / "events.jsonl").mkdir(parents=True)
    (root / "again").symlink_to(root / "good")
    (root / "loop").symlink_to(root / "loop")
    (root / "gone").symlink_to(root / "nowhere")
    (root / "linked").mkdir()
    (root / "linked" / "events.jsonl").symlink_to(root / "file")
    passed: list[PassedOver] = []
    assert [found.path for found in files(Root("cli", root), passed)] == [root / "good" / "events.jsonl"]
    assert passed == [
        PassedOver(str(root / "folder" / "events.jsonl"), "a folder, named like a file"),
        PassedOver(str(root / "linked" / "events.jsonl"), "a link: what it leads to is not read"),
        PassedOver(
            str(root / "loop" / "events.jsonl"), "can't be looked at: Too many levels of symbolic links", unlisted=True
        ),
    ]
    assert list(files(Root("cli", tmp_path / "absent"))) == []
    assert list(files(Root("vscode", root / "file"))) == []
    assert list(files(Root("vscode", Path("\0")))) == []


@LINKS
def test_links_in_a_user_folder(tmp_path: Path) -> None:
    make(tmp_path, "workspaceStorage/1f/chatSessions/a.json", "workspaceStorage/1f/chatSessions/a.jsonl", "real.jsonl")
    storage = tmp_path / "workspaceStorage"
    (storage / "0-link").symlink_to(storage / "1f")
    (storage / "up").symlink_to(storage)
    (storage / "2").mkdir()
    (storage / "2" / "chatSessions").symlink_to(storage / "nowhere")
    (storage / "3").mkdir()
    (storage / "3" / "chatSessions").write_text("a file")
    (storage / "4").mkdir()
    (storage / "4" / "chatSessions").symlink_to(storage / "4" / "chatSessions")
    chats = storage / "1f" / "chatSessions"
    (chats / "b.jsonl").symlink_to(tmp_path / "real.jsonl")
    (chats / "c.jsonl").symlink_to(tmp_path / "nowhere")
    passed: list[PassedOver] = []
    found = found_in(Root("vscode", tmp_path), tmp_path, passed)
    assert found == [("vscode-chat", "workspaceStorage/1f/chatSessions/a.jsonl")]
    older = "an older copy: the file of this name in the later format is read"
    looping = "can't be listed: Too many levels of symbolic links"
    there = [
        (chats / "b.jsonl", "a link: what it leads to is not read", False),
        (chats / "c.jsonl", "a link that leads nowhere", False),
        (chats / "a.json", older, False),
    ]
    again = [(storage / "0-link" / "chatSessions" / path.name, why, unlisted) for path, why, unlisted in there]
    assert passed == [
        PassedOver(str(path), why, unlisted)
        for path, why, unlisted in [
            *there,
            (storage / "2" / "chatSessions", "a link that leads nowhere", False),
            (storage / "3" / "chatSessions", "a file, named like a folder", False),
            (storage / "4" / "chatSessions", looping, True),
            *again,
        ]
    ]


def test_a_folder_that_cant_be_listed_costs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, *USER)
    closed = str(tmp_path / "workspaceStorage" / "1a" / "chatSessions")
    list_folder = os.scandir

    def scandir(path: str) -> object:
        if path == closed:
            raise PermissionError(13, "Permission denied", path)
        return list_folder(path)

    monkeypatch.setattr(os, "scandir", scandir)
    passed: list[PassedOver] = []
    assert found_in(Root("vscode", tmp_path), tmp_path, passed) == [*FOUND[:2], *FOUND[4:]]
    assert passed == [PassedOver(closed, "can't be listed: Permission denied", unlisted=True)]
    assert found_in(Root("vscode", tmp_path), tmp_path) == [*FOUND[:2], *FOUND[4:]]


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (FileNotFoundError(2, "gone"), None),
        (PermissionError(13, "Permission denied"), "can't be looked at: Permission denied"),
    ],
)
def test_a_file_that_vanishes_or_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, why: str | None
) -> None:
    make(tmp_path, *USER)
    path = tmp_path / FOUND[3][1]
    lstat = Path.lstat

    def look(self: Path) -> os.stat_result:
        if self == path:
            raise error
        return lstat(self)

    monkeypatch.setattr(Path, "lstat", look)
    passed: list[PassedOver] = []
    assert found_in(Root("vscode", tmp_path), tmp_path, passed) == [*FOUND[:3], *FOUND[4:]]
    assert passed == ([PassedOver(str(path), why, unlisted=True)] if why else [])
