"""What a pass does with forgotten and excluded sessions, whatever files hold them, and with their forks."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from deja_hooks.marks.barred import NOT_READ
from deja_hooks.marks.log import append
from deja_hooks.marks.model import Forgotten, Mark
from deja_hooks.memory.kept_out import EXCLUDED, FORGOTTEN
from tests.indexer.dump import dump
from tests.indexer.test_stores import chat, request, sessions
from tests.support.bytes_kept import holding
from tests.support.world import NOON, World, asked, said

SID = "11111111-aaaa"


def forget(world: World, *sids: str) -> None:
    """As the command does: the tombstone of what the memory has."""
    from deja_hooks.memory.read import open_memory

    memory = open_memory(world.layout.memory)
    assert memory is not None
    rows = memory.db.execute("SELECT sid, started, coalesce(requests, x'') FROM session").fetchall()
    memory.close()
    known = tuple(Forgotten(*row) for row in rows if row[0] in sids)
    Path(world.layout.config).mkdir(parents=True, exist_ok=True)
    append(world.layout, Mark("f1", world.now, "forget", sessions=known))


def settings(world: World, **exclude: list[str]) -> None:
    path = Path(world.layout.settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"exclude": exclude}))


def remarks(world: World) -> set[str]:
    return {row["remarks"] for row in dump(world.layout.memory)["sources"].values()}


class TestForks:
    def fork(self, world: World) -> tuple[Path, Path]:
        first = [request("r1", "first zanzibar?", "One."), request("r2", "second?", "Two.", NOON + 9)]
        origin = chat(world, "origin", *first, request("r3", "third quokka?", "Three.", NOON + 19))
        return origin, chat(world, "fork", *first, request("q3", "instead?", "Else.", NOON + 29), created=NOON + 25)

    def test_the_copied_beginning_goes_with_the_origin(self, world: World) -> None:
        self.fork(world)
        world.index()
        forget(world, "origin")
        for _ in range(2):
            world.index()
            assert sessions(world) == {"fork": [("instead?", "Else.")]}
            marks = [(row["forked_from"], row["skipped"]) for row in dump(world.layout.memory)["sessions"].values()]
            assert marks == [("", 2)]
            assert holding(world.deja_home, ["zanzibar", "quokka"]) == {}
            shutil.rmtree(world.layout.cache)

    def test_the_origin_stays_where_the_fork_is_forgotten(self, world: World) -> None:
        self.fork(world)
        world.index()
        forget(world, "fork")
        world.index()
        whole = {"origin": [("first zanzibar?", "One."), ("second?", "Two."), ("third quokka?", "Three.")]}
        assert sessions(world) == whole
        shutil.rmtree(world.layout.cache)
        world.index()
        assert sessions(world) == whole

    def test_a_fork_of_a_forgotten_fork_keeps_only_what_is_its_own(self, world: World) -> None:
        self.fork(world)
        state = [request("r1", "first zanzibar?", "One."), request("r2", "second?", "Two.", NOON + 9)]
        state += [request("q3", "instead?", "Else.", NOON + 29), request("p4", "last?", "Yes.", NOON + 39)]
        chat(world, "again", *state, created=NOON + 35)
        world.index()
        forget(world, "fork")
        world.index()
        assert sessions(world)["again"] == [("last?", "Yes.")]
        shutil.rmtree(world.layout.cache)
        world.index()
        assert sessions(world)["again"] == [("last?", "Yes.")]


def test_both_files_of_a_chat_are_left_alone(world: World) -> None:
    chat(world, SID, request("r1", "zanzibar?", "One."))
    world.vscode_transcript(SID, asked("zanzibar?"), said("One."))
    world.index()
    forget(world, SID)
    world.index()
    assert (sessions(world), remarks(world)) == ({}, {NOT_READ + FORGOTTEN})
    chat(world, SID, request("r1", "zanzibar?", "One."), request("r2", "quokka?", "Two."))
    world.index()
    assert sessions(world) == {}
    assert holding(world.deja_home, ["zanzibar", "quokka"]) == {}


def test_a_forgotten_session_under_another_name(world: World) -> None:
    """VS Code's chats name themselves; a file may have been renamed."""
    path = chat(world, SID, request("r1", "zanzibar?", "One."))
    world.index()
    forget(world, SID)
    path.rename(path.with_name("renamed.jsonl"))
    world.index()
    assert sessions(world) == {}
    assert holding(world.deja_home, ["zanzibar"]) == {}


