"""Which entries are ours, and what they run."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deja_hooks.doctor.entries import command_of, our_entries, program_of
from deja_hooks.hosts.command import Program, posix_command, powershell_command
from deja_hooks.hosts.hook_file import ours

#: Any text that a path may be: no NUL, and nothing that UTF-8 can't say.
PATHS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(PATHS, PATHS, PATHS, PATHS)
def test_what_a_command_runs_is_known_again(python: str, script: str, cache: str, config: str) -> None:
    program = Program(python, script, cache, config)
    assert program_of(posix_command(program, "Stop")) == program
    # PowerShell's other single quotes are doubled as well, and read as they were written.
    if not any(quote in "".join(program) for quote in "\u2018\u2019\u201a\u201b"):
        assert program_of(powershell_command(program, "Stop")) == program


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text())
def test_no_other_command_is_taken_for_ours(text: str) -> None:
    assert program_of(text) is None


def test_which_command_a_host_takes() -> None:
    entry = {"command": "c", "bash": "b", "powershell": "p"}
    assert [command_of(entry, each) for each in ("linux", "darwin", "win32", "freebsd13")] == ["b", "b", "p", "b"]
    named = {**entry, "linux": "l", "osx": "o", "windows": "w"}
    assert [command_of(named, each) for each in ("linux", "darwin", "win32")] == ["l", "o", "w"]
    assert [command_of({"bash": "", "command": "c"}, "linux"), command_of({"bash": 3}, "linux")] == ["c", ""]


@pytest.mark.parametrize("document", [{}, {"hooks": 1}, {"hooks": {"Stop": 1}}, {"hooks": {"Stop": [1, {"hooks": 2}]}}])
def test_files_without_entries_of_ours(document: dict[str, Any]) -> None:
    assert our_entries(document) == []


def test_our_entries_in_groups_too() -> None:
    hooks = ours(Program("/py", "/lib/deja_hooks/hook/entry.py", "/c", "/d"))["hooks"]
    document = {"hooks": {"Stop": [{"hooks": hooks["Stop"]}, {"bash": "true"}], "SessionEnd": hooks["SessionEnd"]}}
    assert [(each.event, each.grouped) for each in our_entries(document)] == [("Stop", True), ("SessionEnd", False)]
