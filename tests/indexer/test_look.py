"""What a pass finds to do, and what it loads where that is nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deja_hooks.indexer.look import look_without_lock
from deja_hooks.memory.schema import VERSION
from deja_hooks.sources.places.roots import Root
from tests.support.world import World, asked, said

PROBE = """
import os, sys
from pathlib import Path
from deja_hooks.indexer.run import index
from deja_hooks.memory.layout import Layout
report = index(Layout(sys.argv[1], sys.argv[1]), environment={}, home=Path.home(), platform="linux")
print(report.files, report.changed, *sorted({"filelock", "orjson", "pydantic", "re"} & set(sys.modules)))
"""


def settled(world: World) -> list[Root]:
    """One session, read long after it was written."""
    path = world.cli_session("s1", asked("a"), said("b"))
    os.utime(path, (1_000_000, 1_000_000))
    world.index()
    return [Root("cli", world.store)]


def test_nothing_new_loads_next_to_nothing(world: World) -> None:
    settled(world)
    done = subprocess.run(
        [sys.executable, "-c", PROBE, world.layout.cache],
        capture_output=True,
        text=True,
        env=world.environment,
        check=True,
    )
    assert done.stdout == "1 0 re\n"  # re: pathlib loads it


def test_a_look_without_the_lock(world: World) -> None:
    roots = settled(world)
    seen = look_without_lock(world.layout, roots)
    assert seen is not None
    assert (len(seen.files), list(seen.known), seen.gone, seen.todo) == (
        1,
        [str(world.store / "s1" / "events.jsonl")],
        [],
        [],
    )


def test_is_not_trusted_while_an_indexer_is_at_work(world: World) -> None:
    roots = settled(world)
    Path(world.layout.index_claim).touch()
    assert look_without_lock(world.layout, roots) is None


def test_is_not_trusted_for_another_version_or_a_broken_memory(world: World) -> None:
    roots = settled(world)
    memory = Path(world.layout.memory)
    whole = memory.read_bytes()
    memory.write_bytes(whole[:60] + (VERSION + 1).to_bytes(4, "big") + whole[64:])
    assert look_without_lock(world.layout, roots) is None
    memory.write_bytes(b"not a database" * 100)
    assert look_without_lock(world.layout, roots) is None
    memory.unlink()
    assert look_without_lock(world.layout, roots) is None


def test_what_cannot_be_listed_just_now_is_not_gone(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """A closed folder, a share that answers with an error: its sessions stay."""
    roots = settled(world)
    real = os.scandir

    def closed(path: str) -> object:
        if str(path) == str(world.store):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", closed)
    seen = look_without_lock(world.layout, roots)
    assert seen is not None
    assert (seen.files, seen.gone, seen.todo) == ({}, [], [])
    monkeypatch.undo()
    (world.store / "s1" / "events.jsonl").unlink()
    seen = look_without_lock(world.layout, roots)
    assert seen is not None
    assert [Path(source.path).name for source in seen.gone] == ["events.jsonl"]


def test_a_file_that_the_roots_lead_past_is_not_gone(world: World) -> None:
    """Another `DEJA_COPILOT_ROOT` for once: the parent of the usual one."""
    settled(world)
    seen = look_without_lock(world.layout, [Root("cli", world.store.parent)])
    assert seen is not None
    assert (seen.files, seen.gone, seen.todo) == ({}, [], [])
