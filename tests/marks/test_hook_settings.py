"""From `settings.json` to the hooks' file: what is sound is followed, what isn't changes nothing."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from deja_hooks.contract.settings import Settings
from deja_hooks.marks import hook_settings
from deja_hooks.marks.hook_settings import refresh_hook_settings
from deja_hooks.marks.refresh import refresh
from deja_hooks.marks.rules import refresh_rules
from deja_hooks.marks.settings import read_settings, write_settings
from deja_hooks.memory.hook_settings import PACKETS, read_hook_settings
from deja_hooks.recall.thresholds import BUDGET_BOUNDS
from tests.support.world import World


def refreshed(world: World, content: object) -> str | None:
    """The hooks' file after the settings were written so; None where there is none."""
    path = Path(world.layout.settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    refresh_hook_settings(world.layout)
    file = Path(world.layout.hook_settings)
    return file.read_text() if file.exists() else None


def test_only_what_differs_is_written(world: World) -> None:
    refresh_hook_settings(world.layout)
    assert not Path(world.layout.config).exists()
    settings = {"events": {"prompt": True, "after_failure": False, "session_start": False}, "budgets": {"prompt": 900}}
    assert refreshed(world, settings) == "silent session_start\nsilent after_failure\nbudget prompt 900\n"
    assert stat.S_IMODE(Path(world.layout.hook_settings).stat().st_mode) == 0o600
    assert refreshed(world, {"events": {"prompt": True}, "exclude": {"paths": ["~/x"]}}) is None
    refreshed(world, settings)
    Path(world.layout.settings).unlink()
    refresh_hook_settings(world.layout)
    assert not Path(world.layout.hook_settings).exists()


@pytest.mark.parametrize(
    "broken",
    ["{", "[]", "[" * 100_000, {"events": {"prompt": "no"}, "budgets": 7}, {"events": {"stop": False}, "budgets": []},
     {"events": None, "budgets": {"prompt": 10}}, {"events": {"prompt": 0}, "budgets": {"prompt": True}},
     {"events": [], "budgets": {"prompt": 900.0}}, {"events": {"prompt": None}, "budgets": {"prompt": 3_001}}],
)  # fmt: skip
def test_what_was_last_sound_stays(world: World, broken: object) -> None:
    made = refreshed(world, {"events": {"before_edit": False}, "budgets": {"prompt": 900}})
    assert made == "silent before_edit\nbudget prompt 900\n"
    assert refreshed(world, broken) == made


def test_each_part_is_followed_by_itself(world: World) -> None:
    refreshed(world, {"events": {"before_edit": False}, "budgets": {"prompt": 900}, "exclude": {"paths": ["~/x"]}})
    changed = {"events": {"prompt": False}, "budgets": {"promt": 700}, "exclude": {"paths": ["~/y"]}, "newer": 1}
    assert refreshed(world, changed) == "silent prompt\nbudget prompt 900\n"
    assert refresh_rules(world.layout, world.home).paths == (f"{world.home}/y",)


def test_a_misspelt_exclusion_takes_none_back(world: World) -> None:
    refreshed(world, {"exclude": {"projects": ["~/secret"]}})
    before = refresh_rules(world.layout, world.home).lines()
    assert "secret" in before
    refreshed(world, {"exclude": {"project": ["~/secret"]}})
    assert refresh_rules(world.layout, world.home).lines() == before


def test_a_pass_follows_what_was_edited_by_hand(world: World) -> None:
    path = Path(world.layout.settings)
    path.parent.mkdir(parents=True)
    world.index()
    path.write_text('{"events": {"prompt": false}}')
    world.index()
    file = Path(world.layout.hook_settings)
    assert file.read_text() == "silent prompt\n"
    file.unlink()
    world.index()
    assert file.read_text() == "silent prompt\n"
    path.write_text('{"events": {"prompt": 7}, "exclude": {}}')
    world.index()
    assert file.read_text() == "silent prompt\n"
    path.unlink()
    world.index()
    assert not file.exists()


def test_a_change_made_while_they_are_followed_is_followed_too(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The indexer has read the old settings; before it writes, a command changes them and makes the hooks' files."""
    path = Path(world.layout.settings)
    path.parent.mkdir(parents=True)
    path.write_text('{"events": {"prompt": false}, "exclude": {"paths": ["~/old"]}}')
    write, changes = (
        hook_settings.write_private,
        [b'{"events": {"before_edit": false}, "exclude": {"paths": ["~/new"]}}'],
    )

    def write_late(file: Path, content: bytes) -> None:
        if changes:
            path.write_bytes(changes.pop())
            refresh(world.layout, world.home)
        write(file, content)

    monkeypatch.setattr(hook_settings, "write_private", write_late)
    refresh(world.layout, world.home)
    assert Path(world.layout.hook_settings).read_text() == "silent before_edit\n"
    assert "new" in Path(world.layout.kept_out_rules).read_text()
    assert "old" not in Path(world.layout.kept_out_rules).read_text()


NAMES = st.sampled_from([*PACKETS, "stop", "promt"])
ODD = st.one_of(st.none(), st.booleans(), st.integers(-1, 9_999), st.floats(0, 9_999), st.sampled_from(["true", "900"]))
PART = st.one_of(st.dictionaries(NAMES, ODD, max_size=4), ODD, st.lists(ODD, max_size=1))
SOUND = st.fixed_dictionaries(
    {},
    optional={
        "events": st.dictionaries(st.sampled_from(PACKETS), st.booleans()),
        "budgets": st.fixed_dictionaries({}, optional={n: st.integers(*BUDGET_BOUNDS[n]) for n in PACKETS}),
    },
)


@given(events=PART, budgets=PART)
def test_the_indexer_takes_for_sound_what_the_model_does(
    tmp_path_factory: pytest.TempPathFactory, events: object, budgets: object
) -> None:
    layout = World(tmp_path_factory.mktemp("world")).layout
    Path(layout.config).mkdir(parents=True)
    for name, value in (("events", events), ("budgets", budgets)):
        Path(layout.hook_settings).write_text("silent after_failure\nbudget after_failure 700\n")
        Path(layout.settings).write_text(json.dumps({name: value}))
        refresh_hook_settings(layout)
        made = read_hook_settings(layout)
        try:
            settings = Settings.model_validate({name: value})
        except ValidationError:
            # It stays as it was; the other part is left out, and so as by default.
            assert (made.silent, made.budgets) == (
                (("after_failure",), {}) if name == "events" else ((), {"after_failure": 700})
            )
            continue
        assert made.silent == tuple(n for n in PACKETS if not getattr(settings.events, n))
        assert {
            n: made.budgets.get(n, getattr(Settings().budgets, n)) for n in PACKETS
        } == settings.budgets.model_dump()


@given(value=SOUND)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, value: dict[str, object]) -> None:
    layout = World(tmp_path_factory.mktemp("world")).layout
    settings = Settings.model_validate(value)
    write_settings(layout, settings)
    assert read_settings(layout) == settings
