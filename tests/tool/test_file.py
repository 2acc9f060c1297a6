from __future__ import annotations

import pytest

from deja_hooks.recall.thresholds import FILE_BUDGET
from deja_hooks.tool.arguments import Unusable
from deja_hooks.tool.results import Change, Reason, Result
from tests.support.world import World, asked, edited, said

from .conftest import CAUSE, DECISION, Call, fenced
from .test_recall import NOTE

LINE = (
    '- 2026-11-29 edited in turn 1 of "The importer gives up too early." (cli); decided:'
    f' "{DECISION}" [deja-hooks show 5eed0001]'
)


def test_who_changed_it_and_why(shop: World, deja: Call) -> None:
    text, result = deja("file", file="shop/settings.py")
    assert text == fenced("shop/settings.py in code/shop", LINE)
    change = Change(
        session="5eed0001",
        host="cli",
        date="2026-11-29",
        branch="",
        title="The importer gives up too early.",
        edited=True,
        turns=[1],
        reasons=[Reason(kind="decided", text=DECISION)],
    )
    assert result == Result(mode="file", status="found", project="code/shop", note=NOTE, changes=[change])


def test_by_any_way_to_name_it(shop: World, deja: Call) -> None:
    whole = str(shop.project / "shop" / "settings.py")
    for path in (whole, "settings.py", "./shop/settings.py", "shop\\settings.py", "shop//settings.py"):
        assert LINE in deja("file", file=path)[0]
    assert LINE in deja("file", [str(shop.home / "other")], file="settings.py", project="shop")[0]
    assert LINE in deja("file", [str(shop.home / "other"), str(shop.project)], file=whole)[0]


def test_the_latest_first_and_what_was_asked_where_no_reason_was_said(shop: World, deja: Call) -> None:
    settings = shop.project / "shop" / "settings.py"
    shop.cli_session(
        "later001-x",
        asked("rename the region"),
        *edited(settings, 'region = "north"\n', 'region = "south"\n'),
        said("Done."),
        asked("and back"),
        *edited(settings, 'region = "south"\n', 'region = "north"\n'),
        said("Done."),
        at=shop.now - 3_600_000,
    )
    shop.index()
    assert deja("file", file="settings.py")[0] == fenced(
        "shop/settings.py in code/shop",
        '- 2026-11-30 edited in turns 1, 2 of "rename the region" (cli); asked: "and back"; asked: "rename the region"'
        " [deja-hooks show later001]",
        LINE,
    )


def test_what_was_decided_about_it_elsewhere_comes_after(shop: World, deja: Call) -> None:
    decision = "We decided to keep shop/settings.py sorted by name."
    shop.cli_session("rule0001-x", asked("any rules?"), said(decision), at=shop.now - 3_600_000)
    shop.index()
    assert deja("file", file="settings.py")[0] == fenced(
        "shop/settings.py in code/shop",
        LINE,
        f'- 2026-11-30 spoken of in turn 1 of "any rules?" (cli); decided: "{decision}" [deja-hooks show rule0001]',
    )


def test_several_files_of_that_name(shop: World, deja: Call) -> None:
    shop.cli_session("other001-x", asked("x"), *edited(shop.project / "web" / "settings.py", "a", "b"), said("Done."))
    shop.index()
    with pytest.raises(Unusable) as raised:
        deja("file", file="settings.py")
    assert str(raised.value) == (
        "`file`: several files have a path that ends so; give one of shop/settings.py, web/settings.py."
    )
    assert deja("file", file="web/settings.py")[1].changes[0].session == "other001"


@pytest.mark.parametrize("file", ["nothing.py", "ttings.py", "shop", "%", "/etc/passwd", "a\0b", "~"])
def test_a_file_that_nobody_touched(shop: World, deja: Call, file: str) -> None:
    assert deja("file", file=file)[0] == (
        "No session of this project is known to have changed that file, or to have decided anything about it."
    )


def test_a_file_that_is_spoken_of_and_was_never_touched(shop: World, deja: Call) -> None:
    decision = "We decided to load rates/load.py lazily because start-up was slow."
    shop.cli_session("spoken01-x", asked("about the start"), said(decision))
    shop.index()
    line = (
        f'- 2026-11-29 spoken of in turn 1 of "about the start" (cli); decided: "{decision}" [deja-hooks show spoken01]'
    )
    for file in ("rates/load.py", "load.py", str(shop.project / "rates" / "load.py")):
        assert line in deja("file", file=file)[0]
    for file in ("/elsewhere/load.py", "other/load.py", "oad.py", "load.p"):
        assert deja("file", file=file)[1].status == "nothing"


def test_a_folder_without_a_history(shop: World, deja: Call) -> None:
    assert deja("file", [str(shop.home)], file="x.py")[0] == "There is no history of this project."


def test_a_file_of_the_top_folder_is_not_another_ones(shop: World, deja: Call) -> None:
    shop.cli_session("spoken01-x", asked("x"), said("We decided to load rates/load.py lazily for the start."))
    shop.cli_session("top00001-x", asked("y"), *edited(shop.project / "load.py", "a", "b"), said("Done."))
    shop.index()
    assert [each.session for each in deja("file", file="./load.py")[1].changes] == ["top00001"]


def test_within_the_budget(shop: World, deja: Call) -> None:
    for number in range(12):
        reason = "We decided to add it because " + "the pool needs another longer name here " * 4
        edit = edited(shop.project / "shop" / "pools.py", f"a{number}", f"pool_number_{number} = {number}")
        shop.cli_session(f"many{number:04d}", asked(f"Add pool {number}, please. " * 6), *edit, said(reason))
    shop.index()
    text, result = deja("file", file="pools.py")
    assert len(text) <= FILE_BUDGET
    assert result.left_off == 12 - len(result.changes) > 0
    assert text.endswith(f"{result.left_off} more, earlier ones.")
    assert CAUSE not in text
