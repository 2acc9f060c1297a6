"""The benchmarks' chats are the same every time, of the size asked for, and read as what they are."""

from __future__ import annotations

from pathlib import Path

from deja_hooks.sources.chats.session import read

from .chats import generate_chats, go_on


def test_same_seed_same_chats(tmp_path: Path) -> None:
    projects = [tmp_path / "code" / name for name in ("a", "b")]
    first, second = (generate_chats(tmp_path / name, projects, 3, 50_000) for name in ("one", "two"))
    assert [path.read_bytes() for path in first.paths] == [path.read_bytes() for path in second.paths]
    assert [path.parent.parent.name[-1] for path in first.paths] == ["0", "1", "0"]
    assert all(50_000 <= path.stat().st_size < 120_000 for path in first.paths)


def test_they_are_read_as_turns_with_work(tmp_path: Path) -> None:
    project = tmp_path / "code" / "a"
    chats = generate_chats(tmp_path / "user", [project], 1, 50_000)
    path = chats.paths[0]
    before = read(path, 0, None, None)
    go_on(path, project)
    after = read(path, 0, None, None)
    assert after.turns[:-1] == before.turns
    assert (after.header.cwd, after.tally.bad, after.tally.unknown) == (str(project), 0, 0)
    for turn in after.turns:
        assert ([work.kind for work in turn.work], len(turn.files)) == (["command", "edit"], 0)
        assert turn.user.startswith("now check ")
        assert turn.usage[0].output
