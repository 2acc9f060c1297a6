"""Opening what should be a file: never something else, never a link where a log is expected."""

from __future__ import annotations

import os
from collections.abc import Callable
from io import FileIO
from pathlib import Path

import pytest

from deja_hooks.indexer.together import source_file
from deja_hooks.sources.regular import open_log, open_regular

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="files of POSIX")
BOTH = pytest.mark.parametrize("opened", [open_log, open_regular])


@BOTH
def test_a_file(tmp_path: Path, opened: Callable[[Path], FileIO]) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"text")
    with opened(path) as file:
        assert file.read() == b"text"


@BOTH
@pytest.mark.parametrize("kind", ["pipe", "folder", "device", "nothing"])
def test_what_is_no_file(tmp_path: Path, opened: Callable[[Path], FileIO], kind: str) -> None:
    path = tmp_path / "a"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "device":
        path = Path("/dev/zero")
    with pytest.raises(OSError, match=r"regular|directory|such file"):
        opened(path)
    assert source_file(path, "cli-events") is None


def test_a_link_is_no_log(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_bytes(b"private")
    link.symlink_to(real)
    with pytest.raises(OSError, match="symbolic links"):
        open_log(link)
    assert source_file(link, "cli-events") is None
    assert source_file(real, "cli-events") is not None
    with open_regular(link) as file:  # settings may be linked, as dotfiles are
        assert file.read() == b"private"
