"""Everything that we keep goes, and nothing beyond it."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from filelock import FileLock

from deja_hooks.hosts import purge as module
from deja_hooks.hosts.errors import HostsError
from deja_hooks.hosts.purge import purge
from deja_hooks.indexer import background
from deja_hooks.indexer.start import start
from deja_hooks.memory.layout import Layout
from tests.support.world import World, asked, said

links = pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need rights there")


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """Our two folders, with something in each, in a home."""
    layout = Layout(str(tmp_path / "ours" / "cache"), str(tmp_path / "ours" / "config"))
    for file in (layout.memory, layout.in_cache("recordings", "a.json"), layout.marks, layout.index_lock):
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text("x")
    return layout


def test_both_folders_go_and_the_one_around_them(layout: Layout, tmp_path: Path) -> None:
    doomed = [Path(layout.cache), Path(layout.config)]
    assert purge(layout, tmp_path, dry_run=True) == (doomed, [])
    assert Path(layout.memory).exists()
    assert purge(layout, tmp_path) == (doomed, [])
    assert list(tmp_path.iterdir()) == []
    assert purge(layout, tmp_path) == ([], [])


def test_folders_of_the_home_that_are_empty_then_go(tmp_path: Path) -> None:
    layout = Layout(str(tmp_path / ".cache" / "deja-hooks"), str(tmp_path / ".config" / "deja-hooks"))
    for folder in (layout.cache, layout.config, tmp_path / ".local" / "share"):
        Path(folder).mkdir(parents=True)
    (tmp_path / ".config" / "mine").write_text("")
    purge(layout, tmp_path)
    assert sorted(str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*")) == [
        ".config",
        ".config/mine",
        ".local",
        ".local/share",
    ]


def test_what_stands_beside_them_stays(layout: Layout, tmp_path: Path) -> None:
    (tmp_path / "ours" / "mine").write_text("")
    purge(layout, tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["ours", "mine"]


@links
def test_no_link_is_followed(layout: Layout, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "precious").write_text("")
    Path(layout.in_cache("link")).symlink_to(elsewhere)
    Path(layout.in_config("file")).symlink_to(elsewhere / "precious")
    purge(layout, tmp_path)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["elsewhere", "precious"]


@links
def test_a_linked_folder_loses_the_link(layout: Layout, tmp_path: Path) -> None:
    target = tmp_path / "big disk"
    Path(layout.cache).rename(target)
    Path(layout.cache).symlink_to(target)
    why = f"only the link {layout.cache} goes"
    assert purge(layout, tmp_path) == ([Path(layout.cache), Path(layout.config)], [(target, why)])
    assert not os.path.lexists(layout.cache)
    assert (target / "memory.db").read_text() == "x"


def test_the_home_is_never_erased(tmp_path: Path) -> None:
    home = tmp_path / "cache" / "me"
    home.mkdir(parents=True)
    (tmp_path / "config").write_text("a file")
    layout = Layout(str(tmp_path / "cache"), str(tmp_path / "config"))
    left = [(tmp_path / "cache", "the home folder is in it"), (tmp_path / "config", "it is not a folder")]
    assert purge(layout, home) == ([], left)
    assert home.exists()


def test_an_indexer_that_does_not_end_is_named(layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PATIENCE", 0.05)
    with FileLock(layout.index_lock), pytest.raises(HostsError, match="The background indexer is at work"):
        purge(layout, tmp_path)
    assert Path(layout.memory).exists()


def test_a_file_that_a_hook_just_puts_there_goes_too(
    layout: Layout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    erased = module._empty

    def late(folder: Path, but: Path) -> None:
        erased(folder, but)
        (folder / "ring.jsonl").write_text("{}")

    monkeypatch.setattr(module, "_empty", late)
    purge(layout, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="looks at processes as POSIX does")
@pytest.mark.parametrize("moment", ["resting", "working", "idle"])
def test_a_real_indexer_makes_nothing_anew(world: World, moment: str) -> None:
    world.cli_session("s1", asked("Which retry_budget?"), said("We decided on seven."))
    if moment == "resting":
        Path(world.layout.cache).mkdir(parents=True)
        Path(world.layout.index_wanted).write_text("1")
        script = str(background.__file__)
        command = [sys.executable, "-IS", script, world.layout.cache, world.layout.config, "later"]
        process = subprocess.Popen(command, env=world.environment)
    else:
        process = None
        start(world.layout, sys.executable)
        while moment == "idle" and not Path(world.layout.index_report).exists():
            time.sleep(0.02)
    purge(world.layout, world.home)
    if process is not None:
        assert process.wait(timeout=20) == 0
    end = time.monotonic() + 3
    while time.monotonic() < end:
        assert not world.deja_home.exists(), [str(path) for path in world.deja_home.rglob("*")]
        time.sleep(0.1)