class TestExclusions:
    @pytest.fixture
    def two(self, world: World) -> World:
        """A CLI session and a chat of the project, and a session of another one."""
        world.cli_session(SID, asked("about zanzibar"), said("ok"))
        chat(world, "22222222-chat", request("r1", "zanzibar?", "One."))
        other = world.home / "clients" / "acme" / "web"
        world.git(other)
        world.cli_session("33333333-c", asked("about quokka"), said("ok"), cwd=other / "src")
        return world

    ALL = (SID, "22222222-chat", "33333333-c")

    @pytest.mark.parametrize(
        ("exclude", "left"),
        [
            ({"projects": ["~/code/shop"]}, {"33333333-c"}),
            ({"projects": ["~/clients/acme/web/src"]}, {SID, "22222222-chat"}),
            ({"paths": ["~/clients/*"]}, {SID, "22222222-chat"}),
            ({"paths": ["~/**/web"]}, {SID, "22222222-chat"}),
            ({"paths": ["ac?e"]}, {SID, "22222222-chat"}),
            ({"paths": ["~/client"]}, set(ALL)),
            ({"paths": ["~/*"]}, set()),
        ],
    )
    def test_erased_not_read_and_read_again(self, two: World, exclude: dict[str, list[str]], left: set[str]) -> None:
        two.index()
        assert set(sessions(two)) == set(self.ALL)
        settings(two, **exclude)
        two.index()
        assert set(sessions(two)) == left
        assert (NOT_READ + EXCLUDED in remarks(two)) == (left != set(self.ALL))
        words = ["zanzibar"] * (SID not in left) + ["quokka"] * ("33333333-c" not in left)
        assert holding(two.deja_home, words) == {}
        shutil.rmtree(two.layout.cache)
        two.index()
        assert set(sessions(two)) == left
        settings(two)
        two.index()
        assert set(sessions(two)) == set(self.ALL)

    def test_only_the_head_of_a_log_is_read(self, two: World, monkeypatch: pytest.MonkeyPatch) -> None:
        settings(two, paths=["~/*"])
        read = []

        def reader(store: str) -> object:
            def read_it(path: Path, start: int, header: object, size: int) -> object:
                read.append((store, size))
                return real(store)(path, start, header, size)  # type: ignore[arg-type]

            return read_it

        from deja_hooks.indexer import prepare

        real = prepare.reader_for
        monkeypatch.setattr(prepare, "reader_for", reader)
        with (two.store / SID / "events.jsonl").open("a") as log:
            log.write("x" * 100_000)
        two.index()
        assert sessions(two) == {}
        assert {store for store, _ in read} == {"cli-events"}
        assert max(size for _, size in read) == 64 << 10

    @pytest.mark.parametrize(
        "content",
        [b"{", b"[]", b'{"exclude": []}', b'{"exclude": {"paths": "x"}}', b"\xff", b'{"exclude": {"paths": ["*"]}}'],
    )
    def test_a_broken_file_changes_nothing(self, two: World, content: bytes) -> None:
        settings(two, projects=["~/code/shop"])
        two.index()
        Path(two.layout.settings).write_bytes(content)
        two.index()
        assert set(sessions(two)) == {"33333333-c"}

    def test_a_session_that_moves_there(self, two: World) -> None:
        settings(two, paths=["~/clients/*"])
        two.index()
        log = two.store / SID / "events.jsonl"
        from tests.support.world import line

        context = {"context": {"cwd": str(two.home / "clients" / "acme")}}
        with log.open("a") as more:
            more.write(line("session.resume", context, two.now) + line(*asked("quokka"), two.now + 1))
        two.index()
        assert set(sessions(two)) == {"22222222-chat"}

    def test_by_a_linked_path(self, two: World) -> None:
        (two.home / "link").symlink_to(two.home / "clients")
        settings(two, projects=["~/link/acme/web"])
        two.index()
        assert set(sessions(two)) == {SID, "22222222-chat"}

    def test_a_pass_with_nothing_new_does_nothing(self, two: World) -> None:
        settings(two, projects=["~/code/shop"])
        two.index()
        for path in two.home.rglob("*.jsonl"):
            os.utime(path, (1_700_000_000, 1_700_000_000))
        two.index()
        report = two.index()
        assert (report.changed, report.seconds < 1) == (0, True)
