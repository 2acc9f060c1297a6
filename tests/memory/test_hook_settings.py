"""The hooks' form of the settings: what a line may say, and that nothing else counts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deja_hooks.memory.hook_settings import PACKETS, HookSettings, parse_hook_settings, read_hook_settings
from tests.support.world import World

SILENT = st.lists(st.sampled_from(PACKETS), unique=True).map(tuple)
BUDGETS = st.dictionaries(st.sampled_from(PACKETS), st.integers(0, 9_999))


@given(silent=SILENT, budgets=BUDGETS)
def test_what_is_written_is_read(silent: tuple[str, ...], budgets: dict[str, int]) -> None:
    read = parse_hook_settings(HookSettings(silent, budgets).lines())
    assert (read.silent, read.budgets) == (silent, budgets)


@pytest.mark.parametrize(
    "line",
    ["", "silent", "silent ", "silent all", "silent prompt now", "silence prompt", "budget prompt", "budget prompt -5",
     "budget prompt 1e3", "budget prompt 10000", "budget stop 5", "budget prompt 5 6", "\0", " silent prompt",
     "budget  prompt 5", "silent prompt\r"],
)  # fmt: skip
def test_what_can_not_be_understood_counts_for_nothing(line: str) -> None:
    read = parse_hook_settings(f"silent before_edit\n{line}\nbudget before_edit 400\n")
    assert (read.silent, read.budgets) == (("before_edit",), {"before_edit": 400})


@given(st.text())
def test_no_text_is_a_failure(text: str) -> None:
    read = parse_hook_settings(text)
    assert set(read.silent) <= set(PACKETS)
    assert set(read.budgets) <= set(PACKETS)


@pytest.mark.parametrize("place", ["nothing", "a pipe", "a folder", "a link to nothing", "bytes that are no text"])
def test_what_stands_in_the_files_place_silences_nothing(world: World, place: str) -> None:
    path = Path(world.layout.hook_settings)
    path.parent.mkdir(parents=True)
    if place == "a pipe":
        os.mkfifo(path)
    elif place == "a folder":
        path.mkdir()
    elif place == "a link to nothing":
        path.symlink_to("nowhere")
    elif place == "bytes that are no text":
        path.write_bytes(b"\xff\xfe\n")
    read = read_hook_settings(world.layout)
    assert (read.silent, read.budgets) == ((), {})


def test_why_a_packet_is_silent() -> None:
    read = parse_hook_settings("silent prompt\n")
    assert read.why_silent("prompt") == "silenced by settings: events.prompt"
    assert read.why_silent("before_edit") == ""
    assert read.why_silent("") == ""
