"""Ways to plant a fault in a healthy home."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.support.world import World, asked

from .conftest import changed, made_folder

Plant = Callable[[World], object]
SECRET = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"


def hooks(world: World) -> Path:
    return world.home / ".copilot" / "hooks" / "deja.json"


def document(change: Callable[[dict[str, Any]], None]) -> Plant:
    return lambda world: changed(hooks(world), change)


def in_commands(old: str, new: str) -> Plant:
    """Replaces a part of every command."""

    def plant(world: World) -> None:
        text = hooks(world).read_text()
        assert old in text
        hooks(world).write_text(text.replace(old, new))

    return plant


def interpreter(make: Callable[[Path], object], name: str = "python") -> Plant:
    """Has every command name another interpreter."""

    def plant(world: World) -> None:
        path = made_folder(world.home / "env" / "bin") / name
        path.parent.mkdir(exist_ok=True)
        make(path)
        in_commands(sys.executable, str(path))(world)

    return plant


def nothing(_: Path) -> None:
    """No interpreter at all."""


def alias(world: World) -> None:
    path = made_folder(world.home / "WindowsApps") / "python"
    path.symlink_to(sys.executable)
    in_commands(sys.executable, str(path))(world)


def shim(path: Path) -> None:
    path.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    path.chmod(0o755)


def json_file(*parts: str, **content: Any) -> Plant:
    """A file below the home; `SHOP` is the project, and `@HOOKS@` what stands in the hook file."""

    def plant(world: World) -> None:
        path = (world.project if parts[0] == "SHOP" else world.home).joinpath(*parts[parts[0] == "SHOP" :])
        made_folder(path.parent)
        ours = json.loads(hooks(world).read_text())["hooks"]
        path.write_text(json.dumps({k: ours if v == "@HOOKS@" else v for k, v in content.items()}))

    return plant


def sql(name: str, *statements: str) -> Plant:
    def plant(world: World) -> None:
        with closing(sqlite3.connect(Path(world.layout.in_cache(name)))) as db:
            for statement in statements:
                db.execute(statement)
            db.commit()

    return plant


def corrupt(name: str) -> Plant:
    return lambda world: Path(world.layout.in_cache(name)).write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)


def foreign(name: str) -> Plant:
    def plant(world: World) -> None:
        path = Path(world.layout.in_cache(name))
        path.unlink()
        with closing(sqlite3.connect(path)) as db:
            db.execute("CREATE TABLE recipes(name)")
        path.chmod(0o600)

    return plant


def text_file(where: Callable[[World], str], text: str) -> Plant:
    def plant(world: World) -> None:
        path = made_folder(Path(where(world)).parent) / Path(where(world)).name
        path.write_text(text)
        path.chmod(0o600)

    return plant


def ring_line(line: dict[str, Any]) -> Plant:
    def plant(world: World) -> None:
        with Path(world.layout.ring).open("a") as ring:
            ring.write(json.dumps({"t": 1, "h": "cli", "s": "c1", "ms": 2, "r": "x", "c": 0, **line}) + "\n")

    return plant


def stale_claim(world: World) -> None:
    path = Path(world.layout.index_claim)
    path.touch(mode=0o600)
    os.utime(path, (time.time() - 3600, time.time() - 3600))


def unread(world: World) -> None:
    """A session that hooks asked to have read an hour ago."""
    path = world.cli_session("c2", asked("Is it read?"))
    wanted = Path(world.layout.index_wanted)
    wanted.touch(mode=0o600)
    for each, age in ((path, 7200), (wanted, 3600)):
        os.utime(each, (time.time() - age, time.time() - age))


def ring_as_folder(world: World) -> None:
    Path(world.layout.ring).unlink()
    Path(world.layout.ring).mkdir(mode=0o700)


def silent_script(world: World) -> None:
    """Another environment, where an update was cut short: the script is there, and does nothing."""
    script = made_folder(world.home / "other" / "deja_hooks" / "hook") / "entry.py"
    script.write_text("")
    text = hooks(world).read_text()
    old = re.search(r"/\S+/deja_hooks/hook/entry\.py", text)
    assert old
    hooks(world).write_text(text.replace(old[0], str(script)))


def both_spellings(document: dict[str, Any]) -> None:
    document["hooks"]["sessionStart"] = [{"type": "command", "bash": "true"}]


def twice(document: dict[str, Any]) -> None:
    document["hooks"]["Stop"] *= 2


def grouped(document: dict[str, Any]) -> None:
    document["hooks"]["PreToolUse"] = [{"matcher": "", "hooks": document["hooks"]["PreToolUse"]}]
