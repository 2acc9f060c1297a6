"""Modes, owners, and folders that can't be written."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from deja_hooks.doctor.looking import is_file, is_there
from deja_hooks.doctor.permissions import check_hook_modes, check_permissions
from deja_hooks.memory.layout import Layout
from tests.support.world import World

from .conftest import Deja, made_folder, seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX modes")


def test_modes(layout: Layout, tmp_path: Path) -> None:
    folders = [Path(layout.cache), Path(layout.config)]
    assert seen(check_permissions(folders, "linux", os.getuid())) == [("ok", layout.cache, "this user's alone")]
    deep = made_folder(folders[1] / "kept-out" / "sessions") / "x"
    deep.touch(mode=0o600)
    (folders[0] / "link").symlink_to("/etc/passwd")
    for each in (deep.parent, deep.parent.parent):
        each.chmod(0o700)
    assert seen(check_permissions(folders, "linux", os.getuid())) == [("ok", layout.cache, "this user's alone")]
    deep.chmod(0o640)
    folders[1].chmod(0o711)
    assert seen(check_permissions(folders, "linux", os.getuid())) == [
        ("broken", layout.config, "others may use it (mode 0711), and 1 more")
    ]
    assert seen(check_permissions(folders, "win32", None)) == [
        ("ok", layout.cache, "as private as the profile that it lies in")
    ]


def test_what_belongs_to_another_user(layout: Layout) -> None:
    """After a `sudo deja-hooks index`, say."""
    assert seen(check_permissions([Path(layout.cache)], "linux", os.getuid() + 1)) == [
        ("broken", layout.cache, f"it belongs to another user ({os.getuid()}): hooks can't write it")
    ]


def test_folders_that_are_not_there(tmp_path: Path) -> None:
    assert seen(check_permissions([tmp_path / "none"], "linux", 0)) == [
        ("ok", str(tmp_path / "none"), "this user's alone")
    ]


def test_a_folder_that_was_closed_is_opened_by_fix(healthy: World, deja: Deja, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is for others than root, who may enter everything."""
    cache = Path(healthy.layout.cache)
    cache.chmod(0o500)
    real = os.access
    monkeypatch.setattr(os, "access", lambda path, how: real(path, how) and Path(path).stat().st_mode & 0o200 > 0)
    found = deja("doctor")
    assert found.code == 1
    assert f"  BROKEN   folders       {cache}: {cache} can't be written\n" in found.out
    assert f"not tried: {cache} can't be written" in found.out
    mended = deja("doctor", "--fix")
    assert mended.out.startswith(f"Mended (folders): gave this user {cache} back\n")
    assert (mended.code, cache.stat().st_mode & 0o777) == (0, 0o700)


def test_what_cannot_be_looked_at_is_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path, **options: object) -> None:
        raise PermissionError(13, "Permission denied")

    assert (is_file(tmp_path), is_there(tmp_path), is_there("a\0b"), is_file("a\0b")) == (False, True, False, False)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "stat", refuse)
        patch.setattr(Path, "lstat", refuse)
        assert (is_file(tmp_path), is_there(tmp_path)) == (False, False)


def test_who_can_write_what_is_run(tmp_path: Path) -> None:
    file = made_folder(tmp_path / ".copilot" / "hooks") / "deja.json"
    file.touch(mode=0o600)
    for folder in (tmp_path, file.parent, file.parent.parent):
        folder.chmod(0o755)
    assert seen(check_hook_modes([file], [tmp_path], "linux")) == [
        ("ok", "the hook files", "nobody else can write them")
    ]
    file.parent.parent.chmod(0o775)
    tmp_path.chmod(0o1777)  # as /tmp: what is in it is safe
    what = "other users can write it, and so run what they like as you"
    assert seen(check_hook_modes([file], [tmp_path], "linux")) == [("broken", str(file.parent.parent), what)]
    tmp_path.chmod(0o777)
    assert [about for _, about, _ in seen(check_hook_modes([file], [tmp_path], "linux"))] == [
        str(file.parent.parent),
        str(tmp_path),
    ]
    assert [state for state, _, _ in seen(check_hook_modes([file], [tmp_path], "win32"))] == ["ok"]
    tmp_path.chmod(0o700)
