"""A long log read in pieces gives what one reading gives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deja_hooks.indexer import passing
from deja_hooks.indexer.job import Job
from deja_hooks.indexer.pieces import PIECE, first_piece
from deja_hooks.sources.places.roots import SourceFile
from tests.indexer.dump import dump
from tests.support.world import World, asked, edited, ran, said

SID = "11111111-aaaa-4000-8000-000000000001"


def file_of(size: int, store: str = "cli-events") -> SourceFile:
    return SourceFile("/x/events.jsonl", store, 1, 2, size, 3)


def test_how_far_a_piece_goes() -> None:
    def end(size: int, start: int, read_to: int) -> tuple[int, bool]:
        piece = first_piece(Job((file_of(size),), {}, start), read_to, 100)
        return piece.files[0].size, piece.goes_on

    assert end(100, 0, 0) == (100, False)
    assert end(1_000, 0, 0) == (100, True)
    assert end(1_000, 90, 100) == (200, True)
    assert end(1_000, 850, 900) == (1_000, False)
    assert end(1_000, 10, 300) == (590, True), "a turn without an end is not read again for each piece"


def test_what_is_read_as_a_whole() -> None:
    chat = Job((file_of(PIECE * 3, "vscode-chat"),), {})
    two = Job((file_of(PIECE * 3), file_of(PIECE * 3)), {})
    assert first_piece(chat, 0) == chat
    assert first_piece(two, 0) == two


def write(world: World, turns: int, extra: str = "") -> None:
    records = []
    for number in range(turns):
        records += [
            asked(f"about limit_{number}"),
            *ran(f"make part_{number % 7}", number % 3, f"part_{number % 7}: error: no rule"),
            *edited(world.project / f"f{number}.py", f"old {number}", f"new {number}"),
            said(f"We decided to set limit_{number} to {number}. {extra}"),
        ]
    world.cli_session(SID, *records)


def pieces_of(monkeypatch: pytest.MonkeyPatch, size: int) -> list[Job]:
    made: list[Job] = []

    def small(job: Job, read_to: int) -> Job:
        made.append(first_piece(job, read_to, size))
        return made[-1]

    monkeypatch.setattr(passing, "first_piece", small)
    return made


@pytest.mark.parametrize("size", [150, 700, 5_000])
def test_pieces_give_what_one_reading_gives(world: World, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    write(world, 150)
    assert world.index().problems == ()
    whole = dump(world.layout.memory)
    Path(world.layout.memory).unlink()
    made = pieces_of(monkeypatch, size)
    report = world.index()
    assert (report.sessions, report.bad_lines, report.problems) == (1, 0, ())
    assert len(made) > 20
    assert not made[-1].goes_on
    assert dump(world.layout.memory) == whole


def test_a_pass_that_dies_between_two_pieces(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    write(world, 60)
    world.index()
    whole = dump(world.layout.memory)
    Path(world.layout.memory).unlink()
    with monkeypatch.context() as patch:
        made = pieces_of(patch, 1_000)
        real = passing.first_piece

        def dies(job: Job, read_to: int) -> Job:
            if len(made) > 5:
                raise KeyboardInterrupt
            return real(job, read_to)

        patch.setattr(passing, "first_piece", dies)
        with pytest.raises(KeyboardInterrupt):
            world.index()
    world.index()
    assert dump(world.layout.memory) == whole


def test_a_line_longer_than_many_pieces(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    write(world, 3, "x " * 20_000)
    world.index()
    whole = dump(world.layout.memory)
    Path(world.layout.memory).unlink()
    made = pieces_of(monkeypatch, 500)
    world.index()
    assert dump(world.layout.memory) == whole
    assert sum(job.size for job in made) < 5 * (world.store / SID / "events.jsonl").stat().st_size


def test_a_log_of_a_session_that_is_kept_out(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    write(world, 60)
    world.cli_session(SID.replace("1", "2"), asked("other"))
    settings = Path(world.layout.settings)
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text(json.dumps({"exclude": {"projects": [str(world.project)]}}))
    made = pieces_of(monkeypatch, 500)
    world.index()
    assert dump(world.layout.memory)["sessions"] == {}
    assert len(made) == 2, "one piece of the long log, and the short one"


def test_a_log_that_is_trimmed_while_it_is_read(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """What this pass has read is not read again for want of room."""
    write(world, 40)
    made = pieces_of(monkeypatch, 2_000)
    monkeypatch.setattr("deja_hooks.memory.write.MemoryWriter.is_trimmed", lambda *_: True)
    world.index()
    assert all(job.start for job in made[2:])
