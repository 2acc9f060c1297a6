"""What the user has decided, where it can't be understood; and pipes in the place of our files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from deja_hooks.doctor.decisions import check_decisions
from deja_hooks.doctor.index import check_fault, held
from deja_hooks.doctor.projects import project_folders
from deja_hooks.doctor.switches import check_switches
from deja_hooks.memory.layout import Layout
from tests.support.built import Built

from .conftest import machine_of, made_folder, seen

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes")


def test_marks_that_cannot_be_understood(layout: Layout) -> None:
    Path(layout.marks).write_text("x\n\n" + "{}\n" * 11)
    lines = "1, 3, 4, 5, 6, 7, 8, 9, 10, 11"
    assert seen(check_decisions(layout)) == [
        ("broken", layout.marks, f"lines {lines} can't be understood, and count for nothing")
    ]
    Path(layout.marks).unlink()
    Path(layout.settings).write_text('{"exclude": {"paths": [3]}}')
    ((state, about, what),) = seen(check_decisions(layout))
    assert (state, about) == ("broken", layout.settings)
    assert what.startswith("the settings can't be used; the exclusions of before stay in force: ")
    assert "exclude.paths.0" in what
    assert "\n" not in what


def test_nothing_decided() -> None:
    layout = Layout("/no/cache", "/no/config")
    assert seen(check_decisions(layout)) == [("ok", "/no/config", "nothing has been decided yet")]
    assert seen(check_switches(layout, {}, 0)) == [("ok", "the switches", "on")]


@pytest.mark.parametrize("name", ["settings", "marks"])
def test_a_pipe_is_not_waited_for(layout: Layout, name: str) -> None:
    path = getattr(layout, name)
    os.mkfifo(path)
    assert seen(check_decisions(layout)) == [("broken", path, "it is not a regular file")]


def test_a_switch_whose_time_is_over(layout: Layout) -> None:
    Path(layout.off).write_text("1000")
    assert [state for state, _, _ in seen(check_switches(layout, {}, 999))] == ["note"]
    assert seen(check_switches(layout, {}, 1000)) == [("ok", "the switches", "on")]


def test_pipes_in_the_place_of_databases_and_reports(layout: Layout, tmp_path: Path) -> None:
    for path in (layout.memory, layout.index_report):
        os.mkfifo(path)
    assert held(layout, []) is None
    assert [state for state, _, _ in seen(check_fault(layout, None))] == ["ok"]
    assert project_folders(machine_of(layout, tmp_path)) == []
    Path(layout.memory).unlink()
    Built(Path(layout.memory)).close()
    os.mkfifo(layout.state)
    assert held(layout, []) is None


def test_projects_of_the_last_sessions(layout: Layout, tmp_path: Path) -> None:
    work, gone = made_folder(tmp_path / "work" / ".git").parent, tmp_path / "gone"
    inside, here = made_folder(work / "sub"), made_folder(tmp_path / "here")
    built = Built(Path(layout.memory))
    for number, folder in enumerate((inside, work, gone, tmp_path)):
        built.session(f"s{number}", {"user": "hello"}, key=f"dir:{folder}", updated=number)
    built.close()
    assert project_folders(machine_of(layout, tmp_path, str(here))) == [here, work]


def test_recordings_that_go_on(layout: Layout) -> None:
    Path(layout.record).touch()
    seen_now = seen(check_switches(layout, {}, 0))
    kept = "every payload is kept, redacted: each call takes 50 ms longer"
    assert seen_now == [("ok", "the switches", "on"), ("note", layout.recordings, kept)]
